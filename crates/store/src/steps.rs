use async_trait::async_trait;
use toolgate_domain::{RunId, RunStep, TenantId};

use crate::StoreError;

/// The steps of runs: they are added, and stay.
#[async_trait]
pub trait Steps: Send + Sync {
    /// Keeps a step. `false` when the run has one in this place already: whoever wrote that one was first.
    async fn add_step(&self, step: &RunStep) -> Result<bool, StoreError>;

    /// The steps of a run from this place on, in their order.
    async fn steps(
        &self,
        tenant: TenantId,
        run: RunId,
        from: u64,
        limit: usize,
    ) -> Result<Vec<RunStep>, StoreError>;
}
