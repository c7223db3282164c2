//! The execution block of an imported tool: `{"server": "<upstream>", "tool": "<its own name>"}`.

use serde_json::Value;
use toolgate_domain::tool::{Execution, reject_unknown_keys};

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
