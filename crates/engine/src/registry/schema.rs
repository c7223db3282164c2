//! JSON Schemas: checked when a tool is registered, compiled once, used on every call.

use jsonschema::{Draft, PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::{Value, json};
use toolgate_domain::{ToolError, json::check_value};

use super::{DefinitionError, schema_references::check_references};

/// How deep a schema may nest.
const MAX_SCHEMA_DEPTH: usize = 48;
/// How many complaints one answer carries.
const MAX_COMPLAINTS: usize = 20;
/// How long one complaint may be; the instance it quotes may be huge.
const MAX_COMPLAINT_CHARS: usize = 300;
const MAX_QUOTED_CHARS: usize = 100;

/// Refuses what is not a schema of an object, or reaches out of its own document. `pointer` says where it stands.
pub(crate) fn check_schema(schema: &Value, pointer: &str) -> Result<(), DefinitionError> {
    let at = |place: &str, message: String| DefinitionError::at(format!("{pointer}{place}"), message);
    check_value(schema, MAX_SCHEMA_DEPTH).map_err(|e| at("", e.to_string()))?;
    let draft = draft(schema).map_err(|message| at("/$schema", message))?;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(at("/type", "the schema must describe an object: `type: object`".to_owned()));
    }
    check_references(schema).map_err(|(place, message)| at(&place, message))?;
    let meta = if draft == Draft::Draft7 {
        jsonschema::draft7::meta::validate(schema)
    } else {
        jsonschema::draft202012::meta::validate(schema)
    };
    meta.map_err(|e| {
        at(&e.instance_path().to_string(), format!("not a valid schema: {}", shorten(&e.to_string())))
    })?;
    build(schema, draft).map(drop).map_err(|e| at(&e.schema_path().to_string(), shorten(&e.to_string())))
}

/// Compiles a checked schema.
pub fn compile(schema: &Value) -> Result<Validator, String> {
    build(schema, draft(schema)?).map_err(|e| e.to_string())
}

/// Patterns run on an engine without backtracking, so no input can make them explode.
fn build(schema: &Value, draft: Draft) -> Result<Validator, ValidationError<'_>> {
    jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true)
        .build(schema)
}

fn draft(schema: &Value) -> Result<Draft, String> {
    match schema.get("$schema").and_then(Value::as_str) {
        None => Ok(Draft::Draft202012),
        Some(uri) if uri.contains("json-schema.org/draft-07/schema") => Ok(Draft::Draft7),
        Some(uri) if uri.contains("json-schema.org/draft/2020-12/schema") => Ok(Draft::Draft202012),
        Some(other) => Err(format!("`{}` is not supported: use draft-07 or 2020-12", shorten(other))),
    }
}

/// Holds `value` against the schema; the complaints say where and what.
pub fn complaints(validator: &Validator, value: &Value) -> Vec<Value> {
    if validator.is_valid(value) {
        return Vec::new();
    }
    validator
        .iter_errors(value)
        .take(MAX_COMPLAINTS)
        .map(|error| json!({"path": error.instance_path().to_string(), "message": message_of(&error)}))
        .collect()
}

/// The error for an input that does not fit.
pub(crate) fn invalid_input(tool: &str, complaints: Vec<Value>) -> ToolError {
    let first = complaints
        .first()
        .and_then(|c| c["message"].as_str())
        .unwrap_or("it does not fit the schema")
        .to_owned();
    let path = complaints.first().and_then(|c| c["path"].as_str()).filter(|path| !path.is_empty());
    let place = path.map(|path| format!(" at {path}")).unwrap_or_default();
    ToolError::validation(format!("the input of {tool} is not valid{place}: {first}"))
        .with_details(json!({"errors": complaints}))
}

/// A long value is quoted by its beginning, so that the message still says what is wrong with it.
fn message_of(error: &ValidationError<'_>) -> String {
    let quoted = error.instance().to_string();
    let shown = cut(&quoted, MAX_QUOTED_CHARS);
    let lists_items = matches!(
        error.kind(),
        ValidationErrorKind::AdditionalItems { .. } | ValidationErrorKind::UnevaluatedItems { .. }
    );
    let text =
        if shown == quoted || lists_items { error.to_string() } else { error.masked_with(shown).to_string() };
    shorten(&text)
}

pub(super) fn shorten(text: &str) -> String {
    cut(text, MAX_COMPLAINT_CHARS)
}

fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::not_an_object(json!({"type": "string"}), "/input_schema/type")]
    #[case::no_type(json!({}), "/input_schema/type")]
    #[case::a_boolean(json!(true), "/input_schema/type")]
    #[case::remote(json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/x.json"}}}), "/input_schema/properties/a/$ref")]
    #[case::file(json!({"type": "object", "allOf": [{"$ref": "file:///etc/passwd"}]}), "/input_schema/allOf/0/$ref")]
    #[case::meta(json!({"type": "object", "properties": {"a": {"type": "strin"}}}), "/input_schema/properties/a/type")]
    #[case::dialect(json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}), "/input_schema/$schema")]
    #[case::pattern(json!({"type": "object", "properties": {"a": {"pattern": "("}}}), "/input_schema/properties/a/pattern")]
    #[case::pattern_of_the_older_dialect(json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"pattern": "("}}}), "/input_schema/properties/a/pattern")]
    #[case::dangling(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}), "/input_schema/properties/a/$ref")]
    #[case::a_property_that_is_called_like_data(json!({"type": "object", "properties": {"default": {"$ref": "https://example.com/x.json"}}}), "/input_schema/properties/default/$ref")]
    #[case::no_such_anchor(json!({"type": "object", "properties": {"a": {"$ref": "#none"}}}), "/input_schema/properties/a/$ref")]
    fn refuses_and_points_at_the_place(#[case] schema: Value, #[case] pointer: &str) {
        let error = check_schema(&schema, "/input_schema").unwrap_err();
        assert_eq!(error.pointer, pointer, "{error:?}");
    }

    #[rstest]
    #[case::data(json!({"type": "object", "default": {"$ref": "https://example.com"}, "properties": {"a": {"const": {"$ref": "x"}}}}))]
    #[case::a_property_called_ref(json!({"type": "object", "properties": {"$ref": {"type": "string"}}}))]
    #[case::itself(json!({"type": "object", "properties": {"inner": {"$ref": "#"}}}))]
    #[case::escaped(json!({"type": "object", "$defs": {"a/b": {}}, "properties": {"a": {"$ref": "#/$defs/a~1b"}}}))]
    #[case::percent(json!({"type": "object", "$defs": {"a b": {}}, "properties": {"a": {"$ref": "#/$defs/a%20b"}}}))]
    #[case::anchor(json!({"type": "object", "$defs": {"x": {"$anchor": "here"}}, "properties": {"a": {"$ref": "#here"}}}))]
    fn takes_what_only_looks_odd(#[case] schema: Value) {
        check_schema(&schema, "").unwrap();
    }

    #[rstest]
    #[case(json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "definitions": {"x": {"type": "integer"}}, "properties": {"a": {"$ref": "#/definitions/x"}}}))]
    #[case(json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "$defs": {"x": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/x"}}}))]
    fn both_dialects_are_understood(#[case] schema: Value) {
        check_schema(&schema, "").unwrap();
        let validator = compile(&schema).unwrap();
        assert!(complaints(&validator, &json!({"a": 1})).is_empty());
        let found = complaints(&validator, &json!({"a": "x".repeat(100_000)}));
        assert_eq!(found[0]["path"], "/a");
        assert!(found[0]["message"].as_str().unwrap().len() < 2_000);
    }
}
