//! Parsing that refuses what later steps could read in two ways: duplicate keys, integers that a double cannot hold,
//! nesting without end.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The largest integer that every JSON reader agrees on (2^53 - 1).
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    #[error("the text is not JSON that Toolgate accepts: {0}")]
    Syntax(String),
    #[error("the JSON nests deeper than {max} levels")]
    TooDeep { max: usize },
    #[error(
        "the integer {literal} is outside the range that JSON readers agree on (±2^53-1): send it as a string"
    )]
    UnsafeInteger { literal: String },
}

/// Parses one JSON document of at most `max_depth` nested arrays and objects.
pub fn parse(bytes: &[u8], max_depth: usize) -> Result<Value, ParseError> {
    scan(bytes, max_depth)?;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader).map_err(|e| ParseError::Syntax(e.to_string()))?;
    reader.end().map_err(|e| ParseError::Syntax(e.to_string()))?;
    Ok(value)
}

/// The checks of [`parse`] for a value that was built in memory.
pub fn check_value(value: &Value, max_depth: usize) -> Result<(), ParseError> {
    match value {
        Value::Number(number) => check_number(number),
        Value::Array(items) => {
            let left = max_depth.checked_sub(1).ok_or(ParseError::TooDeep { max: max_depth })?;
            items.iter().try_for_each(|item| check_value(item, left))
        }
        Value::Object(fields) => {
            let left = max_depth.checked_sub(1).ok_or(ParseError::TooDeep { max: max_depth })?;
            fields.values().try_for_each(|field| check_value(field, left))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

fn check_number(number: &Number) -> Result<(), ParseError> {
    let safe = match (number.as_u64(), number.as_i64()) {
        (Some(unsigned), _) => unsigned <= MAX_SAFE_INTEGER,
        (None, Some(signed)) => signed.unsigned_abs() <= MAX_SAFE_INTEGER,
        (None, None) => true,
    };
    if safe { Ok(()) } else { Err(ParseError::UnsafeInteger { literal: number.to_string() }) }
}

/// One pass over the bytes, before anything is allocated: depth, and integer literals too long to survive as doubles
/// (the parser would round those silently).
fn scan(bytes: &[u8], max_depth: usize) -> Result<(), ParseError> {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'[' | b'{' => {
                depth += 1;
                if depth > max_depth {
                    return Err(ParseError::TooDeep { max: max_depth });
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'0'..=b'9' => {
                let end = at
                    + bytes[at..]
                        .iter()
                        .take_while(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                        .count();
                check_literal(&bytes[at..end])?;
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// The index of the quote that closes the string opened at `open`, or of the last byte.
fn end_of_string(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len() - 1
}

fn check_literal(literal: &[u8]) -> Result<(), ParseError> {
    if literal.len() < 16 || !literal.iter().all(u8::is_ascii_digit) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(literal);
    match text.parse::<u64>() {
        Ok(value) if value <= MAX_SAFE_INTEGER => Ok(()),
        _ => Err(ParseError::UnsafeInteger { literal: text.chars().take(40).collect() }),
    }
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number outside the double range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Strict)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Strict)?;
            if fields.contains_key(&key) {
                let shown: String = key.chars().take(80).collect();
                return Err(A::Error::custom(format!("the key `{shown}` stands twice in one object")));
            }
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::malformed(b"{\"a\":", "EOF")]
    #[case::trailing(b"{} {}", "trailing")]
    #[case::duplicate(b"{\"a\":1,\"a\":2}", "`a` stands twice")]
    #[case::nested_duplicate(b"[{\"x\":{\"a\":1,\"a\":1}}]", "`a` stands twice")]
    #[case::utf8(b"{\"a\":\"\xff\"}", "unicode")]
    #[case::infinite(b"{\"a\":1e999}", "out of range")]
    #[case::nan(b"{\"a\":NaN}", "expected value")]
    #[case::integer(b"{\"a\":9007199254740993}", "2^53")]
    #[case::negative(b"{\"a\":-9007199254740993}", "2^53")]
    #[case::huge(b"{\"a\":123456789012345678901234567890}", "2^53")]
    fn refuses(#[case] text: &[u8], #[case] says: &str) {
        let error = parse(text, 64).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }

    #[test]
    fn digits_inside_strings_and_long_fractions_are_no_integers() {
        let text =
            br#"{"a":"12345678901234567890 \" 9999999999999999999","b":0.12345678901234567890,"c":6.02e23}"#;
        assert_eq!(parse(text, 64).unwrap()["c"], json!(6.02e23));
    }

    #[test]
    fn depth_is_bounded_before_anything_is_built() {
        let deep = "[".repeat(1_000) + &"]".repeat(1_000);
        assert_eq!(parse(deep.as_bytes(), 64), Err(ParseError::TooDeep { max: 64 }));
        let fits = "[".repeat(64) + &"]".repeat(64);
        let value = parse(fits.as_bytes(), 64).unwrap();
        assert_eq!(check_value(&value, 64), Ok(()));
        assert!(check_value(&value, 63).is_err());
    }

    #[test]
    fn values_built_in_memory_meet_the_same_integer_rule() {
        assert!(check_value(&json!([1, {"a": u64::MAX}]), 64).is_err());
        assert!(check_value(&json!([1, {"a": i64::MIN}]), 64).is_err());
        assert!(check_value(&json!([1, {"a": 1.5e300}]), 64).is_ok());
    }
}
