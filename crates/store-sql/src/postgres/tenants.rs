use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{AuditEvent, TenantId, Timestamp};
use toolgate_store::{StoreError, Tenant, Tenants};

use super::{
    Postgres, chain,
    columns::Moment,
    database::refused,
    rows::{get, get_optional_time, get_time, read_all},
};
use crate::codec;

#[async_trait]
impl Tenants for Postgres {
    async fn insert(&self, tenant: &Tenant, audit: &AuditEvent) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, tenant.id, std::slice::from_ref(audit)).await?;
        sqlx::query("INSERT INTO tenants (id, slug, name, created_at) VALUES ($1, $2, $3, $4)")
            .bind(tenant.id.uuid())
            .bind(&tenant.slug)
            .bind(&tenant.name)
            .bind(Moment(tenant.created_at))
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        sqlx::query("INSERT INTO audit_heads (tenant_id, seq, hash) VALUES ($1, 0, $2)")
            .bind(tenant.id.uuid())
            .bind(&toolgate_domain::audit::GENESIS[..])
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn archive(&self, id: TenantId, at: Timestamp, audit: &AuditEvent) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, id, std::slice::from_ref(audit)).await?;
        let done = sqlx::query("UPDATE tenants SET archived_at = $2 WHERE id = $1 AND archived_at IS NULL")
            .bind(id.uuid())
            .bind(Moment(at))
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        if done.rows_affected() == 0 {
            return Err(codec::overtaken());
        }
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn list(&self) -> Result<Vec<Tenant>, StoreError> {
        let rows = sqlx::query("SELECT * FROM toolgate_all_tenants()")
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        read_all(&rows, read_tenant)
    }

    async fn get(&self, id: TenantId) -> Result<Option<Tenant>, StoreError> {
        let row = sqlx::query("SELECT * FROM tenants WHERE id = $1")
            .bind(id.uuid())
            .fetch_optional(&mut *self.of(id).await?)
            .await
            .map_err(refused)?;
        row.as_ref().map(read_tenant).transpose()
    }

    async fn by_slug(&self, slug: &str) -> Result<Option<Tenant>, StoreError> {
        let row = sqlx::query("SELECT * FROM toolgate_tenant_by_slug($1)")
            .bind(slug)
            .fetch_optional(&self.pool)
            .await
            .map_err(refused)?;
        row.as_ref().map(read_tenant).transpose()
    }
}

fn read_tenant(row: &PgRow) -> Result<Tenant, StoreError> {
    Ok(Tenant {
        id: TenantId::from_uuid(get(row, "id")?),
        slug: get(row, "slug")?,
        name: get(row, "name")?,
        created_at: get_time(row, "created_at")?,
        archived_at: get_optional_time(row, "archived_at")?,
    })
}
