//! For any schema: what is published blocks no client, and takes whatever the true one takes.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolgate_domain::tool::portable::{Role, complaints, portable, wraps_output};

const NAMES: [&str; 5] = ["a", "b", "c", "d e", "ü"];

fn name() -> impl Strategy<Value = String> + Clone {
    prop::sample::select(&NAMES[..]).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..6).prop_map(Value::from),
        Just(json!(2.5)),
        Just(json!(2.0)),
        prop::sample::select(&["", "a", "bb", "ccc"][..]).prop_map(Value::from),
    ]
}

fn instance() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..4).prop_map(|fields| json!(fields)),
        ]
    })
}

fn object_instance() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(name(), instance(), 0..5).prop_map(|fields| json!(fields))
}

fn kind() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["string", "number", "integer", "boolean", "object", "array", "null"][..])
}

fn keyword(inner: BoxedStrategy<Value>) -> impl Strategy<Value = (String, Value)> {
    let pair = |name: &str, value: Value| (name.to_owned(), value);
    let schemas = prop::collection::vec(inner.clone(), 1..3);
    let named = prop::collection::btree_map(name(), inner.clone(), 0..4);
    prop_oneof![
        4 => kind().prop_map(move |kind| pair("type", json!(kind))),
        1 => prop::collection::btree_set(kind(), 1..3).prop_map(move |kinds| pair("type", json!(kinds))),
        1 => (0_u64..3, prop::sample::select(&["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"][..]))
            .prop_map(move |(n, name)| pair(name, json!(n))),
        1 => (-1_i64..4, prop::sample::select(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"][..]))
            .prop_map(move |(n, name)| pair(name, json!(n))),
        1 => prop::sample::select(&["^a", "b+$", r"^\p{L}+$", "(?i)C"][..]).prop_map(move |p| pair("pattern", json!(p))),
        1 => prop::collection::vec(scalar(), 1..4).prop_map(move |values| pair("enum", json!(values))),
        1 => scalar().prop_map(move |value| pair("const", value)),
        3 => named.clone().prop_map(move |named| pair("properties", json!(named))),
        2 => prop::collection::btree_set(name(), 0..3).prop_map(move |names| pair("required", json!(names))),
        1 => any::<bool>().prop_map(move |open| pair("additionalProperties", json!(open))),
        1 => inner.clone().prop_map(move |schema| pair("additionalProperties", schema)),
        1 => inner.clone().prop_map(move |schema| pair("patternProperties", json!({"^[ab]$": schema}))),
        1 => inner.clone().prop_map(move |schema| pair("items", schema)),
        1 => schemas.clone().prop_map(move |schemas| pair("prefixItems", json!(schemas))),
        1 => inner.clone().prop_map(move |schema| pair("contains", schema)),
        1 => inner.clone().prop_map(move |schema| pair("not", schema)),
        1 => inner.clone().prop_map(move |schema| pair("propertyNames", schema)),
        1 => inner.clone().prop_map(move |schema| pair("unevaluatedProperties", schema)),
        1 => (inner.clone(), prop::sample::select(&["if", "then", "else"][..])).prop_map(move |(schema, name)| pair(name, schema)),
        1 => (schemas, prop::sample::select(&["anyOf", "oneOf", "allOf"][..])).prop_map(move |(schemas, name)| pair(name, json!(schemas))),
        1 => named.prop_map(move |named| pair("dependentSchemas", json!(named))),
        1 => prop::sample::select(&["#/$defs/x", "#/$defs/y", "#"][..]).prop_map(move |target| pair("$ref", json!(target))),
    ]
}

fn schema_over(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => any::<bool>().prop_map(Value::from),
        12 => prop::collection::vec(keyword(inner), 0..5).prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>().into()),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!({})), kind().prop_map(|kind| json!({"type": kind}))].boxed();
    let one = schema_over(leaf).boxed();
    let two = schema_over(one).boxed();
    schema_over(two)
}

/// A schema of an object, as authors may register it: references lead somewhere.
fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(root, x, y)| {
        let mut fields = match root {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        fields.insert("type".into(), "object".into());
        fields.insert("$defs".into(), json!({"x": x, "y": y}));
        fields.into()
    })
}

fn compiled(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(schema)
        .ok()
}

/// `$ref` straight to itself has no meaning at all; validators recurse for ever.
fn is_sound(schema: &Value) -> bool {
    fn follows(root: &Value, at: &Value, hops: usize) -> bool {
        if hops > 40 {
            return false;
        }
        let Some(fields) = at.as_object() else { return true };
        let target = fields.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(&target[1..]));
        let beside =
            ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| fields.get(*key)?.as_array()).flatten();
        let alone = ["not", "if", "then", "else"].iter().filter_map(|key| fields.get(*key));
        let depending = fields
            .get("dependentSchemas")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|map| map.values());
        target
            .into_iter()
            .chain(beside)
            .chain(alone)
            .chain(depending)
            .all(|next| follows(root, next, hops + 1))
    }
    fn everywhere(root: &Value, at: &Value) -> bool {
        match at {
            Value::Object(fields) => {
                follows(root, at, 0) && fields.values().all(|next| everywhere(root, next))
            }
            Value::Array(items) => items.iter().all(|next| everywhere(root, next)),
            _ => true,
        }
    }
    everywhere(schema, schema)
}

