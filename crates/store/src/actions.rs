use async_trait::async_trait;
use toolgate_domain::{AgentId, InvocationId, TenantId, Timestamp, governance::ActionCaps};

use crate::StoreError;

/// An action of an agent that counts against its day, unless it gives its place back. The call must be on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionPlace {
    pub tenant_id: TenantId,
    /// The call that is the action.
    pub invocation_id: InvocationId,
    pub agent_id: AgentId,
    /// What is done, by its one name: aliases share a quota.
    pub kind: String,
    /// Its day (UTC) is the one that counts, however long the action takes.
    pub taken_at: Timestamp,
}

/// Whether an action may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    Taken,
    /// The day is full for this kind of action.
    FullForKind,
    /// The day is full for all actions of the agent.
    FullForAll,
}

/// How often agents acted on a day: durable, and the same for every process.
#[async_trait]
pub trait Actions: Send + Sync {
    /// Takes a place in the day, where it fits under both caps. A call has one place: asked again, it is taken still. Places of calls
    /// that failed or were cancelled do not count.
    async fn take_place(&self, place: &ActionPlace, caps: ActionCaps) -> Result<Admission, StoreError>;

    /// Frees the place of a call, where it has one.
    async fn give_place_back(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError>;
}
