//! `validate_json`: does a document fit a schema?

use jsonschema::ValidationError;
use serde_json::{Value, json};
use toolgate_domain::{
    ToolError, ToolSpec,
    json::{JsonSize, visits_per_value},
    tool::SectionType,
};

use super::compile::{compile, short};
use crate::builtin::{
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Checks a JSON document against a JSON Schema and lists what does not fit. Use it before \
handing structured data on (to an API, a file, another tool), or to find out why data was rejected. Schemas are \
draft 2020-12, or draft-07 where `$schema` says so; formats (date-time, email, uri, uuid …) are checked. A document \
that does not fit is no failure of the tool: `valid` is false and each error names the place in the document \
(`instance_path`, a JSON Pointer, empty for the whole), the rule in the schema and the reason, up to 100 errors. \
`$ref` works inside the schema (`#/$defs/…`), never to other files or addresses; patterns may not use look-around \
or back-references. A schema that is invalid, or that could cost too much, is refused with VALIDATION_ERROR. Pass \
document and schema as JSON, not as text. Not for extracting data (query_json).";

const MAX_ERRORS: usize = 100;
const MAX_DEPTH: u64 = 64;
/// Keywords that may be applied, over all values of the document.
const MAX_VISITS: u64 = 20_000_000;
/// Above this only the first error is looked for, since every visit may make one.
const MAX_VISITS_FOR_ALL_ERRORS: u64 = 1_000_000;

/// JSON Schema.
pub(in crate::builtin) struct ValidateJson;

impl Builtin for ValidateJson {
    fn spec(&self) -> ToolSpec {
        let person = json!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
            "required": ["name"]
        });
        Definition {
            name: "validate_json",
            category: "data",
            icon: "file-check",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "document": {"description": "The JSON value to check."},
                    "schema": {
                        "type": ["object", "boolean"],
                        "description": "The JSON Schema to check it against."
                    }
                },
                "required": ["document", "schema"],
                "additionalProperties": false
            }),
            output_schema: output_schema(),
            examples: vec![
                answers(
                    "A document that fits",
                    json!({"document": {"name": "Ann", "age": 30}, "schema": person}),
                    json!({"valid": true, "errors": [], "error_count": 0, "truncated": false}),
                ),
                answers(
                    "One that does not",
                    json!({"document": {"name": "Ann", "age": -1}, "schema": person}),
                    json!({
                        "valid": false,
                        "errors": [{
                            "instance_path": "/age",
                            "schema_path": "/properties/age/minimum",
                            "message": "-1 is less than the minimum of 0"
                        }],
                        "error_count": 1,
                        "truncated": false
                    }),
                ),
                refuses("A schema that is none", json!({"document": 1, "schema": {"type": "strin"}})),
                refuses(
                    "A reference to elsewhere",
                    json!({"document": 1, "schema": {"$ref": "https://example.com/s.json"}}),
                ),
            ],
            output_sections: vec![
                section("valid", "Valid", SectionType::Summary),
                section("errors", "Errors", SectionType::Table),
            ],
            repeatable: true,
        }
        .into_spec()
    }

    /// Compiling a schema takes longer than most validations, and how long is up to the schema.
    fn weight(&self, _input: &Value) -> Weight {
        Weight::Blocking
    }

    fn call(&self, input: &Value, ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let (document, schema) = (&input["document"], &input["schema"]);
        let (size, schema_size) = (JsonSize::of(document), JsonSize::of(schema));
        if size.depth > MAX_DEPTH || schema_size.depth > MAX_DEPTH {
            return Err(ToolError::validation(format!(
                "document or schema nests deeper than {MAX_DEPTH} levels"
            )));
        }
        let per_value = visits_per_value(schema, size.depth).map_err(ToolError::validation)?;
        let visits = per_value.saturating_mul(size.nodes + size.text_bytes / 16);
        if visits > MAX_VISITS {
            return Err(ToolError::validation(
                "checking this document against this schema could cost too much: simplify the schema's \
                 references, or check a smaller part",
            ));
        }
        let validator = compile(schema)?;
        ctx.check_cancelled()?;
        if validator.is_valid(document) {
            return Ok(json!({"valid": true, "errors": [], "error_count": 0, "truncated": false}));
        }
        let found: Vec<ValidationError<'_>> = if visits <= MAX_VISITS_FOR_ALL_ERRORS {
            validator.iter_errors(document).collect()
        } else {
            validator.validate(document).err().into_iter().collect()
        };
        let errors: Vec<Value> = found.iter().take(MAX_ERRORS).map(described).collect();
        Ok(json!({
            "valid": false,
            "error_count": found.len(),
            "truncated": visits > MAX_VISITS_FOR_ALL_ERRORS || found.len() > errors.len(),
            "errors": errors,
        }))
    }
}

