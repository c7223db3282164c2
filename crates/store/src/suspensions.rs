use async_trait::async_trait;
use bytes::Bytes;
use toolgate_domain::{Invocation, InvocationId, NodeId, TaskId, TenantId, Timestamp};

use crate::StoreError;

/// A running call that gives its process back while it waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspension {
    pub tenant_id: TenantId,
    pub invocation_id: InvocationId,
    /// The task it waits for; without one, for the calls that it made.
    pub task_id: Option<TaskId>,
    /// What its runtime goes on from; without one, it begins again, and calls that it made already are answered from their records.
    pub state: Option<Bytes>,
    pub created_at: Timestamp,
    /// When it goes on at the latest, whether or not what it waits for is over.
    pub wake_at: Option<Timestamp>,
}

#[async_trait]
pub trait Suspensions: Send + Sync {
    /// Lets go of a call that `node` runs. `false` when it runs there no more.
    async fn suspend(&self, suspension: &Suspension, node: NodeId) -> Result<bool, StoreError>;

    /// The last suspension of a call.
    async fn suspension(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Suspension>, StoreError>;

    /// Suspended calls, of any tenant, that have nothing left to wait for at this moment.
    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError>;

    /// Forgets the suspension of a call that ended.
    async fn forget_suspension(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError>;

    /// The calls that a call made, in their order.
    async fn children(
        &self,
        tenant: TenantId,
        parent: InvocationId,
        limit: usize,
    ) -> Result<Vec<Invocation>, StoreError>;
}
