//! Days as both databases write them.

use toolgate_domain::{Timestamp, quota::Window};

const DAY_MS: i64 = 24 * 3_600_000;

/// The day (UTC) around a moment: `2026-03-14`.
pub(crate) fn day_of(at: Timestamp) -> String {
    Window::Day.key(at)
}

/// The oldest day that is kept: a clock that is set back finds what was counted, and not a fresh day.
pub(crate) fn oldest_day(at: Timestamp) -> String {
    Window::Day.key(at.plus_ms(-2 * DAY_MS))
}
