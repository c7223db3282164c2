//! From JSON Schema to fields. What a form cannot express is refused, at its place, rather than lost.

use serde_json::{Map, Value};

use super::{
    Constraints, Display, FieldDefinition, FieldError, FieldOption, FieldSet, FieldType,
    annotation::{Annotation, ENTITY_SELECT, ENTITY_TYPE, FIELD, ORDER},
    check::{ITEM_KEY, MAX_FIELD_DEPTH, MAX_FIELDS, check_item, check_one, check_siblings},
    infer::infer,
    keywords::Keywords,
};
use crate::json::check_value;

/// Nesting of a schema before anything in it is looked at.
const MAX_SCHEMA_DEPTH: usize = 48;

/// The fields of a schema: the inverse of `to_json_schema`, and as much of other people's schemas as a form can express.
///
/// Dropped are only `$schema`, `$comment` and `examples`, and the title and description of the whole.
pub fn from_json_schema(schema: &Value) -> Result<FieldSet, FieldError> {
    check_value(schema, MAX_SCHEMA_DEPTH).map_err(|error| FieldError::at("", error.to_string()))?;
    let mut reader = Reader { left: MAX_FIELDS };
    let mut keywords = Keywords::of(schema, "")?;
    for dropped in ["$schema", "title", "description"] {
        keywords.take(dropped);
    }
    keywords.expect_type(&["object"])?;
    let (fields, open) = reader.object(&mut keywords, MAX_FIELD_DEPTH)?;
    keywords.finish()?;
    Ok(FieldSet { fields, open })
}

struct Reader {
    /// Fields that the form may still get.
    left: usize,
}

impl Reader {
    fn object(
        &mut self,
        keywords: &mut Keywords<'_>,
        depth: usize,
    ) -> Result<(Vec<FieldDefinition>, bool), FieldError> {
        let open = match keywords.take("additionalProperties") {
            None | Some(Value::Bool(true)) => true,
            Some(Value::Bool(false)) => false,
            Some(_) => {
                return keywords
                    .no("additionalProperties", "a form has no fields for keys that are not named");
            }
        };
        let none = Map::new();
        let properties = match keywords.take("properties") {
            None => &none,
            Some(Value::Object(properties)) => properties,
            Some(_) => return keywords.no("properties", "is an object"),
        };
        let required = keywords.strings("required")?.unwrap_or_default();
        if let Some(stranger) = required.iter().find(|key| !properties.contains_key(**key)) {
            return keywords.no("required", format!("`{stranger}` is not among the properties"));
        }
        let order = match keywords.strings(ORDER)? {
            None => properties.keys().map(String::as_str).collect(),
            Some(order) => order,
        };
        let mut fields = Vec::with_capacity(order.len().min(MAX_FIELDS));
        for key in &order {
            let Some(schema) = properties.get(*key) else {
                return keywords.no(ORDER, format!("`{key}` is not among the properties"));
            };
            let pointer = keywords.pointer("properties") + "/" + &escaped(key);
            let mut field = self.field(key, schema, pointer, depth)?;
            field.required = required.contains(key);
            fields.push(field);
        }
        check_siblings(&fields).map_err(|(index, _, message)| {
            FieldError::at(keywords.pointer("properties") + "/" + &escaped(&fields[index].key), message)
        })?;
        if fields.len() != properties.len() {
            return keywords.no(ORDER, "names each property once");
        }
        Ok((fields, open))
    }

