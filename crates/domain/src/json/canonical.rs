//! RFC 8785 canonical JSON, and the hashes that stand on it.

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;

use super::strict::{ParseError, check_value};
use crate::hash::sha256;

#[derive(Debug, thiserror::Error)]
pub enum CanonicalError {
    #[error(transparent)]
    Unsafe(#[from] ParseError),
    #[error("the value has no canonical form: {0}")]
    Encode(#[from] serde_json::Error),
}

/// How deep a value that is hashed may nest. Inputs from outside are bounded more tightly before they get here.
const MAX_HASHED_DEPTH: usize = 120;

/// From here on integers are spelt as the doubles that they become.
const MAX_PLAIN: u64 = 1 << 53;

/// The canonical bytes of a value. Integers beyond 2^53 are refused: as doubles two of them could be one.
pub fn canonical_bytes(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    check_value(value, MAX_HASHED_DEPTH)?;
    Ok(encode(value, is_plain(value))?)
}

/// Plain values are canonical as they are written: their keys are sorted, and only doubles are spelt differently.
fn encode(value: &impl Serialize, is_plain: bool) -> serde_json::Result<Vec<u8>> {
    if is_plain { serde_json::to_vec(value) } else { serde_json_canonicalizer::to_vec(value) }
}

/// Whether no number is a double, and the keys have the same order by bytes as by UTF-16 units.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => !number.is_f64(),
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(fields) => fields.iter().all(|(key, value)| key.is_ascii() && is_plain(value)),
    }
}

pub fn sha256_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(&sha256(bytes))
}

#[derive(Serialize)]
struct CallKey<'a>(&'a str, &'a Value, u64);

/// The deterministic name of a call: `tool@version`, its input, and its place in its run.
pub fn call_id(tool_at_version: &str, input: &Value, seq: u64) -> Result<String, CanonicalError> {
    check_value(input, MAX_HASHED_DEPTH)?;
    let is_plain = seq < MAX_PLAIN && is_plain(input);
    let canonical = encode(&CallKey(tool_at_version, input, seq), is_plain)?;
    Ok(sha256_hex(&canonical))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::json::parse;

    #[test]
    fn known_answer() {
        let id = call_id("calculate@1.0.0", &json!({"expression": "1+1"}), 0).unwrap();
        assert_eq!(id, sha256_hex(br#"["calculate@1.0.0",{"expression":"1+1"},0]"#));
    }

    #[test]
    fn sequence_and_version_tell_calls_apart() {
        let input = json!({"a": 1});
        let base = call_id("t@1.0.0", &input, 0).unwrap();
        assert_ne!(base, call_id("t@1.0.0", &input, 1).unwrap());
        assert_ne!(base, call_id("t@1.0.1", &input, 0).unwrap());
    }

    #[test]
    fn integers_that_would_collide_are_refused() {
        assert!(call_id("t@1.0.0", &json!({"a": 9_007_199_254_740_993_u64}), 0).is_err());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-(1_i64 << 53) + 1..(1_i64 << 53)).prop_map(Value::from),
            any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 48, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// Writes the same value in another hand: keys reversed, spaces and newlines thrown in, numbers spelt differently.
    fn respell(value: &Value, out: &mut String) {
        match value {
            Value::Object(fields) => {
                out.push_str("{ \n");
                for (index, (key, field)) in fields.iter().rev().enumerate() {
                    if index > 0 {
                        out.push_str(" ,\t");
                    }
                    out.push_str(&escaped(key));
                    out.push_str(" : ");
                    respell(field, out);
                }
                out.push_str("\r\n}");
            }
            Value::Array(items) => {
                out.push_str("[ ");
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(",  ");
                    }
                    respell(item, out);
                }
                out.push(']');
            }
            Value::Number(number) => match number.as_f64() {
                Some(float) => out.push_str(&format!("{float:e}")),
                None => out.push_str(&number.to_string()),
            },
            Value::String(text) => out.push_str(&escaped(text)),
            other => out.push_str(&other.to_string()),
        }
    }

    /// Every UTF-16 unit as an escape.
    fn escaped(text: &str) -> String {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        format!("\"{units}\"")
    }

    proptest! {
        #[test]
        fn the_call_id_does_not_depend_on_key_order_white_space_or_number_spelling(value in any_json(), seq in 0_u64..9) {
            let mut respelt = String::new();
            respell(&value, &mut respelt);
            let reread = parse(respelt.as_bytes(), 64).unwrap();
            prop_assert_eq!(canonical_bytes(&value).unwrap(), canonical_bytes(&reread).unwrap());
            prop_assert_eq!(call_id("t@1.0.0", &value, seq).unwrap(), call_id("t@1.0.0", &reread, seq).unwrap());
        }

        #[test]
        fn what_is_plain_is_canonical_as_it_is_written(value in any_json()) {
            let written = serde_json::to_vec(&value).unwrap();
            prop_assert!(!is_plain(&value) || written == serde_json_canonicalizer::to_vec(&value).unwrap());
        }

        #[test]
        fn canonical_bytes_read_back_as_the_same_value(value in any_json()) {
            let bytes = canonical_bytes(&value).unwrap();
            let again = parse(&bytes, 64);
            // A double such as 1e17 is written without an exponent, and then reads as an unsafe integer: refused, not rounded.
            if let Ok(again) = again {
                prop_assert_eq!(canonical_bytes(&again).unwrap(), bytes);
            }
        }
    }
}
