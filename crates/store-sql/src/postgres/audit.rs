use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{
    AuditEvent, AuditId, TenantId,
    audit::{GENESIS, Item, ItemKind},
    ids::Uuid,
};
use toolgate_store::{Audit, AuditFilter, Counts, Head, Link, SignedHead, StoreError, Unsealed};

use super::{
    Postgres, chain,
    columns::Moment,
    database::refused,
    rows::{as_bigint, as_limit, get, get_count, get_optional_json, get_time, read_all},
};
use crate::codec;

/// The kinds of `audit_pending`, as the chain's items spell them.
const RECEIPT: i16 = 1;
const EVENT: i16 = 2;

#[async_trait]
impl Audit for Postgres {
    async fn append(&self, tenant: TenantId, events: &[AuditEvent]) -> Result<(), StoreError> {
        chain::commit(chain::begin(&self.pool, tenant, events).await?, events).await
    }

    async fn events(&self, tenant: TenantId, filter: &AuditFilter) -> Result<Vec<AuditEvent>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM audit_events WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id < $2)
                 AND ($3::text IS NULL OR starts_with(action, $3)) AND ($4::text IS NULL OR actor = $4)
                 AND ($5::text IS NULL OR target = $5)
                 AND ($6::timestamptz IS NULL OR at >= $6) AND ($7::timestamptz IS NULL OR at < $7)
             ORDER BY id DESC LIMIT $8",
        )
        .bind(tenant.uuid())
        .bind(filter.before.map(AuditId::uuid))
        .bind(&filter.action)
        .bind(&filter.actor)
        .bind(&filter.target)
        .bind(filter.since.map(Moment))
        .bind(filter.until.map(Moment))
        .bind(as_limit(filter.limit))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read_event)
    }

    async fn events_by_id(&self, tenant: TenantId, ids: &[AuditId]) -> Result<Vec<AuditEvent>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        let rows = sqlx::query("SELECT * FROM audit_events WHERE tenant_id = $1 AND id = ANY ($2)")
            .bind(tenant.uuid())
            .bind(ids)
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, read_event)
    }

    async fn links(&self, tenant: TenantId, after: u64, limit: usize) -> Result<Vec<Link>, StoreError> {
        let rows =
            sqlx::query("SELECT * FROM audit_chain WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT $3")
                .bind(tenant.uuid())
                .bind(as_bigint(after))
                .bind(as_limit(limit))
                .fetch_all(&mut *self.of(tenant).await?)
                .await
                .map_err(refused)?;
        read_all(&rows, |row| {
            let Head { seq, hash } = read_head(row)?;
            Ok(Link { seq, hash, items: get(row, "items")? })
        })
    }

    async fn head(&self, tenant: TenantId) -> Result<Head, StoreError> {
        let row = sqlx::query("SELECT * FROM audit_heads WHERE tenant_id = $1")
            .bind(tenant.uuid())
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        row.as_ref().map_or_else(|| Ok(Head::default()), read_head)
    }

    async fn sign(&self, tenant: TenantId, head: &SignedHead) -> Result<(), StoreError> {
        let mut transaction = self.change_of(tenant).await?;
        sqlx::query(
            "INSERT INTO audit_signatures (tenant_id, seq, hash, signed_at, signature) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.uuid())
        .bind(as_bigint(head.seq))
        .bind(&head.hash[..])
        .bind(Moment(head.signed_at))
        .bind(&head.signature)
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)
    }

    async fn signed_heads(
        &self,
        tenant: TenantId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<SignedHead>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM audit_signatures WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        )
        .bind(tenant.uuid())
        .bind(as_bigint(after))
        .bind(as_limit(limit))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, |row| {
            let Head { seq, hash } = read_head(row)?;
            Ok(SignedHead {
                seq,
                hash,
                signed_at: get_time(row, "signed_at")?,
                signature: get(row, "signature")?,
            })
        })
    }

    async fn unsigned_heads(&self) -> Result<Vec<(TenantId, Head)>, StoreError> {
        let rows = sqlx::query("SELECT * FROM toolgate_unsigned_heads()")
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        read_all(&rows, |row| Ok((TenantId::from_uuid(get(row, "tenant_id")?), read_head(row)?)))
    }

    async fn counts(&self, tenant: TenantId) -> Result<Counts, StoreError> {
        // One statement sees one moment: the numbers and the head belong together.
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM tool_invocations WHERE tenant_id = $1
                         AND status IN ('completed', 'failed', 'cancelled', 'rejected'))
                        - (SELECT count(*) FROM audit_pending WHERE tenant_id = $1 AND kind = 1) AS receipts,
                    (SELECT count(*) FROM audit_events WHERE tenant_id = $1)
                        - (SELECT count(*) FROM audit_pending WHERE tenant_id = $1 AND kind = 2) AS events,
                    coalesce((SELECT seq FROM audit_heads WHERE tenant_id = $1), 0) AS seq,
                    coalesce((SELECT hash FROM audit_heads WHERE tenant_id = $1), $2) AS hash",
        )
        .bind(tenant.uuid())
        .bind(&GENESIS[..])
        .fetch_one(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        Ok(Counts {
            receipts: get_count(&row, "receipts")?,
            events: get_count(&row, "events")?,
            head: read_head(&row)?,
        })
    }

    async fn ids(
        &self,
        tenant: TenantId,
        kind: ItemKind,
        after: Uuid,
        limit: usize,
    ) -> Result<Vec<Uuid>, StoreError> {
        // What is still to be sealed is not missing.
        let sql = match kind {
            ItemKind::Receipt => {
                "SELECT id FROM tool_invocations i WHERE tenant_id = $1 AND id > $2
                     AND status IN ('completed', 'failed', 'cancelled', 'rejected') AND NOT EXISTS
                     (SELECT FROM audit_pending p WHERE p.tenant_id = i.tenant_id AND p.kind = 1 AND p.id = i.id)
                 ORDER BY id LIMIT $3"
            }
            ItemKind::Event => {
                "SELECT id FROM audit_events e WHERE tenant_id = $1 AND id > $2 AND NOT EXISTS
                     (SELECT FROM audit_pending p WHERE p.tenant_id = e.tenant_id AND p.kind = 2 AND p.id = e.id)
                 ORDER BY id LIMIT $3"
            }
        };
        let rows = sqlx::query(sql)
            .bind(tenant.uuid())
            .bind(after)
            .bind(as_limit(limit))
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, |row| get(row, "id"))
    }

    async fn unsealed(&self, limit: usize) -> Result<Vec<Unsealed>, StoreError> {
        let rows: Vec<(Uuid, i16, Uuid)> = sqlx::query_as("SELECT * FROM toolgate_audit_pending($1)")
            .bind(as_limit(limit))
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        let read = |(tenant, kind, id)| {
            let kind = if kind == RECEIPT { ItemKind::Receipt } else { ItemKind::Event };
            Unsealed { tenant_id: TenantId::from_uuid(tenant), kind, id }
        };
        Ok(rows.into_iter().map(read).collect())
    }

    async fn seal(&self, tenant: TenantId, items: &[Item]) -> Result<usize, StoreError> {
        let mut transaction = chain::begin(&self.pool, tenant, &[]).await?;
        let mut sealed = Vec::with_capacity(items.len());
        for item in items {
            // Another process may have been quicker.
            let owed =
                sqlx::query("DELETE FROM audit_pending WHERE tenant_id = $1 AND kind = $2 AND id = $3")
                    .bind(tenant.uuid())
                    .bind(if item.kind == ItemKind::Receipt { RECEIPT } else { EVENT })
                    .bind(item.id)
                    .execute(&mut *transaction)
                    .await
                    .map_err(refused)?;
            if owed.rows_affected() == 1 {
                sealed.push(item.to_bytes());
            }
        }
        if !sealed.is_empty() {
            chain::append_link(&mut transaction, tenant, &sealed.concat()).await.map_err(refused)?;
        }
        transaction.commit().await.map_err(refused)?;
        Ok(sealed.len())
    }
}

fn read_head(row: &PgRow) -> Result<Head, StoreError> {
    let hash = get::<&[u8]>(row, "hash")?.try_into().map_err(codec::corrupt)?;
    Ok(Head { seq: get_count(row, "seq")?, hash })
}

fn read_event(row: &PgRow) -> Result<AuditEvent, StoreError> {
    let json = |column| get_optional_json(row, column)?.map(|text| codec::from_json(&text)).transpose();
    Ok(AuditEvent {
        id: AuditId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        at: get_time(row, "at")?,
        actor: get(row, "actor")?,
        action: get(row, "action")?,
        target: get(row, "target")?,
        before: json("before")?,
        after: json("after")?,
    })
}
