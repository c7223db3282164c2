//! The keywords of schemas: what each holds, and how OpenAPI spells it differently.

use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Value, json};
use toolgate_domain::json::{check_value, encoded_len};

use super::notes::short;

const MAX_TEXT_CHARS: usize = 1_000;
/// Nesting of defaults, examples and the members of enumerations.
const MAX_VALUE_DEPTH: usize = 6;
const MAX_EXAMPLES: usize = 5;
const MAX_PATTERN_BYTES: usize = 1_000;
/// What a pattern may grow to when it is compiled.
pub(super) const MAX_COMPILED_BYTES: usize = 256 * 1024;
/// The price of compiling one.
pub(super) const PATTERN_BYTES: usize = 250;
/// Examples beyond this are not kept.
const MAX_EXAMPLE_BYTES: usize = 4 * 1024;
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Schema,
    /// A schema that is not to fit, or decides which other is to.
    Negative,
    Schemas,
    List,
    /// No schema.
    Plain,
    /// It demands something that is not carried over.
    Unsupported,
    /// Nothing that JSON Schema has a use for.
    Other,
}

impl Keyword {
    pub(super) fn of(key: &str) -> Self {
        match key {
            "items" | "additionalProperties" | "unevaluatedItems" | "unevaluatedProperties" => Self::Schema,
            "not" | "contains" | "propertyNames" => Self::Negative,
            "properties" | "patternProperties" | "dependentSchemas" => Self::Schemas,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => Self::List,
            "type" | "required" | "enum" | "const" | "default" | "example" | "examples" | "title"
            | "description" | "format" | "pattern" | "minimum" | "maximum" | "exclusiveMinimum"
            | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength" | "minItems" | "maxItems"
            | "minProperties" | "maxProperties" | "minContains" | "maxContains" | "uniqueItems"
            | "deprecated" => Self::Plain,
            "if" | "then" | "else" | "dependentRequired" | "dependencies" | "$dynamicRef" => {
                Self::Unsupported
            }
            _ => Self::Other,
        }
    }
}

/// Keys that say something about a value and demand nothing of it.
pub(super) fn is_annotation(key: &str) -> bool {
    matches!(key, "title" | "description" | "default" | "examples" | "deprecated")
}

/// Bytes that a keyword without schemas is counted with. What is kept in a bounded form counts as that.
pub(super) fn cost(key: &str, value: &Value) -> usize {
    let bytes = match (key, value) {
        ("title" | "description", Value::String(text)) => text.len().min(MAX_TEXT_CHARS),
        ("example" | "examples", _) => encoded_len(value).min(MAX_EXAMPLE_BYTES),
        ("pattern", Value::String(text)) => text.len().min(MAX_PATTERN_BYTES) + PATTERN_BYTES,
        _ => encoded_len(value),
    };
    key.len() + bytes
}

/// One keyword that holds no schema, as 2020-12 has it. `Err` says what had to be left out and matters.
pub(super) fn plain<'k>(key: &'k str, value: &Value) -> Result<Option<(&'k str, Value)>, String> {
    let left_out = || format!("`{key}: {}` cannot be used: it is left out", short(&value.to_string()));
    let made = match key {
        "title" | "description" => value.as_str().map(|text| json!(bounded(text, MAX_TEXT_CHARS))),
        "format" => value.as_str().filter(|text| text.len() <= 64).map(Value::from),
        "type" => Some(types(value).ok_or_else(left_out)?),
        "required" => names(value),
        "enum" => Some(choices(value).ok_or_else(left_out)?),
        "const" => Some(sound(value).ok_or_else(left_out)?),
        "default" => sound(value),
        "example" | "examples" if encoded_len(value) > MAX_EXAMPLE_BYTES => None,
        "example" => sound(value).map(|example| json!([example])),
        "examples" => examples(value),
        "pattern" => Some(pattern(value).ok_or_else(left_out)?),
        "uniqueItems" | "deprecated" => value.as_bool().map(Value::from),
        // In 3.0 these are flags of `minimum` and `maximum`.
        "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => None,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            Some(number(value).ok_or_else(left_out)?)
        }
        "multipleOf" => Some(number(value).filter(|step| step.as_f64() > Some(0.0)).ok_or_else(left_out)?),
        _ => Some(sound(value).filter(Value::is_u64).ok_or_else(left_out)?),
    };
    Ok(made.map(|made| (if key == "example" { "examples" } else { key }, made)))
}

