//! The durable row of one call.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ApprovalStatus, Attachment, Envelope, Phase, Status, ToolError};
use crate::{
    decision::Decision,
    ids::{AgentId, InvocationId, NodeId, RunId, SessionId, StepId, TenantId, ToolId},
    json::{canonical_bytes, sha256_hex},
    time::Timestamp,
    tool::EgressClass,
};

/// Through which door-handle the call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Surface {
    Rest,
    Cli,
    Mcp,
    Internal,
    /// A client in the database, which runs the tool itself.
    Sql,
}

impl Surface {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Cli => "cli",
            Self::Mcp => "mcp",
            Self::Internal => "internal",
            Self::Sql => "sql",
        }
    }
}

impl std::str::FromStr for Surface {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Rest, Self::Cli, Self::Mcp, Self::Internal, Self::Sql]
            .into_iter()
            .find(|surface| surface.as_str() == text)
            .ok_or_else(|| format!("unknown surface `{text}`"))
    }
}

/// What a finished call leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub output: Option<Value>,
    pub error: Option<ToolError>,
    pub cached: bool,
    pub truncated: bool,
    pub attachments: Vec<Attachment>,
    pub cost_estimate: Option<f64>,
}

/// One call, from before it acts until after it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    pub id: InvocationId,
    pub tenant_id: TenantId,
    pub session_id: SessionId,
    /// The call that made this one.
    pub parent_id: Option<InvocationId>,
    pub run_id: Option<RunId>,
    pub agent_run_step_id: Option<StepId>,
    pub agent_id: Option<AgentId>,
    /// Absent when the caller named a tool that does not exist.
    pub tool_id: Option<ToolId>,
    pub tool_name: String,
    pub tool_version: String,
    pub egress_class: EgressClass,
    pub call_id: String,
    pub seq: u64,
    pub input: Value,
    /// What the person who approved made of the input, when they changed it: this is what runs.
    pub approved_input: Option<Value>,
    pub phase: Phase,
    pub decision: Decision,
    /// The principal, as text: it outlives the key or user it names.
    pub caller: String,
    pub surface: Surface,
    /// Made to try a tool out.
    pub is_test: bool,
    pub idempotency_key: Option<String>,
    pub warnings: Vec<String>,
    pub approval_decided_by: Option<String>,
    pub approval_reason: Option<String>,
    /// When a call that waits for a person stops waiting: then it counts as rejected.
    pub approval_expires_at: Option<Timestamp>,
    /// The process that runs it, while it runs.
    pub node_id: Option<NodeId>,
    pub attempt: u32,
    pub outcome: Outcome,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
}

impl Invocation {
    pub fn status(&self) -> Status {
        self.phase.status()
    }

    pub fn approval_status(&self) -> ApprovalStatus {
        self.phase.approval_status()
    }

    pub fn approval_required(&self) -> bool {
        self.approval_status() != ApprovalStatus::NotRequired
    }

    /// What runs: the input as it was approved.
    pub fn effective_input(&self) -> &Value {
        self.approved_input.as_ref().unwrap_or(&self.input)
    }

    /// What a person agrees to: who asks, for which tool, with exactly which input, judged how, until when. A decision that
    /// names another digest is a decision about something else.
    pub fn approval_digest(&self) -> String {
        let tool = format!("{}@{}", self.tool_name, self.tool_version);
        let asked = json!([
            self.id,
            self.tenant_id,
            self.caller,
            tool,
            self.effective_input(),
            self.decision,
            self.approval_expires_at
        ]);
        canonical_bytes(&asked).map(|bytes| sha256_hex(&bytes)).unwrap_or_default()
    }

    /// The receipt, once the call is over.
    pub fn envelope(&self) -> Option<Envelope> {
        self.phase.is_terminal().then(|| self.clone()).and_then(Self::into_envelope)
    }

    /// The same, of a row that nobody else needs.
    pub fn into_envelope(self) -> Option<Envelope> {
        self.phase.is_terminal().then(|| Envelope {
            call_id: self.call_id,
            invocation_id: self.id,
            session_id: self.session_id,
            name: self.tool_name,
            version: self.tool_version,
            input: self.approved_input.unwrap_or(self.input),
            output: self.outcome.output,
            error: self.outcome.error,
            t_start: self.started_at.unwrap_or(self.created_at),
            t_end: self.completed_at.unwrap_or(self.created_at),
            cached: self.outcome.cached,
            truncated: self.outcome.truncated,
            attachments: self.outcome.attachments,
            warnings: self.warnings,
        })
    }
}
