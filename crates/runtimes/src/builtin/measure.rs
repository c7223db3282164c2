//! How big a JSON value is, for bounds that are checked before any work is done.

use serde_json::Value;

/// Inputs up to this many bytes are handled where they arrive; larger ones go to a thread that may block.
pub(super) const INLINE_BYTES: usize = 4 * 1024;

/// The size of a JSON value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// Values, counting arrays, objects and what they hold.
    pub(super) nodes: u64,
    /// Levels of arrays and objects.
    pub(super) depth: u64,
    /// Bytes of strings and keys.
    pub(super) text_bytes: u64,
}

impl Size {
    /// Walks the value without recursion, so that the depth of what is measured cannot matter.
    pub(crate) fn of(value: &Value) -> Self {
        let mut size = Self::default();
        let mut open = vec![(value, 1_u64)];
        while let Some((value, level)) = open.pop() {
            size.nodes += 1;
            match value {
                Value::Array(items) => {
                    size.depth = size.depth.max(level);
                    open.extend(items.iter().map(|item| (item, level + 1)));
                }
                Value::Object(fields) => {
                    size.depth = size.depth.max(level);
                    for (key, field) in fields {
                        size.text_bytes += key.len() as u64;
                        open.push((field, level + 1));
                    }
                }
                Value::String(text) => size.text_bytes += text.len() as u64,
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        size
    }

    /// Bytes of the value written as JSON, about.
    pub(super) fn about_bytes(self) -> u64 {
        self.text_bytes + 4 * self.nodes
    }
}

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
    fn counts_values_levels_and_text() {
        let size = Size::of(&json!({"ab": [1, "cde", {"f": null}]}));
        assert_eq!(size, Size { nodes: 6, depth: 3, text_bytes: 6 });
    }

    #[test]
    fn what_is_larger_than_the_bound_is_not_small() {
        assert!(is_small(&json!({"a": "x".repeat(1_000)})));
        assert!(!is_small(&json!({"a": "x".repeat(INLINE_BYTES)})));
        assert!(!is_small(&json!(vec![0; INLINE_BYTES])));
    }
}
