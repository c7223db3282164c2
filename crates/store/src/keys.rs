use async_trait::async_trait;
use toolgate_domain::{KeyId, Scope, TenantId, Timestamp};

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
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

#[async_trait]
pub trait Keys: Send + Sync {
    async fn insert(&self, key: &ApiKey) -> Result<(), StoreError>;

    async fn by_hash(&self, hash: &[u8; 32]) -> Result<Option<ApiKey>, StoreError>;

    /// All keys of a tenant, newest first.
    async fn list(&self, tenant: TenantId) -> Result<Vec<ApiKey>, StoreError>;

    /// `false` when there is no such key; revoking twice keeps the first moment.
    async fn revoke(&self, tenant: TenantId, id: KeyId, at: Timestamp) -> Result<bool, StoreError>;
}
