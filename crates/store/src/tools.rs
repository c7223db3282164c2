use async_trait::async_trait;
use semver::Version;
use serde::Serialize;
use toolgate_domain::{AuditEvent, Lifecycle, SchemaVersionId, TenantId, Timestamp, Tool, ToolId, ToolName};

use crate::StoreError;

/// One content-addressed snapshot of a tool's schemas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SchemaVersion {
    pub id: SchemaVersionId,
    #[serde(skip)]
    pub tenant_id: TenantId,
    pub tool_id: ToolId,
    pub tool_name: ToolName,
    pub tool_version: Version,
    pub input_hash: String,
    pub output_hash: Option<String>,
    pub created_at: Timestamp,
}

/// Another name for a tool, until a date.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alias {
    #[serde(skip)]
    pub tenant_id: TenantId,
    pub alias: ToolName,
    /// The canonical name.
    pub target: ToolName,
    pub remove_by: Timestamp,
    pub created_at: Timestamp,
}

#[async_trait]
pub trait Tools: Send + Sync {
    /// Adds a version and the snapshot of its schemas; a conflict when the version exists.
    async fn insert(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError>;

    /// Replaces what may change of a published version, and notes the snapshot of its schemas.
    async fn update(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError>;

    async fn set_lifecycle(
        &self,
        tenant: TenantId,
        id: ToolId,
        lifecycle: Lifecycle,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<(), StoreError>;

    /// Every version of every tool of a tenant, by name and version.
    async fn all(&self, tenant: TenantId) -> Result<Vec<Tool>, StoreError>;

    /// The snapshots of one tool, newest first.
    async fn schema_versions(
        &self,
        tenant: TenantId,
        name: &ToolName,
    ) -> Result<Vec<SchemaVersion>, StoreError>;

    /// Adds or replaces an alias.
    async fn put_alias(&self, alias: &Alias, audit: &AuditEvent) -> Result<(), StoreError>;

    /// Adds a version under a new name, blocks every version of the old one, and leaves the old name as an alias; all or nothing.
    /// A conflict when the new version exists.
    async fn rename(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        alias: &Alias,
        audit: &AuditEvent,
    ) -> Result<(), StoreError>;

    async fn aliases(&self, tenant: TenantId) -> Result<Vec<Alias>, StoreError>;
}
