//! From what went wrong with an upstream to one of the stable codes.

use std::io;

use reqwest::StatusCode;
use rmcp::{
    model::{ErrorCode as RpcCode, ErrorData},
    service::{ClientInitializeError, ServiceError},
    transport::{DynamicTransportError, streamable_http_client::StreamableHttpError},
};
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, ToolError, governance::Upstream, json::encoded_len};

use super::{auth::LoginError, wire::WireError};

/// Characters of an upstream's own words that an error repeats.
const MAX_QUOTE_CHARS: usize = 2_000;
const MAX_RETRY_AFTER_S: u64 = 24 * 3_600;
/// The upstream refused what it was sent to prove who asks.
const REFUSED: &str = "upstream_credentials";
/// What the SDK puts into errors of its own making, when the stream of an answer broke.
const CLOSED_MARK: &str = "io.modelcontextprotocol/transportClosed";

/// Why a connection was broken off on this side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Flood,
    BadJson,
    TooLarge,
    /// The program ended, or closed its output.
    Ended,
}

/// What became of a request.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: ToolError,
    /// The connection is of no use any more, or could not be made.
    pub(super) broke: bool,
    /// The request certainly did not reach the upstream.
    pub(super) unsent: bool,
}

impl Failure {
    fn answered(error: ToolError) -> Self {
        Self { error, broke: false, unsent: false }
    }

    fn broken(error: ToolError, unsent: bool) -> Self {
        Self { error, broke: true, unsent }
    }
}

/// Nothing was sent yet.
impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::answered(error)
    }
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

pub(super) fn provider(reason: &str, message: impl Into<String>) -> ToolError {
    ToolError::new(ErrorCode::ProviderError, message).with_details(json!({"reason": reason}))
}

pub(super) fn network(reason: &str, message: impl Into<String>) -> ToolError {
    ToolError::new(ErrorCode::NetworkError, message).with_details(json!({"reason": reason}))
}

pub(super) fn timeout(what: &str, timeout_ms: u128) -> ToolError {
    ToolError::new(ErrorCode::Timeout, format!("the upstream {what} within {timeout_ms} ms"))
        .with_details(json!({"timeout_ms": u64::try_from(timeout_ms).unwrap_or(u64::MAX)}))
}

/// Words of an upstream: short, and on one line.
pub(super) fn quote(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').take(MAX_QUOTE_CHARS).collect()
}

/// A request that was sent, or was to be.
pub(super) fn of_request(error: ServiceError, fault: Option<Fault>, now_ms: i64) -> Failure {
    match error {
        ServiceError::McpError(answer) if is_closed_mark(&answer) => closed(fault),
        ServiceError::McpError(answer) => Failure::answered(protocol_error(answer)),
        ServiceError::TransportSend(error) => of_transport(&error, fault, now_ms),
        ServiceError::TransportClosed => closed(fault),
        ServiceError::UnexpectedResponse => {
            Failure::answered(provider("protocol", "the upstream answers with what was not asked for"))
        }
        ServiceError::Cancelled { .. } => {
            Failure::answered(provider("cancelled", "the upstream withdrew the call"))
        }
        ServiceError::Timeout { timeout: after } => {
            Failure::answered(timeout("did not answer", after.as_millis()))
        }
        other => Failure::answered(provider("protocol", quote(&other.to_string()))),
    }
}

/// A connection that could not be made.
pub(super) fn of_start(error: ClientInitializeError, fault: Option<Fault>, now_ms: i64) -> ToolError {
    let broken =
        |message: &str| provider("protocol", format!("the upstream does not introduce itself: {message}"));
    match error {
        ClientInitializeError::TransportError { error, .. } => of_transport(&error, fault, now_ms).error,
        ClientInitializeError::ConnectionClosed(_) => match fault {
            None => network("closed", "the upstream closed the connection before it introduced itself"),
            fault => closed(fault).error,
        },
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => of_start(*fallback, fault, now_ms),
        ClientInitializeError::JsonRpcError(answer) => broken(&quote(&answer.message)),
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            broken("it speaks no revision of the protocol that is spoken here")
        }
        _ => broken("its first answer is none"),
    }
}

pub(super) fn too_large() -> ToolError {
    provider("too_large", "the upstream sent a message that is too large")
}

fn closed(fault: Option<Fault>) -> Failure {
    let error = match fault {
        Some(Fault::Flood) => {
            provider("flood", "the upstream sent more than anybody asked for, and was disconnected")
        }
        Some(Fault::BadJson) => {
            provider("bad_json", "the upstream sent what is no message, and was disconnected")
        }
        Some(Fault::TooLarge) => too_large(),
        Some(Fault::Ended) => network("ended", "the upstream's program ended"),
        None => network("closed", "the connection to the upstream broke"),
    };
    Failure::broken(error, false)
}

