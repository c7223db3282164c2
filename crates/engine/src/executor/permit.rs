//! Permit: everything that the rules of this moment say about a call, as one decision.

use serde_json::{Value, json};
use toolgate_domain::{AuditEvent, Caller, Decision, Evidence, Invocation, Limits, Timestamp, Tool, Verdict};
use toolgate_policy::{Question, RunBounds, RunTally, Standing, decide, is_hopeless};
use toolgate_store::StoreError;

use super::Call;
use crate::{Engine, registry::View, rules::TenantRules};

/// The rule that tells of it.
const BYPASS: &str = "bypass_approval";
/// The rule by which a call asks because its maker says so.
const MANUAL: &str = "manual";

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
            return Ok(self.or_bypass(call, or_ask(call, rules.under_lock(tool, decide(&question)))));
        };
        let tenant = call.caller.tenant_id;
        let agent = question.agent.map(|standing| &standing.agent.guard);
        let bounds = RunBounds::new(&self.limits, std::iter::once(&rules.settings.guard).chain(agent));
        let mut tally = self.count_call(tenant, run).await?;
        tally.iterations = call.iteration;
        tally.spent += call.run_spent;
        let decision = rules.under_lock(tool, decide(&Question { run: Some((&bounds, tally)), ..question }));
        if decision.verdict == Verdict::Deny {
            self.uncount_call(tenant, run);
        }
        Ok(self.or_bypass(call, or_ask(call, decision)))
    }

    /// The one escape from asking: for development, for the service role, on a server that was started with it.
    fn or_bypass(&self, call: &Call, mut decision: Decision) -> Decision {
        if !call.bypass_approval || decision.verdict != Verdict::Ask {
            return decision;
        }
        let (verdict, because) = if !self.bypass_approval {
            (
                Verdict::Deny,
                "this server does not let anybody bypass approval: it was not started with --bypass-approval",
            )
        } else if call.caller.service_role {
            (Verdict::Allow, "the service role bypasses approval, which is audited")
        } else {
            (Verdict::Deny, "only a key of the service role bypasses approval")
        };
        decision.evidence.push(Evidence { rule: BYPASS.to_owned(), verdict, because: because.to_owned() });
        (decision.verdict, decision.approval) = (verdict, None);
        decision
    }

    /// What was bypassed is on record before it acts.
    pub(super) async fn audit_bypass(&self, caller: &Caller, row: &Invocation) -> Result<(), StoreError> {
        if row.decision.evidence.iter().all(|evidence| evidence.rule != BYPASS) {
            return Ok(());
        }
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "approval.bypass", row.id)
            .to(json!({"tool": format!("{}@{}", row.tool_name, row.tool_version), "input": row.input}));
        self.stores.audit.append(row.tenant_id, &[event]).await
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
        Ok(rules.under_lock(tool, decide(&Question { surface: row.surface, ..question })))
    }
}

/// Somebody who makes a call may want a person to agree where no rule does.
fn or_ask(call: &Call, mut decision: Decision) -> Decision {
    if call.asks && decision.verdict == Verdict::Allow {
        let because = "the one who started it wants a person to agree".to_owned();
        decision.evidence.push(Evidence { rule: MANUAL.to_owned(), verdict: Verdict::Ask, because });
        decision.verdict = Verdict::Ask;
    }
    decision
}

/// Whether some call of the tool in a run could get through: what every such call would meet speaks against none.
pub(crate) fn may_ever_call(
    view: &View<'_>,
    standing: Option<&Standing>,
    limits: &Limits,
    tool: &Tool,
) -> bool {
    // The cheap question first: it is asked of every tool there is.
    if standing.is_some_and(|standing| !standing.offers(tool)) || view.rules.hold(tool).is_some() {
        return false;
    }
    let guard = standing.map(|standing| &standing.agent.guard);
    let bounds = RunBounds::new(limits, std::iter::once(&view.rules.settings.guard).chain(guard));
    let question = Question {
        agent: standing,
        surface: view.surface,
        run: Some((&bounds, RunTally::default())),
        ..question(view.caller, tool, &Value::Null, view.rules, view.now)
    };
    !is_hopeless(&question)
}

/// The same outside any run.
pub(crate) fn could_call(view: &View<'_>, standing: Option<&Standing>, tool: &Tool) -> bool {
    let question = Question {
        agent: standing,
        surface: view.surface,
        ..question(view.caller, tool, &Value::Null, view.rules, view.now)
    };
    !is_hopeless(&question)
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
