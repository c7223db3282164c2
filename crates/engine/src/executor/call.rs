//! What goes in at the door, and what comes out.

use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_domain::{
    AgentId, Caller, Envelope, Invocation, InvocationId, RunId, SessionId, SpanRef, StepId, Surface,
    ToolError, governance::Audience,
};
use toolgate_store::{LedgerError, StoreError};

/// The arguments, or why they could not be read: a call that names a tool is recorded either way.
#[derive(Clone, Debug)]
pub enum CallInput {
    Value(Value),
    Unreadable(ToolError),
}

/// What a caller who watches is told while the call runs.
#[derive(Clone, Debug)]
pub enum Progress {
    Started {
        invocation_id: InvocationId,
        session_id: SessionId,
        call_id: String,
        name: String,
        version: String,
    },
    Chunk(Value),
}

/// Where an inner call comes from. Only an [`Invoker`](super::Invoker) makes one.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    pub(crate) id: InvocationId,
    /// How many calls stand above the one that is made.
    pub(crate) depth: u64,
    /// The parent runs again, so that the call may have been made already.
    pub(crate) replaying: bool,
}

/// One call at the door.
#[derive(Clone, Debug)]
pub struct Call {
    /// The id of its row, where it is written down somewhere before the call is made.
    pub id: Option<InvocationId>,
    pub caller: Caller,
    pub surface: Surface,
    /// `name`, `name@1.2.0` or `name@^1`.
    pub tool: String,
    pub input: CallInput,
    pub session_id: Option<SessionId>,
    pub run_id: Option<RunId>,
    pub agent_run_step_id: Option<StepId>,
    pub agent_id: Option<AgentId>,
    /// The call's place in its run.
    pub seq: u64,
    /// Which turn of its run the call belongs to.
    pub iteration: u64,
    /// What the run has spent besides what its calls cost: its models.
    pub run_spent: f64,
    pub idempotency_key: Option<String>,
    /// The call that makes this one.
    pub parent: Option<Parent>,
    /// Only to try the tool: marked in the record, and kept out of the cache.
    pub is_test: bool,
    /// Ask a person, whatever the rules say: the one who makes the call wants it so.
    pub asks: bool,
    /// Make the call without asking a person, where that is allowed.
    pub bypass_approval: bool,
    pub progress: Option<mpsc::Sender<Progress>>,
    /// The span that makes the call, for the trace.
    pub traceparent: Option<SpanRef>,
    /// What the caller can be asked in the middle of the call, where it says so.
    pub audience: Option<Audience>,
}

impl Call {
    pub fn new(caller: Caller, surface: Surface, tool: impl Into<String>, input: Value) -> Self {
        Self {
            id: None,
            caller,
            surface,
            tool: tool.into(),
            input: CallInput::Value(input),
            session_id: None,
            run_id: None,
            agent_run_step_id: None,
            agent_id: None,
            seq: 0,
            iteration: 0,
            run_spent: 0.0,
            idempotency_key: None,
            parent: None,
            is_test: false,
            asks: false,
            bypass_approval: false,
            progress: None,
            traceparent: None,
            audience: None,
        }
    }

    /// Whether the one who names the tool was shown a list of tools: a client of the Model Context Protocol, or the model of a run. What
    /// these tools call in turn was named by their authors.
    pub(super) fn knows_only_the_listed(&self) -> bool {
        let is_under = |parent: Parent| self.run_id.is_some_and(|run| run.uuid() == parent.id.uuid());
        match self.parent {
            None => self.surface == Surface::Mcp,
            Some(parent) => self.agent_run_step_id.is_some() && is_under(parent),
        }
    }
}

/// How a call was answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is over, well or not; this is its receipt.
    Done(Box<Envelope>),
    /// There is no such tool for this caller. The attempt is recorded all the same.
    Unknown(Box<Envelope>),
    /// It waits: for a person, or for what it waits for itself.
    Parked(Box<Invocation>),
}

impl Answer {
    pub fn envelope(&self) -> Option<&Envelope> {
        match self {
            Self::Done(envelope) | Self::Unknown(envelope) => Some(envelope),
            Self::Parked(_) => None,
        }
    }
}

/// A call that could not be recorded is not made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refused {
    #[error("too many calls are under way: try again in a moment")]
    Overloaded,
    #[error("the ledger cannot be written: {0}")]
    Unavailable(String),
    #[error("the server is stopping")]
    Stopping,
    /// Another process runs the call with this idempotency key.
    #[error("the call with this idempotency key is still running: ask for {0}")]
    StillRunning(InvocationId),
}

impl From<LedgerError> for Refused {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Overloaded => Self::Overloaded,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}
