//! What a provider's failure means, by its status and by its own words.

use serde_json::Value;
use toolgate_domain::ErrorCode;

use super::{LlmError, retry::seconds_of};

/// Characters of a provider's own words that an error repeats.
const MAX_WORDS: usize = 500;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Auth,
    Rate,
    /// Nothing left to spend: waiting does not help.
    Quota,
    Timeout,
    Server,
    Request,
}

impl Kind {
    fn of_status(status: u16) -> Self {
        match status {
            401 | 403 => Self::Auth,
            408 => Self::Timeout,
            429 => Self::Rate,
            500..=599 => Self::Server,
            _ => Self::Request,
        }
    }

    /// The words are those of the providers' references: `type` and `code` of OpenAI and Anthropic, `status` and `reason` of Google.
    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "authentication_error"
            | "permission_error"
            | "invalid_api_key"
            | "UNAUTHENTICATED"
            | "PERMISSION_DENIED"
            | "API_KEY_INVALID" => Self::Auth,
            "insufficient_quota" | "billing_error" => Self::Quota,
            "rate_limit_error"
            | "rate_limit_exceeded"
            | "too_many_requests"
            | "tokens"
            | "requests"
            | "RESOURCE_EXHAUSTED" => Self::Rate,
            "timeout_error" | "timeout" | "DEADLINE_EXCEEDED" => Self::Timeout,
            "overloaded_error"
            | "api_error"
            | "server_error"
            | "internal_error"
            | "internal_server_error"
            | "service_unavailable"
            | "server_is_overloaded"
            | "unavailable_error"
            | "UNAVAILABLE"
            | "INTERNAL" => Self::Server,
            "invalid_request_error"
            | "not_found_error"
            | "request_too_large"
            | "invalid_prompt"
            | "context_length_exceeded"
            | "exceed_context_size_error"
            | "INVALID_ARGUMENT"
            | "NOT_FOUND"
            | "FAILED_PRECONDITION" => Self::Request,
            _ => return None,
        })
    }

    fn code(self) -> ErrorCode {
        match self {
            Self::Auth => ErrorCode::AuthRequired,
            Self::Rate | Self::Quota => ErrorCode::RateLimit,
            Self::Timeout => ErrorCode::Timeout,
            Self::Server | Self::Request => ErrorCode::ProviderError,
        }
    }

    fn is_retryable(self) -> bool {
        matches!(self, Self::Rate | Self::Timeout | Self::Server)
    }
}

/// The failure that a status tells of. `body` is what came with it, JSON or not.
pub(super) fn of_status(status: u16, body: &str, retry_after_s: Option<u64>) -> LlmError {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let error = error_of(&value);
    let kind = match (Kind::of_status(status), error.and_then(kind_of_words)) {
        // The status says less than the words in two places.
        (Kind::Request, Some(Kind::Auth)) => Kind::Auth,
        (Kind::Rate, Some(Kind::Quota)) => Kind::Quota,
        (kind, _) => kind,
    };
    let words = error.map_or_else(|| body.to_owned(), words_of);
    let mut made = make(kind, &format!("the provider answers {status}"), &words);
    made.status = Some(status);
    made.retry_after_s = retry_after_s.or_else(|| error.and_then(retry_delay_s));
    if made.code == ErrorCode::RateLimit && made.is_retryable {
        made.retry_after_s = made.retry_after_s.or(Some(1));
    }
    made
}

/// The failure that a body tells of although its status is fine; `None` when it tells of none.
pub(super) fn of_body(value: &Value) -> Option<LlmError> {
    let error = error_of(value)?;
    let number = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let kind = number
        .filter(|code| (400..600).contains(code))
        .map(Kind::of_status)
        .or_else(|| kind_of_words(error))
        .unwrap_or(Kind::Request);
    let mut made = make(kind, "the provider answers with an error", &words_of(error));
    made.retry_after_s = retry_delay_s(error);
    Some(made)
}

/// An answer that is none: cut off, or not what the wire format says.
pub(super) fn broken(message: impl Into<String>) -> LlmError {
    LlmError::new(ErrorCode::ProviderError, message).retryable()
}

fn make(kind: Kind, what: &str, words: &str) -> LlmError {
    let words: String = words.trim().chars().take(MAX_WORDS).collect();
    let message = if words.is_empty() { what.to_owned() } else { format!("{what}: {words}") };
    let made = LlmError::new(kind.code(), message);
    if kind.is_retryable() { made.retryable() } else { made }
}

