//! Whether a definition can be published, and what about it is unusual.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, Limits, ToolSpec,
    rate::RateLimit,
    tool::{
        CachePolicy,
        portable::{Complaint, Role, complaints},
    },
};

use super::{DefinitionError, schema};
use crate::{SecretName, ports::Runtime};

/// Kinds that the product has, in the order in which they learn to run.
const KNOWN_KINDS: [&str; 6] = ["builtin", "http", "python", "prompt", "task", "composition"];
const MAX_EXAMPLES: usize = 50;
/// A failure is not kept for longer than a day: somebody may have mended it.
const MAX_CACHE_ERRORS_S: u64 = 86_400;
/// Each is looked up for every call.
const MAX_SECRETS: usize = 32;
/// Places of a schema that one answer names.
const MAX_SCHEMA_WARNINGS: usize = 5;

pub(crate) type Runtimes = BTreeMap<&'static str, Arc<dyn Runtime>>;

/// Refuses a definition that cannot work; returns warnings about one that can.
pub(crate) fn check(
    spec: &ToolSpec,
    limits: &Limits,
    runtimes: &Runtimes,
) -> Result<Vec<String>, DefinitionError> {
    check_size(spec, limits)?;
    check_texts(spec)?;
    check_bounds(spec, limits)?;
    schema::check_schema(&spec.input_schema, "/input_schema")?;
    if let Some(output_schema) = &spec.output_schema {
        schema::check_schema(output_schema, "/output_schema")?;
    }
    spec.check_fields()?;
    check_execution(spec, runtimes)?;
    check_examples(spec)?;
    Ok(warnings(spec))
}

fn check_size(spec: &ToolSpec, limits: &Limits) -> Result<(), DefinitionError> {
    let bytes = toolgate_domain::json::encoded_len(&json!(spec)) as u64;
    if bytes > limits.max_definition_bytes {
        return Err(DefinitionError::at(
            "",
            format!("the definition has {bytes} bytes; at most {} are kept", limits.max_definition_bytes),
        ));
    }
    Ok(())
}

fn check_texts(spec: &ToolSpec) -> Result<(), DefinitionError> {
    let mut texts =
        vec![("/description", spec.description.as_str(), 4_000), ("/category", spec.category.as_str(), 64)];
    texts.extend(spec.icon.as_deref().map(|icon| ("/icon", icon, 64)));
    for (pointer, text, max) in texts {
        let length = text.chars().count();
        if text.trim().is_empty() || length > max {
            return Err(DefinitionError::at(pointer, format!("needs 1 to {max} characters, has {length}")));
        }
    }
    if spec.required_permission.as_deref().is_some_and(|permission| !is_permission(permission)) {
        return Err(DefinitionError::at(
            "/required_permission",
            "is a dotted name such as `entities.team.read`",
        ));
    }
    for (index, name) in spec.secrets.iter().enumerate() {
        if let Err(error) = name.parse::<SecretName>() {
            return Err(DefinitionError::at(format!("/secrets/{index}"), error.to_string()));
        }
    }
    if spec.secrets.len() > MAX_SECRETS {
        let message = format!("a tool uses at most {MAX_SECRETS} secrets: split it");
        return Err(DefinitionError::at("/secrets", message));
    }
    for (index, slug) in spec.tenant_slugs.iter().enumerate() {
        if !is_word(slug) {
            return Err(DefinitionError::at(
                format!("/tenant_slugs/{index}"),
                "is a word of letters, digits, `_` and `-`",
            ));
        }
    }
    Ok(())
}

