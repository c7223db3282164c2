//! The schema as it is published.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{
    MAX_BYTES, Role, flatten,
    keyword::{Fields, list},
    node::{Beyond, Place, Work},
    reference,
};
use crate::json::encoded_len;

/// The one property of an output that is no object.
pub const RESULT: &str = "result";
/// Schemas that are looked at to see what the root is.
const MAX_HOPS: usize = 256;

/// The schema as our server publishes it. It takes what the true one takes and more where that cannot be said to everyone; the same
/// schema always gives the same answer. One that grows beyond its bound becomes a plain object.
pub fn portable(schema: &Value, role: Role) -> Cow<'_, Value> {
    let made = published(schema, role).ok().filter(|made| encoded_len(made) <= MAX_BYTES);
    let made = made.unwrap_or_else(|| plain(schema));
    if made == *schema { Cow::Borrowed(schema) } else { Cow::Owned(made) }
}

/// Whether the output is published, and sent, as `{"result": …}`: its schema describes something else than an object.
pub fn wraps_output(schema: &Value) -> bool {
    let mut hops = MAX_HOPS;
    !is_object(schema, schema, &mut hops)
}

fn is_object(schema: &Value, root: &Value, hops: &mut usize) -> bool {
    let Some(fields) = schema.as_object().filter(|_| *hops > 0) else { return false };
    *hops -= 1;
    if let Some(kind) = fields.get("type") {
        return kind == "object";
    }
    if fields.contains_key("properties") {
        return true;
    }
    let target =
        fields.get("$ref").and_then(Value::as_str).and_then(|target| reference::target(root, target));
    if target.is_some_and(|target| is_object(target, root, hops)) {
        return true;
    }
    if list(fields, "allOf").iter().any(|part| is_object(part, root, hops)) {
        return true;
    }
    ["anyOf", "oneOf"].iter().any(|keyword| {
        let branches = list(fields, keyword);
        !branches.is_empty() && branches.iter().all(|branch| is_object(branch, root, hops))
    })
}

fn published(schema: &Value, role: Role) -> Result<Value, Beyond> {
    let mut work = Work::new(schema, role);
    if role == Role::Output && wraps_output(schema) {
        let inner = work.node(schema, &[], Place::ROOT.inside())?.unwrap_or_default();
        return Ok(json!({
            "type": "object",
            "properties": {RESULT: inner},
            "required": [RESULT],
            "additionalProperties": false,
        }));
    }
    let made = work.node(schema, &["object"], Place::ROOT)?.unwrap_or_default();
    Ok(rooted(made, role).into())
}

/// An object at the root, whatever it was.
fn rooted(mut made: Fields, role: Role) -> Fields {
    if let Some(Value::Array(branches)) = made.remove("anyOf") {
        let is_object = |branch: &Fields| branch.get("type").is_some_and(|kind| kind == "object");
        let objects: Vec<Fields> = branches
            .into_iter()
            .filter_map(|branch| match branch {
                Value::Object(fields) => Some(fields),
                _ => None,
            })
            .filter(is_object)
            .collect();
        made = flatten::into_one(made, objects, role);
    }
    if made.get("type").is_some_and(|kind| kind != "object") {
        let said = made.remove("description");
        made = Map::new();
        made.extend(said.map(|said| ("description".to_owned(), said)));
    }
    made.remove("enum");
    made.insert("type".into(), "object".into());
    let is_bare = made.get("properties").is_none() && made.get("patternProperties").is_none();
    if is_bare {
        made.entry("additionalProperties").or_insert(Value::Bool(true));
    }
    made.entry("properties").or_insert_with(|| json!({}));
    made
}

/// In place of a schema that cannot be told at all.
fn plain(schema: &Value) -> Value {
    let said = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let said = super::words::shortened(said, 1_000);
    let said =
        format!("{said} Its schema is too large to be told here; a call is held against it all the same.");
    json!({"type": "object", "properties": {}, "additionalProperties": true, "description": said.trim()})
}
