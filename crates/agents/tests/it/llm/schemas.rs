//! Schemas as each provider takes them.

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Map, Value, json};
use toolgate_agents::llm::{
    Dialect, NameRule, ToolSchema, tool_warnings, translate, translate_output, warnings_for,
};

/// The rules of strict mode, from the provider's reference.
fn check_strict(schema: &Value, all_required: bool) -> Result<(), String> {
    let fields = schema.as_object().ok_or_else(|| format!("{schema} is no object"))?;
    let allowed = [
        "type",
        "title",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ];
    if let Some(name) = fields.keys().find(|name| !allowed.contains(&name.as_str())) {
        return Err(format!("`{name}` in {schema}"));
    }
    if let Some(branches) = fields.get("anyOf") {
        let branches = branches.as_array().filter(|list| !list.is_empty()).ok_or("anyOf without branches")?;
        return branches.iter().try_for_each(|branch| check_strict(branch, all_required));
    }
    let kinds: Vec<&str> = match fields.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return Err(format!("no type in {schema}")),
    };
    if kinds.contains(&"object") {
        let properties =
            fields.get("properties").and_then(Value::as_object).ok_or("an object without properties")?;
        let required =
            fields.get("required").and_then(Value::as_array).ok_or("an object without required")?;
        if fields.get("additionalProperties") != Some(&json!(false)) {
            return Err(format!("{schema} is open"));
        }
        let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        if !required.iter().all(|name| names.contains(name))
            || (all_required && required.len() != names.len())
        {
            return Err(format!("required of {schema}"));
        }
        properties.values().try_for_each(|property| check_strict(property, all_required))?;
    }
    match (kinds.contains(&"array"), fields.get("items")) {
        (true, Some(items)) => check_strict(items, all_required),
        (true, None) => Err(format!("no items in {schema}")),
        (false, _) => Ok(()),
    }
}

/// The root that OpenAI and Anthropic take.
fn check_root(schema: &Value) -> Result<(), String> {
    let forbidden = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"];
    let is_plain = schema["type"] == "object" && schema["properties"].is_object();
    if !is_plain || forbidden.iter().any(|name| schema.get(name).is_some()) {
        Err(schema.to_string())
    } else {
        Ok(())
    }
}

/// Gemini's `Schema`, from its reference.
fn check_gemini(schema: &Value) -> Result<(), String> {
    let fields = schema.as_object().ok_or_else(|| format!("{schema} is no object"))?;
    if let Some(branches) = fields.get("anyOf") {
        let branches = branches.as_array().filter(|list| list.len() > 1).ok_or("anyOf without branches")?;
        if fields.len() != 1 {
            return Err(format!("anyOf is not alone in {schema}"));
        }
        return branches.iter().try_for_each(check_gemini);
    }
    let kind = fields.get("type").and_then(Value::as_str).ok_or_else(|| format!("no type in {schema}"))?;
    if !["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"].contains(&kind) {
        return Err(format!("the type of {schema}"));
    }
    for (name, value) in fields {
        let is_right = match name.as_str() {
            "type" => true,
            "title" | "description" => value.is_string(),
            "pattern" => value.is_string() && kind == "STRING",
            "minLength" | "maxLength" => kind == "STRING",
            "minimum" | "maximum" => matches!(kind, "NUMBER" | "INTEGER") && value.is_number(),
            "minItems" | "maxItems" | "items" => kind == "ARRAY",
            "minProperties" | "maxProperties" | "properties" | "required" => kind == "OBJECT",
            "nullable" => value.is_boolean(),
            "enum" => {
                kind == "STRING"
                    && value.as_array().is_some_and(|list| {
                        !list.is_empty()
                            && list.iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty()))
                    })
            }
            "format" => match kind {
                "STRING" => value == "date-time" || value == "enum",
                "NUMBER" => value == "float" || value == "double",
                _ => value == "int32" || value == "int64",
            },
            _ => false,
        };
        if !is_right {
            return Err(format!("`{name}` in {schema}"));
        }
    }
    if kind == "ARRAY" {
        check_gemini(fields.get("items").ok_or_else(|| format!("no items in {schema}"))?)?;
    }
    let empty = Map::new();
    let properties = fields.get("properties").and_then(Value::as_object);
    if kind == "OBJECT" && properties.is_none_or(Map::is_empty) {
        return Err(format!("an object without properties in {schema}"));
    }
    let properties = properties.unwrap_or(&empty);
    let required = fields.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required {
        if !properties.contains_key(name.as_str().unwrap_or_default()) {
            return Err(format!("{name} is required, but is no property"));
        }
    }
    if !properties.keys().all(|name| NameRule::Gemini.is_legal(name)) {
        return Err("the name of a property".into());
    }
    properties.values().try_for_each(check_gemini)
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]{0,2}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn kind() -> impl Strategy<Value = Value> {
    const NAMES: &[&str] = &["string", "number", "integer", "boolean", "null", "object", "array", "any"];
    let one = prop::sample::select(NAMES).prop_map(Value::from);
    prop_oneof![4 => one.clone(), 1 => prop::collection::vec(one, 0..4).prop_map(Value::from)]
}

