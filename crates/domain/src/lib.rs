//! The vocabulary of Toolgate: what a tool, a call, a receipt and a decision are.
//!
//! Nothing here does I/O. Time and ids come in through the ports [`Clock`] and [`IdGen`].

pub mod address;
pub mod audit;
pub mod call;
pub mod caller;
pub mod chat;
pub mod decision;
mod erased;
pub mod field;
pub mod governance;
pub mod hash;
pub mod ids;
pub mod json;
pub mod limits;
mod link;
pub mod pack;
pub mod page;
pub mod quota;
pub mod rate;
pub mod run;
pub mod time;
pub mod tool;
pub mod trace;
pub mod usage;

pub use audit::AuditEvent;
pub use call::{
    Attachment, AttachmentKind, Envelope, ErrorCode, Event, EventType, Gate, IllegalTransition, Invocation,
    NewEvent, Outcome, Phase, Status, Step, Surface, ToolError,
};
pub use caller::{Caller, Credential, Principal, Scope};
pub use chat::{Message, MessageRole, Thread};
pub use decision::{Decision, Evidence, Verdict};
pub use erased::Erased;
pub use ids::{
    AgentId, AssignmentId, AuditId, BlobId, DeliveryId, IdGen, InvocationId, KeyId, LoginId, MessageId,
    NodeId, OverrideId, PackId, PolicyId, ProfileId, ProviderId, RunId, SchemaVersionId, SecretId, SessionId,
    SkillId, StepId, TaskId, TenantId, ThreadId, ToolId, UpstreamId, UserId, WebhookId, WorkspaceId,
};
pub use limits::Limits;
pub use link::check_web_link;
pub use page::Page;
pub use run::{CALL_TOOL, RunStep, SEARCH_TOOLS, StepKind};
pub use time::{Clock, Timestamp};
pub use tool::{EgressClass, Lifecycle, Tool, ToolName, ToolRef, ToolSpec};
pub use trace::{Span, SpanId, SpanKind, SpanRef, TraceId};
