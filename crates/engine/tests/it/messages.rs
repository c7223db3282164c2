//! What the door says of an input that does not fit. The web form says the same before anything is sent: its tests read the same
//! file, so a message that changes here changes there, or a test fails.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::{Value, json};
use toolgate_engine::{compile_schema, complaints};

/// Everything that can be complained about. `additionalItems` and the two of `content` are draft 7's.
const KEYWORDS: [&str; 30] = [
    "additionalItems",
    "additionalProperties",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "falseSchema",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "propertyNames",
    "required",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/src/parts/form/messages.golden.json")
}

/// Schemas and instances are written by hand; the errors are what the door says (`UPDATE_SNAPSHOTS=1` writes them anew: look at the
/// difference).
#[test]
fn the_form_and_the_door_say_the_same() {
    let kept = std::fs::read_to_string(golden()).unwrap();
    let mut cases: Vec<Value> = serde_json::from_str(&kept).unwrap();
    for case in &mut cases {
        let validator = compile_schema(&case["schema"]).unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
        case["errors"] = Value::from(complaints(&validator, &case["instance"]));
    }
    let made = serde_json::to_string_pretty(&json!(cases)).unwrap() + "\n";
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(golden(), &made).unwrap();
    }
    let kept = std::fs::read_to_string(golden()).unwrap();
    assert_eq!(kept, made, "run this test with UPDATE_SNAPSHOTS=1");
}

#[test]
fn every_keyword_that_can_be_complained_about_has_its_case() {
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(golden()).unwrap()).unwrap();
    let mut seen = BTreeSet::new();
    for case in &cases {
        let validator = jsonschema::options().should_validate_formats(true).build(&case["schema"]).unwrap();
        for error in validator.iter_errors(&case["instance"]) {
            seen.insert(error.kind().keyword().to_owned());
        }
    }
    let missing: Vec<_> = KEYWORDS.into_iter().filter(|keyword| !seen.contains(*keyword)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}; there are {seen:?}");
}