/// Schemas, right and wrong: known keywords with fitting values most of the time, and with anything otherwise.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![4 => kind().prop_map(|kind| json!({"type": kind})), 1 => any_json()];
    leaf.prop_recursive(5, 60, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
        let map = prop::collection::btree_map("[a-c$. ü]{0,3}", inner.clone(), 0..4)
            .prop_map(|map| Value::Object(map.into_iter().collect()));
        let names = prop::collection::vec("[a-c$. ü]{0,3}", 0..4).prop_map(Value::from);
        let texts = prop::collection::vec("[a-c]{0,2}", 0..3).prop_map(Value::from);
        let keyword = |names: &'static [&'static str]| prop::sample::select(names).prop_map(str::to_owned);
        let field = prop_oneof![
            4 => (keyword(&["type"]), kind()),
            4 => (keyword(&["properties", "patternProperties", "$defs"]), map),
            3 => (keyword(&["required"]), names),
            2 => (keyword(&["items", "additionalProperties", "not", "if", "contains"]), inner),
            2 => (keyword(&["anyOf", "oneOf", "allOf", "prefixItems"]), list),
            2 => (keyword(&["enum"]), texts),
            1 => (keyword(&["additionalProperties", "nullable", "uniqueItems"]), any::<bool>().prop_map(Value::from)),
            2 => (keyword(&["minimum", "exclusiveMaximum", "exclusiveMinimum", "minLength", "maxItems", "multipleOf"]),
                any::<i64>().prop_map(Value::from)),
            1 => (keyword(&["$ref"]), prop::sample::select(["#", "#/$defs/a", "#/properties/a", "x"].as_slice()).prop_map(Value::from)),
            1 => (keyword(&["format"]), prop::sample::select(["date-time", "uuid", "int32", "float"].as_slice()).prop_map(Value::from)),
            2 => (keyword(&["const", "default", "description", "title", "enum", "pattern", "type", "properties", "required", "items",
                "anyOf", "format", "minimum", "x-ours", "unheard"]), any_json()),
        ];
        prop::collection::vec(field, 0..6).prop_map(|fields| Value::Object(fields.into_iter().collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn whatever_comes_in_something_legal_goes_out(schema in schema()) {
        let openai = translate(Dialect::OpenAi, &schema);
        let checked = if openai.strict { check_strict(&openai.schema, true) } else { check_root(&openai.schema) };
        prop_assert_eq!(checked, Ok(()));
        prop_assert_eq!(openai.strict, openai.loose_because.is_none());
        prop_assert_eq!(check_root(&translate(Dialect::Anthropic, &schema).schema), Ok(()));
        let gemini = translate(Dialect::Gemini, &schema).schema;
        prop_assert_eq!(&gemini["type"], "OBJECT");
        // Without properties it goes without a schema.
        if gemini.get("properties").is_some() {
            prop_assert_eq!(check_gemini(&gemini), Ok(()));
        }
    }

    #[test]
    fn so_it_is_with_answers(schema in schema()) {
        if let Some(made) = translate_output(Dialect::OpenAi, &schema) {
            prop_assert_eq!(check_strict(&made.schema, true), Ok(()));
        }
        if let Some(made) = translate_output(Dialect::Anthropic, &schema) {
            prop_assert_eq!(check_strict(&made.schema, false), Ok(()));
        }
        if let Some(made) = translate_output(Dialect::Gemini, &schema) {
            prop_assert_eq!(check_gemini(&made.schema), Ok(()));
        }
    }
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

#[rstest]
#[case(object(json!({"a": {"type": "string"}}), &["a"]), None)]
#[case(json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}), None)]
#[case(object(json!({"a": {"type": "string"}}), &[]), Some("/a is optional"))]
#[case(json!({"type": "object"}), Some("the root takes properties of any name"))]
#[case(object(json!({"a": {}}), &["a"]), Some("/a takes any value"))]
#[case(object(json!({"a": {"type": "array"}}), &["a"]), Some("/a has items of any kind"))]
#[case(object(json!({"a": {"type": "string", "not": {"const": "x"}}}), &["a"]), Some("/a has `not`"))]
#[case(object(json!({"a": {"type": "object", "additionalProperties": {"type": "string"}}}), &["a"]), Some("/a takes properties of any name"))]
#[case(json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}), Some("`#` leads back to itself"))]
fn openai_is_strict_where_the_schema_allows_it(#[case] schema: Value, #[case] reason: Option<&str>) {
    let made = translate(Dialect::OpenAi, &schema);
    assert_eq!((made.strict, made.loose_because.as_deref()), (reason.is_none(), reason));
}

#[test]
fn what_strict_mode_does_not_know_is_told_in_words() {
    let schema = object(
        json!({"a": {"type": "string", "minLength": 2, "format": "uri", "description": "A link.", "default": "x"},
               "b": {"oneOf": [{"type": "string"}, {"type": "null"}]}}),
        &["a", "b"],
    );
    let made = translate(Dialect::OpenAi, &schema);
    assert_eq!(
        made.schema["properties"]["a"],
        json!({"type": "string", "description": "A link. (format: \"uri\", minLength: 2)"})
    );
    assert_eq!(made.schema["properties"]["b"], json!({"anyOf": [{"type": "string"}, {"type": "null"}]}));
    let warnings = [
        "`format` at /a is told in words",
        "`minLength` at /a is told in words",
        "`oneOf` at /b is rewritten as `anyOf`",
    ];
    assert_eq!(made.warnings, warnings);
}

#[test]
fn without_strict_mode_the_schema_stays_as_it_is() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 2}, "child": {"$ref": "#"}}});
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let made = translate(dialect, &schema);
        assert_eq!((made.schema, made.warnings), (schema.clone(), Vec::<String>::new()));
    }
}

