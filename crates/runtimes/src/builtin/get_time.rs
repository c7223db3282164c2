//! `get_time`: now, or another moment, in the time zones asked for.

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{
    definition::{Definition, answers, refuses, runs, section},
    suggest,
    tool::{Builtin, BuiltinContext},
};

const DESCRIPTION: &str = "Tells the current date and time in one or more time zones, or converts a given moment \
into them. Use it whenever an answer depends on today's date, the time of day, a weekday, or on what time it is \
elsewhere: you do not know the current time by yourself. `zones` are IANA names such as `Europe/Berlin`, \
`America/New_York`, `Asia/Kolkata` or `UTC` (the default), up to 20; abbreviations like `CET` or `PST` ignore \
daylight saving, so prefer city names. `at` is an RFC 3339 moment with its offset (`2026-07-01T09:00:00+02:00`) to \
convert instead of now. `is_dst` says whether daylight saving applies there at that moment. Not for durations \
(convert_units) or for waiting.";

const MAX_ZONES: usize = 20;

/// The clock, and time zones.
pub(super) struct GetTime;

impl Builtin for GetTime {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "get_time",
            category: "utility",
            icon: "clock",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "zones": {
                        "type": "array", "minItems": 1, "maxItems": MAX_ZONES, "default": ["UTC"],
                        "items": {"type": "string", "minLength": 1, "maxLength": 64},
                        "description": "IANA time zones, such as `Europe/Berlin`."
                    },
                    "at": {
                        "type": "string", "minLength": 1, "maxLength": 64,
                        "description": "The moment to convert, in RFC 3339 with its offset; now when left out."
                    }
                },
                "additionalProperties": false
            }),
            output_schema: output_schema(),
            examples: vec![
                runs("Now, in UTC", json!({})),
                answers(
                    "A meeting in another city",
                    json!({"zones": ["America/New_York"], "at": "2026-07-01T09:00:00+02:00"}),
                    json!({
                        "utc": "2026-07-01T07:00:00Z",
                        "unix": 1_782_889_200_i64,
                        "times": [{
                            "zone": "America/New_York", "iso": "2026-07-01T03:00:00-04:00", "date": "2026-07-01",
                            "time": "03:00:00", "offset": "-04:00", "abbreviation": "EDT", "is_dst": true,
                            "weekday": "Wednesday", "day_of_year": 182, "iso_week": 27
                        }]
                    }),
                ),
                refuses("A zone that does not exist", json!({"zones": ["Europe/Atlantis"]})),
                refuses("A moment without an offset", json!({"at": "2026-07-01T09:00:00"})),
            ],
            output_sections: vec![section("times", "Times", SectionType::Table)],
            repeatable: false,
        }
        .into_spec()
    }

    fn call(&self, input: &Value, ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let moment = match input["at"].as_str() {
            Some(text) => parse(text)?,
            None => ctx.clock.now().inner(),
        };
        let zones = match input["zones"].as_array() {
            Some(zones) => zones.iter().filter_map(Value::as_str).take(MAX_ZONES).collect(),
            None => vec!["UTC"],
        };
        let times = zones.into_iter().map(|zone| describe(moment, zone)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({"utc": moment.to_string(), "unix": moment.as_second(), "times": times}))
    }
}

fn output_schema() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "properties": {
            "utc": text("The moment in UTC, in RFC 3339."),
            "unix": {"type": "integer", "description": "Seconds since 1970-01-01T00:00:00Z."},
            "times": {
                "type": "array", "minItems": 1, "maxItems": MAX_ZONES,
                "description": "The moment in each zone, in the order asked for.",
                "items": {
                    "type": "object",
                    "properties": {
                        "zone": text("The IANA name of the zone."),
                        "iso": text("Local date and time with the offset, in RFC 3339."),
                        "date": text("The local date."),
                        "time": text("The local time of day."),
                        "offset": text("The offset from UTC."),
                        "abbreviation": text("What the offset is called there."),
                        "is_dst": {"type": "boolean", "description": "Whether daylight saving applies."},
                        "weekday": text("The local day of the week, in English."),
                        "day_of_year": {"type": "integer", "description": "1 to 366."},
                        "iso_week": {"type": "integer", "description": "The ISO 8601 week, 1 to 53."}
                    },
                    "required": [
                        "zone", "iso", "date", "time", "offset", "abbreviation", "is_dst", "weekday",
                        "day_of_year", "iso_week"
                    ],
                    "additionalProperties": false
                }
            }
        },
        "required": ["utc", "unix", "times"],
        "additionalProperties": false
    })
}

