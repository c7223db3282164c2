//! The chain of each tenant grows by one link per commit.

use rusqlite::{Connection, params};
use toolgate_domain::{
    AuditEvent, TenantId,
    audit::{Digest, link_hash},
};
use toolgate_store::StoreError;

use super::database::refused;
use crate::{codec, news::News};

/// Appends a link to the chain of every tenant that has news.
pub(super) fn append(connection: &Connection, news: &mut News) -> Result<(), StoreError> {
    for (tenant, items) in news.take() {
        append_link(connection, tenant, &items).map_err(refused)?;
    }
    Ok(())
}

fn append_link(connection: &Connection, tenant: TenantId, items: &[u8]) -> Result<(), rusqlite::Error> {
    let tenant = tenant.uuid().into_bytes();
    let (seq, previous): (i64, Digest) = connection
        .prepare_cached("SELECT seq, hash FROM audit_heads WHERE tenant_id = ?1")?
        .query_row([tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let seq = seq + 1;
    let hash = link_hash(&previous, seq.cast_unsigned(), items);
    connection
        .prepare_cached("UPDATE audit_heads SET seq = ?2, hash = ?3 WHERE tenant_id = ?1")?
        .execute(params![tenant, seq, hash])?;
    connection
        .prepare_cached(
            "INSERT OR FAIL INTO audit_chain (tenant_id, seq, hash, items) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![tenant, seq, hash, items])?;
    Ok(())
}

pub(super) fn insert_events(connection: &Connection, events: &[AuditEvent]) -> Result<(), StoreError> {
    for event in events {
        connection
            .prepare_cached(
                "INSERT OR FAIL INTO audit_events (id, tenant_id, at, actor, action, target, before, after)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    event.id.uuid().into_bytes(),
                    event.tenant_id.uuid().into_bytes(),
                    event.at.as_micros(),
                    event.actor,
                    event.action,
                    event.target,
                    event.before.as_ref().map(codec::to_json),
                    event.after.as_ref().map(codec::to_json),
                ])
            })
            .map_err(refused)?;
    }
    Ok(())
}
