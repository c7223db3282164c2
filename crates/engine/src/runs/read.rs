//! A run and what it left behind, by its id.

use toolgate_domain::{Invocation, InvocationId, RunId, RunStep, StepKind, TenantId};
use toolgate_store::StoreError;

use super::{RUN_TOOL, is_team_run};
use crate::Engine;

/// Steps that are read at a time.
const PAGE: usize = 100;

impl Engine {
    /// The call that is this run.
    pub async fn run_row(&self, tenant: TenantId, run: RunId) -> Result<Option<Invocation>, StoreError> {
        let row = self.stores.invocations.get(tenant, InvocationId::from_uuid(run.uuid())).await?;
        Ok(row.filter(|row| row.tool_name == RUN_TOOL || is_team_run(row)))
    }

    /// What a run did, from its first step on. Runs have bounds, and so has this.
    pub async fn run_steps(&self, tenant: TenantId, run: RunId) -> Result<Vec<RunStep>, StoreError> {
        let mut steps: Vec<RunStep> = Vec::new();
        loop {
            let from = steps.last().map_or(0, |step| step.seq + 1);
            let page = self.stores.steps.steps(tenant, run, from, PAGE).await?;
            let is_last = page.len() < PAGE;
            steps.extend(page);
            if is_last {
                return Ok(steps);
            }
        }
    }

    /// What a run that ended well answered. An output that is too large for its row keeps the answer in the last turn.
    pub async fn response_of(&self, row: &Invocation) -> Result<Option<String>, StoreError> {
        let Some(output) = row.outcome.output.as_ref().filter(|_| row.outcome.error.is_none()) else {
            return Ok(None);
        };
        let said = output.get("response").and_then(|text| text.as_str()).map(str::to_owned);
        if !row.outcome.truncated {
            return Ok(said);
        }
        let steps = self.run_steps(row.tenant_id, RunId::from_uuid(row.id.uuid())).await?;
        let last = steps.iter().rev().find(|step| step.kind == StepKind::Turn);
        Ok(last.and_then(|step| step.body["turn"]["text"].as_str()).map(str::to_owned).or(said))
    }
}
