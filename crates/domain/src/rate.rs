//! The rate limit as a pure function (GCRA), so that the in-process and the shared limiter cannot differ in meaning.

use serde::{Deserialize, Serialize};

/// At most `limit` calls in any `window_s` seconds, spent in a burst or evenly; `concurrency` at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RateLimit {
    pub limit: u32,
    pub window_s: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
}

impl RateLimit {
    pub const KEYS: &'static [&'static str] = &["limit", "window_s", "concurrency"];

    pub const SOUND: &'static str =
        "needs limit (1 to 1,000,000), window_s (1 to 86,400) and, where there is one, a concurrency above 0";

    /// Whether it limits anything that can be counted.
    pub fn is_sound(self) -> bool {
        (1..=1_000_000).contains(&self.limit)
            && (1..=86_400).contains(&self.window_s)
            && self.concurrency != Some(0)
    }

    /// Whether it lets nothing through that `other` would stop.
    pub fn is_within(self, other: Self) -> bool {
        let slower = u64::from(self.limit) * u64::from(other.window_s)
            <= u64::from(other.limit) * u64::from(self.window_s);
        let fewer = match (self.concurrency, other.concurrency) {
            (_, None) => true,
            (Some(own), Some(theirs)) => own <= theirs,
            (None, Some(_)) => false,
        };
        self.limit <= other.limit && slower && fewer
    }

    /// A limit that lets through only what both would: the smaller burst, the slower pace, the fewer at a time.
    pub fn stricter(self, other: Self) -> Self {
        let limit = self.limit.min(other.limit).max(1);
        let window =
            |rate: Self| (u64::from(rate.window_s) * u64::from(limit)).div_ceil(u64::from(rate.limit.max(1)));
        let concurrency = match (self.concurrency, other.concurrency) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let window_s = u32::try_from(window(self).max(window(other))).unwrap_or(u32::MAX);
        Self { limit, window_s, concurrency }
    }

    /// Microseconds that one call costs.
    pub fn emission_us(self) -> i64 {
        i64::from(self.window_s) * 1_000_000 / i64::from(self.limit.max(1))
    }

    /// How far the account may run ahead of the clock.
    pub fn tolerance_us(self) -> i64 {
        self.emission_us() * i64::from(self.limit.saturating_sub(1))
    }
}

/// What the limiter answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateDecision {
    /// Go on; store this as the account's new theoretical arrival time.
    Allowed { arrival_us: i64 },
    /// Come back after this long.
    Limited { retry_after_us: i64 },
}

/// One step of the generic cell rate algorithm. `arrival_us` is what the last allowed call left behind.
pub fn gcra(arrival_us: Option<i64>, now_us: i64, rate: RateLimit) -> RateDecision {
    let arrival = arrival_us.unwrap_or(now_us).max(now_us);
    let ahead = arrival - now_us;
    if ahead > rate.tolerance_us() {
        RateDecision::Limited { retry_after_us: ahead - rate.tolerance_us() }
    } else {
        RateDecision::Allowed { arrival_us: arrival + rate.emission_us() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stricter_of_two_limits_is_within_both() {
        let rate = |limit, window_s, concurrency| RateLimit { limit, window_s, concurrency };
        for (a, b) in [
            (rate(10, 60, None), rate(5, 60, Some(2))),
            (rate(10, 1, Some(3)), rate(5, 100, None)),
            (rate(1, 86_400, None), rate(1_000_000, 1, None)),
            (rate(7, 3, None), rate(3, 7, None)),
        ] {
            let both = a.stricter(b);
            assert!(both.is_within(a) && both.is_within(b) && both.is_sound(), "{a:?} {b:?} {both:?}");
        }
        assert!(!rate(11, 60, None).is_within(rate(10, 60, None)), "more in a burst");
        assert!(!rate(10, 59, None).is_within(rate(10, 60, None)), "faster");
        assert!(!rate(1, 60, None).is_within(rate(10, 60, Some(1))), "more at a time");
    }

    #[test]
    fn a_burst_up_to_the_limit_passes_and_the_next_call_learns_when_to_return() {
        let rate = RateLimit { limit: 3, window_s: 3, concurrency: None };
        let mut arrival = None;
        for _ in 0..3 {
            let RateDecision::Allowed { arrival_us } = gcra(arrival, 0, rate) else {
                panic!("within the limit")
            };
            arrival = Some(arrival_us);
        }
        assert_eq!(gcra(arrival, 0, rate), RateDecision::Limited { retry_after_us: 1_000_000 });
        assert!(matches!(gcra(arrival, 1_000_000, rate), RateDecision::Allowed { .. }));
    }
}
