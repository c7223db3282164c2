//! Moments as people write them: RFC 3339, a date, or a distance such as `30d`.

use anyhow::Context;
use toolgate_domain::{Clock, Timestamp, time::SystemClock};

use crate::exit::{Exit, Failure};

/// Which way a distance points.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    Ago,
    FromNow,
}

pub(crate) fn moment(option: &str, text: &str, way: Way) -> anyhow::Result<Timestamp> {
    parse(text.trim(), way, SystemClock.now()).ok_or_else(|| {
        Failure::new(Exit::Usage, format!("{option}: `{text}` is no moment"))
            .hint("write 2026-12-31T23:59:59Z, 2026-12-31 (midnight UTC), or a distance: 90s, 15m, 24h, 30d")
            .into()
    })
}

fn parse(text: &str, way: Way, now: Timestamp) -> Option<Timestamp> {
    let whole = || text.parse().ok();
    let date = || format!("{text}T00:00:00Z").parse().ok();
    whole().or_else(date).or_else(|| {
        distance_ms(text).map(|ms| {
            now.plus_ms(match way {
                Way::Ago => -ms,
                Way::FromNow => ms,
            })
        })
    })
}

fn distance_ms(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit_ms = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.parse::<u32>().ok().map(|number| i64::from(number) * unit_ms)
}

/// The moment of an HTTP `Date` header.
pub(crate) fn http_date(text: &str) -> anyhow::Result<Timestamp> {
    let zoned = jiff::fmt::rfc2822::parse(text).context("the Date header cannot be read")?;
    Ok(Timestamp::from_micros(zoned.timestamp().as_microsecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_dates_and_distances_are_understood() {
        let now: Timestamp = "2026-01-02T00:00:00Z".parse().unwrap();
        let shown = |text, way| parse(text, way, now).map(|moment| moment.to_string());
        assert_eq!(shown("2026-12-31", Way::Ago).as_deref(), Some("2026-12-31T00:00:00Z"));
        assert_eq!(shown("2026-12-31T01:00:00+01:00", Way::Ago).as_deref(), Some("2026-12-31T00:00:00Z"));
        assert_eq!(shown("24h", Way::Ago).as_deref(), Some("2026-01-01T00:00:00Z"));
        assert_eq!(shown("30d", Way::FromNow).as_deref(), Some("2026-02-01T00:00:00Z"));
        for nonsense in ["", "d", "soon", "5y", "-1d", "ß"] {
            assert_eq!(shown(nonsense, Way::Ago), None, "{nonsense}");
        }
    }

    #[test]
    fn the_date_of_a_response_is_understood() {
        assert_eq!(http_date("Wed, 21 Oct 2015 07:28:00 GMT").unwrap().to_string(), "2015-10-21T07:28:00Z");
    }
}
