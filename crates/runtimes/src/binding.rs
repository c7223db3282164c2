//! Mappings: JSON with references in it. `$input` and `$input.path.to.it` stand for what the caller sent, `$steps.id.output.path` for
//! what a step answered. `$$input` is the text `$input`.

use serde_json::Value;

/// What references can begin with, and what they stand for.
pub(crate) type Roots<'a> = [(&'static str, &'a Value)];

/// A reference in a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    /// Where it stands in the mapping: a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) root: &'static str,
    pub(crate) path: Vec<&'a str>,
}

/// Replaces every reference by what it stands for; other values stand as they are. What a reference does not find becomes absent in
/// an object and null elsewhere.
pub(crate) fn bind(mapping: &Value, roots: &Roots<'_>) -> Value {
    match mapping {
        Value::String(text) => match resolve(text, roots) {
            Some(found) => found.cloned().unwrap_or(Value::Null),
            None => Value::from(unescaped(text, roots)),
        },
        Value::Array(items) => items.iter().map(|item| bind(item, roots)).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, field)| !is_missing(field, roots))
            .map(|(key, field)| (key.clone(), bind(field, roots)))
            .collect(),
        scalar => scalar.clone(),
    }
}

/// Every reference in a mapping to one of these roots.
pub(crate) fn references<'a>(mapping: &'a Value, roots: &[&'static str]) -> Vec<Reference<'a>> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), mapping)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::String(text) => {
                let parsed = roots.iter().find_map(|root| Some((*root, path_of(text, root)?)));
                if let Some((root, path)) = parsed {
                    found.push(Reference { pointer, root, path });
                }
            }
            Value::Array(items) => {
                open.extend(
                    items.iter().enumerate().map(|(index, item)| (format!("{pointer}/{index}"), item)),
                );
            }
            Value::Object(fields) => open.extend(fields.iter().map(|(key, field)| {
                (format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), field)
            })),
            _ => {}
        }
    }
    found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    found
}

fn is_missing(mapping: &Value, roots: &Roots<'_>) -> bool {
    mapping.as_str().and_then(|text| resolve(text, roots)).is_some_and(|found| found.is_none())
}

/// `None` when the text is no reference; `Some(None)` when it is one to nothing.
fn resolve<'a>(text: &str, roots: &Roots<'a>) -> Option<Option<&'a Value>> {
    let (path, value) = roots.iter().find_map(|(root, value)| Some((path_of(text, root)?, *value)))?;
    Some(path.into_iter().try_fold(value, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    }))
}

/// The path behind `$root`, if the text is a reference to it.
fn path_of<'t>(text: &'t str, root: &str) -> Option<Vec<&'t str>> {
    let path = text.strip_prefix('$')?.strip_prefix(root)?;
    if path.is_empty() {
        return Some(Vec::new());
    }
    Some(path.strip_prefix('.')?.split('.').collect())
}

fn unescaped<'t>(text: &'t str, roots: &Roots<'_>) -> &'t str {
    match text.strip_prefix('$') {
        Some(plain) if roots.iter().any(|(root, _)| path_of(plain, root).is_some()) => plain,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_replaced_and_everything_else_stands() {
        let mapping = json!({
            "template": "Hello {{ name }}", "values": "$input", "n": ["$input.a.b", 1], "gone": "$input.x",
            "$inputs": "$inputs", "text": "$$input.a", "first": "$steps.one.output.list.0", "later": "$steps.two.output",
        });
        let (input, steps) =
            (json!({"name": "Ada", "a": {"b": 2}}), json!({"one": {"output": {"list": ["x"]}}}));
        let bound = bind(&mapping, &[("input", &input), ("steps", &steps)]);
        assert_eq!(
            bound,
            json!({
                "template": "Hello {{ name }}", "values": input, "n": [2, 1], "$inputs": "$inputs", "text": "$input.a",
                "first": "x",
            })
        );
    }

    #[test]
    fn references_are_found_with_their_place() {
        let mapping = json!({"a": ["$steps.x.output"], "b/c": "$input", "d": "$other"});
        let found = references(&mapping, &["input", "steps"]);
        let shown: Vec<_> = found.iter().map(|r| (r.pointer.as_str(), r.root, r.path.clone())).collect();
        assert_eq!(shown, [("/a/0", "steps", vec!["x", "output"]), ("/b~1c", "input", vec![])]);
    }
}