fn bounded(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

/// Numbers that would not survive and values that nest without end are not kept.
fn sound(value: &Value) -> Option<Value> {
    check_value(value, MAX_VALUE_DEPTH).ok().map(|()| value.clone())
}

fn number(value: &Value) -> Option<Value> {
    sound(value).filter(Value::is_number)
}

fn types(value: &Value) -> Option<Value> {
    let is_type = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::String(_) => is_type(value).then(|| value.clone()),
        Value::Array(names) if !names.is_empty() && names.iter().all(is_type) => Some(json!(unique(names))),
        _ => None,
    }
}

fn names(value: &Value) -> Option<Value> {
    let names: Vec<Value> = value.as_array()?.iter().filter(|name| name.is_string()).cloned().collect();
    Some(unique(&names).into())
}

fn choices(value: &Value) -> Option<Value> {
    let choices = value.as_array().filter(|choices| !choices.is_empty() && choices.len() <= 2_000)?;
    sound(value).map(|_| unique(choices).into())
}

fn unique(values: &[Value]) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    values.iter().filter(|value| seen.insert(value.to_string())).cloned().collect()
}

/// In a schema a list; beside a schema OpenAPI has an object of `{value}`.
fn examples(value: &Value) -> Option<Value> {
    let values: Vec<Value> = match value {
        Value::Array(values) => values.iter().filter_map(sound).take(MAX_EXAMPLES).collect(),
        Value::Object(named) => {
            named.values().filter_map(|named| sound(named.get("value")?)).take(MAX_EXAMPLES).collect()
        }
        _ => Vec::new(),
    };
    (!values.is_empty()).then(|| values.into())
}

fn pattern(value: &Value) -> Option<Value> {
    value.as_str().filter(|text| compiles(text)).map(Value::from)
}

/// The engine runs patterns without backtracking, so some cannot be compiled.
pub(super) fn compiles(pattern: &str) -> bool {
    pattern.len() <= MAX_PATTERN_BYTES
        && jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_COMPILED_BYTES))
            .build(&json!({"pattern": pattern}))
            .is_ok()
}

/// `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`.
pub(super) fn exclusive_bounds(fields: &Map<String, Value>, made: &mut Map<String, Value>) {
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if fields.get(exclusive) == Some(&Value::Bool(true))
            && let Some(limit) = made.remove(bound)
        {
            made.insert(exclusive.to_owned(), limit);
        }
    }
}

/// The schema, or null.
pub(super) fn or_null(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    let is_composed = ["allOf", "anyOf", "oneOf", "not", "const"].iter().any(|key| fields.contains_key(*key));
    match fields.get("type") {
        // Nothing is said about the type: null is welcome already, unless the rest says otherwise.
        None if !is_composed && !fields.contains_key("enum") => fields.into(),
        Some(Value::String(name)) if !is_composed => {
            let types = json!([name, "null"]);
            fields.insert("type".to_owned(), types);
            if let Some(Value::Array(choices)) = fields.get_mut("enum")
                && !choices.contains(&Value::Null)
            {
                choices.push(Value::Null);
            }
            fields.into()
        }
        _ => json!({"anyOf": [fields, {"type": "null"}]}),
    }
}

/// Whether values of this type fit, as far as the schema itself says.
pub(super) fn allows(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(stated)) => stated == name,
        Some(Value::Array(stated)) => stated.iter().any(|stated| stated == name),
        _ => match name {
            "object" => schema.get("properties").is_some(),
            "array" => schema.get("items").is_some(),
            _ => false,
        },
    }
}
