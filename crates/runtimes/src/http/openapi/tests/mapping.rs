//! Single rules of the mapping.

use rstest::rstest;
use serde_json::{Value, json};

use super::super::{Import, ImportError, ImportOptions, MadeTool, import};

/// A document with one operation, `POST /x` of these members.
fn one(operation: Value, components: Value) -> Result<Import, ImportError> {
    let document = json!({
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://a.example"}],
        "paths": {"/x": {"post": operation}},
        "components": components,
    });
    import(&document.to_string(), &ImportOptions::default())
}

#[track_caller]
fn made(operation: Value, components: Value) -> MadeTool {
    let mut import = one(operation, components).unwrap();
    assert_eq!(import.left_out, []);
    import.tools.remove(0)
}

/// What becomes of a schema in the body.
#[track_caller]
fn body_schema(schema: Value, components: Value) -> (Value, Vec<String>) {
    let made = made(
        json!({"operationId": "x", "requestBody": {"content": {"application/json": {"schema": schema}}}}),
        json!({"schemas": components}),
    );
    (made.spec.input_schema["properties"]["body"].clone(), made.warnings)
}

#[rstest]
#[case::nullable(json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]}))]
#[case::nullable_enum(json!({"type": "string", "enum": ["a"], "nullable": true}), json!({"type": ["string", "null"], "enum": ["a", null]}))]
#[case::nullable_reference(json!({"$ref": "#/components/schemas/A", "nullable": true}), json!({"type": ["integer", "null"]}))]
#[case::nullable_all_of(json!({"allOf": [{"$ref": "#/components/schemas/A"}], "nullable": true}), json!({"anyOf": [{"allOf": [{"type": "integer"}]}, {"type": "null"}]}))]
#[case::exclusive(json!({"type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}), json!({"type": "number", "exclusiveMinimum": 1, "maximum": 2}))]
#[case::exclusive_31(json!({"exclusiveMinimum": 1}), json!({"exclusiveMinimum": 1}))]
#[case::example(json!({"type": "string", "example": "x"}), json!({"type": "string", "examples": ["x"]}))]
#[case::described_reference(json!({"$ref": "#/components/schemas/A", "description": "d"}), json!({"type": "integer", "description": "d"}))]
#[case::narrowed_reference(json!({"$ref": "#/components/schemas/A", "minimum": 3}), json!({"minimum": 3, "allOf": [{"type": "integer"}]}))]
#[case::anything(json!(true), json!(true))]
#[case::foreign(json!({"type": "object", "xml": {}, "x-y": 1, "discriminator": {}, "externalDocs": {}}), json!({"type": "object"}))]
#[case::read_only(json!({"type": "object", "required": ["a", "b"], "properties": {"a": {"readOnly": true}, "b": {}}}), json!({"type": "object", "required": ["b"], "properties": {"b": {}}}))]
fn schemas_are_spelled_as_2020_12_spells_them(#[case] stated: Value, #[case] expected: Value) {
    assert_eq!(body_schema(stated, json!({"A": {"type": "integer"}})), (expected, vec![]));
}

#[rstest]
#[case::lookahead(json!({"type": "string", "pattern": "(?=a)"}), json!({"type": "string"}), "pattern")]
#[case::unsafe_number(json!({"type": "integer", "maximum": 9_223_372_036_854_775_807_u64}), json!({"type": "integer"}), "maximum")]
#[case::no_type(json!({"type": "any"}), json!({}), "type")]
#[case::no_schema(json!({"properties": {"a": 7}}), json!({"properties": {"a": {}}}), "left open")]
#[case::required_flag(json!({"type": "object", "properties": {"a": {"type": "string", "minLength": "1"}}}), json!({"type": "object", "properties": {"a": {"type": "string"}}}), "minLength")]
#[case::recursive(json!({"$ref": "#/components/schemas/Tree"}), json!({"type": "object", "properties": {"child": {}}}), "contains itself")]
#[case::recursive_choice(json!({"$ref": "#/components/schemas/Either"}), json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {}}]}), "contains itself")]
#[case::recursive_not(json!({"$ref": "#/components/schemas/Not"}), json!({"type": "object"}), "contains itself")]
fn what_cannot_be_expressed_is_left_open_and_said(
    #[case] stated: Value,
    #[case] expected: Value,
    #[case] says: &str,
) {
    let components = json!({
        "Tree": {"type": "object", "properties": {"child": {"$ref": "#/components/schemas/Tree"}}},
        "Either": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/Either"}}]},
        "Not": {"type": "object", "not": {"$ref": "#/components/schemas/Not"}},
    });
    let (made, warnings) = body_schema(stated, components);
    assert_eq!(made, expected);
    assert!(warnings.iter().any(|warning| warning.contains(says)), "{warnings:?}");
}

#[rstest]
#[case(json!([{"b": []}]), json!({"type": "bearer", "secret": "T_B"}), json!(["T_B"]))]
#[case(json!([{}, {"b": []}]), json!({"type": "bearer", "secret": "T_B"}), json!(["T_B"]))]
#[case(json!([{"digest": []}, {"h": []}]), json!({"type": "header", "name": "X-Key", "secret": "T_H"}), json!(["T_H"]))]
#[case(json!([{"c": []}]), json!({"type": "header", "name": "Cookie", "prefix": "sid=", "secret": "T_C"}), json!(["T_C"]))]
#[case(json!([{"o": ["a", "b"]}]), json!({"type": "oauth2_client_credentials", "token_url": "https://a.example/token", "client_id_secret": "T_O_CLIENT_ID", "client_secret": "T_O_CLIENT_SECRET", "scope": "a b"}), json!(["T_O_CLIENT_ID", "T_O_CLIENT_SECRET"]))]
#[case(json!([]), Value::Null, Value::Null)]
#[case(json!([{}]), Value::Null, Value::Null)]
#[case(json!([{"digest": []}, {}]), Value::Null, Value::Null)]
fn the_first_scheme_that_can_be_served_is(
    #[case] security: Value,
    #[case] auth: Value,
    #[case] secrets: Value,
) {
    let made = made(json!({"operationId": "x", "security": security}), schemes());
    let definition = json!(made.spec);
    assert_eq!((&definition["execution"]["auth"], &definition["secrets"]), (&auth, &secrets));
    assert_eq!(made.warnings, Vec::<String>::new());
}

#[rstest]
#[case(json!([{"digest": []}]), "`digest` is HTTP `digest`, which is not supported")]
#[case(json!([{"unknown": []}]), "`unknown` is not described")]
#[case(json!([{"implicit": []}]), "OAuth2 without client credentials")]
#[case(json!([{"b": [], "h": []}]), "b and h at once: only `b` is sent")]
fn a_scheme_that_cannot_be_served_is_said(#[case] security: Value, #[case] says: &str) {
    let made = made(json!({"operationId": "x", "security": security}), schemes());
    assert!(made.warnings.iter().any(|warning| warning.contains(says)), "{:?}", made.warnings);
}

fn schemes() -> Value {
    json!({"securitySchemes": {
        "b": {"type": "http", "scheme": "Bearer"},
        "h": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "c": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/token"}}},
        "implicit": {"type": "oauth2", "flows": {"implicit": {}}},
        "digest": {"type": "http", "scheme": "digest"},
    }})
}