/// Whether an alternative takes any value for a property that another one names. Of an input that is not told: nobody means it
/// (docs/reference/mcp-schemas.md).
fn has_open_alternatives(schema: &Value) -> bool {
    let Some(fields) = schema.as_object() else {
        return schema.as_array().is_some_and(|items| items.iter().any(has_open_alternatives));
    };
    let is_open = |branch: &Value| branch.get("additionalProperties") != Some(&false.into());
    let names_properties = |branch: &Value| {
        let text = branch.to_string();
        ["\"properties\"", "\"required\"", "\"$ref\""].iter().any(|keyword| text.contains(keyword))
    };
    let unions = ["anyOf", "oneOf"].iter().filter_map(|keyword| fields.get(*keyword)?.as_array());
    unions.into_iter().any(|branches| branches.iter().any(is_open) && branches.iter().any(names_properties))
        || fields.values().any(has_open_alternatives)
}

/// Alternatives of objects. An open one takes anything for the properties of its neighbours.
fn union_of(is_closed: bool) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!({})), kind().prop_map(|kind| json!({"type": kind}))].boxed();
    let property = schema_over(leaf).boxed();
    let branch = (prop::collection::btree_map(name(), property, 0..3), prop::collection::btree_set(name(), 0..2)).prop_map(
        move |(properties, required)| {
            let required: Vec<String> = required.into_iter().filter(|name| properties.contains_key(name)).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": !is_closed})
        },
    );
    (prop::collection::vec(branch, 1..4), prop::sample::select(&["anyOf", "oneOf"][..])).prop_map(
        |(branches, keyword)| {
            let mut made = json!({"type": "object", "$defs": {"x": {"type": "string"}, "y": {}}});
            made[keyword] = branches.into();
            made
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, max_global_rejects: 200_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_published_blocks_no_client(schema in schema(), is_input: bool) {
        let role = if is_input { Role::Input } else { Role::Output };
        let made = portable(&schema, role);
        let blocking: Vec<_> = complaints(&made, role).into_iter().filter(|found| found.blocks()).collect();
        prop_assert!(blocking.is_empty(), "{blocking:?}\nfrom {schema}\nmade {made}");
        prop_assert_eq!(&*portable(&schema, role), &*made, "the same schema gives the same answer");
        prop_assert!(compiled(&made).is_some(), "{}", made);
    }

    #[test]
    fn an_output_that_the_true_schema_takes_is_taken_by_the_published_one(
        schema in prop_oneof![document(), union_of(true), union_of(false)], values in prop::collection::vec(object_instance(), 12),
    ) {
        prop_assume!(is_sound(&schema));
        let Some(truth) = compiled(&schema) else { return Err(TestCaseError::reject("not a schema")) };
        prop_assert!(!wraps_output(&schema));
        let made = portable(&schema, Role::Output);
        let published = compiled(&made).unwrap();
        for value in values.iter().filter(|value| truth.is_valid(value)) {
            prop_assert!(published.is_valid(value), "{value}\nfits {schema}\nnot {made}");
        }
    }

    #[test]
    fn an_output_that_is_wrapped_fits_as_well(
        schema in schema(), values in prop::collection::vec(instance(), 12),
    ) {
        let Value::Object(mut schema) = schema else { return Err(TestCaseError::reject("a boolean")) };
        schema.insert("$defs".into(), json!({"x": {"type": "string"}, "y": {}}));
        let schema = Value::from(schema);
        prop_assume!(is_sound(&schema) && wraps_output(&schema));
        let Some(truth) = compiled(&schema) else { return Err(TestCaseError::reject("not a schema")) };
        let made = portable(&schema, Role::Output);
        let published = compiled(&made).unwrap();
        for value in values.iter().filter(|value| truth.is_valid(value)) {
            prop_assert!(published.is_valid(&json!({"result": value})), "{value}\nfits {schema}\nnot {made}");
        }
    }

    #[test]
    fn an_input_that_the_true_schema_takes_is_taken_by_the_published_one(
        schema in prop_oneof![document(), union_of(true)], values in prop::collection::vec(object_instance(), 12),
    ) {
        prop_assume!(is_sound(&schema) && !has_open_alternatives(&schema));
        let Some(truth) = compiled(&schema) else { return Err(TestCaseError::reject("not a schema")) };
        let made = portable(&schema, Role::Input);
        let published = compiled(&made).unwrap();
        for value in values.iter().filter(|value| truth.is_valid(value)) {
            prop_assert!(published.is_valid(value), "{value}\nfits {schema}\nnot {made}");
        }
    }
}