/// A dotted name.
pub(super) fn is_permission(text: &str) -> bool {
    !text.is_empty() && text.len() <= 128 && text.split('.').all(is_word)
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn check_bounds(spec: &ToolSpec, limits: &Limits) -> Result<(), DefinitionError> {
    if spec.timeout_ms.is_some_and(|timeout| timeout == 0 || timeout > limits.max_timeout_ms) {
        return Err(DefinitionError::at(
            "/timeout_ms",
            format!("is between 1 and {} milliseconds", limits.max_timeout_ms),
        ));
    }
    match (spec.cache, spec.cache_ttl_s) {
        (CachePolicy::Ttl, None | Some(0)) => {
            return Err(DefinitionError::at("/cache_ttl_s", "`cache: ttl` needs the seconds"));
        }
        (CachePolicy::None | CachePolicy::Forever, Some(_)) => {
            return Err(DefinitionError::at("/cache_ttl_s", "goes with `cache: ttl` only"));
        }
        _ => {}
    }
    match spec.cache_errors_s {
        None => {}
        Some(_) if spec.cache == CachePolicy::None => {
            return Err(DefinitionError::at("/cache_errors_s", "goes with `cache: ttl` or `cache: forever`"));
        }
        Some(seconds) if !(1..=MAX_CACHE_ERRORS_S).contains(&seconds) => {
            let message = format!("is between 1 and {MAX_CACHE_ERRORS_S} seconds");
            return Err(DefinitionError::at("/cache_errors_s", message));
        }
        Some(_) => {}
    }
    if spec.rate_limit.is_some_and(|rate| !rate.is_sound()) {
        return Err(DefinitionError::at("/rate_limit", RateLimit::SOUND));
    }
    Ok(())
}

fn check_execution(spec: &ToolSpec, runtimes: &Runtimes) -> Result<(), DefinitionError> {
    let kind = spec.execution.kind.as_str();
    match runtimes.get(kind) {
        Some(runtime) => {
            runtime.check(&spec.execution).map_err(|message| in_execution(&message))?;
            check_secrets(spec, &**runtime)
        }
        None if KNOWN_KINDS.contains(&kind) => Err(DefinitionError::at(
            "/execution/kind",
            format!("tools of kind `{kind}` do not run yet in this version; these do: {}", names(runtimes)),
        )),
        None => Err(DefinitionError::at(
            "/execution/kind",
            format!("`{kind}` is no kind of tool; these run: {}", names(runtimes)),
        )),
    }
}

/// A secret that is not declared would be found out by the first call.
fn check_secrets(spec: &ToolSpec, runtime: &dyn Runtime) -> Result<(), DefinitionError> {
    let used = runtime.secrets(&spec.execution);
    match used.into_iter().find(|(_, name)| !spec.secrets.contains(name)) {
        Some((place, name)) => Err(DefinitionError::at(
            format!("/execution{place}"),
            format!("names the secret `{name}`, which `secrets` does not declare: add it there"),
        )),
        None => Ok(()),
    }
}

/// A runtime may say where in its block something is wrong.
fn in_execution(message: &str) -> DefinitionError {
    match message.split_once(": ") {
        Some((place, rest)) if place.starts_with('/') && !place.contains(char::is_whitespace) => {
            DefinitionError::at(format!("/execution{place}"), rest)
        }
        _ => DefinitionError::at("/execution", message),
    }
}

fn names(runtimes: &Runtimes) -> String {
    runtimes.keys().copied().collect::<Vec<_>>().join(", ")
}

fn check_examples(spec: &ToolSpec) -> Result<(), DefinitionError> {
    if spec.examples.len() > MAX_EXAMPLES {
        return Err(DefinitionError::at("/examples", format!("at most {MAX_EXAMPLES} examples")));
    }
    let input = schema::compile(&spec.input_schema).map_err(|e| DefinitionError::at("/input_schema", e))?;
    for (index, example) in spec.examples.iter().enumerate() {
        let at = |message: String| DefinitionError::at(format!("/examples/{index}"), message);
        if example.output.is_some() && example.error.is_some() {
            return Err(at("an example expects an `output` or an `error`, not both".to_owned()));
        }
        let complaints = schema::complaints(&input, &example.input);
        if !complaints.is_empty() && example.error != Some(ErrorCode::ValidationError) {
            return Err(at(format!("the input does not fit the input schema: {}", complaints[0]["message"])));
        }
    }
    Ok(())
}

fn warnings(spec: &ToolSpec) -> Vec<String> {
    let mut warnings = Vec::new();
    if spec.name.is_unconventional() {
        warnings.push(format!(
            "the name `{}` is neither camelCase nor snake_case; some clients show it oddly",
            spec.name
        ));
    }
    if spec.output_schema.is_none() {
        warnings.push(
            "there is no output_schema: nothing checks what the tool answers, and MCP clients cannot either"
                .to_owned(),
        );
    }
    if spec.examples.is_empty() {
        warnings.push("there are no examples: nothing shows that the tool works".to_owned());
    }
    warnings.extend(published_differently("input_schema", &spec.input_schema, Role::Input));
    if let Some(schema) = &spec.output_schema {
        warnings.extend(published_differently("output_schema", schema, Role::Output));
    }
    warnings
}

/// What MCP clients are told otherwise, because one of them would drop the tool.
fn published_differently(key: &str, schema: &Value, role: Role) -> Vec<String> {
    let told = |found: &Complaint| found.rule.is_told_to_authors();
    let all: Vec<Complaint> = complaints(schema, role).into_iter().filter(told).collect();
    let more = all.len().saturating_sub(MAX_SCHEMA_WARNINGS);
    let mut warnings: Vec<String> = all
        .iter()
        .take(MAX_SCHEMA_WARNINGS)
        .map(|found| {
            let clients = found.clients().join(", ");
            format!(
                "{key}{}: {}; MCP clients ({clients}) are told a plainer schema",
                found.pointer, found.why
            )
        })
        .collect();
    if more > 0 {
        warnings.push(format!("{key}: {more} more places are told plainer to MCP clients"));
    }
    warnings
}
