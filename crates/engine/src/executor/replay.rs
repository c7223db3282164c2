//! What a candidate policy would have decided about calls that were made. Nothing is executed.

use std::collections::HashMap;

use toolgate_domain::{Caller, Decision, Invocation, Principal};
use toolgate_policy::rules::{AgentFacts, Facts, PolicyDocument, PolicySet};
use toolgate_store::{InvocationFilter, StoreError};

use crate::{
    Engine, Replay, ReplayedDecision, RuleError,
    rules::{TenantRules, compiled},
};

const PAGE: usize = 200;

/// How the evidence of a tenant's policy is named.
const POLICY_EVIDENCE: &str = "policy:";

impl Engine {
    /// Judges the newest `last` calls under a candidate policy: the recorded evidence, with the policy's part replaced.
    pub async fn replay(
        &self,
        caller: &Caller,
        candidate: &PolicyDocument,
        last: usize,
    ) -> Result<Replay, RuleError> {
        let policy = compiled(candidate)?;
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let mut replay = Replay::new(policy.version());
        let mut callers = HashMap::new();
        let mut filter = InvocationFilter { limit: PAGE.min(last), ..InvocationFilter::default() };
        while replay.judged + replay.skipped < last {
            let page = self.stores.invocations.list(caller.tenant_id, &filter).await?;
            for row in &page.items {
                match self.judge_past(row, &policy, &rules, caller, &mut callers).await? {
                    None => replay.skipped += 1,
                    Some(would_be) => {
                        replay.judged += 1;
                        if would_be.verdict != row.decision.verdict {
                            replay.note(changed(row, would_be));
                        }
                    }
                }
            }
            let Some(oldest) = page.items.last().filter(|_| page.next_cursor.is_some()) else {
                break;
            };
            filter.before = Some(oldest.id);
            filter.limit = PAGE.min(last - replay.judged - replay.skipped);
        }
        Ok(replay)
    }

    /// `None` when the tool was never there, or is gone.
    async fn judge_past(
        &self,
        row: &Invocation,
        policy: &PolicySet,
        rules: &TenantRules,
        asking: &Caller,
        callers: &mut HashMap<String, Caller>,
    ) -> Result<Option<Decision>, StoreError> {
        let Some(live) = self.tool_of(row).await? else {
            return Ok(None);
        };
        if !callers.contains_key(&row.caller) {
            // Of somebody who is gone, the policy sees who they were, and nothing that they could do.
            let gone = || {
                let principal = Principal::parse(&row.caller).unwrap_or(Principal::System);
                Caller::with_scopes(asking.tenant_id, &asking.tenant_slug, principal, &[])
            };
            let found = self.caller_of(row).await?.unwrap_or_else(gone);
            callers.insert(row.caller.clone(), found);
        }
        let Some(caller) = callers.get(&row.caller) else {
            return Ok(None);
        };
        let standing = row.agent_id.and_then(|id| rules.agents.get(&id));
        let agent = standing.map(|standing| AgentFacts {
            id: standing.agent.id,
            handle: standing.agent.handle.as_str().into(),
        });
        let facts =
            Facts::new(caller, &caller.roles, agent, &live.tool, &row.input, row.created_at, row.surface);
        let mut evidence: Vec<_> =
            row.decision.evidence.iter().filter(|e| !e.rule.starts_with(POLICY_EVIDENCE)).cloned().collect();
        evidence.extend(policy.judge(&facts));
        let mut decision = Decision::from_evidence(evidence);
        decision.policy_version = Some(policy.version().to_owned());
        Ok(Some(decision))
    }
}

fn changed(row: &Invocation, would_be: Decision) -> ReplayedDecision {
    ReplayedDecision {
        invocation_id: row.id,
        tool: format!("{}@{}", row.tool_name, row.tool_version),
        caller: row.caller.clone(),
        created_at: row.created_at,
        was: row.decision.clone(),
        would_be,
    }
}
