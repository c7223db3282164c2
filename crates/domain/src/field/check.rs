//! Which definitions are sound. Everything is bounded.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Constraints, Display, FieldDefinition, FieldType};

/// How deep fields may stand in fields.
pub const MAX_FIELD_DEPTH: usize = 6;
/// Fields of one list, and of a whole form.
pub const MAX_FIELDS: usize = 200;
const MAX_OPTIONS: usize = 500;
const MAX_ACCEPT: usize = 32;
const MAX_KEY_CHARS: usize = 128;
const MAX_LABEL_CHARS: usize = 200;
const MAX_DESCRIPTION_CHARS: usize = 4_000;
const MAX_PATTERN_CHARS: usize = 500;
/// What the element of an array is called.
pub(super) const ITEM_KEY: &str = "item";

/// What is wrong with fields, or with a schema that was to become fields, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", if .pointer.is_empty() { String::new() } else { format!("{}: ", .pointer) })]
pub struct FieldError {
    /// A JSON pointer; empty for the whole.
    pub pointer: String,
    pub message: String,
}

impl FieldError {
    pub(super) fn at(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

/// Refuses definitions that no form could show or that say more than their type can mean.
pub fn check_fields(fields: &[FieldDefinition]) -> Result<(), FieldError> {
    let mut left = MAX_FIELDS;
    check_list(fields, "", MAX_FIELD_DEPTH, &mut left)
}

fn check_list(
    fields: &[FieldDefinition],
    at: &str,
    depth: usize,
    left: &mut usize,
) -> Result<(), FieldError> {
    for (index, field) in fields.iter().enumerate() {
        check_tree(field, &format!("{at}/{index}"), depth, left)?;
    }
    check_siblings(fields)
        .map_err(|(index, place, message)| FieldError::at(format!("{at}/{index}{place}"), message))
}

fn check_tree(field: &FieldDefinition, at: &str, depth: usize, left: &mut usize) -> Result<(), FieldError> {
    let Some(deeper) = depth.checked_sub(1) else {
        return Err(FieldError::at(at, format!("fields nest at most {MAX_FIELD_DEPTH} deep")));
    };
    *left = left
        .checked_sub(1)
        .ok_or_else(|| FieldError::at(at, format!("a form has at most {MAX_FIELDS} fields")))?;
    check_one(field).map_err(|(place, message)| FieldError::at(format!("{at}{place}"), message))?;
    check_list(&field.fields, &format!("{at}/fields"), deeper, left)?;
    match &field.item {
        Some(item) => {
            check_item(item).map_err(|message| FieldError::at(format!("{at}/item"), message))?;
            check_tree(item, &format!("{at}/item"), deeper, left)
        }
        None => Ok(()),
    }
}

pub(super) type Complaint = (&'static str, String);

fn no(place: &'static str, message: impl Into<String>) -> Result<(), Complaint> {
    Err((place, message.into()))
}

/// Keys are told apart, and what a field depends on is there.
pub(super) fn check_siblings(fields: &[FieldDefinition]) -> Result<(), (usize, &'static str, String)> {
    let mut keys = BTreeSet::new();
    for (index, field) in fields.iter().enumerate() {
        if !keys.insert(field.key.as_str()) {
            return Err((index, "/key", format!("there are two fields `{}`", field.key)));
        }
    }
    for (index, field) in fields.iter().enumerate() {
        let Some(condition) = &field.visible_if else { continue };
        if condition.field == field.key || !keys.contains(condition.field.as_str()) {
            return Err((index, "/visible_if/field", "names another field of the same list".to_owned()));
        }
        if field.required {
            return Err((index, "/required", "a field that may be hidden cannot be required".to_owned()));
        }
    }
    Ok(())
}

/// The element of an array has no name, no place in a form, and no choice about being there.
pub(super) fn check_item(item: &FieldDefinition) -> Result<(), String> {
    if item.key != ITEM_KEY {
        return Err(format!("the key of an item is `{ITEM_KEY}`"));
    }
    if item.required || item.visible_if.is_some() || item.default.is_some() {
        return Err("an item has neither `required` nor `visible_if` nor `default`".to_owned());
    }
    Ok(())
}

/// One field, without what stands inside it.
pub(super) fn check_one(field: &FieldDefinition) -> Result<(), Complaint> {
    check_texts(field)?;
    let displays = field.kind.displays();
    if field.display.is_some_and(|display| !displays.contains(&display)) {
        let known = serde_json::to_string(displays).unwrap_or_default();
        return no("/display", format!("this type is shown as one of {known}"));
    }
    check_parts(field)?;
    check_constraints(field)?;
    match &field.default {
        Some(default) if !fits(field, default) => no("/default", "is no value of this field"),
        _ => Ok(()),
    }
}

fn check_texts(field: &FieldDefinition) -> Result<(), Complaint> {
    let texts = [
        ("/key", Some(&field.key), MAX_KEY_CHARS),
        ("/label", field.label.as_ref(), MAX_LABEL_CHARS),
        ("/description", field.description.as_ref(), MAX_DESCRIPTION_CHARS),
        ("/placeholder", field.placeholder.as_ref(), MAX_LABEL_CHARS),
        ("/entity_type", field.entity_type.as_ref(), MAX_KEY_CHARS),
        ("/constraints/pattern", field.constraints.pattern.as_ref(), MAX_PATTERN_CHARS),
    ];
    for (place, text, max) in texts {
        check_text(place, text, max)?;
    }
    for option in &field.options {
        check_text("/options", option.label.as_ref(), MAX_LABEL_CHARS)?;
        check_text("/options", option.value.as_str().map(str::to_owned).as_ref(), MAX_LABEL_CHARS)?;
    }
    field.accept.iter().try_for_each(|accept| check_text("/accept", Some(accept), MAX_LABEL_CHARS))
}

fn check_text(place: &'static str, text: Option<&String>, max: usize) -> Result<(), Complaint> {
    let length = text.map_or(1, |text| text.chars().count());
    if length == 0 || length > max {
        no(place, format!("has 1 to {max} characters, not {length}"))
    } else {
        Ok(())
    }
}

/// Each part belongs to one type.
fn check_parts(field: &FieldDefinition) -> Result<(), Complaint> {
    let kind = field.kind;
    let is_json = field.display == Some(Display::Json);
    let foreign = [
        ("/options", !field.options.is_empty(), kind == FieldType::Enum),
        ("/entity_type", field.entity_type.is_some(), kind == FieldType::Relation),
        ("/accept", !field.accept.is_empty(), kind == FieldType::Media),
        ("/max_bytes", field.max_bytes.is_some(), kind == FieldType::Media),
        ("/fields", !field.fields.is_empty(), kind == FieldType::Object && !is_json),
        ("/open", field.open, kind == FieldType::Object && !is_json && !field.fields.is_empty()),
        ("/item", field.item.is_some(), kind == FieldType::Array),
    ];
    if let Some((place, ..)) = foreign.iter().find(|(_, there, belongs)| *there && !belongs) {
        return no(place, "does not go with this type and display");
    }
    if field.accept.len() > MAX_ACCEPT {
        return no("/accept", format!("at most {MAX_ACCEPT} content types"));
    }
    match kind {
        FieldType::Enum => check_options(field),
        FieldType::Relation if field.entity_type.is_none() => no("/entity_type", "a relation says to what"),
        FieldType::Array if field.item.is_none() => no("/item", "an array says of what"),
        _ => Ok(()),
    }
}

fn check_options(field: &FieldDefinition) -> Result<(), Complaint> {
    if field.options.is_empty() || field.options.len() > MAX_OPTIONS {
        return no("/options", format!("an enum has 1 to {MAX_OPTIONS} options"));
    }
    let mut seen = BTreeSet::new();
    for option in &field.options {
        if !matches!(option.value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
            return no("/options", "an option is a text, a number or a truth value");
        }
        if !seen.insert(option.value.to_string()) {
            return no("/options", format!("there are two options {}", option.value));
        }
    }
    Ok(())
}

fn check_constraints(field: &FieldDefinition) -> Result<(), Complaint> {
    let c = &field.constraints;
    let texts = matches!(field.kind, FieldType::Text | FieldType::Url | FieldType::Email | FieldType::Phone);
    let lists = field.kind == FieldType::Array || field.is_multiple();
    // Choices are taken once each anyway.
    let unique = lists && field.kind != FieldType::Enum;
    let numbers = field.kind == FieldType::Number;
    let allowed = Constraints {
        min: c.min.filter(|_| numbers),
        max: c.max.filter(|_| numbers),
        step: c.step.filter(|_| numbers),
        integer: c.integer && numbers,
        min_length: c.min_length.filter(|_| texts),
        max_length: c.max_length.filter(|_| texts),
        pattern: c.pattern.clone().filter(|_| texts),
        min_items: c.min_items.filter(|_| lists),
        max_items: c.max_items.filter(|_| lists),
        unique_items: c.unique_items && unique,
    };
    if [c.min, c.max, c.step].into_iter().flatten().any(|number| !number.is_finite()) {
        return no("/constraints", "bounds are finite numbers");
    }
    if allowed != *c {
        return no("/constraints", "one of these does not go with this type and display");
    }
    if c.step.is_some_and(|step| step <= 0.0) {
        return no("/constraints/step", "is greater than zero");
    }
    let crossed =
        |low: Option<u64>, high: Option<u64>| matches!((low, high), (Some(low), Some(high)) if low > high);
    if matches!((c.min, c.max), (Some(min), Some(max)) if min > max)
        || crossed(c.min_length, c.max_length)
        || crossed(c.min_items, c.max_items)
    {
        return no("/constraints", "the least is more than the most: no value would fit");
    }
    const SAFE: u64 = (1 << 53) - 1;
    let sizes = [c.min_length, c.max_length, c.min_items, c.max_items, field.max_bytes];
    if sizes.into_iter().flatten().any(|size| size > SAFE) {
        return no("/constraints", "a size is beyond 2^53");
    }
    Ok(())
}

/// Whether a default is of the field's shape. Its bounds are the schema's business.
fn fits(field: &FieldDefinition, value: &Value) -> bool {
    let chosen = |value: &Value| field.options.iter().any(|option| option.value == *value);
    match field.kind {
        FieldType::Number => value.is_number() && (!field.constraints.integer || is_whole(value)),
        FieldType::Boolean => value.is_boolean(),
        FieldType::Enum if field.is_multiple() => value.as_array().is_some_and(|all| all.iter().all(chosen)),
        FieldType::Enum => chosen(value),
        FieldType::Relation if field.is_multiple() => {
            value.as_array().is_some_and(|all| all.iter().all(Value::is_string))
        }
        FieldType::Object => value.is_object(),
        FieldType::Array => value.is_array(),
        _ => value.is_string(),
    }
}

fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}
