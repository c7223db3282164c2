use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{AuditEvent, KeyId, TenantId, Timestamp};
use toolgate_store::{ApiKey, Keys, StoreError};

use super::{
    Postgres, chain,
    columns::{JsonText, Moment},
    database::refused,
    rows::{get, get_json, get_optional_time, get_time, read_all},
};
use crate::codec;

#[async_trait]
impl Keys for Postgres {
    async fn insert(&self, key: &ApiKey, audit: &AuditEvent) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, key.tenant_id, std::slice::from_ref(audit)).await?;
        sqlx::query(
            "INSERT INTO api_keys (id, tenant_id, name, hash, hint, scopes, created_at, expires_at, revoked_at, bound)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(key.id.uuid())
        .bind(key.tenant_id.uuid())
        .bind(&key.name)
        .bind(key.hash.as_slice())
        .bind(&key.hint)
        .bind(JsonText(codec::to_json(&key.scopes)))
        .bind(Moment(key.created_at))
        .bind(key.expires_at.map(Moment))
        .bind(key.revoked_at.map(Moment))
        .bind(JsonText(codec::to_json(&key.bound)))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn by_hash(&self, hash: &[u8; 32]) -> Result<Option<ApiKey>, StoreError> {
        let found = sqlx::query("SELECT * FROM toolgate_key_by_hash($1)")
            .bind(hash.as_slice())
            .fetch_optional(&self.pool)
            .await
            .map_err(refused)?;
        found.as_ref().map(read_key).transpose()
    }

    async fn list(&self, tenant: TenantId) -> Result<Vec<ApiKey>, StoreError> {
        let rows = sqlx::query(
            "SELECT k.*, t.slug FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
             WHERE k.tenant_id = $1 ORDER BY k.id DESC",
        )
        .bind(tenant.uuid())
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read_key)
    }

    async fn revoke(
        &self,
        tenant: TenantId,
        id: KeyId,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<bool, StoreError> {
        let mut transaction = chain::begin(&self.pool, tenant, std::slice::from_ref(audit)).await?;
        let revoked = sqlx::query(
            "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE tenant_id = $1 AND id = $2",
        )
        .bind(tenant.uuid())
        .bind(id.uuid())
        .bind(Moment(at))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        if revoked.rows_affected() == 0 {
            return Ok(false);
        }
        chain::commit(transaction, std::slice::from_ref(audit)).await?;
        Ok(true)
    }
}

fn read_key(row: &PgRow) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: KeyId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        tenant_slug: get(row, "slug")?,
        name: get(row, "name")?,
        hash: get::<&[u8]>(row, "hash")?.try_into().map_err(codec::corrupt)?,
        hint: get(row, "hint")?,
        scopes: codec::from_json(&get_json(row, "scopes")?)?,
        bound: codec::from_json(&get_json(row, "bound")?)?,
        created_at: get_time(row, "created_at")?,
        expires_at: get_optional_time(row, "expires_at")?,
        revoked_at: get_optional_time(row, "revoked_at")?,
    })
}
