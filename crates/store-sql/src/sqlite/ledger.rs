use std::cell::{Cell, RefCell};

use async_trait::async_trait;
use rusqlite::{Connection, Statement, params};
use toolgate_domain::{Outcome, TenantId, Timestamp};
use toolgate_store::{Change, Entry, Ledger, LedgerError, StoreError, Transition};

use super::{
    Sqlite, chain,
    database::refused,
    rows,
    writer::{Fault, Group, WriteError},
};
use crate::{
    codec,
    log::{self, Line},
};

#[async_trait]
impl Ledger for Sqlite {
    async fn record(&self, entry: Entry) -> Result<(), LedgerError> {
        entry.check()?;
        match self.writer.run_lean(move |group| write(group, &entry)).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(LedgerError::Conflict),
            Err(WriteError::Overloaded) => Err(LedgerError::Overloaded),
            Err(WriteError::Store(error)) => Err(error.into()),
        }
    }
}

/// What the ledger says to the database, prepared once: looking statements up by their text costs as much as running them.
pub(super) struct Statements<'c> {
    insert: RefCell<Statement<'c>>,
    advance: RefCell<Statement<'c>>,
    append_event: RefCell<Statement<'c>>,
    append_blob: RefCell<Statement<'c>>,
    /// The newest id of the log. An id that was drawn for nothing stays unused.
    last_event: Cell<i64>,
}

impl<'c> Statements<'c> {
    pub(super) fn prepare(connection: &'c Connection) -> Result<Self, StoreError> {
        let prepare = |sql| connection.prepare(sql).map(RefCell::new).map_err(refused);
        let newest = "SELECT coalesce(max(id), 0) FROM session_events";
        let newest = connection.query_row(newest, [], |row| row.get(0)).map_err(refused)?;
        Ok(Self {
            insert: prepare(rows::INSERT_INVOCATION)?,
            advance: prepare(ADVANCE)?,
            append_event: prepare(APPEND_EVENT)?,
            append_blob: prepare(APPEND_BLOB)?,
            last_event: Cell::new(newest),
        })
    }

    /// Draws as many ids as a row tells of events, and gives it the last of them.
    fn next_event(&self, events: i64) -> i64 {
        self.last_event.set(self.last_event.get() + events);
        self.last_event.get()
    }
}

/// At most one row, and what refuses its change does so before it is made. No process runs a call that has ended.
const ADVANCE: &str = "
    UPDATE OR FAIL tool_invocations SET status = ?3, approval_status = ?4,
        node_id = CASE WHEN ?3 IN ('completed', 'failed', 'cancelled', 'rejected') THEN NULL ELSE coalesce(?7, node_id) END,
        started_at = coalesce(?8, started_at), completed_at = ?9, output = ?10, error = ?11, cached = ?12,
        truncated = ?13, attachments = ?14, cost_estimate = ?15,
        approval_decided_by = coalesce(?16, approval_decided_by), approval_reason = coalesce(?17, approval_reason),
        approved_input = coalesce(?18, approved_input)
    WHERE tenant_id = ?1 AND id = ?2 AND status = ?5 AND approval_status = ?6
        AND (status <> 'running' OR ?7 IS NULL OR node_id = ?7)";

/// `OR FAIL` for the same reason as with a new row; what fails here undoes the whole group.
const APPEND_EVENT: &str = "
    INSERT OR FAIL INTO session_events (id, tenant_id, session_id, type, invocation_id, data, created_at, began_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

const APPEND_BLOB: &str = "
    INSERT OR FAIL INTO blobs (id, tenant_id, invocation_id, content_type, bytes, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// `false` when the change came too late; then nothing of the entry is written.
fn write(group: &Group<'_, '_>, entry: &Entry) -> Result<bool, Fault> {
    let statements = group.ledger;
    let new_row = entry.new_row();
    let applied = match (&new_row, &entry.change) {
        (Some(row), _) => rows::insert_invocation(&mut statements.insert.borrow_mut(), row),
        (None, Some(Change::Advance(transition))) => {
            advance(&mut statements.advance.borrow_mut(), entry.tenant_id, transition)
        }
        (None, _) => Ok(true),
    };
    let applied = applied.map_err(Fault::Refused)?;
    if applied {
        append_events(statements, entry).map_err(Fault::Broken)?;
        append_blobs(&mut statements.append_blob.borrow_mut(), entry).map_err(Fault::Broken)?;
        chain::insert_events(group.connection, &entry.audit).map_err(Fault::Broken)?;
        group.news.borrow_mut().add(entry.tenant_id, entry.items(new_row.as_ref()));
    }
    Ok(applied)
}

fn advance(
    statement: &mut Statement<'_>,
    tenant: TenantId,
    transition: &Transition,
) -> Result<bool, StoreError> {
    let nothing = Outcome::default();
    let outcome = transition.outcome.as_ref().unwrap_or(&nothing);
    let changed = statement
        .execute(params![
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
            transition.approved_input.as_ref().map(codec::to_json),
        ])
        .map_err(refused)?;
    Ok(changed == 1)
}

fn append_events(statements: &Statements<'_>, entry: &Entry) -> Result<(), StoreError> {
    let mut statement = statements.append_event.borrow_mut();
    for Line { event, began_at } in log::lines(&entry.events) {
        statement
            .execute(params![
                statements.next_event(1 + i64::from(began_at.is_some())),
                entry.tenant_id.uuid().into_bytes(),
                event.session_id.uuid().into_bytes(),
                event.kind.as_str(),
                event.invocation_id.uuid().into_bytes(),
                event.data.as_ref().map(codec::to_json),
                event.created_at.as_micros(),
                began_at.map(Timestamp::as_micros),
            ])
            .map_err(refused)?;
    }
    Ok(())
}

fn append_blobs(statement: &mut Statement<'_>, entry: &Entry) -> Result<(), StoreError> {
    for blob in &entry.blobs {
        statement
            .execute(params![
                blob.id.uuid().into_bytes(),
                blob.tenant_id.uuid().into_bytes(),
                blob.invocation_id.uuid().into_bytes(),
                blob.content_type,
                i64::try_from(blob.bytes).unwrap_or(i64::MAX),
                blob.created_at.as_micros(),
            ])
            .map_err(refused)?;
    }
    Ok(())
}
