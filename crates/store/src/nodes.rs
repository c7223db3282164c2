use async_trait::async_trait;
use toolgate_domain::{NodeId, Timestamp};

use crate::StoreError;

/// The processes that share the database. One that stops renewing its lease counts as dead, and its calls as orphans.
#[async_trait]
pub trait Nodes: Send + Sync {
    /// The lease ends `lease_ms` from now. A database that several processes share goes by its own clock, because theirs may differ;
    /// an embedded one goes by `now`.
    async fn renew(&self, node: NodeId, now: Timestamp, lease_ms: i64) -> Result<(), StoreError>;

    async fn retire(&self, node: NodeId) -> Result<(), StoreError>;
}
