//! The execution block of an imported tool: `{"server": "<upstream>", "tool": "<its own name>"}`.

use serde_json::{Value, json};
use toolgate_domain::tool::{Execution, reject_unknown_keys};

use super::answer::Shape;

const SERVER: &str = "server";
const TOOL: &str = "tool";
const MAX_NAME_BYTES: usize = 200;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) server: String,
    pub(super) tool: String,
}

impl Plan {
    pub(super) fn parse(execution: &Execution) -> Result<Self, String> {
        reject_unknown_keys(&execution.config, &[SERVER, TOOL]).map_err(|error| error.to_string())?;
        let text = |key: &str| match execution.config.get(key).and_then(Value::as_str) {
            Some(text) if !text.is_empty() && text.len() <= MAX_NAME_BYTES => Ok(text.to_owned()),
            _ => Err(format!("/{key}: a name of 1 to {MAX_NAME_BYTES} bytes")),
        };
        Ok(Self { server: text(SERVER)?, tool: text(TOOL)? })
    }
}

/// A tool whose server describes no output answers with its blocks, and was given a schema that says so when it was imported.
pub(super) fn shape_of(output_schema: Option<&Value>) -> Shape {
    let blocks = json!({"content": {"type": "array", "items": {"type": "object"}}});
    match output_schema {
        Some(schema) if schema["properties"] != blocks => Shape::Structured,
        _ => Shape::Content,
    }
}
