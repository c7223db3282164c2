//! Schemas as people write them: what becomes fields accepts afterwards what it accepted before.

use jsonschema::{PatternOptions, Validator};
use proptest::{collection::vec, option, prelude::*, sample::select, strategy::ValueTree};
use serde_json::{Map, Value, json};
use toolgate_domain::field::from_json_schema;

fn compile(schema: &Value) -> Validator {
    let options =
        jsonschema::options().with_pattern_options(PatternOptions::regex()).should_validate_formats(true);
    options.build(schema).unwrap()
}

const KEYS: [&str; 4] = ["a", "b", "c", "title"];

/// Now and then a keyword more, which may or may not be one that a form can express.
fn more() -> impl Strategy<Value = Option<(String, Value)>> {
    let keywords = vec![
        ("title", json!("A")),
        ("description", json!("about")),
        ("$comment", json!("by hand")),
        ("examples", json!([1])),
        ("minLength", json!(2)),
        ("maxLength", json!(3)),
        ("pattern", json!("^[a-c]+$")),
        ("minimum", json!(1)),
        ("maximum", json!(2.5)),
        ("exclusiveMinimum", json!(1)),
        ("multipleOf", json!(0.5)),
        ("minItems", json!(1)),
        ("maxItems", json!(2)),
        ("uniqueItems", json!(true)),
        ("uniqueItems", json!(false)),
        ("format", json!("email")),
        ("enum", json!(["a", "abc", 1, true])),
        ("const", json!("abc")),
        ("not", json!({"type": "null"})),
        ("x-entity-type", json!("person")),
        ("x-entity-select", json!("multiple")),
        ("x-field", json!({"type": "phone"})),
        ("x-field", json!({"display": "json"})),
        ("x-field", json!({"type": "array"})),
    ];
    let keyword = select(keywords).prop_map(|(keyword, value)| (keyword.to_owned(), value));
    option::weighted(0.6, keyword)
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = select(vec![
        json!({"type": "string"}),
        json!({"type": "string", "format": "date"}),
        json!({"type": "string", "format": "date-time"}),
        json!({"type": "string", "format": "uri"}),
        json!({"type": "string", "format": "uuid"}),
        json!({"type": "number"}),
        json!({"type": "integer"}),
        json!({"type": "boolean"}),
        json!({"type": "null"}),
        json!({"type": "string", "enum": ["a", "abc"]}),
        json!({"type": "integer", "enum": [1, 2]}),
        json!({"type": "object"}),
        json!({"type": "array"}),
        json!({}),
    ]);
    let leaf = with_more(leaf);
    leaf.prop_recursive(3, 16, 4, |inner| {
        let array = with_more(inner.clone().prop_map(|items| json!({"type": "array", "items": items})));
        prop_oneof![with_more(object(inner)), array]
    })
}

fn with_more(schema: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (schema, more(), more()).prop_map(|(mut schema, one, two)| {
        for (keyword, value) in [one, two].into_iter().flatten() {
            schema[keyword] = value;
        }
        schema
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let properties = vec((select(&KEYS[..]), inner, any::<bool>()), 0..4);
    (properties, option::of(any::<bool>())).prop_map(|(properties, additional)| {
        let mut required: Vec<_> =
            properties.iter().filter(|(.., must)| *must).map(|(key, ..)| *key).collect();
        required.sort_unstable();
        required.dedup();
        let properties: Map<_, _> =
            properties.into_iter().map(|(key, schema, _)| (key.to_owned(), schema)).collect();
        let mut schema = json!({"type": "object", "properties": properties, "required": required});
        if let Some(additional) = additional {
            schema["additionalProperties"] = additional.into();
        }
        schema
    })
}

/// Values that lie close to what the schemas ask for.
fn instance() -> impl Strategy<Value = Value> {
    let leaf = select(vec![
        json!("a"),
        json!("abc"),
        json!("abcd"),
        json!("x@example.com"),
        json!("2026-01-31"),
        json!("2026-01-31T10:00:00Z"),
        json!("https://example.com"),
        json!(0),
        json!(1),
        json!(1.0),
        json!(2.5),
        json!(2.25),
        json!(true),
        Value::Null,
    ]);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let object = vec((select(&KEYS[..]), inner.clone()), 0..4).prop_map(|all| {
            Value::Object(all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        });
        prop_oneof![vec(inner, 0..3).prop_map(Value::from), object]
    })
}

/// A value for each property of the schema, so that whole objects are often accepted.
fn fitted(schema: &Value, values: &[Value], at: &mut usize) -> Value {
    *at += 1;
    let next = values[*at % values.len()].clone();
    match schema["type"].as_str() {
        Some("object") => match schema["properties"].as_object() {
            Some(properties) => {
                properties.iter().map(|(key, inner)| (key.clone(), fitted(inner, values, at))).collect()
            }
            None => json!({"a": next}),
        },
        Some("array") => json!([fitted(&schema["items"], values, at)]),
        _ => next,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]
    #[test]
    fn a_schema_that_became_fields_accepts_what_it_accepted(
        root in object(schema()), instances in vec(instance(), 24)
    ) {
        let Ok(set) = from_json_schema(&root) else { return Ok(()) };
        let (before, after) = (compile(&root), compile(&set.to_json_schema()));
        let mut at = 0;
        let close: Vec<_> = instances.iter().map(|_| fitted(&root, &instances, &mut at)).collect();
        for instance in instances.iter().chain(&close) {
            prop_assert_eq!(before.is_valid(instance), after.is_valid(instance), "{} {}", set.to_json_schema(), instance);
        }
        // What was read once reads the same again.
        prop_assert_eq!(from_json_schema(&set.to_json_schema()).unwrap(), set);
    }
}

/// It would have become a field that takes any object.
#[test]
fn an_object_that_takes_nothing_is_no_field_for_json() {
    let of = |more: Value| {
        let mut object = json!({"type": "object", "properties": {}, "x-field": {"display": "json"}});
        object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        from_json_schema(&json!({"type": "object", "properties": {"c": object}}))
    };
    assert!(of(json!({})).is_ok());
    let refused = of(json!({"additionalProperties": false})).unwrap_err();
    assert_eq!(refused.pointer, "/properties/c/additionalProperties", "{refused:?}");
}

#[test]
fn the_generated_schemas_are_of_both_kinds() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut read, mut accepted) = (0, 0);
    for _ in 0..500 {
        let root = object(schema()).new_tree(&mut runner).unwrap().current();
        let values = vec(instance(), 24).new_tree(&mut runner).unwrap().current();
        if from_json_schema(&root).is_ok() {
            read += 1;
            let compiled = compile(&root);
            let mut at = 0;
            accepted += (0..24).filter(|_| compiled.is_valid(&fitted(&root, &values, &mut at))).count();
        }
    }
    assert!((50..450).contains(&read), "{read} of 500 become fields");
    assert!(accepted > 200, "{accepted} values fit their schema");
}
