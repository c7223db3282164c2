//! What a plain schema stands for when no annotation says more.

use serde_json::{Map, Value};

use super::{
    Display, FieldType,
    annotation::{ENTITY_SELECT, ENTITY_TYPE},
};

/// The type and display that the keywords suggest; nothing when no field is like that.
pub(super) fn infer(schema: &Map<String, Value>) -> Option<(FieldType, Option<Display>)> {
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    if schema.contains_key("enum") || schema.contains_key("const") {
        return Some((FieldType::Enum, None));
    }
    match text("type")? {
        "boolean" => Some((FieldType::Boolean, None)),
        "number" | "integer" => Some((FieldType::Number, None)),
        "string" if schema.contains_key(ENTITY_TYPE) => Some((FieldType::Relation, None)),
        "string" => match schema.get("format").map(Value::as_str) {
            None => Some((FieldType::Text, None)),
            Some(Some("date")) => Some((FieldType::Date, None)),
            Some(Some("date-time")) => Some((FieldType::Date, Some(Display::Datetime))),
            Some(Some("time")) => Some((FieldType::Date, Some(Display::Time))),
            Some(Some("uri")) => Some((FieldType::Url, None)),
            Some(Some("email")) => Some((FieldType::Email, None)),
            Some(_) => None,
        },
        "array" if schema.contains_key(ENTITY_SELECT) => {
            Some((FieldType::Relation, Some(Display::MultiPicker)))
        }
        "array" => {
            let items = schema.get("items").and_then(Value::as_object);
            let choices = items.is_some_and(is_bare_enum);
            let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
            if choices && unique {
                Some((FieldType::Enum, Some(Display::MultiSelect)))
            } else {
                Some((FieldType::Array, None))
            }
        }
        "object" => {
            let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            let none = schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
            Some((FieldType::Object, (none && !closed).then_some(Display::Json)))
        }
        _ => None,
    }
}

/// Choices, and nothing said about them.
fn is_bare_enum(items: &Map<String, Value>) -> bool {
    items.contains_key("enum") && items.keys().all(|key| key == "enum" || key == "type")
}
