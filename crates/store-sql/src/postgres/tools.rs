use std::sync::Arc;

use async_trait::async_trait;
use sqlx::{PgConnection, postgres::PgRow};
use toolgate_domain::{AuditEvent, Lifecycle, SchemaVersionId, TenantId, Timestamp, Tool, ToolId, ToolName};
use toolgate_store::{Alias, SchemaVersion, StoreError, Tools};

use super::{
    Postgres, chain,
    columns::{JsonText, Moment},
    database::refused,
    rows::{get, get_json, get_time, read_all},
};
use crate::codec;

#[async_trait]
impl Tools for Postgres {
    async fn insert(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, tool.tenant_id, std::slice::from_ref(audit)).await?;
        insert_tool(&mut transaction, tool).await.map_err(refused)?;
        note_schemas(&mut transaction, tool, schemas).await.map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn update(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, tool.tenant_id, std::slice::from_ref(audit)).await?;
        sqlx::query(
            "UPDATE tools_registry SET requires_approval = $3, definition = $4, updated_at = $5
             WHERE tenant_id = $1 AND id = $2",
        )
        .bind(tool.tenant_id.uuid())
        .bind(tool.id.uuid())
        .bind(tool.spec.requires_approval)
        .bind(JsonText(codec::definition(tool)))
        .bind(Moment(tool.updated_at))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        note_schemas(&mut transaction, tool, schemas).await.map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn set_lifecycle(
        &self,
        tenant: TenantId,
        id: ToolId,
        lifecycle: Lifecycle,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, tenant, std::slice::from_ref(audit)).await?;
        sqlx::query(
            "UPDATE tools_registry SET lifecycle = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2",
        )
        .bind(tenant.uuid())
        .bind(id.uuid())
        .bind(lifecycle.as_str())
        .bind(Moment(at))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn all(&self, tenant: TenantId) -> Result<Vec<Tool>, StoreError> {
        let rows = sqlx::query("SELECT * FROM tools_registry WHERE tenant_id = $1 ORDER BY name, version")
            .bind(tenant.uuid())
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, read_tool)
    }

    async fn schema_versions(
        &self,
        tenant: TenantId,
        name: &ToolName,
    ) -> Result<Vec<SchemaVersion>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM schema_versions WHERE tenant_id = $1 AND tool_name = $2 ORDER BY id DESC",
        )
        .bind(tenant.uuid())
        .bind(name.as_str())
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read_schema_version)
    }

    async fn put_alias(&self, alias: &Alias, audit: &AuditEvent) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, alias.tenant_id, std::slice::from_ref(audit)).await?;
        write_alias(&mut transaction, alias).await.map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn rename(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        alias: &Alias,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, tool.tenant_id, std::slice::from_ref(audit)).await?;
        insert_tool(&mut transaction, tool).await.map_err(refused)?;
        note_schemas(&mut transaction, tool, schemas).await.map_err(refused)?;
        sqlx::query(
            "UPDATE tools_registry SET lifecycle = 'blocked', updated_at = $3 WHERE tenant_id = $1 AND name = $2",
        )
        .bind(alias.tenant_id.uuid())
        .bind(alias.alias.as_str())
        .bind(Moment(tool.updated_at))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        write_alias(&mut transaction, alias).await.map_err(refused)?;
        chain::commit(transaction, std::slice::from_ref(audit)).await
    }

    async fn aliases(&self, tenant: TenantId) -> Result<Vec<Alias>, StoreError> {
        let rows = sqlx::query("SELECT * FROM tool_aliases WHERE tenant_id = $1 ORDER BY alias")
            .bind(tenant.uuid())
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, read_alias)
    }
}

async fn insert_tool(connection: &mut PgConnection, tool: &Tool) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO tools_registry (id, tenant_id, name, version, origin, egress_class, requires_approval, lifecycle,
             definition, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(tool.id.uuid())
    .bind(tool.tenant_id.uuid())
    .bind(tool.spec.name.as_str())
    .bind(tool.spec.version.to_string())
    .bind(tool.origin.as_str())
    .bind(tool.spec.egress_class.as_str())
    .bind(tool.spec.requires_approval)
    .bind(tool.lifecycle.as_str())
    .bind(JsonText(codec::definition(tool)))
    .bind(Moment(tool.created_at))
    .bind(Moment(tool.updated_at))
    .execute(connection)
    .await
    .map(drop)
}

async fn write_alias(connection: &mut PgConnection, alias: &Alias) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO tool_aliases (tenant_id, alias, target, remove_by, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, alias) DO UPDATE SET target = excluded.target, remove_by = excluded.remove_by",
    )
    .bind(alias.tenant_id.uuid())
    .bind(alias.alias.as_str())
    .bind(alias.target.as_str())
    .bind(Moment(alias.remove_by))
    .bind(Moment(alias.created_at))
    .execute(connection)
    .await
    .map(drop)
}

/// Content-addressed: the same schemas of the same tool are noted once.
async fn note_schemas(
    connection: &mut PgConnection,
    tool: &Tool,
    schemas: &SchemaVersion,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO schema_versions (id, tenant_id, tool_id, tool_name, tool_version, input_hash, output_hash,
             input_schema, output_schema, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
    )
    .bind(schemas.id.uuid())
    .bind(schemas.tenant_id.uuid())
    .bind(schemas.tool_id.uuid())
    .bind(schemas.tool_name.as_str())
    .bind(schemas.tool_version.to_string())
    .bind(&schemas.input_hash)
    .bind(&schemas.output_hash)
    .bind(JsonText(codec::to_json(&tool.spec.input_schema)))
    .bind(
        tool.spec
            .output_schema
            .as_ref()
            .map(|schema| JsonText(codec::to_json(schema))),
    )
    .bind(Moment(schemas.created_at))
    .execute(connection)
    .await
    .map(drop)
}

fn read_tool(row: &PgRow) -> Result<Tool, StoreError> {
    Ok(Tool {
        id: ToolId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        origin: codec::origin(get(row, "origin")?)?,
        lifecycle: codec::parse(get(row, "lifecycle")?)?,
        created_at: get_time(row, "created_at")?,
        updated_at: get_time(row, "updated_at")?,
        spec: Arc::new(codec::spec(&get_json(row, "definition")?, get(row, "requires_approval")?)?),
    })
}

fn read_schema_version(row: &PgRow) -> Result<SchemaVersion, StoreError> {
    Ok(SchemaVersion {
        id: SchemaVersionId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        tool_id: ToolId::from_uuid(get(row, "tool_id")?),
        tool_name: codec::parse(get(row, "tool_name")?)?,
        tool_version: codec::parse(get(row, "tool_version")?)?,
        input_hash: get(row, "input_hash")?,
        output_hash: get(row, "output_hash")?,
        created_at: get_time(row, "created_at")?,
    })
}

fn read_alias(row: &PgRow) -> Result<Alias, StoreError> {
    Ok(Alias {
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        alias: codec::parse(get(row, "alias")?)?,
        target: codec::parse(get(row, "target")?)?,
        remove_by: get_time(row, "remove_by")?,
        created_at: get_time(row, "created_at")?,
    })
}
