use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use toolgate_domain::{AuditEvent, Lifecycle, SchemaVersionId, TenantId, Timestamp, Tool, ToolId, ToolName};
use toolgate_store::{Alias, SchemaVersion, StoreError, Tools};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_text, get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Tools for Sqlite {
    async fn insert(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let (tool, schemas) = (tool.clone(), schemas.clone());
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                insert_tool(connection, &tool)?;
                note_schemas(connection, &tool, &schemas)
            })
            .await?;
        Ok(())
    }

    async fn update(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let (tool, schemas) = (tool.clone(), schemas.clone());
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                connection
                    .execute(
                        "UPDATE tools_registry SET requires_approval = ?3, definition = ?4, updated_at = ?5
                         WHERE tenant_id = ?1 AND id = ?2",
                        params![
                            tool.tenant_id.uuid().into_bytes(),
                            tool.id.uuid().into_bytes(),
                            tool.spec.requires_approval,
                            codec::definition(&tool),
                            tool.updated_at.as_micros(),
                        ],
                    )
                    .map_err(refused)?;
                note_schemas(connection, &tool, &schemas)
            })
            .await?;
        Ok(())
    }

    async fn set_lifecycle(
        &self,
        tenant: TenantId,
        id: ToolId,
        lifecycle: Lifecycle,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                connection
                    .execute(
                        "UPDATE tools_registry SET lifecycle = ?3, updated_at = ?4 WHERE tenant_id = ?1 AND id = ?2",
                        params![tenant.uuid().into_bytes(), id.uuid().into_bytes(), lifecycle.as_str(), at.as_micros()],
                    )
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn all(&self, tenant: TenantId) -> Result<Vec<Tool>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tools_registry WHERE tenant_id = ?1 ORDER BY name, version";
                query(connection, sql, [tenant.uuid().into_bytes()], read_tool)
            })
            .await
    }

    async fn schema_versions(
        &self,
        tenant: TenantId,
        name: &ToolName,
    ) -> Result<Vec<SchemaVersion>, StoreError> {
        let name = name.clone();
        self.readers
            .run(move |connection| {
                let sql =
                    "SELECT * FROM schema_versions WHERE tenant_id = ?1 AND tool_name = ?2 ORDER BY id DESC";
                query(
                    connection,
                    sql,
                    params![tenant.uuid().into_bytes(), name.as_str()],
                    read_schema_version,
                )
            })
            .await
    }

    async fn put_alias(&self, alias: &Alias, audit: &AuditEvent) -> Result<(), StoreError> {
        let alias = alias.clone();
        self.writer
            .run_audited(vec![audit.clone()], move |connection| write_alias(connection, &alias))
            .await?;
        Ok(())
    }

    async fn rename(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        alias: &Alias,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        let (tool, schemas, alias) = (tool.clone(), schemas.clone(), alias.clone());
        self.writer
            .run_audited(vec![audit.clone()], move |connection| {
                insert_tool(connection, &tool)?;
                note_schemas(connection, &tool, &schemas)?;
                let sql = "UPDATE tools_registry SET lifecycle = 'blocked', updated_at = ?3 WHERE tenant_id = ?1 AND name = ?2";
                let old = params![
                    alias.tenant_id.uuid().into_bytes(),
                    alias.alias.as_str(),
                    tool.updated_at.as_micros()
                ];
                connection.execute(sql, old).map_err(refused)?;
                write_alias(connection, &alias)
            })
            .await?;
        Ok(())
    }

    async fn aliases(&self, tenant: TenantId) -> Result<Vec<Alias>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tool_aliases WHERE tenant_id = ?1 ORDER BY alias";
                query(connection, sql, [tenant.uuid().into_bytes()], read_alias)
            })
            .await
    }
}

fn insert_tool(connection: &Connection, tool: &Tool) -> Result<(), StoreError> {
    connection
        .execute(
            "INSERT INTO tools_registry (id, tenant_id, name, version, origin, egress_class, requires_approval,
                 lifecycle, definition, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                tool.id.uuid().into_bytes(),
                tool.tenant_id.uuid().into_bytes(),
                tool.spec.name.as_str(),
                tool.spec.version.to_string(),
                tool.origin.as_str(),
                tool.spec.egress_class.as_str(),
                tool.spec.requires_approval,
                tool.lifecycle.as_str(),
                codec::definition(tool),
                tool.created_at.as_micros(),
                tool.updated_at.as_micros(),
            ],
        )
        .map(drop)
        .map_err(refused)
}

fn write_alias(connection: &Connection, alias: &Alias) -> Result<(), StoreError> {
    connection
        .execute(
            "INSERT INTO tool_aliases (tenant_id, alias, target, remove_by, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (tenant_id, alias) DO UPDATE SET target = excluded.target, remove_by = excluded.remove_by",
            params![
                alias.tenant_id.uuid().into_bytes(),
                alias.alias.as_str(),
                alias.target.as_str(),
                alias.remove_by.as_micros(),
                alias.created_at.as_micros(),
            ],
        )
        .map(drop)
        .map_err(refused)
}

/// Content-addressed: the same schemas of the same tool are noted once.
fn note_schemas(connection: &Connection, tool: &Tool, schemas: &SchemaVersion) -> Result<(), StoreError> {
    connection
        .execute(
            "INSERT INTO schema_versions (id, tenant_id, tool_id, tool_name, tool_version, input_hash, output_hash,
                 input_schema, output_schema, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING",
            params![
                schemas.id.uuid().into_bytes(),
                schemas.tenant_id.uuid().into_bytes(),
                schemas.tool_id.uuid().into_bytes(),
                schemas.tool_name.as_str(),
                schemas.tool_version.to_string(),
                schemas.input_hash,
                schemas.output_hash,
                codec::to_json(&tool.spec.input_schema),
                tool.spec.output_schema.as_ref().map(codec::to_json),
                schemas.created_at.as_micros(),
            ],
        )
        .map(drop)
        .map_err(refused)
}

fn read_tool(row: &Row<'_>) -> Result<Tool, StoreError> {
    let requires_approval = row.get("requires_approval").map_err(refused)?;
    Ok(Tool {
        id: ToolId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        origin: codec::origin(&get_text(row, "origin")?)?,
        lifecycle: codec::parse(&get_text(row, "lifecycle")?)?,
        created_at: get_time(row, "created_at")?,
        updated_at: get_time(row, "updated_at")?,
        spec: Arc::new(codec::spec(&get_text(row, "definition")?, requires_approval)?),
    })
}

fn read_schema_version(row: &Row<'_>) -> Result<SchemaVersion, StoreError> {
    Ok(SchemaVersion {
        id: SchemaVersionId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        tool_id: ToolId::from_uuid(get_uuid(row, "tool_id")?),
        tool_name: codec::parse(&get_text(row, "tool_name")?)?,
        tool_version: codec::parse(&get_text(row, "tool_version")?)?,
        input_hash: get_text(row, "input_hash")?,
        output_hash: get_optional_text(row, "output_hash")?,
        created_at: get_time(row, "created_at")?,
    })
}

fn read_alias(row: &Row<'_>) -> Result<Alias, StoreError> {
    Ok(Alias {
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        alias: codec::parse(&get_text(row, "alias")?)?,
        target: codec::parse(&get_text(row, "target")?)?,
        remove_by: get_time(row, "remove_by")?,
        created_at: get_time(row, "created_at")?,
    })
}
