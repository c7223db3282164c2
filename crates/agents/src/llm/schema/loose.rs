//! Nearly any JSON Schema passes here: OpenAI without strict mode, and Anthropic. Only the root must be a plain object.

use serde_json::{Map, Value, json};

use super::{Translated, inline, merge};

/// Levels of a schema that are looked at.
const MAX_DEPTH: usize = 64;
/// What makes a root of other schemas.
const COMBINED: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

pub(super) fn translate(schema: &Value, takes_key: fn(&str) -> bool) -> Translated {
    let mut warnings = Vec::new();
    let mut root = match schema {
        Value::Object(fields) => fields.clone(),
        _ => Map::new(),
    };
    root.remove("$schema");
    root.remove("$id");
    // Branches that are references become part of the root, where none may stand.
    if COMBINED.iter().any(|keyword| root.contains_key(*keyword)) {
        match inline::inlined(schema) {
            Ok(Value::Object(fields)) => root = fields,
            Ok(_) => root = Map::new(),
            Err(reason) => warnings.push(format!("a reference of the input is dropped: {reason}")),
        }
    }
    let (mut root, merged) = merge::merged(root, &COMBINED[1..]);
    root.remove("$ref");
    for keyword in merged {
        warnings.push(format!("`{keyword}` of the input is rewritten: its branches become one object"));
    }
    for keyword in ["enum", "const", "not", "if", "then", "else"] {
        if root.remove(keyword).is_some() {
            warnings.push(format!("`{keyword}` of the input is dropped"));
        }
    }
    if root.get("type").is_some_and(|kind| kind != "object") {
        warnings.push("the input is not an object".into());
    }
    root.insert("type".into(), "object".into());
    if !root.get("properties").is_some_and(Value::is_object) {
        root.insert("properties".into(), json!({}));
    }
    let mut schema = Value::Object(root);
    drop_keys(&mut schema, takes_key, "", 0, &mut warnings);
    Translated { schema, strict: false, loose_because: None, warnings }
}

/// `^[a-zA-Z0-9_.-]{1,64}$`
pub(super) fn is_anthropic_key(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// One property that is refused would make the whole request be refused.
fn drop_keys(
    schema: &mut Value,
    takes_key: fn(&str) -> bool,
    path: &str,
    depth: usize,
    warnings: &mut Vec<String>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    let fields = match schema {
        Value::Object(fields) => fields,
        Value::Array(items) => {
            for item in items {
                drop_keys(item, takes_key, path, depth + 1, warnings);
            }
            return;
        }
        _ => return,
    };
    let mut dropped = Vec::new();
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.retain(|name, _| {
            let is_taken = takes_key(name);
            if !is_taken {
                warnings.push(format!("the property `{path}/{name}` is dropped: its name is not accepted"));
                dropped.push(name.clone());
            }
            is_taken
        });
        for (name, property) in properties.iter_mut() {
            drop_keys(property, takes_key, &format!("{path}/{name}"), depth + 1, warnings);
        }
    }
    if let Some(Value::Array(required)) = fields.get_mut("required") {
        required.retain(|name| name.as_str().is_none_or(|name| !dropped.iter().any(|gone| gone == name)));
    }
    for keyword in ["items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(keyword) {
            drop_keys(inner, takes_key, path, depth + 1, warnings);
        }
    }
    for keyword in ["$defs", "definitions"] {
        for (name, inner) in fields.get_mut(keyword).and_then(Value::as_object_mut).into_iter().flatten() {
            drop_keys(inner, takes_key, &format!("{path}/{name}"), depth + 1, warnings);
        }
    }
}
