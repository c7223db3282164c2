use async_trait::async_trait;
use toolgate_domain::{
    AgentId, Invocation, InvocationId, NodeId, Page, RunId, Status, Surface, TenantId, Timestamp, ToolId,
};

use crate::StoreError;

/// Which invocations to list; newest first.
#[derive(Clone, Debug, Default)]
pub struct InvocationFilter {
    pub status: Option<Status>,
    pub tool: Option<String>,
    pub agent_id: Option<AgentId>,
    pub run_id: Option<RunId>,
    /// The calls that this one made.
    pub parent_id: Option<InvocationId>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    /// Calls whose input names one of these agents: the runs of an agent, whichever of its names they were given. Empty: any.
    pub of_agents: Vec<String>,
    /// Only test runs, or only the others.
    pub is_test: Option<bool>,
    /// Rows older than this one.
    pub before: Option<InvocationId>,
    pub limit: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTotals {
    pub calls: u64,
    /// As the tools estimated it.
    pub cost: f64,
}

/// Who called a version of a tool in one way, how often, and when last. Tests do not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    pub tool_id: ToolId,
    pub tool_name: String,
    pub tool_version: String,
    pub caller: String,
    pub agent_id: Option<AgentId>,
    pub surface: Surface,
    /// What the calls were told: that the tool is deprecated, that its name was an alias.
    pub warnings: Vec<String>,
    pub calls: u64,
    pub last_call: Timestamp,
}

#[async_trait]
pub trait Invocations: Send + Sync {
    async fn get(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Invocation>, StoreError>;

    /// Those of the given calls that exist.
    async fn by_ids(&self, tenant: TenantId, ids: &[InvocationId]) -> Result<Vec<Invocation>, StoreError>;

    /// The call that a principal made under an idempotency key.
    async fn by_idempotency_key(
        &self,
        tenant: TenantId,
        caller: &str,
        key: &str,
    ) -> Result<Option<Invocation>, StoreError>;

    async fn list(&self, tenant: TenantId, filter: &InvocationFilter)
    -> Result<Page<Invocation>, StoreError>;

    /// How many calls of the tenant wait for a person.
    async fn count_pending(&self, tenant: TenantId) -> Result<u64, StoreError>;

    /// What the calls of a run come to.
    async fn run_totals(&self, tenant: TenantId, run: RunId) -> Result<RunTotals, StoreError>;

    /// Who called these versions since then; whoever called last comes first.
    async fn usage(
        &self,
        tenant: TenantId,
        tools: &[ToolId],
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<Usage>, StoreError>;

    /// Running calls, of any tenant, whose process is gone: its lease has ended, by the clock that [`Nodes::renew`](crate::Nodes::renew)
    /// goes by.
    async fn orphans(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError>;

    /// Calls, of any tenant, that wait for Toolgate: approved and not yet begun, or asked about for too long.
    async fn decided(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError>;

    /// Takes over an orphan or a suspended call. `false` when another process did, or the call ended.
    async fn adopt(&self, orphan: &Invocation, node: NodeId, takeover: Takeover) -> Result<bool, StoreError>;
}

/// Why a process takes over a running call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeover {
    /// To run it: one more attempt, unless the call was suspended.
    Run,
    /// To end it.
    Settle,
}
