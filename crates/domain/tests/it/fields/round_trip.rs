use proptest::prelude::*;
use serde_json::{Value, json};
use toolgate_domain::field::{
    FieldDefinition, FieldSet, FieldType, check_fields, from_json_schema, to_json_schema, without_annotations,
};
use toolgate_domain::json::{canonical_bytes, parse};

use crate::fields::definitions::definitions;

proptest! {
    #[test]
    fn fields_come_back_from_their_schema_as_they_were(fields in definitions(), open: bool) {
        prop_assert_eq!(check_fields(&fields), Ok(()));
        let set = FieldSet { fields, open };
        let schema = set.to_json_schema();
        prop_assert_eq!(from_json_schema(&schema).unwrap(), set.clone());
        // Also when someone else wrote the schema down in between.
        let rewritten = parse(&canonical_bytes(&schema).unwrap(), 64).unwrap();
        prop_assert_eq!(from_json_schema(&rewritten).unwrap(), set);
    }

    #[test]
    fn fields_come_back_from_their_own_json(fields in definitions()) {
        let text = serde_json::to_string(&fields).unwrap();
        prop_assert_eq!(serde_json::from_str::<Vec<FieldDefinition>>(&text).unwrap(), fields);
    }

    #[test]
    fn what_only_people_look_at_does_not_change_the_rest(fields in definitions()) {
        let schema = without_annotations(&to_json_schema(&fields));
        let bare = fields.into_iter().map(|mut field| {
            (field.label, field.description, field.placeholder) = (None, None, None);
            field
        });
        prop_assert_eq!(without_annotations(&to_json_schema(&bare.collect::<Vec<_>>())), schema);
    }
}

#[test]
fn a_form_becomes_a_schema_that_a_model_can_read() {
    let fields: Vec<FieldDefinition> = serde_json::from_value(json!([
        {"key": "title", "label": "Title", "type": "text", "required": true, "constraints": {"max_length": 80}},
        {"key": "budget", "type": "number", "display": "currency", "constraints": {"min": 0}},
        {"key": "due", "type": "date", "display": "datetime"},
        {"key": "team", "type": "relation", "display": "multi_picker", "entity_type": "person"},
        {"key": "stage", "type": "enum", "options": [{"value": "won", "label": "Won"}, {"value": "lost"}]},
    ]))
    .unwrap();
    assert_eq!(
        to_json_schema(&fields),
        json!({
            "type": "object",
            "properties": {
                "title": {"type": "string", "title": "Title", "maxLength": 80},
                "budget": {"type": "number", "minimum": 0, "x-field": {"display": "currency"}},
                "due": {"type": "string", "format": "date-time"},
                "team": {"type": "array", "items": {"type": "string"}, "x-entity-type": "person", "x-entity-select": "multiple"},
                "stage": {"type": "string", "enum": ["won", "lost"], "x-field": {"labels": ["Won", null]}},
            },
            "required": ["title"],
            "additionalProperties": false,
            "x-field-order": ["title", "budget", "due", "team", "stage"],
        })
    );
}

#[test]
fn every_type_has_a_display_of_its_own_by_default() {
    for kind in FieldType::ALL {
        let first: Value = json!(kind.displays()[0]);
        assert!(first.is_string(), "{kind:?}");
    }
}
