//! The four results. They are answers, not errors: whoever asked can branch on them.

use serde_json::{Map, Value, json};
use toolgate_domain::{
    AgentId, Envelope, ErrorCode, Limits, ToolError,
    json::{encoded_len, preview},
};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    Success { output: Value },
    Blocked { reason: String, message: String },
    Throttled { reason: String, retry_after_s: Option<u64> },
    Failed(ToolError),
}

/// An outcome, and the call that it came from, where one was made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    made: Option<(String, String)>,
    /// The receipt of the call has more than the output here.
    truncated: bool,
}

impl Ended {
    pub(super) fn blocked(reason: &str, message: impl Into<String>) -> Self {
        Outcome::Blocked { reason: reason.to_owned(), message: message.into() }.into()
    }

    pub(super) fn is_success(&self) -> bool {
        matches!(self.outcome, Outcome::Success { .. })
    }

    /// With an output that fits into the answer: an answer that had to be cut might lose its result.
    pub(super) fn fitted(mut self, limits: &Limits) -> Self {
        let bytes = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        if let Outcome::Success { output } = &mut self.outcome
            && encoded_len(output) > bytes(limits.max_output_bytes) / 2
        {
            *output =
                preview(output, bytes(limits.max_preview_bytes).min(bytes(limits.max_output_bytes) / 2));
            self.truncated = true;
        }
        self
    }

    /// The answer of `run_agent_action`.
    pub(super) fn answer(self, action: &str, agent: AgentId) -> Value {
        let mut answer = match self.outcome {
            Outcome::Success { output } => {
                json!({"result": "success", "action": action, "agent_id": agent, "output": output})
            }
            Outcome::Blocked { reason, message } => {
                json!({"result": "blocked_by_policy", "reason": reason, "message": message})
            }
            Outcome::Throttled { reason, retry_after_s: None } => {
                json!({"result": "throttled", "reason": reason})
            }
            Outcome::Throttled { reason, retry_after_s: Some(seconds) } => {
                json!({"result": "throttled", "reason": reason, "retry_after_s": seconds})
            }
            Outcome::Failed(error) => {
                json!({"result": "failed", "error": error.message, "code": error.code})
            }
        };
        if let Some((call, invocation)) = self.made {
            answer["call_id"] = call.into();
            answer["invocation_id"] = invocation.into();
        }
        if self.truncated {
            answer["truncated"] = true.into();
        }
        answer
    }

    /// What the audit trail is told of it: everything but what the tool answered, which its receipt has.
    pub(super) fn told(&self, action: &str, agent: AgentId) -> Map<String, Value> {
        let mut told = match self.clone().answer(action, agent) {
            Value::Object(told) => told,
            _ => Map::new(),
        };
        told.remove("output");
        told.insert("action".to_owned(), action.into());
        told.insert("agent_id".to_owned(), json!(agent));
        told
    }
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, made: None, truncated: false }
    }
}

impl From<Envelope> for Ended {
    fn from(envelope: Envelope) -> Self {
        let made = (envelope.call_id, envelope.invocation_id.to_string());
        let outcome = match envelope.error {
            None => Outcome::Success { output: envelope.output.unwrap_or(Value::Null) },
            Some(error) => error.into(),
        };
        Self { outcome, made: Some(made), truncated: envelope.truncated }
    }
}

/// A budget renews: what it denies may be tried again.
const BUDGET_EXCEEDED: &str = "budget_exceeded";

impl From<ToolError> for Outcome {
    fn from(error: ToolError) -> Self {
        let is_spent = detail(&error, "reason") == Some(BUDGET_EXCEEDED);
        match error.code {
            ErrorCode::PolicyDenied if is_spent => {
                Self::Throttled { reason: BUDGET_EXCEEDED.to_owned(), retry_after_s: error.retry_after_s }
            }
            ErrorCode::PolicyDenied => Self::Blocked { reason: reason(&error), message: error.message },
            ErrorCode::RateLimit => Self::Throttled {
                reason: detail(&error, "reason").unwrap_or("rate_limit").to_owned(),
                retry_after_s: error.retry_after_s,
            },
            _ => Self::Failed(error),
        }
    }
}

/// One word for a refusal: how it came about (`rejected`, `revoked`), what it says itself, or the rule that decided.
fn reason(error: &ToolError) -> String {
    let stated = detail(error, "outcome").or_else(|| detail(error, "reason"));
    stated.or_else(|| deciding_rule(error)).unwrap_or("policy_denied").to_owned()
}

fn detail<'a>(error: &'a ToolError, key: &str) -> Option<&'a str> {
    error.details.as_ref()?.get(key)?.as_str()
}

fn deciding_rule(error: &ToolError) -> Option<&str> {
    let evidence = error.details.as_ref()?.get("decision")?.get("evidence")?.as_array()?;
    evidence.iter().find(|entry| entry["verdict"] == "deny")?.get("rule")?.as_str()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(ToolError::denied("no").with_details(json!({"outcome": "rejected", "reason": "not today"})), "rejected")]
    #[case(ToolError::denied("no").with_details(json!({"reason": "agent_inactive"})), "agent_inactive")]
    #[case(
        ToolError::denied("no").with_details(json!({"decision": {"evidence": [
            {"rule": "scope", "verdict": "allow"}, {"rule": "assignment", "verdict": "deny"},
        ]}})),
        "assignment"
    )]
    #[case(ToolError::denied("no"), "policy_denied")]
    fn a_refusal_is_one_word(#[case] error: ToolError, #[case] word: &str) {
        assert_eq!(
            Outcome::from(error),
            Outcome::Blocked { reason: word.to_owned(), message: "no".to_owned() }
        );
    }

    #[test]
    fn the_results_have_the_members_that_callers_branch_on() {
        let agent = AgentId::from_uuid(toolgate_domain::ids::Uuid::nil());
        let throttled = Outcome::from(
            ToolError::new(ErrorCode::RateLimit, "x").with_details(json!({"reason": "daily_quota_exceeded"})),
        );
        assert_eq!(
            Ended::from(throttled).answer("vote", agent),
            json!({"result": "throttled", "reason": "daily_quota_exceeded"})
        );
        let success = Ended::from(Outcome::Success { output: json!(1) });
        assert_eq!(
            success.answer("vote", agent),
            json!({"result": "success", "action": "vote", "agent_id": agent, "output": 1})
        );
        let failed = Ended::from(Outcome::from(ToolError::new(ErrorCode::Timeout, "too slow")));
        assert_eq!(
            failed.answer("vote", agent),
            json!({"result": "failed", "error": "too slow", "code": "TIMEOUT"})
        );
    }
}
