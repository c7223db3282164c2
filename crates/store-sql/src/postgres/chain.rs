//! Changes outside the ledger's own statement that the chain must know of.

use sqlx::{PgConnection, PgPool, Postgres as Server, Transaction};
use toolgate_domain::{AuditEvent, TenantId};
use toolgate_store::StoreError;

use super::{
    columns::{JsonText, Moment},
    database::refused,
    scope,
};
use crate::codec;

/// Begins a change of a tenant's rows that will be audited. The lock is the ledger's own ("tgledger"): links follow each other.
pub(super) async fn begin(
    pool: &PgPool,
    tenant: TenantId,
    events: &[AuditEvent],
) -> Result<Transaction<'static, Server>, StoreError> {
    // A tenant is made and archived by another one, whose chain is told.
    let told = events.iter().map(|event| event.tenant_id).filter(|told| *told != tenant);
    let tenants: Vec<_> = std::iter::once(tenant).chain(told).collect();
    scope::begin(pool, "", &tenants, "SELECT pg_advisory_xact_lock(8387792013732832626)").await
}

/// Ends it: the events are written, the chain grows, everything becomes durable.
pub(super) async fn commit(
    mut transaction: Transaction<'static, Server>,
    events: &[AuditEvent],
) -> Result<(), StoreError> {
    for event in events {
        insert_event(&mut transaction, event).await.map_err(refused)?;
    }
    let mut tenants: Vec<TenantId> = events.iter().map(|event| event.tenant_id).collect();
    tenants.sort();
    tenants.dedup();
    for tenant in tenants {
        let news = events.iter().filter(|event| event.tenant_id == tenant);
        let items: Vec<u8> = news.flat_map(|event| event.item().to_bytes()).collect();
        append_link(&mut transaction, tenant, &items).await.map_err(refused)?;
    }
    transaction.commit().await.map_err(refused)
}

pub(super) async fn append_link(
    connection: &mut PgConnection,
    tenant: TenantId,
    items: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "WITH moved AS (
             UPDATE audit_heads SET seq = seq + 1, hash = sha256(hash || int8send(seq + 1) || $2)
             WHERE tenant_id = $1 RETURNING tenant_id, seq, hash)
         INSERT INTO audit_chain (tenant_id, seq, hash, items) SELECT tenant_id, seq, hash, $2 FROM moved",
    )
    .bind(tenant.uuid())
    .bind(items)
    .execute(connection)
    .await
    .map(drop)
}

async fn insert_event(connection: &mut PgConnection, event: &AuditEvent) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO audit_events (id, tenant_id, at, actor, action, target, before, after)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(event.id.uuid())
    .bind(event.tenant_id.uuid())
    .bind(Moment(event.at))
    .bind(&event.actor)
    .bind(&event.action)
    .bind(&event.target)
    .bind(event.before.as_ref().map(|value| JsonText(codec::to_json(value))))
    .bind(event.after.as_ref().map(|value| JsonText(codec::to_json(value))))
    .execute(connection)
    .await
    .map(drop)
}
