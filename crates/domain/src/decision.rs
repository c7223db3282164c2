//! The answer of the guard: one verdict, and the rules that led to it.

use serde::{Deserialize, Serialize};

use crate::{caller::Credential, governance::ApprovalTerms};

/// Ordered: the strictest of several verdicts wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

/// One rule that had something to say, and the value it looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    pub rule: String,
    pub verdict: Verdict,
    /// Why, in a sentence that a person can act on.
    pub because: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Decision {
    pub verdict: Verdict,
    pub evidence: Vec<Evidence>,
    /// The version of the tenant's policy that was in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_version: Option<String>,
    /// Who must agree, where the verdict is `ask` and it is not simply one other person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalTerms>,
    /// With what the call was made, where that matters for who may agree: a call that asks, or one that an MCP client made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub credential: Option<Credential>,
}

impl Decision {
    /// The strictest verdict of all the evidence; no evidence at all denies.
    pub fn from_evidence(evidence: Vec<Evidence>) -> Self {
        let verdict = evidence.iter().map(|e| e.verdict).max().unwrap_or(Verdict::Deny);
        Self { verdict, evidence, policy_version: None, approval: None, credential: None }
    }

    /// The evidence that decided.
    pub fn deciding(&self) -> impl Iterator<Item = &Evidence> {
        self.evidence.iter().filter(|e| e.verdict == self.verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(verdict: Verdict) -> Evidence {
        Evidence { rule: "r".into(), verdict, because: "b".into() }
    }

    #[test]
    fn the_strictest_verdict_wins() {
        let decision = Decision::from_evidence(vec![
            evidence(Verdict::Ask),
            evidence(Verdict::Deny),
            evidence(Verdict::Allow),
        ]);
        assert_eq!(decision.verdict, Verdict::Deny);
        assert_eq!(decision.deciding().count(), 1);
    }

    #[test]
    fn no_evidence_denies() {
        assert_eq!(Decision::from_evidence(vec![]).verdict, Verdict::Deny);
    }
}
