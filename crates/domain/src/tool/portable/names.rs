//! Tools that take no input, on purpose.

use serde_json::Value;

/// Every tool that ships and takes no input. A tool without properties that is not listed here has lost its schema on the way;
/// the conformance test of the binary holds the list against all that is registered.
pub const INTENTIONALLY_INPUT_LESS: &[&str] = &[];

/// Whether nothing can be given to a tool with this input schema.
pub fn is_input_less(published: &Value) -> bool {
    published.get("properties").and_then(Value::as_object).is_none_or(serde_json::Map::is_empty)
}
