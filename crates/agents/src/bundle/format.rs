//! What stands in a bundle.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgate_domain::{
    AgentId, Decision, EgressClass, Envelope, InvocationId, Limits, RunId, Status, Timestamp, ToolError,
    call::ApprovalStatus,
};

use crate::run::{Begin, KeptTurn};

/// Tells what the file is, and how it is read.
pub const FORMAT: &str = "toolgate.run/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    pub format: String,
    /// SHA-256 of the canonical form of everything else.
    #[serde(default)]
    pub digest: String,
    pub run: RunFacts,
    /// Message, history, system prompt, model, parameters, policy version, and the tools with their versions and schemas.
    pub begin: Begin,
    /// The bounds of the server that shape a run.
    #[serde(default)]
    pub bounds: Bounds,
    /// What was called, with what the tenant filled in where a call said nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ToolAsked>,
    /// What the model said, turn by turn, with the provider's own words.
    pub turns: Vec<TurnRecord>,
    /// Steps of the run that are neither its beginning nor a turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asides: Vec<Aside>,
    /// In the order of their places.
    pub calls: Vec<CallRecord>,
    /// The receipts of what those calls called in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under: Vec<Envelope>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blobs: Vec<Blob>,
    pub ending: Ending,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFacts {
    pub id: RunId,
    pub invocation_id: InvocationId,
    pub agent: AgentId,
    pub handle: String,
    pub status: Status,
    pub started_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// The version of Toolgate that wrote this.
    pub toolgate: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    pub run_result_chars: u64,
    pub max_inner_calls: u64,
    pub max_json_depth: u64,
}

impl Bounds {
    pub fn of(limits: &Limits) -> Self {
        Self {
            run_result_chars: limits.run_result_chars,
            max_inner_calls: limits.max_inner_calls,
            max_json_depth: limits.max_json_depth,
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}

/// A tool under the name by which a model asked for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolAsked {
    pub name: String,
    pub version: String,
    /// The other name by which it was called: an alias.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub defaults: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// The place of its step in the run.
    pub step: u64,
    pub answer: KeptTurn,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    pub step: u64,
    pub kind: String,
    pub title: String,
    pub body: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallRecord {
    pub place: u64,
    /// From 1.
    pub turn: u64,
    pub tool: String,
    /// Empty when there was no such tool.
    pub version: String,
    pub call_id: String,
    pub egress_class: EgressClass,
    pub status: Status,
    /// What the model asked for, filled in; the envelope has what ran.
    pub input: Value,
    pub decision: Decision,
    pub approval: Asking,
    /// Absent while the call is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Envelope>,
}

impl CallRecord {
    /// `name@version`, as the call's id has it.
    pub fn tool_id(&self) -> String {
        format!("{}@{}", self.tool, self.version)
    }
}

/// Whether a person was asked, and what they said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    pub status: ApprovalStatus,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What was too big for an envelope. Without a content it is only named: there was too much of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blob {
    pub id: String,
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
}

/// How the run ended. Empty while it is not over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ending {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// The call ids of the calls that ended, in their order.
    pub tool_order: Vec<String>,
    /// The call id of the last call that went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}
