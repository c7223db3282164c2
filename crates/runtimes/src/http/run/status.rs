//! What a status means for a call.

use reqwest::header::RETRY_AFTER;
use serde_json::json;
use toolgate_domain::{ErrorCode, Timestamp, ToolError};

use crate::http::{client::Response, config::StatusRange};

const MAX_RETRY_AFTER_S: u64 = 24 * 3600;

/// Whether the response is data: a success, a redirect that is not followed, or a status that the author accepts.
pub(super) fn is_data(status: u16, accepted: &[StatusRange]) -> bool {
    status < 400 || accepted.iter().any(|range| (range.first..=range.last).contains(&status))
}

/// Whether the same request may succeed in a moment.
pub(super) fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
}

/// The failure that a status tells of. `body` is the beginning of what came with it.
pub(super) fn failure_of(response: &Response, body: &str, now_ms: i64) -> ToolError {
    let status = response.status.as_u16();
    let (code, what) = match status {
        401 | 403 => (ErrorCode::AuthRequired, "does not accept the credentials"),
        408 | 504 => (ErrorCode::Timeout, "took too long, by its own word"),
        429 => (ErrorCode::RateLimit, "wants fewer requests"),
        400..=499 => (ErrorCode::ProviderError, "refuses the request"),
        _ => (ErrorCode::ProviderError, "failed"),
    };
    let mut details = json!({"status": status});
    if !body.is_empty() {
        details["body"] = body.into();
    }
    let error = ToolError::new(code, format!("the host {what} ({status})")).with_details(details);
    match retry_after_s(response, now_ms) {
        Some(seconds) => error.retry_after(seconds),
        None if code == ErrorCode::RateLimit => error.retry_after(1),
        None => error,
    }
}

/// `Retry-After`, in seconds or as a date.
pub(super) fn retry_after_s(response: &Response, now_ms: i64) -> Option<u64> {
    let text = response.headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = match text.parse::<u64>() {
        Ok(seconds) => seconds,
        Err(_) => {
            let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp().as_millisecond();
            Timestamp::from_millis(date).ms_since(Timestamp::from_millis(now_ms)).div_ceil(1_000)
        }
    };
    Some(seconds.min(MAX_RETRY_AFTER_S))
}
