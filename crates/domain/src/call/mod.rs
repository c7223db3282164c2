//! One call: the row that is written before it acts, the receipt it leaves, the events in between.

mod envelope;
mod error;
mod event;
mod invocation;
mod phase;

pub use envelope::{Attachment, AttachmentKind, Envelope};
pub use error::{ErrorCode, ToolError};
pub use event::{Event, EventType, NewEvent};
pub use invocation::{Invocation, Outcome, Surface};
pub use phase::{ApprovalStatus, Gate, IllegalTransition, Phase, Status, Step};
