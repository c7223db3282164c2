//! Documents that mean harm, or were written by nobody who looked.

use std::fmt::Write;

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::json::encoded_len;

use super::super::{Import, ImportError, ImportOptions, MAX_DOCUMENT_BYTES, import};

fn document(paths: Value, components: Value) -> Value {
    json!({
        "openapi": "3.0.0", "info": {"title": "T", "version": "1.0.0"},
        "servers": [{"url": "https://a.example"}], "paths": paths, "components": components,
    })
}

fn run(document: &Value) -> Result<Import, ImportError> {
    import(&document.to_string(), &ImportOptions::default())
}

fn get(operation: Value) -> Value {
    json!({"/x": {"get": operation}})
}

fn answering(schema: Value) -> Value {
    get(json!({"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}))
}

#[rstest]
#[case::swagger("swagger: '2.0'\npaths: {}", "Swagger 2.0")]
#[case::future("openapi: 4.0.0\npaths: {}", "OpenAPI 4.0.0")]
#[case::lookalike("openapi: 3.01.0\npaths: {}", "OpenAPI 3.01.0")]
#[case::anything("hello: world", "no OpenAPI document")]
#[case::text("just text", "no OpenAPI document")]
#[case::broken_json("{\"openapi\": ", "JSON")]
#[case::broken_yaml("openapi: [3", "YAML")]
#[case::empty("openapi: 3.0.0", "no operations")]
#[case::no_server("openapi: 3.0.0\npaths: {/x: {get: {}}}", "--server")]
#[case::relative_server("openapi: 3.0.0\nservers: [{url: /v1}]\npaths: {/x: {get: {}}}", "--server")]
fn what_is_no_document_is_refused_with_a_reason(#[case] text: &str, #[case] says: &str) {
    let refused = import(text, &ImportOptions::default()).unwrap_err().to_string();
    assert!(refused.contains(says), "{refused}");
}

#[test]
fn size_depth_and_aliases_are_bounded() {
    let refused = |text: &str| import(text, &ImportOptions::default()).unwrap_err();
    assert!(matches!(refused(&" ".repeat(MAX_DOCUMENT_BYTES + 1)), ImportError::TooLarge));
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{{\"openapi\": {}1{}}}", open.repeat(100_000), close.repeat(100_000));
        assert!(matches!(refused(&deep), ImportError::Syntax(_)));
        let deep = format!("openapi: 3.0.0\nx: {}1{}", open.repeat(10_000), close.repeat(10_000));
        assert!(matches!(refused(&deep), ImportError::Syntax(_)));
    }
    let mut bomb = "openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let inner = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(bomb, "a{level}: &a{level} [{inner}]").unwrap();
    }
    assert!(matches!(refused(&bomb), ImportError::Syntax(_)));
}

#[test]
fn ten_thousand_operations_are_too_many_unless_some_are_chosen() {
    let paths: serde_json::Map<_, _> =
        (0..10_000).map(|n| (format!("/p{n}"), json!({"get": {"operationId": "same"}}))).collect();
    let document = document(paths.into(), json!({})).to_string();
    let refused = import(&document, &ImportOptions::default()).unwrap_err();
    assert!(matches!(refused, ImportError::TooMany { found: 10_000 }), "{refused}");
    let only = |only: &str| ImportOptions { only: vec![only.to_owned()], ..ImportOptions::default() };
    assert_eq!(import(&document, &only("/p123*")).unwrap().tools.len(), 11);
    assert!(matches!(import(&document, &only("/nowhere")), Err(ImportError::Only(_))));
}

#[rstest]
#[case::remote(json!({"$ref": "https://evil.example/schema.json"}), "points out of the document")]
#[case::file(json!({"$ref": "file:///etc/passwd"}), "points out of the document")]
#[case::sibling(json!({"type": "array", "items": {"$ref": "other.yaml#/Pet"}}), "points out of the document")]
#[case::dangling(json!({"$ref": "#/components/schemas/None"}), "points at nothing")]
fn references_that_leave_the_document_are_refused(#[case] schema: Value, #[case] says: &str) {
    let made = run(&document(answering(schema), json!({}))).unwrap();
    assert!(made.tools.is_empty());
    assert!(made.left_out[0].is_failure);
    assert!(made.left_out[0].reason.contains(says), "{:?}", made.left_out);
}

#[test]
fn references_that_lead_in_circles_end() {
    let components = json!({
        "schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
        "parameters": {"P": {"$ref": "#/components/parameters/P"}},
    });
    let made =
        run(&document(answering(json!({"$ref": "#/components/schemas/A"})), components.clone())).unwrap();
    assert!(made.tools[0].warnings[0].contains("contains itself"), "{:?}", made.tools[0].warnings);
    let parameters = get(json!({"parameters": [{"$ref": "#/components/parameters/P"}]}));
    let made = run(&document(parameters, components)).unwrap();
    assert!(made.left_out[0].reason.contains("leads on and on"), "{:?}", made.left_out);
}

#[test]
fn references_that_multiply_are_cut() {
    // Each level holds the next one ten times: ten to the thirtieth leaves.
    let mut schemas = serde_json::Map::new();
    for level in 0..30 {
        let next = json!({"$ref": format!("#/components/schemas/L{}", level + 1)});
        let properties: serde_json::Map<_, _> = (0..10).map(|n| (format!("p{n}"), next.clone())).collect();
        schemas.insert(
            format!("L{level}"),
            json!({"type": "object", "properties": properties, "required": ["p0", "p9"], "additionalProperties": false}),
        );
    }
    schemas.insert("L30".to_owned(), json!({"type": "string"}));
    let made =
        run(&document(answering(json!({"$ref": "#/components/schemas/L0"})), json!({"schemas": schemas})))
            .unwrap();
    let tool = &made.tools[0];
    assert!(encoded_len(tool.spec.output_schema.as_ref().unwrap()) < 300_000);
    assert!(tool.warnings.iter().any(|warning| warning.contains("left open")), "{:?}", tool.warnings);
}

/// Something that costs much to look at, and that references repeat as often as they can.
#[rstest]
#[case::values(json!({"enum": (0..100_000).collect::<Vec<u32>>()}))]
#[case::keys((0..100_000).map(|n| (format!("x-{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into())]
#[case::patterns(json!({"pattern": "((a{1,99}){1,99}){1,99}"}))]
#[case::names(json!({"patternProperties": (0..1_000).map(|n| (format!("((a{{1,99}}){{1,99}}){{1,{n}}}"), json!({}))).collect::<serde_json::Map<_, _>>()}))]
#[case::examples(json!({"example": "x".repeat(100_000)}))]
fn work_is_bounded_as_size_is(#[case] costly: Value) {
    let properties: serde_json::Map<_, _> =
        (0..20_000).map(|n| (format!("{n}"), json!({"$ref": "#/components/schemas/C"}))).collect();
    let document = document(answering(json!({"properties": properties})), json!({"schemas": {"C": costly}}));
    let made = run(&document).unwrap();
    assert!(
        made.tools[0].warnings.iter().any(|warning| warning.contains("too large")),
        "{:?}",
        made.tools[0].warnings
    );
}

#[test]
fn a_schema_that_nests_without_end_is_cut_and_still_valid() {
    let deep = (0..25).fold(json!({"type": "string"}), |inner, level| match level % 3 {
        0 => json!({"type": "array", "items": inner}),
        1 => json!({"nullable": true, "allOf": [inner]}),
        _ => json!({"type": "object", "properties": {"next": inner}}),
    });
    let made = run(&document(answering(deep), json!({}))).unwrap();
    assert!(made.tools[0].warnings[0].contains("too deep"), "{:?}", made.tools[0].warnings);
}

#[rstest]
#[case::no_name("/x/{}")]
#[case::open("/x/{id")]
#[case::closed("/x/id}")]
#[case::nested("/x/{a{b}}")]
#[case::query("/x?y={id}")]
#[case::fragment("/x#y")]
#[case::input("/x/{$input.body}")]
#[case::space("/x y")]
#[case::backslash("/x\\y")]
#[case::line_break("/x\r\nHost: evil.example")]
fn a_path_that_is_no_path_makes_no_tool(#[case] path: &str) {
    let made = run(&document(json!({path: {"get": {}}}), json!({}))).unwrap();
    assert!(made.tools.is_empty());
    assert!(made.left_out[0].is_failure);
}

#[test]
fn placeholders_that_nobody_declares_are_asked_for() {
    let made = run(&document(json!({"/x/{who ever}/{id}/{id}": {"get": {}}}), json!({}))).unwrap();
    let tool = &made.tools[0];
    assert_eq!(tool.spec.execution.config["url"], "https://a.example/x/{who_ever}/{id}/{id}");
    assert_eq!(tool.spec.input_schema["required"], json!(["who_ever", "id"]));
    assert!(tool.warnings[0].contains("no parameter describes"), "{:?}", tool.warnings);
}

#[rstest]
#[case::auth(json!({"name": "Authorization", "in": "header"}))]
#[case::host(json!({"name": "Host", "in": "header"}))]
#[case::crlf(json!({"name": "X\r\nY", "in": "header"}))]
#[case::cookie(json!({"name": "a=b; c", "in": "cookie", "required": true}))]
#[case::not_in_path(json!({"name": "gone", "in": "path", "required": true}))]
fn parameters_that_belong_to_others_are_left_out(#[case] parameter: Value) {
    let made = run(&document(get(json!({"parameters": [parameter]})), json!({}))).unwrap();
    assert_eq!(made.tools[0].spec.input_schema["properties"], json!({}));
    assert_eq!(made.tools[0].spec.execution.config.get("headers"), None);
}

#[test]
fn a_server_of_one_operation_cannot_carry_credentials_or_placeholders() {
    for url in ["https://user:word@a.example", "https://a.example/{x}", "javascript:alert(1)"] {
        let made = run(&document(get(json!({"servers": [{"url": url}]})), json!({}))).unwrap();
        assert!(made.tools.is_empty(), "{url}");
        assert!(made.left_out[0].is_failure, "{url}");
    }
}
