//! Leaves an upstream alone that fails again and again, so that its callers hear so at once.
//!
//! Closed, it lets everybody through. After so many failures in a row it is open for a while; then one call tries, and what becomes of
//! that one closes it or opens it for twice as long.

use std::sync::{Mutex, MutexGuard, PoisonError};

use toolgate_domain::Timestamp;

use super::UpstreamLimits;

#[derive(Default)]
pub(super) struct Breaker {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    failures: u64,
    /// How many times it opened without closing in between.
    opened: u32,
    open_until: Option<Timestamp>,
    /// One call tries whether the upstream is back.
    trying: bool,
}

/// Leave to try. Whoever gives up without a verdict leaves the try to the next one.
pub(super) struct Pass<'a> {
    breaker: &'a Breaker,
    is_trial: bool,
}

impl Breaker {
    /// Fails with the seconds after which it is worth asking again.
    pub(super) fn enter(&self, now: Timestamp) -> Result<Pass<'_>, u64> {
        let mut state = self.lock();
        let Some(until) = state.open_until else {
            return Ok(Pass { breaker: self, is_trial: false });
        };
        if until > now {
            return Err(until.ms_since(now).div_ceil(1_000).max(1));
        }
        if state.trying {
            return Err(1);
        }
        state.trying = true;
        Ok(Pass { breaker: self, is_trial: true })
    }

    /// A connection that stood broke, or could not be made.
    pub(super) fn failed(&self, now: Timestamp, limits: &UpstreamLimits) {
        let mut state = self.lock();
        state.failures = state.failures.saturating_add(1);
        let tried = std::mem::take(&mut state.trying);
        if tried || (state.open_until.is_none() && state.failures >= limits.breaker_failures) {
            let full = limits.breaker_open_ms.saturating_mul(1 << state.opened.min(20));
            let full = full.min(limits.breaker_max_open_ms);
            // Less up to a half at random, so that many do not come back at once.
            let wait_ms = full / 2 + rand::random_range(0..=full.div_ceil(2));
            state.opened = state.opened.saturating_add(1);
            state.open_until = Some(now.plus_ms(i64::try_from(wait_ms).unwrap_or(i64::MAX)));
        }
    }

    pub(super) fn succeeded(&self) {
        let mut state = self.lock();
        if state.failures > 0 || state.open_until.is_some() {
            *state = State::default();
        }
    }

    /// Whether it opened meanwhile, for one who entered before: the seconds that it stays so.
    pub(super) fn opened_meanwhile(&self, pass: &Pass<'_>, now: Timestamp) -> Option<u64> {
        let until = self.lock().open_until.filter(|_| !pass.is_trial)?;
        Some(until.ms_since(now).div_ceil(1_000).max(1))
    }

    /// Nothing of it needs to be remembered.
    pub(super) fn is_at_rest(&self) -> bool {
        self.lock().failures == 0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.is_trial {
            self.breaker.lock().trying = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    fn limits() -> UpstreamLimits {
        UpstreamLimits {
            breaker_failures: 2,
            breaker_open_ms: 1_000,
            breaker_max_open_ms: 4_000,
            ..UpstreamLimits::default()
        }
    }

    #[test]
    fn failures_in_a_row_open_it_and_a_success_between_them_does_not() {
        let breaker = Breaker::default();
        breaker.failed(at(0), &limits());
        breaker.succeeded();
        breaker.failed(at(0), &limits());
        assert!(breaker.enter(at(0)).is_ok());
        breaker.failed(at(0), &limits());
        assert_eq!(breaker.enter(at(0)).err(), Some(1));
    }

    #[test]
    fn when_its_time_is_over_one_call_tries_and_decides() {
        let breaker = Breaker::default();
        breaker.failed(at(0), &limits());
        breaker.failed(at(0), &limits());
        let trial = breaker.enter(at(1_000)).ok().unwrap();
        assert!(breaker.enter(at(1_000)).is_err(), "one is enough");
        breaker.failed(at(1_000), &limits());
        drop(trial);
        assert!(breaker.enter(at(1_999)).is_err(), "at least half of two seconds");
        let trial = breaker.enter(at(3_000)).ok().unwrap();
        breaker.succeeded();
        drop(trial);
        assert!(breaker.enter(at(3_000)).is_ok() && breaker.enter(at(3_000)).is_ok());
    }

    #[test]
    fn a_trial_that_was_given_up_is_left_to_the_next() {
        let breaker = Breaker::default();
        breaker.failed(at(0), &limits());
        breaker.failed(at(0), &limits());
        drop(breaker.enter(at(1_000)).ok().unwrap());
        assert!(breaker.enter(at(1_000)).is_ok());
    }

    #[test]
    fn the_time_it_is_open_is_bounded() {
        let breaker = Breaker::default();
        let mut now = 0;
        for _ in 0..100 {
            let _ = breaker.enter(at(now));
            breaker.failed(at(now), &limits());
            now += 4_001;
        }
        assert!(breaker.enter(at(now)).is_ok());
    }
}
