//! From fields to JSON Schema 2020-12.

use serde_json::{Map, Value, json};

use super::{
    Display, FieldDefinition, FieldSet, FieldType,
    annotation::{Annotation, ENTITY_SELECT, ENTITY_TYPE, FIELD, ORDER},
    definition::spelt,
    infer::infer,
};

/// The schema of the objects that a form with these fields gives, and of no others.
pub fn to_json_schema(fields: &[FieldDefinition]) -> Value {
    Value::Object(object(fields, false))
}

impl FieldSet {
    pub fn to_json_schema(&self) -> Value {
        Value::Object(object(&self.fields, self.open))
    }
}

fn object(fields: &[FieldDefinition], open: bool) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    let properties: Map<_, _> =
        fields.iter().map(|field| (field.key.clone(), Value::Object(property(field)))).collect();
    schema.insert("properties".to_owned(), properties.into());
    let keys = || fields.iter().map(|field| field.key.as_str());
    let required: Vec<_> =
        fields.iter().filter(|field| field.required).map(|field| field.key.as_str()).collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    if !open {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    // An object's members have no order of their own; readers and stores sort them.
    if !keys().is_sorted() {
        schema.insert(ORDER.to_owned(), json!(keys().collect::<Vec<_>>()));
    }
    schema
}

fn property(field: &FieldDefinition) -> Map<String, Value> {
    let mut schema = plain(field);
    let annotation = annotation(field, &schema);
    if annotation != Annotation::default() {
        schema.insert(FIELD.to_owned(), json!(annotation));
    }
    let texts = [("title", &field.label), ("description", &field.description)];
    for (keyword, text) in texts {
        if let Some(text) = text {
            schema.insert(keyword.to_owned(), text.as_str().into());
        }
    }
    if let Some(default) = &field.default {
        schema.insert("default".to_owned(), default.clone());
    }
    schema
}

/// What the keywords do not tell by themselves.
fn annotation(field: &FieldDefinition, schema: &Map<String, Value>) -> Annotation {
    let (kind, display) = infer(schema).map_or((None, None), |(kind, display)| (Some(kind), display));
    let told = if kind == Some(field.kind) { display } else { None };
    let has_labels = field.options.iter().any(|option| option.label.is_some());
    Annotation {
        kind: (kind != Some(field.kind)).then_some(field.kind),
        display: field.display.filter(|display| told != Some(*display)),
        placeholder: field.placeholder.clone(),
        labels: field.options.iter().filter(|_| has_labels).map(|option| option.label.clone()).collect(),
        accept: field.accept.clone(),
        max_bytes: field.max_bytes,
        visible_if: field.visible_if.clone(),
    }
}

/// The keywords that decide which values are accepted.
fn plain(field: &FieldDefinition) -> Map<String, Value> {
    let mut schema = match field.kind {
        FieldType::Text | FieldType::Phone | FieldType::Media => keywords(json!({"type": "string"})),
        FieldType::Url => keywords(json!({"type": "string", "format": "uri"})),
        FieldType::Email => keywords(json!({"type": "string", "format": "email"})),
        FieldType::Date => keywords(json!({"type": "string", "format": date_format(field.display)})),
        FieldType::Boolean => keywords(json!({"type": "boolean"})),
        FieldType::Number if field.constraints.integer => keywords(json!({"type": "integer"})),
        FieldType::Number => keywords(json!({"type": "number"})),
        FieldType::Enum if field.is_multiple() => {
            keywords(json!({"type": "array", "items": choices(field), "uniqueItems": true}))
        }
        FieldType::Enum => choices(field),
        FieldType::Relation if field.is_multiple() => keywords(json!({
            "type": "array", "items": {"type": "string"}, ENTITY_TYPE: field.entity_type, ENTITY_SELECT: "multiple",
        })),
        FieldType::Relation => keywords(json!({"type": "string", ENTITY_TYPE: field.entity_type})),
        FieldType::Object if field.display == Some(Display::Json) => keywords(json!({"type": "object"})),
        FieldType::Object => object(&field.fields, field.open),
        FieldType::Array => {
            let items = field.item.as_deref().map(property).unwrap_or_default();
            keywords(json!({"type": "array", "items": items}))
        }
    };
    bounds(field, &mut schema);
    schema
}

fn bounds(field: &FieldDefinition, schema: &mut Map<String, Value>) {
    let c = &field.constraints;
    let numbers = [("minimum", c.min), ("maximum", c.max), ("multipleOf", c.step)];
    let sizes = [
        ("minLength", c.min_length),
        ("maxLength", c.max_length),
        ("minItems", c.min_items),
        ("maxItems", c.max_items),
    ];
    let numbers = numbers.into_iter().filter_map(|(keyword, number)| Some((keyword, spelt(number?))));
    let sizes = sizes.into_iter().filter_map(|(keyword, size)| Some((keyword, Value::from(size?))));
    let pattern = c.pattern.iter().map(|pattern| ("pattern", Value::from(pattern.as_str())));
    let unique = c.unique_items.then_some(("uniqueItems", Value::Bool(true)));
    for (keyword, value) in numbers.chain(sizes).chain(pattern).chain(unique) {
        schema.insert(keyword.to_owned(), value);
    }
}

fn date_format(display: Option<Display>) -> &'static str {
    match display {
        Some(Display::Datetime) => "date-time",
        Some(Display::Time) => "time",
        _ => "date",
    }
}

fn choices(field: &FieldDefinition) -> Map<String, Value> {
    let values: Vec<_> = field.options.iter().map(|option| option.value.clone()).collect();
    if values.iter().all(Value::is_string) {
        return keywords(json!({"type": "string", "enum": values}));
    }
    keywords(json!({"enum": values}))
}

fn keywords(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(keywords) => keywords,
        _ => Map::new(),
    }
}
