//! Secrets inside a secret: a login is kept as one JSON document, and what is sent elsewhere is the token in it.

use serde_json::Value;

use crate::secrets::SecretValue;

/// No document of credentials has more, or nests deeper.
const MAX_PARTS: usize = 32;
const MAX_DEPTH: usize = 8;
/// Shorter ones would be found in half of every output.
const MIN_PART_BYTES: usize = 8;
/// How the names of members end whose value is as secret as the whole. An address or a client's name is not.
const SECRET_ENDINGS: [&str; 7] =
    ["token", "secret", "password", "private_key", "api_key", "apikey", "verifier"];

/// The values inside a JSON object that are secrets by their name. Of any other text, none.
pub(super) fn of_value(value: &str) -> Vec<SecretValue> {
    let mut parts = Vec::new();
    // The rest is not even parsed: most secrets are no documents.
    if value.trim_start().starts_with('{')
        && let Ok(document) = serde_json::from_str::<Value>(value)
    {
        collect(document, MAX_DEPTH, &mut parts);
    }
    parts
}

fn collect(value: Value, depth: usize, parts: &mut Vec<SecretValue>) {
    if depth == 0 || parts.len() >= MAX_PARTS {
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if is_secret(&name) && text.len() >= MIN_PART_BYTES => {
                        parts.extend(SecretValue::new(text));
                    }
                    other => collect(other, depth - 1, parts),
                }
            }
        }
        Value::Array(items) => items.into_iter().for_each(|item| collect(item, depth - 1, parts)),
        _ => {}
    }
    parts.truncate(MAX_PARTS);
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}