fn protocol_error(answer: ErrorData) -> ToolError {
    let message = quote(&answer.message);
    if answer.code == RpcCode::INVALID_PARAMS {
        let error = ToolError::validation(format!("the upstream does not take this input: {message}"));
        return error.with_details(json!({
            "reason": "invalid_params", "rpc_code": answer.code.0, "rpc_message": message,
        }));
    }
    let mut details = json!({
        "reason": "protocol_error", "code": answer.code.0, "rpc_code": answer.code.0, "rpc_message": message,
    });
    let required = answer.data.as_ref().map(|data| &data["requiredCapabilities"]);
    if let Some(required) = required.filter(|it| it.is_object() && encoded_len(it) <= MAX_QUOTE_CHARS) {
        details["required_capabilities"] = required.clone();
    }
    ToolError::new(ErrorCode::ProviderError, format!("the upstream refuses the request: {message}"))
        .with_details(details)
}

fn is_closed_mark(answer: &ErrorData) -> bool {
    answer.data.as_ref().and_then(|data| data.get(CLOSED_MARK)).is_some_and(Value::is_u64)
}

fn login_error(error: &io::Error) -> Option<&LoginError> {
    error.get_ref()?.downcast_ref()
}

/// The SDK's error hides what it wraps: its own source is not among its sources.
fn of_transport(error: &DynamicTransportError, fault: Option<Fault>, now_ms: i64) -> Failure {
    let Some(error) = error.error.downcast_ref::<StreamableHttpError<WireError>>() else {
        return closed(fault);
    };
    let answered = |reason: &str, message: &str| Failure::answered(provider(reason, message));
    match error {
        StreamableHttpError::Client(error) => of_wire(error),
        StreamableHttpError::HttpStatus(error) => {
            of_status(error.status, error.retry_after.as_deref(), now_ms)
        }
        StreamableHttpError::AuthRequired(_) => Failure::answered(unauthorized(401)),
        StreamableHttpError::InsufficientScope(_) => Failure::answered(unauthorized(403)),
        StreamableHttpError::UnexpectedServerResponse(text) => {
            answered("protocol", &format!("the upstream answers wrongly: {}", quote(text)))
        }
        StreamableHttpError::UnexpectedContentType(_) => {
            answered("protocol", "the upstream answers in a form that is not the protocol's")
        }
        StreamableHttpError::Deserialize(_) => answered("bad_json", "the upstream sent what is no message"),
        StreamableHttpError::Io(error) => match login_error(error) {
            Some(error) => Failure::answered(error.to_tool_error()),
            None => closed(fault),
        },
        StreamableHttpError::SessionExpired | StreamableHttpError::ReinitializationFailed(_) => {
            Failure::broken(network("session", "the upstream ended the session"), true)
        }
        _ => closed(fault),
    }
}

fn of_wire(error: &WireError) -> Failure {
    match error {
        WireError::Send { is_connect, .. } => {
            let reason = if *is_connect { "connect" } else { "exchange" };
            Failure::broken(network(reason, error.to_string()), *is_connect)
        }
        WireError::TooLarge { .. } => Failure::answered(provider("too_large", error.to_string())),
        WireError::Redirect => Failure::answered(provider("redirect", error.to_string())),
        WireError::Header => Failure::answered(provider("protocol", error.to_string())),
    }
}

fn unauthorized(status: u16) -> ToolError {
    ToolError::new(
        ErrorCode::AuthRequired,
        format!("the upstream does not accept the credentials ({status})"),
    )
    .with_details(json!({"reason": REFUSED, "status": status}))
}

/// Nobody logged in to the upstream yet for this caller.
pub(super) fn login_needed(server: &str, names: &[String]) -> ToolError {
    let message = format!(
        "you are not logged in to the MCP server `{server}`: log in ({}), then call again",
        login(server)
    );
    ToolError::new(ErrorCode::AuthRequired, message)
        .with_details(json!({"missing": names, "reason": "login_needed", "server": server}))
}

/// The command that logs a person in.
fn login(server: &str) -> String {
    format!("toolgate mcp login {server}")
}

/// The same, with what to do where people log in to the upstream.
pub(super) fn with_login(mut error: ToolError, upstream: &Upstream) -> ToolError {
    let refused = error.details.as_ref().is_some_and(|details| details["reason"] == REFUSED);
    if refused && upstream.login_secret().is_some() {
        error.message = format!("{}: log in again ({})", error.message, login(&upstream.name));
    }
    error
}

fn of_status(status: u16, retry_after: Option<&str>, now_ms: i64) -> Failure {
    let after = retry_after.and_then(|text| retry_after_s(text, now_ms));
    if status == StatusCode::TOO_MANY_REQUESTS.as_u16() {
        let error = ToolError::new(ErrorCode::RateLimit, "the upstream wants fewer requests (429)")
            .with_details(json!({"reason": "upstream", "status": status}));
        return Failure::answered(error.retry_after(after.unwrap_or(1)));
    }
    let error = ToolError::new(ErrorCode::ProviderError, format!("the upstream failed ({status})"))
        .with_details(json!({"reason": "status", "status": status}));
    Failure::answered(match after {
        Some(seconds) => error.retry_after(seconds),
        None => error,
    })
}

/// `Retry-After`, in seconds or as a date.
fn retry_after_s(text: &str, now_ms: i64) -> Option<u64> {
    let text = text.trim();
    let seconds = match text.parse::<u64>() {
        Ok(seconds) => seconds,
        Err(_) => {
            let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp().as_millisecond();
            u64::try_from(date.saturating_sub(now_ms)).unwrap_or(0).div_ceil(1_000)
        }
    };
    Some(seconds.min(MAX_RETRY_AFTER_S))
}
