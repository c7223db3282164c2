//! What stays of an output that is too big for its envelope: the same shape, with long parts cut.

use serde_json::{Map, Value};

/// The length of a value's JSON text, counted without building it.
pub fn encoded_len(value: &Value) -> usize {
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // Writing a `Value` into a counter cannot fail: its keys are strings and the counter takes everything.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// A copy of `value` of roughly `budget` bytes: arrays keep their first items, strings their first characters, objects
/// their first keys. The shape stays, so readers that expect `rows[0].name` still find it.
pub fn preview(value: &Value, budget: usize) -> Value {
    let mut left = budget;
    cut(value, &mut left).unwrap_or(Value::Null)
}

fn cut(value: &Value, left: &mut usize) -> Option<Value> {
    const OVERHEAD: usize = 4;
    *left = left.checked_sub(OVERHEAD)?;
    Some(match value {
        Value::String(text) => Value::String(cut_text(text, left)),
        Value::Array(items) => Value::Array(items.iter().map_while(|item| cut(item, left)).collect()),
        Value::Object(fields) => {
            let mut kept = Map::new();
            for (key, field) in fields {
                let Some(rest) = left.checked_sub(key.len() + OVERHEAD) else {
                    break;
                };
                *left = rest;
                let Some(field) = cut(field, left) else { break };
                kept.insert(key.clone(), field);
            }
            Value::Object(kept)
        }
        Value::Number(number) => {
            *left = left.saturating_sub(12);
            Value::Number(number.clone())
        }
        scalar => scalar.clone(),
    })
}

fn cut_text(text: &str, left: &mut usize) -> String {
    let mut end = text.len().min(*left);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    *left -= end;
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_preview_keeps_the_shape_and_stays_near_its_budget() {
        let rows: Vec<_> = (0..10_000).map(|n| json!({"name": format!("row {n}"), "value": n})).collect();
        let small = preview(&json!({"rows": rows, "text": "x".repeat(10_000)}), 4_096);
        assert_eq!(small["rows"][0]["name"], "row 0");
        let length = encoded_len(&small);
        assert!((1_000..8_192).contains(&length), "{length}");
    }

    #[test]
    fn multibyte_text_is_cut_between_characters() {
        let small = preview(&json!("é".repeat(100)), 24);
        assert_eq!(small, json!("é".repeat(10)));
    }

    #[test]
    fn counts_what_would_be_written() {
        let value = json!({"a": [1, 2.5, "\"é\n"], "b": null});
        assert_eq!(encoded_len(&value), value.to_string().len());
    }
}
