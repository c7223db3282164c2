//! What an example expected against what came.

use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use toolgate_domain::json::canonical_bytes;

const MAX_LINES: usize = 60;

/// Whether two values are the same JSON.
pub(super) fn same(expected: &Value, actual: &Value) -> bool {
    match (canonical_bytes(expected), canonical_bytes(actual)) {
        (Ok(expected), Ok(actual)) => expected == actual,
        _ => expected == actual,
    }
}

/// Line by line: `-` was expected, `+` came.
pub(super) fn diff(expected: &Value, actual: &Value) -> Vec<String> {
    let (expected, actual) = (format!("{expected:#}\n"), format!("{actual:#}\n"));
    let lines = TextDiff::from_lines(expected.as_str(), actual.as_str());
    let mut shown: Vec<_> = lines
        .iter_all_changes()
        .map(|change| {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            format!("{sign} {}", change.value().trim_end_matches('\n'))
        })
        .take(MAX_LINES + 1)
        .collect();
    if shown.len() > MAX_LINES {
        shown.truncate(MAX_LINES);
        shown.push("…".to_owned());
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spelling_does_not_matter_and_difference_is_shown_by_line() {
        assert!(same(&json!({"a": 1.0, "b": [2]}), &json!({"b": [2], "a": 1})));
        let (expected, actual) = (json!({"a": 1, "b": 2}), json!({"a": 1, "b": 3}));
        assert!(!same(&expected, &actual));
        assert_eq!(diff(&expected, &actual), ["  {", "    \"a\": 1,", "-   \"b\": 2", "+   \"b\": 3", "  }"]);
    }
}
