use async_trait::async_trait;
use rusqlite::{Connection, params};
use toolgate_domain::{TenantId, Timestamp};
use toolgate_store::{Change, Entry, Ledger, LedgerError, StoreError, Transition};

use super::{
    Sqlite,
    database::refused,
    rows,
    writer::{Fault, WriteError},
};
use crate::codec;

#[async_trait]
impl Ledger for Sqlite {
    async fn record(&self, entry: Entry) -> Result<(), LedgerError> {
        match self.writer.run_lean(move |connection| write(connection, &entry)).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(LedgerError::Conflict),
            Err(WriteError::Overloaded) => Err(LedgerError::Overloaded),
            Err(WriteError::Store(error)) => Err(error.into()),
        }
    }
}

/// `false` when the change came too late; then nothing of the entry is written.
fn write(connection: &Connection, entry: &Entry) -> Result<bool, Fault> {
    let applied = match &entry.change {
        None => Ok(true),
        Some(Change::Insert(invocation)) => rows::insert_invocation(connection, invocation),
        Some(Change::Advance(transition)) => advance(connection, entry.tenant_id, transition),
    };
    let applied = applied.map_err(Fault::Refused)?;
    if applied {
        append_events(connection, entry).map_err(Fault::Broken)?;
        append_blobs(connection, entry).map_err(Fault::Broken)?;
    }
    Ok(applied)
}

fn advance(connection: &Connection, tenant: TenantId, transition: &Transition) -> Result<bool, StoreError> {
    let outcome = transition.outcome.clone().unwrap_or_default();
    let changed = connection
        .prepare_cached(
            "UPDATE tool_invocations SET status = ?3, approval_status = ?4, node_id = coalesce(?7, node_id),
                 started_at = coalesce(?8, started_at), completed_at = ?9, output = ?10, error = ?11, cached = ?12,
                 truncated = ?13, attachments = ?14, cost_estimate = ?15,
                 approval_decided_by = coalesce(?16, approval_decided_by), approval_reason = coalesce(?17, approval_reason)
             WHERE tenant_id = ?1 AND id = ?2 AND status = ?5 AND approval_status = ?6
                 AND (status <> 'running' OR ?7 IS NULL OR node_id = ?7)",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                tenant.uuid().into_bytes(),
                transition.id.uuid().into_bytes(),
                transition.to.status().as_str(),
                transition.to.approval_status().as_str(),
                transition.from.status().as_str(),
                transition.from.approval_status().as_str(),
                transition.node_id.map(|id| id.uuid().into_bytes()),
                transition.started_at.map(Timestamp::as_micros),
                transition.completed_at.map(Timestamp::as_micros),
                outcome.output.as_ref().map(codec::to_json),
                outcome.error.as_ref().map(codec::to_json),
                outcome.cached,
                outcome.truncated,
                codec::list_to_json(&outcome.attachments),
                outcome.cost_estimate,
                transition.decided_by,
                transition.reason,
            ])
        })
        .map_err(refused)?;
    Ok(changed == 1)
}

fn append_events(connection: &Connection, entry: &Entry) -> Result<(), StoreError> {
    for event in &entry.events {
        connection
            .prepare_cached(
                "INSERT INTO session_events (tenant_id, session_id, type, invocation_id, data, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    entry.tenant_id.uuid().into_bytes(),
                    event.session_id.uuid().into_bytes(),
                    event.kind.as_str(),
                    event.invocation_id.uuid().into_bytes(),
                    event.data.as_ref().map(codec::to_json),
                    event.created_at.as_micros(),
                ])
            })
            .map_err(refused)?;
    }
    Ok(())
}

fn append_blobs(connection: &Connection, entry: &Entry) -> Result<(), StoreError> {
    for blob in &entry.blobs {
        connection
            .prepare_cached(
                "INSERT INTO blobs (id, tenant_id, invocation_id, content_type, bytes, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    blob.id.uuid().into_bytes(),
                    blob.tenant_id.uuid().into_bytes(),
                    blob.invocation_id.uuid().into_bytes(),
                    blob.content_type,
                    i64::try_from(blob.bytes).unwrap_or(i64::MAX),
                    blob.created_at.as_micros(),
                ])
            })
            .map_err(refused)?;
    }
    Ok(())
}
