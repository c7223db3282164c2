//! What every rule makes of a call, for "what would happen if".

use serde::Serialize;
use toolgate_domain::{Evidence, Verdict};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The rule's id, as its author wrote it.
    pub rule: String,
    /// The verdict that the rule gives where it matches.
    pub verdict: Verdict,
    pub outcome: Outcome,
    /// What a real call would add to its decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    Matched,
    /// The rule is about such calls, but its condition is false.
    NotMatched,
    /// The rule is about other tools, agents or egress classes.
    NotACandidate {
        because: String,
    },
    /// The condition has no answer: `ask` and `deny` rules deny then, `allow` rules say nothing.
    Error {
        because: String,
    },
}
