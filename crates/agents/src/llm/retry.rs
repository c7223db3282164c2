//! When to ask again.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use toolgate_domain::Timestamp;

use super::LlmError;

/// The pause after the first failure; it doubles with each further one.
const FIRST_BACKOFF_MS: u64 = 500;
/// The longest pause, and the longest `Retry-After` that is waited for. With a longer one the caller decides.
const MAX_WAIT_MS: u64 = 30_000;
const MAX_RETRY_AFTER_S: u64 = 24 * 3_600;

/// How long to wait after the failure of an attempt (0 is the first one); `None` when there is no use.
pub(super) fn wait_after(error: &LlmError, attempt: u32, max_retries: u32, jitter: f64) -> Option<Duration> {
    if !error.is_retryable || attempt >= max_retries {
        return None;
    }
    let full = FIRST_BACKOFF_MS.saturating_mul(1 << attempt.min(20)).min(MAX_WAIT_MS);
    // Half is certain, half is chance.
    let backoff =
        Duration::from_millis(full / 2) + Duration::from_millis(full / 2).mul_f64(jitter.clamp(0.0, 1.0));
    let asked = Duration::from_secs(error.retry_after_s.unwrap_or(0));
    (asked <= Duration::from_millis(MAX_WAIT_MS)).then(|| backoff.max(asked))
}

/// `retry-after-ms`, or `Retry-After` in seconds or as a date; rounded up to seconds.
pub(super) fn retry_after_s(headers: &HeaderMap, now: Timestamp) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok())
        && millis >= 0.0
    {
        return Some(seconds_of(millis / 1_000.0));
    }
    let text = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0) {
        return Some(seconds_of(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp().as_millisecond();
    Some(Timestamp::from_millis(date).ms_since(now).div_ceil(1_000).min(MAX_RETRY_AFTER_S))
}

/// Whole seconds, rounded up and bounded.
pub(super) fn seconds_of(seconds: f64) -> u64 {
    let bounded = seconds.ceil().clamp(0.0, 86_400.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number between 0 and 86,400 by now"
    )]
    let whole = bounded as u64;
    whole.min(MAX_RETRY_AFTER_S)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use toolgate_domain::ErrorCode;

    use super::*;

    fn failed(retry_after_s: Option<u64>) -> LlmError {
        let error = LlmError::new(ErrorCode::ProviderError, "no").retryable();
        LlmError { retry_after_s, ..error }
    }

    #[rstest]
    #[case(0, 0.0, 250)]
    #[case(0, 1.0, 500)]
    #[case(1, 1.0, 1_000)]
    #[case(2, 0.5, 1_500)]
    #[case(19, 1.0, 30_000)]
    fn pauses_double_up_to_a_bound(#[case] attempt: u32, #[case] jitter: f64, #[case] millis: u64) {
        let wait = wait_after(&failed(None), attempt, 20, jitter);
        assert_eq!(wait, Some(Duration::from_millis(millis)));
    }

    #[test]
    fn what_the_provider_asks_for_is_waited_for_unless_it_is_too_long() {
        assert_eq!(wait_after(&failed(Some(3)), 0, 2, 0.0), Some(Duration::from_secs(3)));
        assert_eq!(wait_after(&failed(Some(31)), 0, 2, 0.0), None);
    }

    #[test]
    fn nothing_is_tried_more_often_than_allowed_or_for_nothing() {
        assert_eq!(wait_after(&failed(None), 2, 2, 0.0), None);
        assert_eq!(wait_after(&LlmError::new(ErrorCode::ProviderError, "no"), 0, 2, 0.0), None);
    }

    #[rstest]
    #[case("retry-after", "7", Some(7))]
    #[case("retry-after", "0.2", Some(1))]
    #[case("retry-after-ms", "1500", Some(2))]
    #[case("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT", Some(9))]
    #[case("retry-after", "Fri, 31 Dec 1999 23:00:00 GMT", Some(0))]
    #[case("retry-after", "999999999", Some(86_400))]
    #[case("retry-after", "NaN", None)]
    #[case("retry-after", "soon", None)]
    fn the_header_is_seconds_or_a_date(
        #[case] name: &str,
        #[case] value: &str,
        #[case] seconds: Option<u64>,
    ) {
        let mut headers = HeaderMap::new();
        headers.insert(name.parse::<reqwest::header::HeaderName>().unwrap(), value.parse().unwrap());
        assert_eq!(retry_after_s(&headers, "1999-12-31T23:59:50Z".parse().unwrap()), seconds);
    }
}
