//! From JSON to a definition, with errors that point at the place.

use serde_json::Value;
use toolgate_domain::{
    ToolSpec,
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

/// Reads a definition. An unknown key is an error that names the nearest known one.
pub fn definition_from_json(definition: Value) -> Result<ToolSpec, DefinitionError> {
    let Value::Object(fields) = &definition else {
        return Err(DefinitionError::at("", "a tool definition is an object"));
    };
    reject_unknown_keys(fields, ToolSpec::KEYS)?;
    let mut spec: ToolSpec = serde_path_to_error::deserialize(definition).map_err(|error| {
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
        DefinitionError::at(pointer, error.into_inner().to_string())
    })?;
    spec.enforce_egress_guard();
    Ok(spec)
}
