use std::cmp::Reverse;

use async_trait::async_trait;
use toolgate_domain::{
    AgentId, ErrorCode, InvocationId, RunId, RunStep, TenantId, Timestamp, ids::Uuid, usage::Dimension,
};

use crate::StoreError;

/// One question to a model, answered or not. It is added when the question is over, and stays.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelUse {
    /// A UUIDv7. Where the answer is a step of a run, it is the step's.
    pub id: Uuid,
    pub tenant_id: TenantId,
    /// When it was asked.
    pub at: Timestamp,
    /// The call that asked.
    pub invocation_id: InvocationId,
    pub run_id: Option<RunId>,
    pub agent_id: Option<AgentId>,
    pub tool_name: String,
    pub provider: Option<String>,
    pub model: Option<String>,
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub output_tokens: u64,
    pub reasoning_tokens: u64,
    /// By the price table; where that has no price, by the provider's own word.
    pub cost: Option<f64>,
    /// By the provider's own word.
    pub self_reported_cost: Option<f64>,
    /// The two are far apart.
    pub cost_mismatch: bool,
    pub latency_ms: u64,
    /// Why there is no answer.
    pub error: Option<ErrorCode>,
}

/// What a report is about.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageQuery {
    pub from: Timestamp,
    /// Not included.
    pub to: Timestamp,
    pub by: Vec<Dimension>,
    pub agent_id: Option<AgentId>,
    pub tool: Option<String>,
    pub run_id: Option<RunId>,
    pub provider: Option<String>,
    pub model: Option<String>,
    /// Groups, at most; the newest days first.
    pub limit: usize,
}

impl UsageQuery {
    /// Whether it is about models alone: a call of a tool has none.
    pub fn is_of_models(&self) -> bool {
        let of_models = |dimension: &Dimension| matches!(dimension, Dimension::Provider | Dimension::Model);
        self.by.iter().any(of_models) || self.provider.is_some() || self.model.is_some()
    }
}

/// What the rows of a group have in common; only what was asked for is there. Groups come in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageKey {
    /// Days since 1970, in UTC.
    pub day: Option<Reverse<i64>>,
    pub agent_id: Option<AgentId>,
    pub tool: Option<String>,
    pub run_id: Option<RunId>,
    pub provider: Option<String>,
    pub model: Option<String>,
}

/// How long something took: milliseconds. The quantiles are moments that occurred (nearest rank).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    /// How many were timed.
    pub timed: u64,
    pub sum_ms: u64,
    pub p50_ms: Option<u64>,
    pub p95_ms: Option<u64>,
}

impl Latency {
    /// Nothing where nothing was timed.
    pub fn avg_ms(&self) -> Option<u64> {
        self.sum_ms.checked_div(self.timed)
    }
}

/// What the calls of tools come to. Tests do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallTotals {
    pub calls: u64,
    pub errors: u64,
    /// Answered from the cache.
    pub cached: u64,
    /// By the tools' own word, but for those that asked a model: what a model costs is counted there.
    pub cost: f64,
    pub latency: Latency,
}

/// What the questions to models come to. Those of tests count: they were paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelTotals {
    pub calls: u64,
    pub errors: u64,
    /// Runs of agents among those who asked.
    pub runs: u64,
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub output_tokens: u64,
    pub reasoning_tokens: u64,
    /// Questions of which some of the input was cached.
    pub cache_hits: u64,
    pub cost: f64,
    pub cost_mismatches: u64,
    pub latency: Latency,
}

/// Counts what models take, and sums it up together with the calls.
#[async_trait]
pub trait Meter: Send + Sync {
    async fn add_use(&self, used: &ModelUse) -> Result<(), StoreError>;

    /// Keeps a step together with what its question took: both or neither. `false` when the place of the step is taken; the
    /// question was asked all the same, and counts.
    async fn add_turn(&self, step: &RunStep, used: &ModelUse) -> Result<bool, StoreError>;

    /// The calls by group.
    async fn call_totals(
        &self,
        tenant: TenantId,
        query: &UsageQuery,
    ) -> Result<Vec<(UsageKey, CallTotals)>, StoreError>;

    /// The questions to models by group.
    async fn model_totals(
        &self,
        tenant: TenantId,
        query: &UsageQuery,
    ) -> Result<Vec<(UsageKey, ModelTotals)>, StoreError>;
}
