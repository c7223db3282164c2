use async_trait::async_trait;
use rusqlite::{Row, params};
use toolgate_domain::{AuditEvent, AuditId, TenantId, Timestamp, audit::ItemKind, ids::Uuid};
use toolgate_store::{Audit, AuditFilter, Counts, Head, Link, SignedHead, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_text, get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Audit for Sqlite {
    async fn append(&self, _: TenantId, events: &[AuditEvent]) -> Result<(), StoreError> {
        Ok(self.writer.run_audited(events.to_vec(), |_| Ok(())).await?)
    }

    async fn events(&self, tenant: TenantId, filter: &AuditFilter) -> Result<Vec<AuditEvent>, StoreError> {
        let filter = filter.clone();
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM audit_events WHERE tenant_id = ?1
                    AND (?2 IS NULL OR id < ?2) AND (?3 IS NULL OR substr(action, 1, length(?3)) = ?3)
                    AND (?4 IS NULL OR actor = ?4) AND (?5 IS NULL OR target = ?5)
                    AND (?6 IS NULL OR at >= ?6) AND (?7 IS NULL OR at < ?7)
                    ORDER BY id DESC LIMIT ?8";
                let before = filter.before.map(|id| id.uuid().into_bytes());
                let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
                let given = params![
                    tenant.uuid().into_bytes(),
                    before,
                    filter.action,
                    filter.actor,
                    filter.target,
                    filter.since.map(Timestamp::as_micros),
                    filter.until.map(Timestamp::as_micros),
                    limit
                ];
                query(connection, sql, given, read_event)
            })
            .await
    }

    async fn events_by_id(&self, tenant: TenantId, ids: &[AuditId]) -> Result<Vec<AuditEvent>, StoreError> {
        let ids = ids.to_vec();
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM audit_events WHERE tenant_id = ?1 AND id = ?2";
                let mut found = Vec::with_capacity(ids.len());
                for id in ids {
                    let key = params![tenant.uuid().into_bytes(), id.uuid().into_bytes()];
                    found.extend(query(connection, sql, key, read_event)?);
                }
                Ok(found)
            })
            .await
    }

    async fn links(&self, tenant: TenantId, after: u64, limit: usize) -> Result<Vec<Link>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM audit_chain WHERE tenant_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
                let given = params![
                    tenant.uuid().into_bytes(),
                    i64::try_from(after).unwrap_or(i64::MAX),
                    i64::try_from(limit).unwrap_or(i64::MAX)
                ];
                query(connection, sql, given, |row| {
                    Ok(Link {
                        seq: row.get::<_, i64>("seq").map_err(refused)?.cast_unsigned(),
                        hash: row.get("hash").map_err(refused)?,
                        items: row.get("items").map_err(refused)?,
                    })
                })
            })
            .await
    }

    async fn head(&self, tenant: TenantId) -> Result<Head, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM audit_heads WHERE tenant_id = ?1";
                let mut found = query(connection, sql, [tenant.uuid().into_bytes()], read_head)?;
                Ok(found.pop().unwrap_or_default())
            })
            .await
    }

    async fn sign(&self, tenant: TenantId, head: &SignedHead) -> Result<(), StoreError> {
        let head = head.clone();
        self.writer
            .run(move |connection| {
                connection
                    .execute(
                        "INSERT INTO audit_signatures (tenant_id, seq, hash, signed_at, signature)
                         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
                        params![
                            tenant.uuid().into_bytes(),
                            head.seq.cast_signed(),
                            head.hash,
                            head.signed_at.as_micros(),
                            head.signature,
                        ],
                    )
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn signed_heads(
        &self,
        tenant: TenantId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<SignedHead>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql =
                    "SELECT * FROM audit_signatures WHERE tenant_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
                let given = params![
                    tenant.uuid().into_bytes(),
                    i64::try_from(after).unwrap_or(i64::MAX),
                    i64::try_from(limit).unwrap_or(i64::MAX)
                ];
                query(connection, sql, given, |row| {
                    let Head { seq, hash } = read_head(row)?;
                    Ok(SignedHead {
                        seq,
                        hash,
                        signed_at: get_time(row, "signed_at")?,
                        signature: row.get("signature").map_err(refused)?,
                    })
                })
            })
            .await
    }

    async fn unsigned_heads(&self) -> Result<Vec<(TenantId, Head)>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM audit_heads AS h WHERE seq > 0 AND NOT EXISTS
                    (SELECT 1 FROM audit_signatures AS s WHERE s.tenant_id = h.tenant_id AND s.seq = h.seq)";
                query(connection, sql, [], |row| {
                    Ok((TenantId::from_uuid(get_uuid(row, "tenant_id")?), read_head(row)?))
                })
            })
            .await
    }

    async fn counts(&self, tenant: TenantId) -> Result<Counts, StoreError> {
        self.readers
            .run(move |connection| {
                // One statement sees one moment: the numbers and the head belong together.
                let sql = "SELECT
                    (SELECT count(*) FROM tool_invocations WHERE tenant_id = ?1
                        AND status IN ('completed', 'failed', 'cancelled', 'rejected')) AS receipts,
                    (SELECT count(*) FROM audit_events WHERE tenant_id = ?1) AS events,
                    coalesce((SELECT seq FROM audit_heads WHERE tenant_id = ?1), 0) AS seq,
                    coalesce((SELECT hash FROM audit_heads WHERE tenant_id = ?1), zeroblob(32)) AS hash";
                let mut counted = query(connection, sql, [tenant.uuid().into_bytes()], |row| {
                    Ok(Counts {
                        receipts: row.get::<_, i64>("receipts").map_err(refused)?.cast_unsigned(),
                        events: row.get::<_, i64>("events").map_err(refused)?.cast_unsigned(),
                        head: read_head(row)?,
                    })
                })?;
                Ok(counted.pop().unwrap_or_default())
            })
            .await
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
                "SELECT id FROM tool_invocations WHERE tenant_id = ?1 AND id > ?2
                    AND status IN ('completed', 'failed', 'cancelled', 'rejected') ORDER BY id LIMIT ?3"
            }
            ItemKind::Event => {
                "SELECT id FROM audit_events WHERE tenant_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"
            }
        };
        self.readers
            .run(move |connection| {
                let limit = i64::try_from(limit).unwrap_or(i64::MAX);
                let given = params![tenant.uuid().into_bytes(), after.into_bytes(), limit];
                query(connection, sql, given, |row| get_uuid(row, "id"))
            })
            .await
    }
}

fn read_head(row: &Row<'_>) -> Result<Head, StoreError> {
    Ok(Head {
        seq: row.get::<_, i64>("seq").map_err(refused)?.cast_unsigned(),
        hash: row.get("hash").map_err(refused)?,
    })
}

fn read_event(row: &Row<'_>) -> Result<AuditEvent, StoreError> {
    let json = |column| get_optional_text(row, column)?.map(|text| codec::from_json(&text)).transpose();
    Ok(AuditEvent {
        id: AuditId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        at: get_time(row, "at")?,
        actor: get_text(row, "actor")?,
        action: get_text(row, "action")?,
        target: get_text(row, "target")?,
        before: json("before")?,
        after: json("after")?,
    })
}
