//! Which inputs are small enough to be worked on where they arrive.

use serde_json::Value;

/// Inputs up to this many bytes are handled where they arrive; larger ones go to a thread that may block.
pub(super) const INLINE_BYTES: usize = 4 * 1024;

/// Whether `value` is small enough to be worked on where it arrived.
pub(crate) fn is_small(value: &Value) -> bool {
    let mut left = INLINE_BYTES;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let bytes = match value {
            Value::Array(items) => {
                if items.len() > left {
                    return false;
                }
                open.extend(items);
                2
            }
            Value::Object(fields) => {
                if fields.len() > left {
                    return false;
                }
                open.extend(fields.values());
                fields.keys().map(|key| key.len() + 4).sum()
            }
            Value::String(text) => text.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 4,
        };
        match left.checked_sub(bytes) {
            Some(rest) => left = rest,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_larger_than_the_bound_is_not_small() {
        assert!(is_small(&json!({"a": "x".repeat(1_000)})));
        assert!(!is_small(&json!({"a": "x".repeat(INLINE_BYTES)})));
        assert!(!is_small(&json!(vec![0; INLINE_BYTES])));
    }
}
