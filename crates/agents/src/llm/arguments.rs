//! The arguments of a call, as models write them.

use serde_json::{Map, Value, json};
use toolgate_domain::json::{check_value, parse};

use super::Arguments;

/// Levels of nesting in the arguments of a call; the door's own default.
const MAX_DEPTH: usize = 64;

/// Arguments that come as text. No text at all means no arguments: some models say it so.
pub fn parse_arguments(text: &str) -> Arguments {
    if text.trim().is_empty() {
        return Arguments::Json(Value::Object(Map::new()));
    }
    match parse(text.as_bytes(), MAX_DEPTH) {
        Ok(value) => Arguments::Json(value),
        Err(_) => Arguments::Malformed(text.to_owned()),
    }
}

/// Arguments that come as a value, or as text where the provider could not read them either.
pub(super) fn read_arguments(value: &Value) -> Arguments {
    match value {
        Value::String(text) => parse_arguments(text),
        Value::Null => Arguments::Json(Value::Object(Map::new())),
        other if check_value(other, MAX_DEPTH).is_ok() => Arguments::Json(other.clone()),
        other => Arguments::Malformed(other.to_string()),
    }
}

/// What stands in the history for a call. Providers take objects alone, so anything else is wrapped.
pub(super) fn sent_arguments(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Json(Value::Object(fields)) => Value::Object(fields.clone()),
        Arguments::Json(other) => json!({"_malformed": other.to_string()}),
        Arguments::Malformed(text) => json!({"_malformed": text}),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("", Arguments::Json(json!({})))]
    #[case(r#"{"a": 1}"#, Arguments::Json(json!({"a": 1})))]
    #[case("[1]", Arguments::Json(json!([1])))]
    #[case(r#"{"a": "#, Arguments::Malformed(r#"{"a": "#.into()))]
    #[case(r#"{"a": 1, "a": 2}"#, Arguments::Malformed(r#"{"a": 1, "a": 2}"#.into()))]
    fn text_is_read_strictly(#[case] text: &str, #[case] read: Arguments) {
        assert_eq!(parse_arguments(text), read);
    }

    #[test]
    fn a_value_that_cannot_be_hashed_is_malformed() {
        let read = read_arguments(&json!({"n": 9_007_199_254_740_993_u64}));
        assert_eq!(read, Arguments::Malformed(r#"{"n":9007199254740993}"#.into()));
    }

    #[test]
    fn history_holds_objects_alone() {
        assert_eq!(sent_arguments(&Arguments::Malformed("{x".into())), json!({"_malformed": "{x"}));
        assert_eq!(sent_arguments(&Arguments::Json(json!(5))), json!({"_malformed": "5"}));
    }
}
