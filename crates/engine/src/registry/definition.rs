//! From JSON to a definition, with errors that point at the place.

use serde::de::DeserializeOwned;
use serde_json::Value;
use toolgate_domain::{
    ToolSpec,
    field::{FieldDefinition, FieldError, check_fields},
    tool::{UnknownKey, reject_unknown_keys},
};

/// What is wrong with a definition, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", if .pointer.is_empty() { String::new() } else { format!("{}: ", .pointer) })]
pub struct DefinitionError {
    /// A JSON pointer into the definition; empty for the whole.
    pub pointer: String,
    pub message: String,
}

impl DefinitionError {
    pub(crate) fn at(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

impl From<UnknownKey> for DefinitionError {
    fn from(error: UnknownKey) -> Self {
        Self::at(format!("/{}", error.key), error.to_string())
    }
}

impl From<FieldError> for DefinitionError {
    fn from(error: FieldError) -> Self {
        Self::at(error.pointer, error.message)
    }
}

/// Reads a definition. An unknown key is an error that names the nearest known one.
pub fn definition_from_json(mut definition: Value) -> Result<ToolSpec, DefinitionError> {
    let Value::Object(keys) = &mut definition else {
        return Err(DefinitionError::at("", "a tool definition is an object"));
    };
    reject_unknown_keys(keys, ToolSpec::KEYS)?;
    if let (None, Some(fields)) = (keys.get("input_schema"), keys.get("fields")) {
        let fields: Vec<FieldDefinition> = read(fields.clone(), "/fields")?;
        check_fields(&fields)
            .map_err(|error| DefinitionError::at(format!("/fields{}", error.pointer), error.message))?;
        keys.insert("input_schema".to_owned(), ToolSpec::input_schema_of(&fields));
    }
    let mut spec: ToolSpec = read(definition, "")?;
    spec.enforce_egress_guard();
    Ok(spec)
}

fn read<T: DeserializeOwned>(value: Value, at: &str) -> Result<T, DefinitionError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let pointer: String = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                serde_path_to_error::Segment::Seq { index } => Some(format!("/{index}")),
                serde_path_to_error::Segment::Map { key } => Some(format!("/{key}")),
                serde_path_to_error::Segment::Enum { variant } => Some(format!("/{variant}")),
                serde_path_to_error::Segment::Unknown => None,
            })
            .collect();
        DefinitionError::at(format!("{at}{pointer}"), error.into_inner().to_string())
    })
}
