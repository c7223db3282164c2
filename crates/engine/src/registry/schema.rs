//! JSON Schemas: checked when a tool is registered, compiled once, used on every call.

use jsonschema::{Draft, PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::{Value, json};
use toolgate_domain::{
    ToolError,
    json::{JsonSize, check_value, visits_per_value},
};

use super::{DefinitionError, schema_references::check_references};

/// How deep a schema may nest.
const MAX_SCHEMA_DEPTH: usize = 48;
/// How many complaints one answer carries.
const MAX_COMPLAINTS: usize = 20;
/// How long one complaint may be; the instance it quotes may be huge.
const MAX_COMPLAINT_CHARS: usize = 300;
const MAX_QUOTED_CHARS: usize = 100;
/// Parts of a schema that may be applied while a value is checked, and as many more for each value in it.
const MAX_VISITS: u64 = 5_000_000;
const MAX_VISITS_PER_VALUE: u64 = 50;
/// Above this only the first complaint is looked for.
const MAX_VISITS_FOR_ALL: u64 = 1_000_000;
/// Above this, a check leaves its thread to others.
const MAX_VISITS_INLINE: u64 = 100_000;
/// What a schema may apply to one value of a few levels.
const MAX_VISITS_SHALLOW: u64 = 20_000;
/// Memory of one compiled pattern.
const MAX_PATTERN_BYTES: usize = 256 * 1024;
const SHALLOW: u64 = 3;
const DEEPEST: u64 = 64;

/// Refuses what is not a schema of an object, or reaches out of its own document. `pointer` says where it stands.
pub(crate) fn check_schema(schema: &Value, pointer: &str) -> Result<(), DefinitionError> {
    let at = |place: &str, message: String| DefinitionError::at(format!("{pointer}{place}"), message);
    check_value(schema, MAX_SCHEMA_DEPTH).map_err(|e| at("", e.to_string()))?;
    let draft = draft(schema).map_err(|message| at("/$schema", message))?;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(at("/type", "the schema must describe an object: `type: object`".to_owned()));
    }
    check_references(schema).map_err(|(place, message)| at(&place, message))?;
    check_cost(schema).map_err(|message| at("", message))?;
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

/// A compiled schema. Holding a value against it takes a bounded time.
#[derive(Debug)]
pub struct SchemaValidator {
    validator: Validator,
    schema: Value,
    /// Parts that are applied to one value at most, in the deepest that callers may send; absent where there are too many to tell.
    visits_per_value: Option<u64>,
}

/// Compiles a schema.
pub fn compile(schema: &Value) -> Result<SchemaValidator, String> {
    // A schema that was saved before there was this bound is refused here.
    check_cost(schema)?;
    let validator = build(schema, draft(schema)?).map_err(|e| e.to_string())?;
    let visits_per_value = visits_per_value(schema, DEEPEST).ok();
    Ok(SchemaValidator { validator, schema: schema.clone(), visits_per_value })
}

impl SchemaValidator {
    /// How many parts of the schema are applied to values at most; nothing when that is more than may be.
    fn visits(&self, value: &Value) -> Option<u64> {
        let size = JsonSize::of(value);
        let weight = size.nodes + size.text_bytes / 16;
        let most = MAX_VISITS.saturating_add(weight.saturating_mul(MAX_VISITS_PER_VALUE));
        let within = |per_value: u64| Some(per_value.saturating_mul(weight)).filter(|visits| *visits <= most);
        self.visits_per_value
            .and_then(within)
            .or_else(|| visits_per_value(&self.schema, size.depth).ok().and_then(within))
    }

    fn found(&self, value: &Value, visits: u64) -> Vec<Value> {
        let validator = &self.validator;
        if validator.is_valid(value) {
            return Vec::new();
        }
        let told = |error: ValidationError<'_>| json!({"path": error.instance_path().to_string(), "message": message_of(&error)});
        // Each part that is applied may complain.
        if visits > MAX_VISITS_FOR_ALL {
            return validator.validate(value).err().map(told).into_iter().collect();
        }
        validator.iter_errors(value).take(MAX_COMPLAINTS).map(told).collect()
    }
}

/// Refuses a schema whose references multiply: some kilobytes of it could keep a processor busy for years.
fn check_cost(schema: &Value) -> Result<(), String> {
    let visits = visits_per_value(schema, SHALLOW)?;
    if visits <= MAX_VISITS_SHALLOW {
        return Ok(());
    }
    Err(format!(
        "the references of the schema multiply: up to {visits} parts are applied to one value, and at most {MAX_VISITS_SHALLOW} may be"
    ))
}

/// Patterns run on an engine without backtracking, so no input can make them explode, and none of them may take much memory.
fn build(schema: &Value, draft: Draft) -> Result<Validator, ValidationError<'_>> {
    jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN_BYTES))
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
pub fn complaints(schema: &SchemaValidator, value: &Value) -> Vec<Value> {
    let Some(visits) = schema.visits(value) else {
        let message =
            "checking this value against the schema could take too long: send a smaller or flatter one";
        return vec![json!({"path": "", "message": message})];
    };
    if visits > MAX_VISITS_INLINE {
        return off_the_worker(|| schema.found(value, visits));
    }
    schema.found(value, visits)
}

