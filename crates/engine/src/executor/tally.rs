//! What each run has done so far. A run lives in one process at a time, so the count is kept here, and read from the ledger when
//! the run comes to this process.

use dashmap::DashMap;
use toolgate_domain::{RunId, TenantId};
use toolgate_policy::RunTally;
use toolgate_store::StoreError;

use crate::Engine;

/// Runs whose tally is kept; more than that are read again when they go on.
const MAX_RUNS: usize = 10_000;

#[derive(Default)]
pub(crate) struct Tallies(DashMap<(TenantId, RunId), RunTally>);

impl Engine {
    /// Counts a call of a run, and tells what the run had done before it.
    pub(super) async fn count_call(&self, tenant: TenantId, run: RunId) -> Result<RunTally, StoreError> {
        let tallies = &self.tallies.0;
        if !tallies.contains_key(&(tenant, run)) {
            let totals = self.stores.invocations.run_totals(tenant, run).await?;
            if tallies.len() >= MAX_RUNS {
                tallies.clear();
            }
            tallies.entry((tenant, run)).or_insert(RunTally {
                iterations: 0,
                tool_calls: totals.calls,
                spent: totals.cost,
            });
        }
        let mut tally = tallies.entry((tenant, run)).or_default();
        let before = *tally;
        tally.tool_calls += 1;
        Ok(before)
    }

    /// What the calls of a run have cost.
    pub(super) async fn spent_by(&self, tenant: TenantId, run: RunId) -> Result<f64, StoreError> {
        match self.tallies.0.get(&(tenant, run)) {
            Some(tally) => Ok(tally.spent),
            None => Ok(self.stores.invocations.run_totals(tenant, run).await?.cost),
        }
    }

    /// The run leaves this process: whoever goes on with it reads the ledger.
    pub(super) fn forget_tally(&self, tenant: TenantId, run: RunId) {
        self.tallies.0.remove(&(tenant, run));
    }

    /// A call that was not made does not count.
    pub(super) fn uncount_call(&self, tenant: TenantId, run: RunId) {
        if let Some(mut tally) = self.tallies.0.get_mut(&(tenant, run)) {
            tally.tool_calls = tally.tool_calls.saturating_sub(1);
        }
    }

    pub(super) fn spend(&self, tenant: TenantId, run: Option<RunId>, cost: Option<f64>) {
        if let (Some(run), Some(cost)) = (run, cost)
            && let Some(mut tally) = self.tallies.0.get_mut(&(tenant, run))
        {
            tally.spent += cost;
        }
    }
}
