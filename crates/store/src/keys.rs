use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use toolgate_domain::{AgentId, AuditEvent, KeyId, Scope, TenantId, Timestamp, UserId};

use crate::StoreError;

/// An API key as it is kept: the secret only as its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    pub id: KeyId,
    pub tenant_id: TenantId,
    pub tenant_slug: String,
    pub name: String,
    /// SHA-256 of the key. Keys are 256 random bits, so a slow hash would protect nothing.
    pub hash: [u8; 32],
    /// The first characters, so that people can tell keys apart.
    pub hint: String,
    pub scopes: Vec<Scope>,
    pub bound: KeyBinding,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// Whom a key speaks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyBinding {
    /// Calls made with it are this agent's calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// A person's own key: it can do no more than the person can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// For stdio and background work.
    #[serde(default)]
    pub service_role: bool,
    /// The principal that made the key; unknown for keys from before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
    /// The key that it was made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_with: Option<KeyId>,
}

#[async_trait]
pub trait Keys: Send + Sync {
    async fn insert(&self, key: &ApiKey, audit: &AuditEvent) -> Result<(), StoreError>;

    async fn by_hash(&self, hash: &[u8; 32]) -> Result<Option<ApiKey>, StoreError>;

    /// All keys of a tenant, newest first.
    async fn list(&self, tenant: TenantId) -> Result<Vec<ApiKey>, StoreError>;

    /// `false` when there is no such key; revoking twice keeps the first moment.
    async fn revoke(
        &self,
        tenant: TenantId,
        id: KeyId,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<bool, StoreError>;
}
