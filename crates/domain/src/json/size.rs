//! How big a JSON value is, for bounds that are checked before any work is done.

use serde_json::Value;

/// The size of a JSON value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonSize {
    /// Values, counting arrays, objects and what they hold.
    pub nodes: u64,
    /// Levels of arrays and objects.
    pub depth: u64,
    /// Bytes of strings and keys.
    pub text_bytes: u64,
}

impl JsonSize {
    /// Walks the value without recursion, so that the depth of what is measured cannot matter.
    pub fn of(value: &Value) -> Self {
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
    pub fn about_bytes(self) -> u64 {
        self.text_bytes + 4 * self.nodes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counts_values_levels_and_text() {
        let size = JsonSize::of(&json!({"ab": [1, "cde", {"f": null}]}));
        assert_eq!(size, JsonSize { nodes: 6, depth: 3, text_bytes: 6 });
    }
}
