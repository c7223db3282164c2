//! What the tests of the built-ins share, and the test that every definition keeps its word.

use std::sync::LazyLock;

use serde_json::Value;
use toolgate_domain::{
    ErrorCode, Timestamp,
    ids::{IdGen, OrderedIds},
    json::check_value,
    time::Clock,
};

use super::{
    all,
    tool::{Builtin, BuiltinContext},
};

/// 2026-03-29T00:30:00Z: half an hour before Europe's clocks go forward.
#[derive(Clone, Copy)]
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_774_744_200_000)
    }
}

static IDS: LazyLock<OrderedIds<FixedClock>> = LazyLock::new(|| OrderedIds::new(FixedClock));

pub(super) fn context() -> BuiltinContext<'static> {
    let ids: &'static dyn IdGen = &*IDS;
    BuiltinContext { clock: &FixedClock, ids, cancelled: &|| false }
}

fn check_input(tool: &dyn Builtin, input: &Value) -> bool {
    jsonschema::draft202012::new(&tool.spec().input_schema).unwrap().is_valid(input)
}

/// The answer to a call that must succeed, checked against the output schema.
pub(super) fn call(tool: &dyn Builtin, input: Value) -> Value {
    assert!(check_input(tool, &input), "the input does not fit the schema");
    let output = tool.call(&input, &context()).unwrap();
    let schema = tool.spec().output_schema.unwrap();
    if let Err(error) = jsonschema::draft202012::new(&schema).unwrap().validate(&output) {
        panic!("the output breaks its schema: {error} in {output}");
    }
    check_value(&output, 64).unwrap();
    output
}

/// The message of a call that must be refused as invalid.
pub(super) fn refusal(tool: &dyn Builtin, input: Value) -> String {
    let error = tool.call(&input, &context()).unwrap_err();
    assert_eq!(error.code, ErrorCode::ValidationError);
    assert!(error.message.chars().count() <= 600, "a message is for reading: {}", error.message);
    error.message
}

#[test]
fn the_catalogue_is_sorted_and_without_doubles() {
    let names: Vec<String> = all().iter().map(|tool| tool.spec().name.to_string()).collect();
    assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    assert_eq!(names.len(), 11);
}

#[test]
fn every_schema_is_a_valid_closed_object_and_describes_its_properties() {
    for tool in all() {
        let spec = tool.spec();
        let output_schema = spec.output_schema.clone().unwrap();
        for schema in [&spec.input_schema, &output_schema] {
            jsonschema::draft202012::meta::validate(schema).unwrap();
            assert_eq!(schema["type"], "object", "{}", spec.name);
            assert_eq!(schema["additionalProperties"], false, "{}", spec.name);
            for union in ["oneOf", "anyOf", "allOf"] {
                assert!(schema.get(union).is_none(), "{}", spec.name);
            }
            for (key, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{}.{key} has no description", spec.name);
            }
        }
        for (key, property) in spec.input_schema["properties"].as_object().unwrap() {
            let bound = match property["type"].as_str() {
                Some("string") => property.get("maxLength").or(property.get("enum")),
                Some("array") => property.get("maxItems"),
                _ => continue,
            };
            assert!(bound.is_some(), "{}.{key} has no bound", spec.name);
        }
    }
}

#[test]
fn every_definition_says_what_it_is() {
    for tool in all() {
        let spec = tool.spec();
        assert_eq!(spec.execution.kind, "builtin");
        assert_eq!(spec.execution.config["handler"], spec.name.as_str());
        assert!(spec.description.len() > 200, "{}", spec.name);
        assert!(spec.icon.is_some());
        assert_eq!(spec.annotations.read_only_hint, Some(true));
        assert_eq!(
            spec.annotations.idempotent_hint,
            Some(!["generate_ids", "get_time"].contains(&spec.name.as_str()))
        );
        let output = spec.output_schema.unwrap();
        for section in &spec.output_sections {
            assert!(output["properties"].get(&section.key).is_some(), "{}.{}", spec.name, section.key);
        }
    }
}

#[test]
fn every_example_gives_what_it_promises() {
    for tool in all() {
        let spec = tool.spec();
        assert!(spec.examples.len() >= 2, "{}", spec.name);
        for example in &spec.examples {
            let label = format!("{}: {:?}", spec.name, example.name);
            match example.error {
                Some(ErrorCode::ValidationError) if !check_input(&*tool, &example.input) => {}
                Some(code) => {
                    assert_eq!(tool.call(&example.input, &context()).unwrap_err().code, code, "{label}");
                }
                None => {
                    let output = call(&*tool, example.input.clone());
                    if let Some(expected) = &example.output {
                        assert_eq!(&output, expected, "{label}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_definition_survives_the_wire() {
    for tool in all() {
        let spec = tool.spec();
        let wire = serde_json::to_value(&spec).unwrap();
        assert_eq!(serde_json::from_value::<toolgate_domain::ToolSpec>(wire).unwrap(), spec);
    }
}