    fn field(
        &mut self,
        key: &str,
        schema: &Value,
        pointer: String,
        depth: usize,
    ) -> Result<FieldDefinition, FieldError> {
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(FieldError::at(pointer, format!("fields nest at most {MAX_FIELD_DEPTH} deep")));
        };
        let Some(left) = self.left.checked_sub(1) else {
            return Err(FieldError::at(pointer, format!("a form has at most {MAX_FIELDS} fields")));
        };
        self.left = left;
        let mut keywords = Keywords::of(schema, &pointer)?;
        let annotation = match keywords.take(FIELD) {
            None => Annotation::default(),
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|error| FieldError::at(keywords.pointer(FIELD), error.to_string()))?,
        };
        let inferred = infer(keywords.all());
        let Some(kind) = annotation.kind.or(inferred.map(|(kind, _)| kind)) else {
            return Err(keywords.inexpressible());
        };
        let mut field = FieldDefinition::new(key, kind);
        let told = inferred.filter(|(inferred, _)| *inferred == kind).and_then(|(_, display)| display);
        field.display = annotation.display.or(told);
        field.label = keywords.text("title")?;
        field.description = keywords.text("description")?;
        field.default = keywords.take("default").cloned();
        self.shape(&mut field, &annotation, &mut keywords, deeper)?;
        keywords.finish()?;
        (field.placeholder, field.visible_if) = (annotation.placeholder, annotation.visible_if);
        (field.accept, field.max_bytes) = (annotation.accept, annotation.max_bytes);
        match check_one(&field) {
            Ok(()) => Ok(field),
            Err((place, message)) => {
                Err(FieldError::at(pointer, format!("{} {message}", place.trim_start_matches('/'))))
            }
        }
    }

    /// The keywords that decide which values are accepted.
    fn shape(
        &mut self,
        field: &mut FieldDefinition,
        annotation: &Annotation,
        keywords: &mut Keywords<'_>,
        depth: usize,
    ) -> Result<(), FieldError> {
        if field.kind != FieldType::Enum && !annotation.labels.is_empty() {
            return keywords.no(FIELD, "labels are for choices");
        }
        match field.kind {
            FieldType::Text | FieldType::Phone | FieldType::Media => keywords.expect_type(&["string"])?,
            FieldType::Url => keywords.expect_format("uri")?,
            FieldType::Email => keywords.expect_format("email")?,
            FieldType::Date => keywords.expect_format(match field.display {
                Some(Display::Datetime) => "date-time",
                Some(Display::Time) => "time",
                _ => "date",
            })?,
            FieldType::Boolean => keywords.expect_type(&["boolean"])?,
            FieldType::Number => {
                field.constraints.integer = keywords.take("type").and_then(Value::as_str) == Some("integer");
                keywords.expect_type(&["number", "integer"])?;
            }
            FieldType::Enum if field.is_multiple() => {
                keywords.expect_type(&["array"])?;
                if keywords.take("uniqueItems") != Some(&Value::Bool(true)) {
                    return keywords.no("uniqueItems", "is true for a choice of several");
                }
                let mut items = keywords.items()?;
                field.options = options(&mut items, annotation)?;
                items.finish()?;
            }
            FieldType::Enum => field.options = options(keywords, annotation)?,
            FieldType::Relation => relation(field, keywords)?,
            FieldType::Object => {
                keywords.expect_type(&["object"])?;
                (field.fields, field.open) = self.object(keywords, depth)?;
                // Any object is what `json` means.
                if field.display == Some(Display::Json) && field.fields.is_empty() {
                    if !field.open {
                        return keywords.no("additionalProperties", "`json` without fields takes any object");
                    }
                    field.open = false;
                }
            }
            FieldType::Array => {
                keywords.expect_type(&["array"])?;
                let at = keywords.pointer("items");
                let Some(items) = keywords.take("items") else {
                    return keywords.no("items", "an array says of what");
                };
                let item = self.field(ITEM_KEY, items, at.clone(), depth)?;
                check_item(&item).map_err(|message| FieldError::at(at, message))?;
                field.item = Some(Box::new(item));
            }
        }
        constraints(field, keywords)
    }
}

fn relation(field: &mut FieldDefinition, keywords: &mut Keywords<'_>) -> Result<(), FieldError> {
    field.entity_type = keywords.text(ENTITY_TYPE)?;
    let select = keywords.text(ENTITY_SELECT)?;
    if !field.is_multiple() {
        if select.is_some_and(|select| select != "single") {
            return keywords.no(ENTITY_SELECT, "is `single` for one entity");
        }
        return keywords.expect_type(&["string"]);
    }
    if select.as_deref() != Some("multiple") {
        return keywords.no(ENTITY_SELECT, "is `multiple` for several entities");
    }
    keywords.expect_type(&["array"])?;
    let mut items = keywords.items()?;
    items.expect_type(&["string"])?;
    items.finish()
}

fn options(keywords: &mut Keywords<'_>, annotation: &Annotation) -> Result<Vec<FieldOption>, FieldError> {
    let values = match (keywords.take("enum"), keywords.take("const")) {
        (Some(Value::Array(values)), None) => values.clone(),
        (None, Some(value)) => vec![value.clone()],
        _ => return keywords.no("enum", "is one list of choices"),
    };
    let of_type = match keywords.take("type").map(Value::as_str) {
        None => values.len(),
        Some(kind) => values.iter().filter(|value| kind.is_some_and(|kind| is_of_type(value, kind))).count(),
    };
    if of_type != values.len() {
        return keywords.no("type", "is the type of every choice");
    }
    if !annotation.labels.is_empty() && annotation.labels.len() != values.len() {
        return keywords.no(FIELD, "there are as many labels as choices");
    }
    let labels = annotation.labels.iter().cloned().chain(std::iter::repeat(None));
    Ok(values.into_iter().zip(labels).map(|(value, label)| FieldOption { value, label }).collect())
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match value {
        Value::String(_) => kind == "string",
        Value::Number(number) => {
            // 1.0 is an integer as well.
            let whole = number.as_f64().is_some_and(|number| number.fract() == 0.0);
            kind == "number" || kind == "integer" && whole
        }
        Value::Bool(_) => kind == "boolean",
        _ => false,
    }
}

fn constraints(field: &mut FieldDefinition, keywords: &mut Keywords<'_>) -> Result<(), FieldError> {
    let integer = field.constraints.integer;
    let unique_items = match keywords.take("uniqueItems") {
        None | Some(Value::Bool(false)) => false,
        // Already read: choices are taken once each.
        Some(Value::Bool(true)) => field.kind != FieldType::Enum,
        Some(_) => return keywords.no("uniqueItems", "is true or false"),
    };
    field.constraints = Constraints {
        min: keywords.number("minimum")?,
        max: keywords.number("maximum")?,
        step: keywords.number("multipleOf")?,
        integer,
        min_length: keywords.size("minLength")?,
        max_length: keywords.size("maxLength")?,
        pattern: keywords.text("pattern")?,
        min_items: keywords.size("minItems")?,
        max_items: keywords.size("maxItems")?,
        unique_items,
    };
    Ok(())
}

pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