fn parse(text: &str) -> Result<Timestamp, ToolError> {
    text.parse().map_err(|_| {
        ToolError::validation(format!(
            "`at` is not a moment in RFC 3339 with an offset, such as 2026-07-01T09:00:00+02:00: `{}`",
            suggest::shown(text)
        ))
    })
}

fn describe(moment: Timestamp, zone: &str) -> Result<Value, ToolError> {
    let zone = find(zone)?;
    let local = moment.to_zoned(zone.clone());
    let info = zone.to_offset_info(moment);
    Ok(json!({
        "zone": zone.iana_name().unwrap_or("UTC"),
        "iso": moment.display_with_offset(info.offset()).to_string(),
        "date": local.date().to_string(),
        "time": local.time().to_string(),
        "offset": local.strftime("%:z").to_string(),
        "abbreviation": info.abbreviation(),
        "is_dst": info.dst().is_dst(),
        "weekday": local.strftime("%A").to_string(),
        "day_of_year": local.day_of_year(),
        "iso_week": local.date().iso_week_date().week(),
    }))
}

fn find(name: &str) -> Result<TimeZone, ToolError> {
    let database = jiff::tz::db();
    database.get(name.trim()).map_err(|_| {
        let known: Vec<String> = database.available().map(|known| known.as_str().to_owned()).collect();
        // People name cities; the region before the slash would drown them in the comparison.
        let by_city = known.iter().find(|known| {
            known
                .rsplit('/')
                .next()
                .is_some_and(|city| city.eq_ignore_ascii_case(&name.trim().replace(' ', "_")))
        });
        let nearest = match by_city {
            Some(zone) => vec![zone.as_str()],
            None => suggest::nearest(name, known.iter().map(String::as_str)),
        };
        ToolError::validation(format!(
            "unknown time zone `{}`{}",
            suggest::shown(name),
            suggest::hint(&nearest)
        ))
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::{call, refusal};

    #[test]
    fn now_is_what_the_injected_clock_says() {
        let output = call(&GetTime, json!({}));
        assert_eq!(output["utc"], "2026-03-29T00:30:00Z");
        assert_eq!(output["times"][0]["iso"], "2026-03-29T00:30:00+00:00");
        assert_eq!(output["times"][0]["weekday"], "Sunday");
    }

    #[test]
    fn the_hour_that_daylight_saving_skips_is_skipped() {
        let berlin =
            |at: &str| call(&GetTime, json!({"zones": ["Europe/Berlin"], "at": at}))["times"][0].clone();
        let before = berlin("2026-03-29T00:59:59Z");
        assert_eq!((before["time"].as_str(), before["is_dst"].as_bool()), (Some("01:59:59"), Some(false)));
        let after = berlin("2026-03-29T01:00:00Z");
        assert_eq!((after["time"].as_str(), after["is_dst"].as_bool()), (Some("03:00:00"), Some(true)));
        assert_eq!(after["abbreviation"], "CEST");
    }

    #[rstest]
    #[case("Asia/Kolkata", "+05:30")]
    #[case("Asia/Kathmandu", "+05:45")]
    #[case("Pacific/Kiritimati", "+14:00")]
    #[case("Etc/GMT+12", "-12:00")]
    fn unusual_offsets(#[case] zone: &str, #[case] offset: &str) {
        assert_eq!(call(&GetTime, json!({"zones": [zone]}))["times"][0]["offset"], offset);
    }

    #[rstest]
    #[case::city("Berlin", "did you mean `Europe/Berlin`")]
    #[case::slip("Europe/Pariss", "did you mean `Europe/Paris`")]
    #[case::path("../../etc/passwd", "unknown time zone")]
    fn an_unknown_zone_is_answered_with_the_nearest(#[case] zone: &str, #[case] says: &str) {
        let message = refusal(&GetTime, json!({"zones": [zone]}));
        assert!(message.contains(says), "{message}");
    }

    #[rstest]
    #[case("tomorrow")]
    #[case("2026-13-01T00:00:00Z")]
    #[case("99999-01-01T00:00:00Z")]
    #[case("2026-07-01")]
    fn what_is_no_moment_is_refused(#[case] at: &str) {
        assert!(refusal(&GetTime, json!({"at": at})).contains("RFC 3339"));
    }

    #[test]
    fn the_ends_of_the_calendar_fit() {
        call(&GetTime, json!({"at": "9999-12-30T22:00:00Z", "zones": ["Pacific/Kiritimati"]}));
        call(&GetTime, json!({"at": "-009999-01-03T00:00:00Z", "zones": ["Etc/GMT+12"]}));
    }
}
