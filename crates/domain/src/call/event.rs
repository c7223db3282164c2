//! The session's log: seven kinds of events, appended, never changed.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ids::{InvocationId, SessionId, TenantId},
    time::Timestamp,
};

macro_rules! event_types {
    ($($variant:ident = $wire:tt,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum EventType {
            $(#[serde(rename = $wire)] $variant,)*
        }

        impl EventType {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }
        }
    };
}

event_types! {
    Started = "tool.started",
    OutputAppended = "tool.output_appended",
    Completed = "tool.completed",
    Failed = "tool.failed",
    Cancelled = "tool.cancelled",
    NeedsApproval = "tool.needs_approval",
    Approved = "tool.approved",
}

impl FromStr for EventType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .copied()
            .find(|t| t.as_str() == text)
            .ok_or_else(|| format!("unknown event type `{text}`"))
    }
}

/// An event about to be appended.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    pub session_id: SessionId,
    pub kind: EventType,
    pub invocation_id: InvocationId,
    /// What the invocation's own row does not hold: a chunk of output, say.
    pub data: Option<Value>,
    pub created_at: Timestamp,
}

/// An event as it stands in the log. `id` grows with every event that becomes durable.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    pub id: i64,
    #[serde(skip)]
    pub tenant_id: TenantId,
    pub session_id: SessionId,
    #[serde(rename = "type")]
    pub kind: EventType,
    pub invocation_id: InvocationId,
    /// Name and version of the tool; its input for `tool.started` and `tool.needs_approval`; its output, error and the
    /// like for the events that end a call; the chunk for `tool.output_appended`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub data: Value,
    pub created_at: Timestamp,
}
