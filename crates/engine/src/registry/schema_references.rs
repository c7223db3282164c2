//! Where a schema points: into itself, or it is refused, at the place that points elsewhere.

use serde_json::Value;

use super::schema::shorten;

/// A place in the schema, and what is wrong with it.
type Wrong = (String, String);

/// What a value is, which only its place tells.
#[derive(Clone, Copy)]
enum Position {
    Schema,
    /// Schemas by names, which may be called like keywords.
    Names,
}

/// Refuses references that lead out of the schema, and those that lead nowhere in it.
pub(super) fn check_references(schema: &Value) -> Result<(), Wrong> {
    // A part with an identity of its own is what its references start from; the compiler resolves those.
    let has_parts = has_identity(schema, true);
    check(schema, Position::Schema, &mut String::new(), &|target| {
        has_parts || target.contains('%') || leads_somewhere(schema, target)
    })
}

fn check(
    value: &Value,
    position: Position,
    place: &mut String,
    is_known: &dyn Fn(&str) -> bool,
) -> Result<(), Wrong> {
    let length = place.len();
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                match position {
                    Position::Names => check(field, Position::Schema, place, is_known)?,
                    Position::Schema => {
                        check_keyword(key, field, is_known).map_err(|message| (place.clone(), message))?;
                        match key.as_str() {
                            // These hold data.
                            "const" | "enum" | "default" | "examples" => {}
                            "properties" | "patternProperties" | "$defs" | "definitions"
                            | "dependentSchemas" | "dependencies" => {
                                check(field, Position::Names, place, is_known)?;
                            }
                            _ => check(field, Position::Schema, place, is_known)?,
                        }
                    }
                }
                place.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                place.push_str(&format!("/{index}"));
                check(item, Position::Schema, place, is_known)?;
                place.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}

fn check_keyword(key: &str, field: &Value, is_known: &dyn Fn(&str) -> bool) -> Result<(), String> {
    let ("$ref" | "$dynamicRef" | "$recursiveRef", Some(target)) = (key, field.as_str()) else {
        return Ok(());
    };
    if !target.starts_with('#') {
        return Err(format!(
            "`{}` points out of the schema: only references that start with # are resolved",
            shorten(target)
        ));
    }
    if !is_known(target) {
        return Err(format!("`{}` points at nothing in the schema", shorten(target)));
    }
    Ok(())
}

fn leads_somewhere(schema: &Value, target: &str) -> bool {
    let target = target.trim_start_matches('#');
    if target.is_empty() || target.starts_with('/') {
        return schema.pointer(target).is_some();
    }
    has_anchor(schema, target)
}

/// Whether a part of it (or itself, unless it `is_root`) says what it is called by the world.
fn has_identity(value: &Value, is_root: bool) -> bool {
    match value {
        Value::Object(fields) => {
            !is_root && fields.get("$id").is_some_and(Value::is_string)
                || fields.values().any(|field| has_identity(field, false))
        }
        Value::Array(items) => items.iter().any(|item| has_identity(item, false)),
        _ => false,
    }
}

fn has_anchor(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(fields) => {
            let is_called = |key: &str| fields.get(key).and_then(Value::as_str) == Some(name);
            is_called("$anchor")
                || is_called("$dynamicAnchor")
                || fields.values().any(|field| has_anchor(field, name))
        }
        Value::Array(items) => items.iter().any(|item| has_anchor(item, name)),
        _ => false,
    }
}
