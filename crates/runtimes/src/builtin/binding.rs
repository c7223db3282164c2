//! `execution.arguments`: what a registered tool passes to the built-in behind it.

use serde_json::Value;

const INPUT: &str = "$input";

/// Replaces every string `$input` and `$input.path.to.it` by what the caller sent; other values stand as they are.
/// A path that the caller left out becomes absent in an object and null in an array.
pub(crate) fn bind(template: &Value, input: &Value) -> Value {
    match template {
        Value::String(text) => match resolve(text, input) {
            Some(found) => found.cloned().unwrap_or(Value::Null),
            None => template.clone(),
        },
        Value::Array(items) => items.iter().map(|item| bind(item, input)).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, field)| !is_missing(field, input))
            .map(|(key, field)| (key.clone(), bind(field, input)))
            .collect(),
        scalar => scalar.clone(),
    }
}

fn is_missing(template: &Value, input: &Value) -> bool {
    template.as_str().and_then(|text| resolve(text, input)).is_some_and(|found| found.is_none())
}

/// `None` when the text is no reference; `Some(None)` when it is one to nothing.
fn resolve<'a>(text: &str, input: &'a Value) -> Option<Option<&'a Value>> {
    let path = text.strip_prefix(INPUT)?;
    if path.is_empty() {
        return Some(Some(input));
    }
    let path = path.strip_prefix('.')?;
    Some(path.split('.').try_fold(input, |value, key| value.get(key)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_replaced_and_everything_else_stands() {
        let template = json!({"template": "Hello {{ name }}", "values": "$input", "n": ["$input.a.b", 1], "gone": "$input.x", "$inputs": "$inputs"});
        let input = json!({"name": "Ada", "a": {"b": 2}});
        let bound = bind(&template, &input);
        assert_eq!(
            bound,
            json!({"template": "Hello {{ name }}", "values": input, "n": [2, 1], "$inputs": "$inputs"})
        );
    }
}
