use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{
    AuditEvent, AuditId, TenantId,
    audit::{GENESIS, ItemKind},
    ids::Uuid,
};
use toolgate_store::{Audit, AuditFilter, Counts, Head, Link, SignedHead, StoreError};

use super::{
    Postgres, chain,
    columns::Moment,
    database::refused,
    rows::{as_bigint, as_limit, get, get_count, get_optional_json, get_time, read_all},
};
use crate::codec;

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
             ORDER BY id DESC LIMIT $6",
        )
        .bind(tenant.uuid())
        .bind(filter.before.map(AuditId::uuid))
        .bind(&filter.action)
        .bind(&filter.actor)
        .bind(&filter.target)
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
        let rows = sqlx::query(
            "SELECT * FROM audit_heads AS h WHERE seq > 0 AND NOT EXISTS
                 (SELECT 1 FROM audit_signatures AS s WHERE s.tenant_id = h.tenant_id AND s.seq = h.seq)",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(refused)?;
        read_all(&rows, |row| Ok((TenantId::from_uuid(get(row, "tenant_id")?), read_head(row)?)))
    }

    async fn counts(&self, tenant: TenantId) -> Result<Counts, StoreError> {
        // One statement sees one moment: the numbers and the head belong together.
        let row = sqlx::query(
            "SELECT (SELECT count(*) FROM tool_invocations WHERE tenant_id = $1
                         AND status IN ('completed', 'failed', 'cancelled', 'rejected')) AS receipts,
                    (SELECT count(*) FROM audit_events WHERE tenant_id = $1) AS events,
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
        let sql = match kind {
            ItemKind::Receipt => {
                "SELECT id FROM tool_invocations WHERE tenant_id = $1 AND id > $2
                     AND status IN ('completed', 'failed', 'cancelled', 'rejected') ORDER BY id LIMIT $3"
            }
            ItemKind::Event => {
                "SELECT id FROM audit_events WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
            }
        };
        let rows = sqlx::query(sql)
            .bind(tenant.uuid())
            .bind(after)
            .bind(as_limit(limit))
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        read_all(&rows, |row| get(row, "id"))
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