/// Where a body keeps its error: `error`, the first of a list (Gemini), or itself (an `error` event).
fn error_of(value: &Value) -> Option<&Value> {
    let value = value.get(0).unwrap_or(value);
    match value.get("error") {
        Some(Value::Null) | None => (value.get("type")? == "error").then_some(value),
        Some(error) => Some(error),
    }
}

fn words_of(error: &Value) -> String {
    let text = error.as_str().or_else(|| error.get("message")?.as_str());
    text.map_or_else(|| error.to_string(), str::to_owned)
}

fn kind_of_words(error: &Value) -> Option<Kind> {
    let reasons = error.get("details").and_then(Value::as_array).into_iter().flatten();
    let reasons = reasons.filter_map(|detail| detail.get("reason"));
    let words: Vec<&str> = ["code", "type", "status"]
        .iter()
        .filter_map(|name| error.get(name))
        .chain(reasons)
        .filter_map(Value::as_str)
        .collect();
    let kinds: Vec<Kind> = words.into_iter().filter_map(Kind::of_word).collect();
    // A bad key or an empty purse says more than the general word beside it.
    let telling = kinds.iter().find(|kind| matches!(kind, Kind::Auth | Kind::Quota));
    telling.or(kinds.first()).copied()
}

/// Google says in the body when to come back: `{"retryDelay": "17s"}`.
fn retry_delay_s(error: &Value) -> Option<u64> {
    let details = error.get("details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = delay.strip_suffix('s')?.parse().ok()?;
    seconds.is_finite().then(|| seconds_of(seconds))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(400, "{}", ErrorCode::ProviderError, false)]
    #[case(
        400,
        r#"{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
        ErrorCode::AuthRequired,
        false
    )]
    #[case(401, "no", ErrorCode::AuthRequired, false)]
    #[case(403, "", ErrorCode::AuthRequired, false)]
    #[case(404, "", ErrorCode::ProviderError, false)]
    #[case(408, "", ErrorCode::Timeout, true)]
    #[case(429, "", ErrorCode::RateLimit, true)]
    #[case(
        429,
        r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"pay"}}"#,
        ErrorCode::RateLimit,
        false
    )]
    #[case(500, "<html>", ErrorCode::ProviderError, true)]
    #[case(
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        ErrorCode::ProviderError,
        true
    )]
    #[case(302, "", ErrorCode::ProviderError, false)]
    fn a_status_and_what_came_with_it_make_one_error(
        #[case] status: u16,
        #[case] body: &str,
        #[case] code: ErrorCode,
        #[case] is_retryable: bool,
    ) {
        let error = of_status(status, body, None);
        assert_eq!((error.code, error.is_retryable, error.status), (code, is_retryable, Some(status)));
    }

    #[rstest]
    #[case(json!({"error": {"type": "rate_limit_error", "message": "slow"}}), ErrorCode::RateLimit, true)]
    #[case(json!({"error": {"code": 502, "message": "upstream"}}), ErrorCode::ProviderError, true)]
    #[case(json!({"type": "error", "code": "server_error", "message": "x"}), ErrorCode::ProviderError, true)]
    #[case(json!([{"error": {"code": 403, "status": "PERMISSION_DENIED"}}]), ErrorCode::AuthRequired, false)]
    #[case(json!({"error": "model not found"}), ErrorCode::ProviderError, false)]
    fn a_body_tells_of_an_error_by_itself(
        #[case] body: Value,
        #[case] code: ErrorCode,
        #[case] is_retryable: bool,
    ) {
        let error = of_body(&body).unwrap();
        assert_eq!((error.code, error.is_retryable), (code, is_retryable));
    }

    #[test]
    fn an_answer_is_no_error() {
        assert_eq!(of_body(&json!({"error": null, "output": []})), None);
        assert_eq!(of_body(&json!({"choices": []})), None);
    }

    #[test]
    fn google_says_in_the_body_when_to_come_back() {
        let body = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "16.4s"}]}});
        assert_eq!(of_status(429, &body.to_string(), None).retry_after_s, Some(17));
        assert_eq!(of_status(429, &body.to_string(), Some(3)).retry_after_s, Some(3));
    }

    #[test]
    fn the_words_of_a_provider_are_bounded() {
        assert!(of_status(500, &"x".repeat(100_000), None).message.len() < 600);
    }
}
