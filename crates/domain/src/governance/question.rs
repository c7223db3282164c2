//! What a tool asks whoever called it, in the middle of the call. A protocol has its own words for it; these are everybody's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum QuestionKind {
    /// A form for a person.
    Elicitation,
    /// A page that a person shall visit.
    ElicitationUrl,
    /// Words of the caller's model.
    Sampling,
    /// The directories that the caller works in.
    Roots,
}

impl QuestionKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Elicitation => "elicitation",
            Self::ElicitationUrl => "elicitation_url",
            Self::Sampling => "sampling",
            Self::Roots => "roots",
        }
    }
}

/// One question, with what the tool says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Question {
    pub kind: QuestionKind,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub params: Value,
}

/// The questions of one round, each under a name that its answer has as well.
pub type Questions = BTreeMap<String, Question>;

/// What a caller can be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a client can or cannot do")]
pub struct Audience {
    pub elicitation: bool,
    pub elicitation_url: bool,
    pub sampling: bool,
    /// The caller's model may be handed tools.
    pub sampling_tools: bool,
    /// The caller adds what it knows to what its model is asked.
    pub sampling_context: bool,
    pub roots: bool,
}

impl Audience {
    /// Everything that can be handed on.
    pub const ALL: Self = Self {
        elicitation: true,
        elicitation_url: true,
        sampling: true,
        sampling_tools: true,
        sampling_context: true,
        roots: true,
    };

    /// A caller without a voice of its own: people answer for it, in the list of tasks.
    pub const PEOPLE: Self = Self {
        elicitation: true,
        elicitation_url: true,
        sampling: false,
        sampling_tools: false,
        sampling_context: false,
        roots: false,
    };

    pub fn can_answer(self, kind: QuestionKind) -> bool {
        match kind {
            QuestionKind::Elicitation => self.elicitation,
            QuestionKind::ElicitationUrl => self.elicitation_url,
            QuestionKind::Sampling => self.sampling,
            QuestionKind::Roots => self.roots,
        }
    }
}
