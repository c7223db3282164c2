//! Keywords by the type that they concern, and what else is read of a schema without looking into it.

use serde_json::{Map, Value, json};

use super::{ANY_TYPES, pattern::is_portable, words::shortened};

pub(super) type Fields = Map<String, Value>;

/// Said of a schema, not part of it.
pub(super) const ANNOTATIONS: [&str; 7] =
    ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];
/// Formats that the specification names.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];
pub(super) const OBJECT_KEYWORDS: [&str; 6] =
    ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"];

pub(super) fn strings(fields: &Fields, made: &mut Fields, remarks: &mut Vec<String>) {
    for name in ["minLength", "maxLength"] {
        copy(fields, made, name, Value::is_u64);
    }
    copy(fields, made, "contentEncoding", Value::is_string);
    copy(fields, made, "contentMediaType", Value::is_string);
    match fields.get("pattern").and_then(Value::as_str) {
        Some(pattern) if is_portable(pattern) => drop(made.insert("pattern".into(), pattern.into())),
        Some(pattern) => remarks.push(format!("Matches {}", shortened(pattern, 200))),
        None => {}
    }
    match fields.get("format").and_then(Value::as_str) {
        Some(format) if FORMATS.contains(&format) => drop(made.insert("format".into(), format.into())),
        Some(format) => remarks.push(format!("Format: {}", shortened(format, 60))),
        None => {}
    }
}

pub(super) fn numbers(fields: &Fields, made: &mut Fields) {
    copy(fields, made, "multipleOf", Value::is_number);
    for (inclusive, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        // Draft 4 says with a boolean that the bound itself is left out.
        if fields.get(exclusive) == Some(&Value::Bool(true)) {
            if let Some(bound) = fields.get(inclusive).filter(|bound| bound.is_number()) {
                made.insert(exclusive.into(), bound.clone());
            }
            continue;
        }
        copy(fields, made, inclusive, Value::is_number);
        copy(fields, made, exclusive, Value::is_number);
    }
}

/// Any value, with types all the way. Arrays inside arrays end in a list of types: something must be said, and references may not be.
pub(super) fn anything_typed() -> Fields {
    let one = |kind: &&str| match *kind {
        "object" => json!({"type": "object", "additionalProperties": true}),
        "array" => json!({"type": "array", "items": {"type": ANY_TYPES}}),
        kind => json!({"type": kind}),
    };
    Map::from_iter([("anyOf".to_owned(), ANY_TYPES.iter().map(one).collect())])
}

pub(super) fn annotate(made: &mut Fields, fields: &Fields) {
    for name in ANNOTATIONS {
        let is_sound = |value: &&Value| match name {
            "title" | "description" => value.is_string(),
            "examples" => value.is_array(),
            "default" => true,
            _ => value.is_boolean(),
        };
        if let Some(value) = fields.get(name).filter(is_sound) {
            made.insert(name.to_owned(), value.clone());
        }
    }
}

pub(super) fn list<'a>(fields: &'a Fields, keyword: &str) -> &'a [Value] {
    fields.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The values that are listed, if they are.
pub(super) fn values(fields: &Fields) -> Option<Vec<Value>> {
    match (fields.get("const"), fields.get("enum")) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) if !values.is_empty() => Some(values.clone()),
        _ => None,
    }
}

pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// `2.0` is an integer too.
pub(super) fn is_whole(value: &Value, kind: &str) -> bool {
    kind == "integer" && value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Each once, and no `integer` beside `number`.
pub(super) fn tidied(mut types: Vec<&'static str>) -> Vec<&'static str> {
    let mut seen = Vec::new();
    let has_number = types.contains(&"number");
    types.retain(|kind| {
        !(seen.contains(kind) || (*kind == "integer" && has_number)) && {
            seen.push(kind);
            true
        }
    });
    types
}

pub(super) fn has_constraints(fields: &Fields) -> bool {
    const OF_VALUES: [&str; 16] = [
        "enum",
        "const",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
    ];
    OF_VALUES.iter().chain(&OBJECT_KEYWORDS).any(|keyword| fields.contains_key(*keyword))
}

pub(super) fn copy(fields: &Fields, made: &mut Fields, name: &str, is_sound: fn(&Value) -> bool) {
    if let Some(value) = fields.get(name).filter(|value| is_sound(value)) {
        made.insert(name.to_owned(), value.clone());
    }
}
