//! A document as text becomes a tree, within bounds.

use serde_json::Value;

use super::{ImportError, notes::short};

/// Bytes of a document.
pub const MAX_DOCUMENT_BYTES: usize = 8 * 1024 * 1024;
/// How deep a document in YAML may nest: its parser needs much of the stack for each level. JSON has 128, its parser's own bound.
const MAX_YAML_DEPTH: usize = 64;
/// Nodes of a document in YAML.
const MAX_NODES: usize = 2_000_000;
/// Nodes that its aliases stand for, all together.
const MAX_ALIASED: usize = 100_000;

/// Reads an OpenAPI document of version 3.0 or 3.1, as JSON or YAML.
pub(super) fn read(text: &str) -> Result<Value, ImportError> {
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(ImportError::TooLarge);
    }
    let text = text.trim_start_matches('\u{feff}');
    let document: Value = if text.trim_start().starts_with('{') {
        // Not the strict parser: bounds of 64-bit integers are common here, and are left out later.
        serde_json::from_str(text).map_err(|error| ImportError::Syntax(format!("JSON: {error}")))?
    } else {
        serde_saphyr::from_str_with_options(text, yaml_options())
            .map_err(|error| ImportError::Syntax(format!("YAML: {}", first_line(&error.to_string()))))?
    };
    check_version(&document)?;
    Ok(document)
}

fn yaml_options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_YAML_DEPTH,
            flow_nesting_limit: MAX_YAML_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 2 * MAX_NODES,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_ALIASED },
    }
}

/// The rest shows the text around the place, which may be anything.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(300).collect()
}

fn check_version(document: &Value) -> Result<(), ImportError> {
    if document.get("swagger").is_some() {
        return Err(ImportError::Swagger);
    }
    // In YAML, `openapi: 3.1` is a number.
    let version = match document.get("openapi") {
        Some(Value::String(version)) => version.clone(),
        Some(Value::Number(version)) => version.to_string(),
        _ => return Err(ImportError::NotOpenApi),
    };
    let is_known = ["3.0", "3.1"].iter().any(|known| {
        version.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    if is_known || version == "3" { Ok(()) } else { Err(ImportError::Version(short(&version))) }
}
