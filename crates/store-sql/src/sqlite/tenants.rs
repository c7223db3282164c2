use async_trait::async_trait;
use rusqlite::{Row, params};
use toolgate_domain::{AuditEvent, TenantId, Timestamp};
use toolgate_store::{StoreError, Tenant, Tenants};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_time, get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Tenants for Sqlite {
    async fn insert(&self, tenant: &Tenant, audit: &AuditEvent) -> Result<(), StoreError> {
        let tenant = tenant.clone();
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                let id = tenant.id.uuid().into_bytes();
                connection
                    .execute(
                        "INSERT INTO tenants (id, slug, name, created_at) VALUES (?1, ?2, ?3, ?4)",
                        params![id, tenant.slug, tenant.name, tenant.created_at.as_micros()],
                    )
                    .and_then(|_| {
                        let sql =
                            "INSERT INTO audit_heads (tenant_id, seq, hash) VALUES (?1, 0, zeroblob(32))";
                        connection.execute(sql, [id])
                    })
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn archive(&self, id: TenantId, at: Timestamp, audit: &AuditEvent) -> Result<(), StoreError> {
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                let sql = "UPDATE tenants SET archived_at = ?2 WHERE id = ?1 AND archived_at IS NULL";
                let changed = connection
                    .execute(sql, params![id.uuid().into_bytes(), at.as_micros()])
                    .map_err(refused)?;
                if changed == 1 { Ok(()) } else { Err(codec::overtaken()) }
            })
            .await?;
        Ok(())
    }

    async fn list(&self) -> Result<Vec<Tenant>, StoreError> {
        self.readers
            .run(|connection| query(connection, "SELECT * FROM tenants ORDER BY id", [], read_tenant))
            .await
    }

    async fn get(&self, id: TenantId) -> Result<Option<Tenant>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tenants WHERE id = ?1";
                Ok(query(connection, sql, [id.uuid().into_bytes()], read_tenant)?.pop())
            })
            .await
    }

    async fn by_slug(&self, slug: &str) -> Result<Option<Tenant>, StoreError> {
        let slug = slug.to_owned();
        self.readers
            .run(move |connection| {
                Ok(query(connection, "SELECT * FROM tenants WHERE slug = ?1", [slug], read_tenant)?.pop())
            })
            .await
    }
}

fn read_tenant(row: &Row<'_>) -> Result<Tenant, StoreError> {
    Ok(Tenant {
        id: TenantId::from_uuid(get_uuid(row, "id")?),
        slug: get_text(row, "slug")?,
        name: get_text(row, "name")?,
        created_at: get_time(row, "created_at")?,
        archived_at: get_optional_time(row, "archived_at")?,
    })
}
