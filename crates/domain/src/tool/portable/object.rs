//! Objects: which properties there are, and whether there are others.

use serde_json::{Map, Value};

use super::{
    Role,
    keyword::{Fields, copy, list},
    node::{Beyond, Place, Work},
    pattern::is_portable,
    words::shortened,
};

/// Names that every provider takes.
const MAX_NAME_BYTES: usize = 64;

impl Work<'_> {
    pub(super) fn object(
        &mut self,
        fields: &Fields,
        made: &mut Fields,
        place: Place,
        remarks: &mut Vec<String>,
    ) -> Result<(), Beyond> {
        for name in ["minProperties", "maxProperties"] {
            copy(fields, made, name, Value::is_u64);
        }
        // Whether something was left out that a closed object would refuse.
        let mut must_open = false;
        let mut kept = Map::new();
        for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if self.role == Role::Input && !is_property_name(name) {
                must_open = true;
                remarks.push(format!(
                    "There is also the property {}, whose name not every client takes.",
                    shortened(&format!("{name:?}"), 80)
                ));
            } else if let Some(property) = self.node(property, &[], place.inside())? {
                kept.insert(name.clone(), property.into());
            }
        }
        let mut patterns = Map::new();
        for (pattern, property) in
            fields.get("patternProperties").and_then(Value::as_object).into_iter().flatten()
        {
            if !is_portable(pattern) {
                must_open = true;
            } else if let Some(property) = self.node(property, &[], place.inside())? {
                patterns.insert(pattern.clone(), property.into());
            }
        }
        let others = match fields.get("additionalProperties") {
            None => None,
            Some(others) => Some(self.node(others, &[], place.inside())?),
        };
        let mut required: Vec<String> = Vec::new();
        for name in list(fields, "required").iter().filter_map(Value::as_str) {
            let is_named = kept.contains_key(name);
            if required.iter().any(|known| known == name) || (!is_named && !is_property_name(name)) {
                continue;
            }
            if !is_named {
                let any = || self.anything();
                let own = others.clone().flatten().filter(|_| patterns.is_empty());
                kept.insert(name.to_owned(), own.unwrap_or_else(any).into());
            }
            required.push(name.to_owned());
        }
        let others = match others {
            _ if must_open => None,
            None => None,
            Some(None) => Some(Value::Bool(false)),
            Some(Some(any)) if any == self.anything() => Some(Value::Bool(true)),
            Some(Some(schema)) => Some(schema.into()),
        };
        let is_bare = kept.is_empty() && patterns.is_empty();
        let is_typed = made.contains_key("type");
        match others {
            Some(others) => drop(made.insert("additionalProperties".into(), others)),
            // Some clients take silence for closed where nothing is named.
            None if is_bare && is_typed => drop(made.insert("additionalProperties".into(), true.into())),
            None => {}
        }
        if !kept.is_empty() {
            made.insert("properties".into(), kept.into());
        }
        if !patterns.is_empty() {
            made.insert("patternProperties".into(), patterns.into());
        }
        if !required.is_empty() {
            made.insert("required".into(), required.into());
        }
        Ok(())
    }
}

/// `^[a-zA-Z0-9_.-]{1,64}$`
pub(super) fn is_property_name(name: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}