fn output_schema() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "properties": {
            "valid": {"type": "boolean", "description": "Whether the document fits the schema."},
            "errors": {
                "type": "array", "maxItems": MAX_ERRORS,
                "description": "What does not fit, up to 100 errors.",
                "items": {
                    "type": "object",
                    "properties": {
                        "instance_path": text("Where in the document, as a JSON Pointer."),
                        "schema_path": text("Which rule of the schema, as a JSON Pointer."),
                        "message": text("What is wrong.")
                    },
                    "required": ["instance_path", "schema_path", "message"],
                    "additionalProperties": false
                }
            },
            "error_count": {"type": "integer", "description": "How many errors were found."},
            "truncated": {
                "type": "boolean",
                "description": "Whether there may be more errors than those listed."
            }
        },
        "required": ["valid", "errors", "error_count", "truncated"],
        "additionalProperties": false
    })
}

fn described(error: &ValidationError<'_>) -> Value {
    json!({
        "instance_path": error.instance_path().as_str(),
        "schema_path": error.schema_path().as_str(),
        "message": short(error),
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::Map;

    use super::*;
    use crate::builtin::testing::{call, context, refusal};

    fn valid(document: Value, schema: Value) -> bool {
        call(&ValidateJson, json!({"document": document, "schema": schema}))["valid"].as_bool().unwrap()
    }

    #[rstest]
    #[case(json!("2026-02-30"), json!({"format": "date"}), false)]
    #[case(json!("a@b.example"), json!({"format": "email"}), true)]
    #[case(json!("no email"), json!({"format": "email"}), false)]
    #[case(json!(3.0), json!({"type": "integer"}), true)]
    #[case(json!([1, "a"]), json!({"prefixItems": [{"type": "integer"}], "items": false}), false)]
    #[case(json!({"a": {"a": {}}}), json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}), true)]
    #[case(json!({"a": {"b": {}}}), json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}), false)]
    #[case(json!(1), json!(false), false)]
    #[case(json!("x"), json!({"$ref": "#/$defs/s", "$defs": {"s": {"const": "x"}}}), true)]
    fn validates(#[case] document: Value, #[case] schema: Value, #[case] fits: bool) {
        assert_eq!(valid(document, schema), fits);
    }

    #[test]
    fn drafts_differ_where_they_should() {
        let draft =
            |uri: &str| json!({"$schema": uri, "items": [{"type": "string"}], "additionalItems": false});
        assert!(!valid(json!(["a", 1]), draft("http://json-schema.org/draft-07/schema#")));
        assert!(
            refusal(
                &ValidateJson,
                json!({"document": 1, "schema": draft("http://json-schema.org/draft-04/schema#")})
            )
            .contains("draft")
        );
    }

    #[test]
    fn errors_are_counted_and_capped() {
        let output = call(
            &ValidateJson,
            json!({"document": vec!["x"; 500], "schema": {"items": {"type": "integer"}}}),
        );
        assert_eq!((&output["error_count"], &output["truncated"]), (&json!(500), &json!(true)));
        assert_eq!(output["errors"].as_array().unwrap().len(), 100);
    }

    #[test]
    fn messages_do_not_repeat_the_document() {
        let output =
            call(&ValidateJson, json!({"document": ["x".repeat(100_000)], "schema": {"type": "object"}}));
        assert!(output["errors"][0]["message"].as_str().unwrap().len() < 400);
    }

    /// `d0` is all of `d1` and `d1`, and so on: 2^n visits.
    fn doubling(levels: usize, last: Value) -> Value {
        let mut definitions = Map::new();
        for n in 0..levels {
            let next = format!("#/$defs/d{}", n + 1);
            definitions.insert(format!("d{n}"), json!({"allOf": [{"$ref": next}, {"$ref": next}]}));
        }
        definitions.insert(format!("d{levels}"), last);
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!(1), |inner, _| json!([inner]))
    }

    #[rstest]
    #[case::doubling(json!(1), doubling(50, json!({"type": "string"})))]
    #[case::doubling_per_level(nested(60), json!({"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}))]
    #[case::itself(json!(1), json!({"$ref": "#"}))]
    #[case::each_other(json!(1), json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}))]
    #[case::remote(json!(1), json!({"$ref": "http://169.254.169.254/latest"}))]
    #[case::file(json!(1), json!({"$ref": "file:///etc/passwd"}))]
    #[case::dynamic(json!(1), json!({"$dynamicRef": "#meta"}))]
    #[case::embedded(json!(1), json!({"$defs": {"a": {"$id": "http://x.example/a", "$ref": "#"}}, "$ref": "#/$defs/a"}))]
    #[case::look_around(json!("a"), json!({"pattern": "(?=a)b"}))]
    #[case::huge_pattern(json!("a"), json!({"pattern": "((a{1000}){1000}){1000}"}))]
    #[case::deep_schema(json!(1), (0..70).fold(json!(true), |inner, _| json!({"not": inner})))]
    fn hostile_schemas_are_refused_at_once(#[case] document: Value, #[case] schema: Value) {
        let began = Instant::now();
        refusal(&ValidateJson, json!({"document": document, "schema": schema}));
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }

    #[test]
    fn long_texts_pass_every_format_quickly() {
        let began = Instant::now();
        for format in [
            "date",
            "date-time",
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
            "uri-template",
            "uuid",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ] {
            for part in
                ["a", "(", "[", "1", "a.", "a@", "{", "~0/", "%41", "((a{1000}){1000}){1000}", "\\p{L}", "ä"]
            {
                let document = part.repeat(200_000 / part.len());
                call(&ValidateJson, json!({"document": document, "schema": {"format": format}}));
            }
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }

    #[rstest]
    #[case::required(json!(vec![json!({}); 50_000]), json!({"items": {"required": (0..20_000).map(|n| n.to_string()).collect::<Vec<_>>()}}))]
    #[case::properties(
        json!(vec![json!({}); 50_000]),
        json!({"items": {"properties": (0..20_000).map(|n| (n.to_string(), json!(true))).collect::<Map<_, _>>()}})
    )]
    #[case::enumerated(json!(vec!["x"; 50_000]), json!({"items": {"enum": (0..20_000).collect::<Vec<_>>()}}))]
    #[case::patterns(
        json!("a".repeat(500_000)),
        json!({"allOf": (0..150).map(|n| json!({"pattern": format!("(a|b)*{n}$")})).collect::<Vec<_>>()})
    )]
    #[case::unique(json!([vec![json!([0, 1]); 20_000]]), json!({"items": {"uniqueItems": true}}))]
    #[case::fractions(json!([1e300, 1e-300, 5e-324]), json!({"items": {"multipleOf": 1e-300}}))]
    fn large_documents_and_schemas_are_checked_or_refused_in_time(
        #[case] document: Value,
        #[case] schema: Value,
    ) {
        let began = Instant::now();
        let _ = ValidateJson.call(&json!({"document": document, "schema": schema}), &context());
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

    #[test]
    fn patterns_that_would_backtrack_do_not() {
        let began = Instant::now();
        assert!(!valid(json!("a".repeat(20_000) + "!"), json!({"pattern": "^(a+)+$"})));
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn the_deepest_and_costliest_that_is_let_through_fits_stack_and_time() {
        let began = Instant::now();
        assert!(!valid(json!([1]), doubling(14, json!({"type": "string"}))));
        // A chain of references, a recursive schema on a deep document, and one that is written out as deep as it may.
        let mut chain: Map<String, Value> =
            (0..240).map(|n| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)}))).collect();
        chain.insert("d240".to_owned(), json!({"type": "string"}));
        assert!(!valid(json!(1), json!({"$ref": "#/$defs/d0", "$defs": chain})));
        assert!(!valid(nested(62), json!({"allOf": [{"items": {"$ref": "#"}}], "type": "array"})));
        let deep = (0..20).fold(json!({"type": "string"}), |inner, _| json!({"allOf": [{"items": inner}]}));
        assert!(!valid(nested(62), deep));
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

    /// Something that looks like a schema, and often is one.
    fn schemas() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(true)),
            Just(json!({"type": "string", "pattern": "^a+$"})),
            Just(json!({"type": ["integer", "null"], "minimum": -1})),
            Just(json!({"$ref": "#"})),
            Just(json!({"$ref": "#/$defs/a"})),
            Just(json!({"$ref": "#/allOf/0"})),
            Just(json!({"const": {"a": [1]}})),
            Just(json!({"enum": []})),
            Just(json!({"format": "uri", "multipleOf": 0.1, "required": ["a"]})),
            Just(json!(7)),
        ];
        leaf.prop_recursive(4, 30, 4, |inner| {
            let keyword = prop::sample::select(vec![
                "not",
                "if",
                "then",
                "items",
                "contains",
                "additionalProperties",
                "unevaluatedProperties",
                "unevaluatedItems",
                "propertyNames",
                "$ref",
                "minLength",
            ]);
            let list = prop::sample::select(vec![
                "allOf",
                "anyOf",
                "oneOf",
                "prefixItems",
                "items",
                "enum",
                "required",
            ]);
            let map = prop::sample::select(vec![
                "properties",
                "patternProperties",
                "$defs",
                "dependentSchemas",
                "dependencies",
            ]);
            prop_oneof![
                (keyword, inner.clone()).prop_map(|(keyword, part)| json!({keyword: part})),
                (list, prop::collection::vec(inner.clone(), 0..3))
                    .prop_map(|(list, parts)| json!({list: parts})),
                (map, inner.clone(), inner)
                    .prop_map(|(map, a, b)| json!({map: {"a": a, "b": b}, "$defs": {"a": true}})),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_looks_like_a_schema_is_applied_or_refused(schema in schemas(), seven: bool) {
            let mut schema = schema;
            if let (true, Value::Object(keywords)) = (seven, &mut schema) {
                keywords.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
            }
            let document = json!({"a": [{"a": "aaa", "b": [1, [2, {"a": null}]]}, -1, "a", []], "b": {"a": {"a": {}}}});
            let _ = ValidateJson.call(&json!({"document": document, "schema": schema}), &context());
        }
    }
}
