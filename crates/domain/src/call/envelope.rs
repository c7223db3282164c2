//! The receipt of one call.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ToolError;
use crate::{
    ids::{InvocationId, SessionId},
    time::Timestamp,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AttachmentKind {
    Blob,
    Image,
    Table,
}

/// Something too big or too rich for the envelope itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Attachment {
    pub kind: AttachmentKind,
    /// `/api/blobs/{id}`; surfaces sign it before they hand it out.
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// The immutable result of one call, handed to whoever called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Envelope {
    pub call_id: String,
    /// The durable row behind this receipt.
    pub invocation_id: InvocationId,
    /// The log that holds the call's events.
    pub session_id: SessionId,
    pub name: String,
    pub version: String,
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub input: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub output: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    pub t_start: Timestamp,
    pub t_end: Timestamp,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// A deprecated version or alias, a name that follows no convention, and the like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
