//! One time type, and the port through which time enters.

use std::{
    fmt,
    sync::atomic::{AtomicI64, Ordering},
};

use serde::{Deserialize, Serialize};

/// A moment in UTC, to the microsecond: the finest grain that both databases keep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String, format = DateTime))]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    pub const EPOCH: Self = Self(jiff::Timestamp::UNIX_EPOCH);

    /// Microseconds since the Unix epoch. Values outside the calendar saturate.
    pub fn from_micros(micros: i64) -> Self {
        // Whole seconds: jiff takes no count of microseconds beyond its last one, not even that of its own maximum.
        let (first_s, last_s) = (jiff::Timestamp::MIN.as_second(), jiff::Timestamp::MAX.as_second());
        let clamped = micros.clamp(first_s * 1_000_000, last_s * 1_000_000);
        Self(jiff::Timestamp::from_microsecond(clamped).unwrap_or(jiff::Timestamp::UNIX_EPOCH))
    }

    pub fn from_millis(millis: i64) -> Self {
        Self::from_micros(millis.saturating_mul(1_000))
    }

    pub fn as_micros(self) -> i64 {
        self.0.as_microsecond()
    }

    pub fn as_millis(self) -> i64 {
        self.0.as_millisecond()
    }

    pub fn plus_ms(self, millis: i64) -> Self {
        Self::from_micros(self.as_micros().saturating_add(millis.saturating_mul(1_000)))
    }

    /// Milliseconds from `earlier` to `self`; zero when the clock went backwards.
    pub fn ms_since(self, earlier: Self) -> u64 {
        u64::try_from((self.as_micros() - earlier.as_micros()) / 1_000).unwrap_or(0)
    }

    pub fn inner(self) -> jiff::Timestamp {
        self.0
    }
}

impl std::str::FromStr for Timestamp {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed: jiff::Timestamp = text.parse()?;
        Ok(Self::from_micros(parsed.as_microsecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where the present moment comes from.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(jiff::Timestamp::now().as_microsecond())
    }
}

/// The machine's clock put forward, so that a test need not wait for a moment to come.
#[derive(Default)]
pub struct ClockAhead(AtomicI64);

impl ClockAhead {
    pub fn put_forward_ms(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for ClockAhead {
    fn now(&self) -> Timestamp {
        SystemClock.now().plus_ms(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_outside_the_calendar_saturate() {
        assert_eq!(Timestamp::from_micros(i64::MAX).to_string(), "9999-12-30T22:00:00Z");
        assert_eq!(Timestamp::EPOCH.plus_ms(i64::MAX), Timestamp::from_micros(i64::MAX));
        assert_eq!(Timestamp::from_micros(i64::MIN).to_string(), "-009999-01-02T01:59:59Z");
    }
}
