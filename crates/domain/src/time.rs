//! One time type, and the port through which time enters.

use std::{
    cell::Cell,
    fmt,
    sync::atomic::{AtomicI64, Ordering},
};

use serde::{Deserialize, Serialize, Serializer};

/// A moment in UTC, to the microsecond: the finest grain that both databases keep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(from = "jiff::Timestamp")]
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
        text.parse::<jiff::Timestamp>().map(Self::from)
    }
}

/// What is finer than a microsecond is cut off.
impl From<jiff::Timestamp> for Timestamp {
    fn from(moment: jiff::Timestamp) -> Self {
        Self::from_micros(moment.as_microsecond())
    }
}

const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;

/// `2026-11-17T19:53:`
type Minute = [u8; 17];

/// How the moments of the minute that begins at `start` begin; `None` for years that are not written with four digits.
fn minute(start: i64) -> Option<Minute> {
    let whole = Timestamp::from_micros(start).to_string();
    whole.strip_suffix("00Z").and_then(|text| text.as_bytes().try_into().ok())
}

fn put_digits(places: &mut [u8], mut number: i64) {
    for place in places.iter_mut().rev() {
        *place = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

/// As it is displayed. A receipt holds many moments, and nearly all that is written was a moment ago: a thread keeps the last minute.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        thread_local! {
            static LAST: Cell<Option<(i64, Minute)>> = const { Cell::new(None) };
        }
        let micros = self.as_micros();
        let within = micros.rem_euclid(MINUTE_US);
        let start = micros - within;
        let known = LAST.get().filter(|(known, _)| *known == start).map(|(_, minute)| minute);
        let Some(minute) = known.or_else(|| minute(start)) else {
            return serializer.collect_str(self);
        };
        LAST.set(Some((start, minute)));
        let mut text = [b'Z'; 27];
        text[..17].copy_from_slice(&minute);
        let (seconds, micros) = (within / SECOND_US, within % SECOND_US);
        put_digits(&mut text[17..19], seconds);
        let mut end = 19;
        if micros > 0 {
            text[19] = b'.';
            put_digits(&mut text[20..26], micros);
            // Zeros at the end say nothing.
            end = 26 - text[20..26].iter().rev().take_while(|digit| **digit == b'0').count();
        }
        text[end] = b'Z';
        match str::from_utf8(&text[..=end]) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_str(self),
        }
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
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(now.as_micros()).unwrap_or(i64::MAX))
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_moment_is_written_as_it_is_displayed(
            start in prop_oneof![any::<i64>(), 0..4_000_000_000_000_000_i64],
            steps in prop::collection::vec(prop_oneof![0..200_000_000_i64, (0..200_i64).prop_map(|s| s * 1_000_000)], 1..6),
        ) {
            let mut micros = start;
            for step in steps {
                let moment = Timestamp::from_micros(micros);
                prop_assert_eq!(serde_json::to_value(moment).unwrap(), moment.to_string());
                micros = micros.saturating_add(step);
            }
        }
    }

    #[test]
    fn what_is_finer_than_a_microsecond_is_cut_off_however_it_comes_in() {
        let written = "2026-11-17T19:53:09.123456789Z";
        let read: Timestamp = serde_json::from_value(written.into()).unwrap();
        assert_eq!(
            (read, read.to_string().as_str()),
            (written.parse().unwrap(), "2026-11-17T19:53:09.123456Z")
        );
    }

    #[test]
    fn moments_outside_the_calendar_saturate() {
        assert_eq!(Timestamp::from_micros(i64::MAX).to_string(), "9999-12-30T22:00:00Z");
        assert_eq!(Timestamp::EPOCH.plus_ms(i64::MAX), Timestamp::from_micros(i64::MAX));
        assert_eq!(Timestamp::from_micros(i64::MIN).to_string(), "-009999-01-02T01:59:59Z");
    }
}
