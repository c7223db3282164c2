//! The one who asks: what its client can, what it wants to hear, and how we learn that it has gone.

#![expect(deprecated, reason = "logging is deprecated in the newest revision and alive in all others")]

use rmcp::{
    RoleServer,
    model::{ClientCapabilities, LoggingLevel, ProgressToken, ProtocolVersion},
    service::{Peer, RequestContext},
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use toolgate_domain::{SpanRef, governance::Audience};

pub(super) struct Asker {
    /// Whether the answer to a call may ask something, and may be a task.
    pub(super) newest: bool,
    /// What the client can be asked, by its own word.
    pub(super) audience: Audience,
    pub(super) knows_tasks: bool,
    /// Where it wants to hear how far a call has come.
    pub(super) progress: Option<ProgressToken>,
    /// The least it wants to hear of what tools log, where this request says so.
    pub(super) log_level: Option<LoggingLevel>,
    /// The span that it calls from.
    pub(super) traceparent: Option<SpanRef>,
    /// Says that it listens no more.
    pub(super) gone: CancellationToken,
    /// How it is reached before it is answered; some are not.
    pub(super) peer: Option<Peer<RoleServer>>,
}

impl Asker {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let can = context.client_capabilities();
        Self {
            newest: context.protocol_version().is_some_and(|version| is_newest(version.as_str())),
            audience: can.as_ref().map(audience).unwrap_or_default(),
            knows_tasks: can.is_some_and(|can| can.supports_tasks()),
            progress: context.meta.get_progress_token(),
            log_level: context.meta.log_level(),
            traceparent: traceparent(context),
            gone: context.ct.clone(),
            peer: Some(context.peer.clone()),
        }
    }
}

/// Revisions are dates.
fn is_newest(revision: &str) -> bool {
    revision >= ProtocolVersion::V_2026_07_28.as_str()
}

pub(super) fn audience(can: &ClientCapabilities) -> Audience {
    let elicitation = can.elicitation.as_ref();
    let sampling = can.sampling.as_ref();
    Audience {
        // Clients that know of one way only do not name it.
        elicitation: elicitation.is_some_and(|ways| ways.form.is_some() || ways.url.is_none()),
        elicitation_url: elicitation.is_some_and(|ways| ways.url.is_some()),
        sampling: sampling.is_some(),
        sampling_tools: sampling.is_some_and(|sampling| sampling.tools.is_some()),
        sampling_context: sampling.is_some_and(|sampling| sampling.context.is_some()),
        roots: can.roots.is_some(),
    }
}

/// The span is in the request itself, or in its headers.
fn traceparent(context: &RequestContext<RoleServer>) -> Option<SpanRef> {
    let said = context.meta.0.get("traceparent").and_then(Value::as_str);
    let header = || {
        let parts = context.extensions.get::<http::request::Parts>()?;
        parts.headers.get("traceparent")?.to_str().ok()
    };
    SpanRef::from_traceparent(said.or_else(header)?)
}
