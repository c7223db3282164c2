//! Whose a call is. The caller who made it owns it, and so does the owner of the agent that made it or runs in it. Whoever owns a call
//! owns the calls under it: the calls of a run belong to the one who started the run.

use toolgate_domain::{AgentId, Caller, Invocation, InvocationId, governance::Agent};
use toolgate_store::StoreError;

use crate::{
    Engine,
    rules::TenantRules,
    runs::{RUN_TOOL, is_of},
};

/// What a call says of its maker.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// The principal, as text.
    by: String,
    agent_id: Option<AgentId>,
    parent_id: Option<InvocationId>,
    /// The row of a run, whose input names the agent that runs.
    run: Option<Box<Invocation>>,
}

impl Made {
    pub(super) fn of(row: &Invocation) -> Self {
        Self {
            by: row.caller.clone(),
            agent_id: row.agent_id,
            parent_id: row.parent_id,
            run: (row.tool_name == RUN_TOOL).then(|| Box::new(row.clone())),
        }
    }

    fn is_own(&self, caller: &Caller, rules: &TenantRules) -> bool {
        if self.by == caller.principal.to_string() {
            return true;
        }
        let acts_for = |agent: &Agent| match caller.agent_id {
            Some(itself) => agent.id == itself,
            None => agent.owner.is_some() && agent.owner == caller.user_id(),
        };
        let maker = self.agent_id.and_then(|id| rules.agents.get(&id));
        let runs = |row: &Invocation| {
            rules.agents.values().any(|one| acts_for(&one.agent) && is_of(row, &one.agent))
        };
        maker.is_some_and(|one| acts_for(&one.agent)) || self.run.as_deref().is_some_and(runs)
    }
}

impl Engine {
    /// Whether a call, or a call that it stands under, is the caller's own.
    pub(super) async fn is_own(&self, caller: &Caller, mut made: Made) -> Result<bool, StoreError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        // No call stands deeper than this.
        for _ in 0..=self.limits.max_call_depth {
            if made.is_own(caller, &rules) {
                return Ok(true);
            }
            let Some(parent) = made.parent_id else { return Ok(false) };
            let Some(row) = self.stores.invocations.get(caller.tenant_id, parent).await? else {
                return Ok(false);
            };
            made = Made::of(&row);
        }
        Ok(false)
    }
}
