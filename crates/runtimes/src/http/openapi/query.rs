//! Parameters of the query, and forms: an object is sent member by member.

use serde_json::{Map, Value, json};

use super::{
    keywords::allows,
    notes::{Notes, short},
    parameters::{Parameter, Request},
};

/// Puts a parameter into the query, and returns the schema of what can be sent.
pub(super) fn place(
    parameter: &Parameter<'_>,
    property: &str,
    schema: Value,
    request: &mut Request,
    notes: &mut Notes,
) -> Value {
    if !allows(&schema, "object") {
        request.query.insert(parameter.name.to_owned(), json!(format!("$input.{property}")));
        return schema;
    }
    let (schema, members) = members(schema, notes);
    for member in members {
        let name =
            if parameter.is_deep_object() { format!("{}[{member}]", parameter.name) } else { member.clone() };
        request.query.insert(name, json!(format!("$input.{property}.{member}")));
    }
    schema
}

/// The members of an object that can stand in a query or a form, and the schema without all others.
pub(super) fn members(mut schema: Value, notes: &mut Notes) -> (Value, Vec<String>) {
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let (kept, lost): (Map<_, _>, Map<_, _>) =
        properties.into_iter().partition(|(name, member)| is_word(name) && !allows(member, "object"));
    for name in lost.keys() {
        notes.add(format!("`{}` cannot be written as a name and a value: it is left out", short(name)));
    }
    if kept.is_empty() {
        notes.add("the members of an object are not described: none of them can be sent");
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| name.as_str().is_some_and(|name| !lost.contains_key(name)));
    }
    let names = kept.keys().cloned().collect();
    schema["properties"] = kept.into();
    // What is not named cannot be sent, and should not be asked for.
    schema["additionalProperties"] = json!(false);
    (schema, names)
}

/// What a template can refer to.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}
