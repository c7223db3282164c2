//! Permit: everything that the rules of this moment say about a call, as one decision.

use serde_json::Value;
use toolgate_domain::{Caller, Decision, Invocation, Timestamp, Tool, Verdict};
use toolgate_policy::{Question, RunBounds, decide};
use toolgate_store::StoreError;

use super::Call;
use crate::{Engine, rules::TenantRules};

impl Engine {
    pub(super) async fn judge_call(
        &self,
        call: &Call,
        tool: &Tool,
        input: &Value,
        rules: &TenantRules,
        now: Timestamp,
    ) -> Result<Decision, StoreError> {
        let question = Question { surface: call.surface, ..question(&call.caller, tool, input, rules, now) };
        let Some(run) = call.run_id else {
            return Ok(decide(&question));
        };
        let tenant = call.caller.tenant_id;
        let agent = question.agent.map(|standing| &standing.agent.guard);
        let bounds = RunBounds::new(&self.limits, std::iter::once(&rules.settings.guard).chain(agent));
        let mut tally = self.count_call(tenant, run).await?;
        tally.iterations = call.iteration;
        let decision = decide(&Question { run: Some((&bounds, tally)), ..question });
        if decision.verdict == Verdict::Deny {
            self.uncount_call(tenant, run);
        }
        Ok(decision)
    }

    /// What the rules of this moment say about a recorded call.
    pub(crate) async fn judge_again(
        &self,
        caller: &Caller,
        row: &Invocation,
        tool: &Tool,
    ) -> Result<Decision, StoreError> {
        let rules = self.rules.snapshot(row.tenant_id).await?;
        let question = question(caller, tool, row.effective_input(), &rules, self.clock.now());
        Ok(decide(&Question { surface: row.surface, ..question }))
    }
}

fn question<'a>(
    caller: &'a Caller,
    tool: &'a Tool,
    input: &'a Value,
    rules: &'a TenantRules,
    now: Timestamp,
) -> Question<'a> {
    Question {
        agent: rules.standing(caller).map(|standing| &**standing),
        policy: rules.policy.as_deref(),
        terms: rules.tools.get(tool.spec.name.as_str()).and_then(|settings| settings.approval),
        ..Question::plain(caller, tool, input, toolgate_domain::Surface::Internal, now)
    }
}
