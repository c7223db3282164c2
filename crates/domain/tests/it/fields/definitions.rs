//! Any sound list of fields.

use std::collections::BTreeSet;

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json};
use toolgate_domain::field::{Constraints, Display, FieldDefinition, FieldOption, FieldType, VisibleIf};

fn text() -> impl Strategy<Value = String> {
    "\\PC{1,12}"
}

fn number() -> impl Strategy<Value = f64> {
    (-4_000_i32..4_000).prop_map(|quarters| f64::from(quarters) / 4.0)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::from),
        (-9_i64..9).prop_map(Value::from),
        any::<bool>().prop_map(Value::from)
    ]
}

fn choices() -> impl Strategy<Value = Vec<FieldOption>> {
    vec((scalar(), option::of(text())), 1..5).prop_map(|all| {
        let mut seen = BTreeSet::new();
        let fresh = all.into_iter().filter(|(value, _)| seen.insert(value.to_string()));
        fresh.map(|(value, label)| FieldOption { value, label }).collect()
    })
}

type Bounds = (Option<f64>, Option<f64>, Option<u64>, Option<u64>, bool);

fn bounds() -> impl Strategy<Value = Bounds> {
    let numbers = (option::of(number()), option::of(number()));
    let sizes = (option::of(0_u64..50), option::of(0_u64..50));
    (numbers, sizes, any::<bool>()).prop_map(|((a, b), (c, d), flag)| {
        let (min, max) = if a.zip(b).is_some_and(|(a, b)| a > b) { (b, a) } else { (a, b) };
        let (least, most) = if c.zip(d).is_some_and(|(c, d)| c > d) { (d, c) } else { (c, d) };
        (min, max, least, most, flag)
    })
}

/// Everything but what stands inside: the type, a display of its own, and what goes with both.
fn leaf(kind: FieldType) -> impl Strategy<Value = FieldDefinition> {
    let texts = (option::of(text()), option::of(text()), option::of(text()), option::of(text()));
    let shape = (option::of(select(kind.displays())), choices(), bounds(), any::<bool>(), any::<bool>());
    (texts, shape).prop_map(
        move |((label, description, placeholder, pattern), (display, options, bounds, required, given))| {
            let mut field = FieldDefinition::new("key", kind);
            (field.label, field.description, field.placeholder) = (label, description, placeholder);
            (field.display, field.required) = (display, required);
            let (min, max, least, most, flag) = bounds;
            field.constraints = match kind {
                FieldType::Number => Constraints {
                    min,
                    max,
                    step: min.map(f64::abs).filter(|step| *step > 0.0),
                    integer: flag,
                    ..Constraints::default()
                },
                FieldType::Text | FieldType::Url | FieldType::Email | FieldType::Phone => {
                    Constraints { min_length: least, max_length: most, pattern, ..Constraints::default() }
                }
                _ if kind == FieldType::Array || field.is_multiple() => Constraints {
                    min_items: least,
                    max_items: most,
                    unique_items: flag && kind != FieldType::Enum,
                    ..Constraints::default()
                },
                _ => Constraints::default(),
            };
            match kind {
                FieldType::Enum => field.options = options,
                FieldType::Relation => field.entity_type = Some("opportunity".to_owned()),
                FieldType::Media => (field.accept, field.max_bytes) = (vec!["image/*".to_owned()], most),
                _ => {}
            }
            field.default = given.then(|| default_of(&field));
            field
        },
    )
}

fn default_of(field: &FieldDefinition) -> Value {
    match field.kind {
        FieldType::Number => json!(7),
        FieldType::Boolean => json!(true),
        FieldType::Enum if field.is_multiple() => json!([field.options[0].value]),
        FieldType::Enum => field.options[0].value.clone(),
        FieldType::Relation if field.is_multiple() => json!(["x"]),
        FieldType::Object => json!({"title": null}),
        FieldType::Array => json!([]),
        _ => json!("x"),
    }
}

const LEAVES: [FieldType; 10] = [
    FieldType::Text,
    FieldType::Number,
    FieldType::Boolean,
    FieldType::Date,
    FieldType::Enum,
    FieldType::Url,
    FieldType::Email,
    FieldType::Phone,
    FieldType::Media,
    FieldType::Relation,
];

fn field() -> impl Strategy<Value = FieldDefinition> {
    select(&LEAVES[..]).prop_flat_map(leaf).prop_recursive(3, 24, 4, |inner| {
        let object = (leaf(FieldType::Object), list_of(inner.clone()), any::<bool>()).prop_map(
            |(mut object, fields, open)| {
                if object.display != Some(Display::Json) {
                    (object.open, object.fields) = (open && !fields.is_empty(), fields);
                }
                object
            },
        );
        let array = (leaf(FieldType::Array), inner).prop_map(|(mut array, mut item)| {
            item.key = "item".to_owned();
            (item.required, item.default, item.visible_if) = (false, None, None);
            array.item = Some(Box::new(item));
            array
        });
        prop_oneof![object, array]
    })
}

/// Keys of its own for each; now and then one field depends on another.
fn list_of(
    field: impl Strategy<Value = FieldDefinition> + Clone,
) -> impl Strategy<Value = Vec<FieldDefinition>> {
    vec(("\\PC{1,6}|title|properties|type", field, option::weighted(0.2, scalar())), 0..5).prop_map(|all| {
        let mut seen = BTreeSet::new();
        let mut fields: Vec<FieldDefinition> = Vec::new();
        for (key, mut field, shown_for) in all {
            if !seen.insert(key.clone()) {
                continue;
            }
            field.key = key;
            if let (Some(equals), Some(other)) = (shown_for, fields.first()) {
                field.required = false;
                field.visible_if = Some(VisibleIf { field: other.key.clone(), equals });
            }
            fields.push(field);
        }
        fields
    })
}

pub(crate) fn definitions() -> impl Strategy<Value = Vec<FieldDefinition>> {
    list_of(field().boxed())
}
