use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use toolgate_domain::{AuditEvent, TenantId, Timestamp};

use crate::StoreError;

/// The outermost wall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tenant {
    pub id: TenantId,
    pub slug: String,
    pub name: String,
    pub created_at: Timestamp,
    /// No key and no person of an archived tenant gets in; its ledger stays.
    pub archived_at: Option<Timestamp>,
}

#[async_trait]
pub trait Tenants: Send + Sync {
    /// The audit event belongs to the tenant that made this one.
    async fn insert(&self, tenant: &Tenant, audit: &AuditEvent) -> Result<(), StoreError>;

    async fn archive(&self, id: TenantId, at: Timestamp, audit: &AuditEvent) -> Result<(), StoreError>;

    async fn list(&self) -> Result<Vec<Tenant>, StoreError>;

    async fn get(&self, id: TenantId) -> Result<Option<Tenant>, StoreError>;

    async fn by_slug(&self, slug: &str) -> Result<Option<Tenant>, StoreError>;
}
