//! What plain JSON Schema cannot carry.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Display, FieldType, VisibleIf};

/// The annotation of a property.
pub(super) const FIELD: &str = "x-field";
/// The order of an object's properties, where it is not that of the alphabet.
pub(super) const ORDER: &str = "x-field-order";
pub(super) const ENTITY_TYPE: &str = "x-entity-type";
pub(super) const ENTITY_SELECT: &str = "x-entity-select";

/// The value of `x-field`: only what the keywords around it do not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Annotation {
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<FieldType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) display: Option<Display>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) placeholder: Option<String>,
    /// The labels of the choices, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) labels: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) accept: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) visible_if: Option<VisibleIf>,
}

/// The schema without what only people look at: titles, descriptions, displays, labels, order. What is left decides which values
/// are accepted.
pub fn without_annotations(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else {
        return schema.clone();
    };
    let kept =
        keywords.iter().filter(|(key, _)| !matches!(key.as_str(), FIELD | ORDER | "title" | "description"));
    let stripped = kept.map(|(key, value)| {
        let value = match (key.as_str(), value) {
            // The keys of these are names of properties, not keywords.
            ("properties", Value::Object(properties)) => {
                properties.iter().map(|(name, schema)| (name.clone(), without_annotations(schema))).collect()
            }
            ("items" | "additionalProperties", schema) => without_annotations(schema),
            (_, value) => value.clone(),
        };
        (key.clone(), value)
    });
    stripped.collect()
}
