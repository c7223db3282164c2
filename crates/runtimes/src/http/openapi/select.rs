//! Which operations are wanted.

use serde_json::Value;

/// Whether `only` names this operation: by tag, by operation id, or by a path in which `*` stands for anything.
pub(super) fn is_named(only: &str, path: &str, operation: &Value) -> bool {
    if only.starts_with('/') {
        return matches(only, path);
    }
    let has_tag = operation
        .get("tags")
        .and_then(Value::as_array)
        .is_some_and(|tags| tags.iter().any(|tag| tag.as_str() == Some(only)));
    has_tag || operation.get("operationId").and_then(Value::as_str) == Some(only)
}

/// Goes back to the last `*` alone, so the work is bounded by the product of the lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((at, from)) = star {
            (p, t) = (at + 1, from + 1);
            star = Some((at, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case("/pets", true)]
    #[case("/pets*", true)]
    #[case("/pets/*", false)]
    #[case("/*t*", true)]
    #[case("/*x", false)]
    #[case("animals", true)]
    #[case("listPets", true)]
    #[case("listpets", false)]
    #[case("GET", false)]
    fn an_operation_is_named_by_path_tag_or_id(#[case] only: &str, #[case] named: bool) {
        let operation = json!({"operationId": "listPets", "tags": ["animals", 7]});
        assert_eq!(is_named(only, "/pets", &operation), named);
    }
}
