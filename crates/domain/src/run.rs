//! What a run of an agent leaves behind, step by step.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ids::{RunId, StepId, TenantId},
    time::Timestamp,
};

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum StepKind {
    /// What the run was given: the message, the model, the tools with their versions. The first step, and the only one of its kind.
    Begin,
    /// One answer of the model, with the calls that it asks for.
    Turn,
    /// A search among the tools of the run, with what it found.
    Search,
}

/// What a model is given instead of the tools themselves when they are too many: it searches them, and calls what it found. No tool of a
/// run that has them may have such a name.
pub const SEARCH_TOOLS: &str = "search_tools";
pub const CALL_TOOL: &str = "call_tool";

impl StepKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Turn => "turn",
            Self::Search => "search",
        }
    }
}

impl std::str::FromStr for StepKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Begin, Self::Turn, Self::Search]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no kind of step"))
    }
}

/// One thing that a run did. It is kept before the next begins, and never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStep {
    pub id: StepId,
    pub tenant_id: TenantId,
    pub run_id: RunId,
    /// Its place in the run, from 0.
    pub seq: u64,
    pub kind: StepKind,
    /// For people.
    pub title: String,
    pub body: Value,
    pub created_at: Timestamp,
}
