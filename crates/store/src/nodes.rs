use async_trait::async_trait;
use toolgate_domain::{NodeId, Timestamp};

use crate::StoreError;

/// The processes that share the database. One that stops renewing its lease counts as dead, and its calls as orphans.
#[async_trait]
pub trait Nodes: Send + Sync {
    async fn renew(&self, node: NodeId, expires_at: Timestamp) -> Result<(), StoreError>;

    async fn retire(&self, node: NodeId) -> Result<(), StoreError>;
}