/// Other calls go on meanwhile, on another thread.
fn off_the_worker<T>(work: impl FnOnce() -> T) -> T {
    match tokio::runtime::Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(tokio::runtime::RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
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

    /// Definitions that each refer to the one before from eight places.
    fn multiplying(keyword: &str, levels: usize) -> Value {
        let mut definitions = serde_json::Map::new();
        definitions.insert("a0".into(), json!({"type": "string"}));
        for level in 1..=levels {
            let before = json!({"$ref": format!("#/$defs/a{}", level - 1)});
            definitions.insert(format!("a{level}"), json!({keyword: vec![before; 8]}));
        }
        let top = json!({"$ref": format!("#/$defs/a{levels}")});
        json!({"type": "object", "$defs": definitions, "properties": {"t": top}})
    }

    #[rstest]
    #[case("anyOf", 12)]
    #[case("oneOf", 12)]
    #[case("allOf", 12)]
    #[case("anyOf", 40)]
    #[case("anyOf", 6)]
    fn references_that_multiply_are_refused(#[case] keyword: &str, #[case] levels: usize) {
        let schema = multiplying(keyword, levels);
        assert!(check_schema(&schema, "").unwrap_err().message.contains("multiply"));
        assert!(compile(&schema).unwrap_err().contains("multiply"), "also one that was saved before");
        check_schema(&multiplying(keyword, 3), "").unwrap();
    }

    #[test]
    fn a_value_that_multiplies_a_recursive_schema_is_refused() {
        let branch = json!({"properties": {"n": {"$ref": "#"}}});
        let schema = compile(&json!({"type": "object", "anyOf": vec![branch; 8]})).unwrap();
        let nested = |depth: usize| (0..depth).fold(json!({}), |inner, _| json!({"n": inner}));
        assert!(complaints(&schema, &nested(3)).is_empty());
        let found = complaints(&schema, &nested(40));
        assert!(found[0]["message"].as_str().unwrap().contains("too long"), "{found:?}");
    }

    #[test]
    fn large_lists_and_deep_trees_are_checked() {
        let list = compile(
            &json!({"type": "object", "additionalProperties": {"items": {"properties": {"a": {"type": "string"}}}}}),
        );
        assert!(complaints(&list.unwrap(), &json!({"rows": vec![json!({"a": "x"}); 100_000]})).is_empty());
        let tree = compile(&json!({"type": "object", "properties": {"children": {"items": {"$ref": "#"}}}}))
            .unwrap();
        let deep = (0..30).fold(json!({}), |inner, _| json!({"children": [inner]}));
        assert!(complaints(&tree, &deep).is_empty());
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
