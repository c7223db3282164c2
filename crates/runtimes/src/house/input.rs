//! Reading an input that has passed its schema.

use std::str::FromStr;

use serde_json::Value;
use toolgate_domain::{ToolError, ids::IdError};

/// A text that the schema demands.
pub(super) fn word<'a>(input: &'a Value, key: &str) -> &'a str {
    input[key].as_str().unwrap_or_default()
}

/// An id, with its prefix or bare.
pub(super) fn id<T: FromStr<Err = IdError>>(text: &str) -> Result<T, ToolError> {
    text.parse().map_err(|error: IdError| ToolError::validation(error.to_string()))
}

pub(super) fn maybe_id<T: FromStr<Err = IdError>>(input: &Value, key: &str) -> Result<Option<T>, ToolError> {
    input[key].as_str().map(id).transpose()
}

pub(super) fn number(input: &Value, key: &str, default: usize) -> usize {
    input[key].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(default)
}
