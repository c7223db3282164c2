use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::field::{FieldDefinition, check_fields, from_json_schema};

#[rstest]
#[case::one_of(json!({"oneOf": [{"type": "string"}]}), "/properties/a/oneOf")]
#[case::reference(json!({"$ref": "#/$defs/x"}), "/properties/a/$ref")]
#[case::beside(json!({"type": "string", "anyOf": []}), "/properties/a/anyOf")]
#[case::nullable(json!({"type": ["string", "null"]}), "/properties/a/type")]
#[case::format(json!({"type": "string", "format": "ipv4"}), "/properties/a/format")]
#[case::untyped(json!({}), "/properties/a")]
#[case::anything(json!(true), "/properties/a")]
#[case::map(json!({"type": "object", "additionalProperties": {"type": "string"}}), "/properties/a/additionalProperties")]
#[case::items(json!({"type": "array"}), "/properties/a/items")]
#[case::tuple(json!({"type": "array", "items": {"type": "string"}, "prefixItems": []}), "/properties/a/prefixItems")]
#[case::strange_default(json!({"type": "integer", "default": 1.5}), "/properties/a")]
#[case::crossed(json!({"type": "integer", "minimum": 2, "maximum": 1}), "/properties/a")]
#[case::exclusive(json!({"type": "number", "exclusiveMinimum": 0}), "/properties/a/exclusiveMinimum")]
#[case::huge(json!({"type": "integer", "maximum": 9_007_199_254_740_993_u64}), "")]
#[case::slip(json!({"type": "string", "x-field": {"dispaly": "code"}}), "/properties/a/x-field")]
#[case::other_shape(json!({"type": "number", "x-field": {"type": "media"}}), "/properties/a/type")]
#[case::deeper(json!({"type": "object", "properties": {"b/c": {"not": {}}}}), "/properties/a/properties/b~1c/not")]
fn what_a_form_cannot_express_is_refused_at_its_place(#[case] property: Value, #[case] pointer: &str) {
    let error = from_json_schema(&json!({"type": "object", "properties": {"a": property}})).unwrap_err();
    assert_eq!(error.pointer, pointer, "{error}");
}

#[rstest]
#[case::display(json!([{"key": "a", "type": "number", "display": "markdown"}]), "/0/display")]
#[case::twice(json!([{"key": "a", "type": "text"}, {"key": "a", "type": "text"}]), "/1/key")]
#[case::no_choice(json!([{"key": "a", "type": "enum"}]), "/0/options")]
#[case::same_choice(json!([{"key": "a", "type": "enum", "options": [{"value": 1}, {"value": 1}]}]), "/0/options")]
#[case::no_item(json!([{"key": "a", "type": "array"}]), "/0/item")]
#[case::item_key(json!([{"key": "a", "type": "array", "item": {"key": "x", "type": "text"}}]), "/0/item")]
#[case::foreign(json!([{"key": "a", "type": "text", "constraints": {"min": 1}}]), "/0/constraints")]
#[case::step(json!([{"key": "a", "type": "number", "constraints": {"step": 0}}]), "/0/constraints/step")]
#[case::inside(json!([{"key": "a", "type": "object", "fields": [{"key": "b", "type": "relation"}]}]), "/0/fields/0/entity_type")]
#[case::hidden(json!([{"key": "a", "type": "text"}, {"key": "b", "type": "text", "required": true, "visible_if": {"field": "a", "equals": 1}}]), "/1/required")]
#[case::nowhere(json!([{"key": "a", "type": "text", "visible_if": {"field": "b", "equals": 1}}]), "/0/visible_if/field")]
#[case::long(json!([{"key": "a".repeat(129), "type": "text"}]), "/0/key")]
fn unsound_fields_are_refused_at_their_place(#[case] fields: Value, #[case] pointer: &str) {
    let fields: Vec<FieldDefinition> = serde_json::from_value(fields).unwrap();
    assert_eq!(check_fields(&fields).unwrap_err().pointer, pointer);
}

#[test]
fn depth_and_number_are_bounded_in_both_directions() {
    let mut deep = json!({"type": "object", "additionalProperties": false});
    for _ in 0..20 {
        deep = json!({"type": "object", "properties": {"a": deep}, "additionalProperties": false});
    }
    assert!(from_json_schema(&deep).unwrap_err().message.contains("deep"));
    let many: serde_json::Map<_, _> =
        (0..201).map(|n| (format!("k{n}"), json!({"type": "string"}))).collect();
    assert!(
        from_json_schema(&json!({"type": "object", "properties": many}))
            .unwrap_err()
            .message
            .contains("at most")
    );
    let fields: Vec<_> = (0..201)
        .map(|n| FieldDefinition::new(format!("k{n}"), toolgate_domain::field::FieldType::Text))
        .collect();
    assert!(check_fields(&fields).unwrap_err().message.contains("at most"));
}
