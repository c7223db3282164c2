//! JSON of others: taken as it is meant where it is not as we would write it.

use serde_json::Value;
use toolgate_domain::json::check_value;

/// Levels that a body may have; the answer adds one, and the envelope more.
const MAX_DEPTH: usize = 60;
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Parses; integers that not every reader can hold become texts, as they would otherwise be changed on the way.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let mut value: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| error.to_string())?;
    tame(&mut value);
    check_value(&value, MAX_DEPTH).map_err(|error| error.to_string())?;
    Ok(value)
}

/// The parser bounds the depth, so that this may recurse.
fn tame(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let unsafe_integer = number.as_u64().is_some_and(|n| n > MAX_SAFE_INTEGER)
                || number.as_i64().is_some_and(|n| n.unsigned_abs() > MAX_SAFE_INTEGER);
            if unsafe_integer {
                *value = Value::String(number.to_string());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tame),
        Value::Object(fields) => fields.values_mut().for_each(tame),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_ids_come_through_unchanged() {
        assert_eq!(
            parse(r#"{"id": 1234567890123456789, "n": -9007199254740993, "ok": 9007199254740991}"#).unwrap(),
            json!({"id": "1234567890123456789", "n": "-9007199254740993", "ok": 9007199254740991_u64})
        );
    }

    #[test]
    fn nesting_without_end_is_refused() {
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(&format!("{}{}", "[".repeat(61), "]".repeat(61))).is_err());
    }
}