#[test]
fn alternatives_at_the_root_become_one_object() {
    let schema = json!({"oneOf": [
        object(json!({"id": {"type": "string"}}), &["id"]),
        object(json!({"name": {"type": "string"}}), &["name"]),
    ]});
    for dialect in Dialect::ALL {
        let made = translate(dialect, &schema);
        let names: Vec<&String> = made.schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["id", "name"]);
        assert!(
            made.warnings.iter().any(|warning| warning.contains("`oneOf` of the input is rewritten")),
            "{:?}",
            made.warnings
        );
    }
}

#[test]
fn a_property_that_would_be_refused_is_dropped_with_a_warning() {
    let schema = object(json!({"größe": {"type": "string"}, "b": {"type": "string"}}), &["größe", "b"]);
    assert!(warnings_for(Dialect::OpenAi, &schema).is_empty());
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        let made = translate(dialect, &schema);
        assert_eq!(made.schema["required"], json!(["b"]));
        assert!(made.warnings[0].contains("größe"), "{:?}", made.warnings);
    }
}

#[test]
fn gemini_gets_its_subset() {
    let schema = object(
        json!({
            "when": {"type": ["string", "null"], "format": "date-time"},
            "count": {"type": "integer", "exclusiveMinimum": 0, "enum": [1, 2]},
            "kind": {"const": "x"},
            "who": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "Name or number"},
            "place": {"$ref": "#/$defs/place"},
        }),
        &["when"],
    );
    let mut schema = schema;
    schema["$defs"] = json!({"place": {"allOf": [
        {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
        {"properties": {"lon": {"type": "number"}}},
    ]}});
    let made = translate(Dialect::Gemini, &schema).schema;
    assert_eq!(
        made,
        json!({"type": "OBJECT", "required": ["when"], "properties": {
            "when": {"type": "STRING", "format": "date-time", "nullable": true},
            "count": {"type": "INTEGER", "minimum": 1, "description": "(one of 1, 2)"},
            "kind": {"type": "STRING", "format": "enum", "enum": ["x"]},
            "who": {"anyOf": [
                {"type": "STRING", "nullable": true, "description": "Name or number"},
                {"type": "INTEGER", "nullable": true, "description": "Name or number"},
            ]},
            "place": {"type": "OBJECT", "required": ["lat"], "properties": {"lat": {"type": "NUMBER"}, "lon": {"type": "NUMBER"}}},
        }})
    );
}

/// It refuses an object without properties, at any depth.
#[test]
fn gemini_never_sees_an_empty_object() {
    let schema =
        object(json!({"labels": {"type": "object", "additionalProperties": {"type": "string"}}}), &[]);
    let made = translate(Dialect::Gemini, &schema);
    assert_eq!(made.schema["properties"]["labels"]["properties"]["_any"]["type"], "STRING");
    assert!(made.warnings.iter().any(|warning| warning.starts_with("/labels: an object needs a property")));
    assert_eq!(translate_output(Dialect::Gemini, &schema), None, "an answer is described in words instead");
    assert_eq!(translate(Dialect::Gemini, &json!({"type": "object"})).schema, json!({"type": "OBJECT"}));
}

#[test]
fn a_tool_is_warned_of_when_it_is_registered_not_when_it_runs() {
    let tool = ToolSchema {
        name: "crm.find".into(),
        description: "x".repeat(2_000),
        input_schema: object(json!({"a": {"type": "string", "minLength": 1}}), &["a"]),
    };
    let warnings = tool_warnings(Dialect::OpenAi, &tool);
    assert_eq!(
        warnings,
        [
            "the name `crm.find` is sent in another spelling",
            "the description is cut to 1024 characters",
            "`minLength` at /a is told in words",
        ]
    );
    assert_eq!(tool_warnings(Dialect::Gemini, &tool), Vec::<String>::new());
}
