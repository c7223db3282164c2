//! What was made is held against what a registry and the runtime will ask of it.

use jsonschema::{Draft, PatternOptions};
use serde_json::{Value, json};
use toolgate_domain::{
    Limits, ToolSpec,
    json::{check_value, encoded_len},
};
use url::Url;

use super::{keywords::MAX_COMPILED_BYTES, notes::short};
use crate::http::{HttpLimits, HttpOptions, config::parse, wall::Wall};

const MAX_SCHEMA_DEPTH: usize = 48;

/// Says why the definition could not be published. Which hosts may be reached is the server's own question.
pub(super) fn check(spec: &ToolSpec, hosts: &[Url]) -> Result<(), String> {
    check_schema(&spec.input_schema).map_err(|error| format!("its input cannot be described: {error}"))?;
    if let Some(schema) = &spec.output_schema {
        check_schema(schema).map_err(|error| format!("its answer cannot be described: {error}"))?;
    }
    let options = HttpOptions::default();
    let wall = Wall::new(options.allow_hosts, options.resolver);
    let wall = hosts.iter().fold(wall, |wall, host| wall.opened_for(host));
    parse(&spec.execution.config, &HttpLimits::default(), &wall)?;
    let (bytes, max) = (encoded_len(&json!(spec)) as u64, Limits::default().max_definition_bytes);
    if bytes > max {
        return Err(format!("its definition would have {bytes} bytes, more than {max}"));
    }
    Ok(())
}

fn check_schema(schema: &Value) -> Result<(), String> {
    check_value(schema, MAX_SCHEMA_DEPTH).map_err(|error| error.to_string())?;
    jsonschema::draft202012::meta::validate(schema)
        .map_err(|error| format!("{} at {}", short(&error.to_string()), error.instance_path()))?;
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex().size_limit(MAX_COMPILED_BYTES))
        .should_validate_formats(true)
        .build(schema)
        .map(drop)
        .map_err(|error| short(&error.to_string()))
}
