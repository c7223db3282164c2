//! The library's validator, set up so that a hostile schema stays harmless.

use std::fmt::{self, Write};

use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value;
use toolgate_domain::ToolError;

use crate::builtin::suggest;

const MAX_PATTERN_BYTES: usize = 256 * 1024;

/// Nothing is fetched, and patterns run in linear time.
pub(super) fn compile(schema: &Value) -> Result<Validator, ToolError> {
    let draft = match schema.get("$schema") {
        None => Draft::Draft202012,
        Some(Value::String(uri)) if uri.contains("json-schema.org/draft/2020-12/") => Draft::Draft202012,
        Some(Value::String(uri)) if uri.contains("json-schema.org/draft-07/") => Draft::Draft7,
        Some(other) => {
            return Err(ToolError::validation(format!(
                "`$schema` is draft 2020-12 or draft-07, not {}",
                suggest::shown(&other.to_string())
            )));
        }
    };
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(
            PatternOptions::regex().size_limit(MAX_PATTERN_BYTES).dfa_size_limit(4 * MAX_PATTERN_BYTES),
        )
        .build(schema)
        .map_err(|error| {
            ToolError::validation(format!(
                "the schema is not valid at `{}`: {}",
                suggest::shown(error.instance_path().as_str()),
                short(&error)
            ))
        })
}

/// The message of an error. It may quote the document, of which a line is enough.
pub(super) fn short(error: &ValidationError<'_>) -> String {
    struct Line(String);
    impl Write for Line {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            const MAX_MESSAGE_CHARS: usize = 300;
            for c in text.chars() {
                if self.0.len() >= MAX_MESSAGE_CHARS {
                    self.0.push('…');
                    return Err(fmt::Error);
                }
                self.0.push(c);
            }
            Ok(())
        }
    }
    let mut line = Line(String::new());
    // Full is no failure: the rest is left out.
    let _ = write!(line, "{error}");
    line.0
}
