use async_trait::async_trait;
use rusqlite::{Row, params};
use toolgate_domain::{AuditEvent, KeyId, TenantId, Timestamp};
use toolgate_store::{ApiKey, Keys, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_time, get_text, get_time, get_uuid, query},
};
use crate::codec;

const SELECT: &str = "SELECT k.*, t.slug FROM api_keys k JOIN tenants t ON t.id = k.tenant_id";

#[async_trait]
impl Keys for Sqlite {
    async fn insert(&self, key: &ApiKey, audit: &AuditEvent) -> Result<(), StoreError> {
        let key = key.clone();
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                connection
                    .execute(
                        "INSERT INTO api_keys (id, tenant_id, name, hash, hint, scopes, created_at, expires_at, revoked_at, bound)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                        params![
                            key.id.uuid().into_bytes(),
                            key.tenant_id.uuid().into_bytes(),
                            key.name,
                            key.hash,
                            key.hint,
                            codec::to_json(&key.scopes),
                            key.created_at.as_micros(),
                            key.expires_at.map(Timestamp::as_micros),
                            key.revoked_at.map(Timestamp::as_micros),
                            codec::to_json(&key.bound),
                        ],
                    )
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn by_hash(&self, hash: &[u8; 32]) -> Result<Option<ApiKey>, StoreError> {
        let hash = *hash;
        self.readers
            .run(move |connection| {
                Ok(query(
                    connection,
                    &format!("{SELECT} WHERE k.hash = ?1 AND t.archived_at IS NULL"),
                    [hash],
                    read_key,
                )?
                .pop())
            })
            .await
    }

    async fn list(&self, tenant: TenantId) -> Result<Vec<ApiKey>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = format!("{SELECT} WHERE k.tenant_id = ?1 ORDER BY k.id DESC");
                query(connection, &sql, [tenant.uuid().into_bytes()], read_key)
            })
            .await
    }

    async fn revoke(
        &self,
        tenant: TenantId,
        id: KeyId,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<bool, StoreError> {
        let done = self
            .writer
            .run_audited(vec![audit.clone()], move |connection| {
                let sql =
                    "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?3) WHERE tenant_id = ?1 AND id = ?2";
                let given = params![tenant.uuid().into_bytes(), id.uuid().into_bytes(), at.as_micros()];
                match connection.execute(sql, given).map_err(refused)? {
                    1 => Ok(()),
                    _ => Err(codec::overtaken()),
                }
            })
            .await;
        match done.map_err(StoreError::from) {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn read_key(row: &Row<'_>) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: KeyId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        tenant_slug: get_text(row, "slug")?,
        name: get_text(row, "name")?,
        hash: row.get("hash").map_err(refused)?,
        hint: get_text(row, "hint")?,
        scopes: codec::from_json(&get_text(row, "scopes")?)?,
        bound: codec::from_json(&get_text(row, "bound")?)?,
        created_at: get_time(row, "created_at")?,
        expires_at: get_optional_time(row, "expires_at")?,
        revoked_at: get_optional_time(row, "revoked_at")?,
    })
}
