//! Schemas of OpenAPI become JSON Schema 2020-12: references are put in place, and what cannot be expressed is left open.
//!
//! A schema that was made accepts at least what the document's accepts. Where something had to be left out, a note says so.

use serde_json::{Map, Value, json};

use super::{
    keywords::{self, Keyword},
    notes::{Notes, short},
    refs::Document,
};

/// Nesting at which a schema is left open; the registry takes 48, and values, lists and the root need some.
const MAX_DEPTH: usize = 34;
/// What a node costs beside its text.
const NODE_BYTES: usize = 8;

/// Some properties are sent only, others are only answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

impl Way {
    /// The mark of properties that do not go this way.
    fn other(self) -> &'static str {
        match self {
            Self::In => "readOnly",
            Self::Out => "writeOnly",
        }
    }
}

pub(super) struct Schemas<'a, 'n> {
    document: Document<'a>,
    way: Way,
    notes: &'n mut Notes,
    /// The references that are being put in place.
    within: Vec<String>,
    /// How often something was left open. Where that happened, `not` and its like would turn it around.
    loosened: usize,
}

impl<'a, 'n> Schemas<'a, 'n> {
    pub(super) fn new(document: Document<'a>, way: Way, notes: &'n mut Notes) -> Self {
        Self { document, way, notes, within: Vec::new(), loosened: 0 }
    }

    /// The schema as JSON Schema. Fails when a reference leads nowhere, or out of the document.
    pub(super) fn convert(&mut self, schema: &'a Value) -> Result<Value, String> {
        self.schema(schema, 0)
    }

    fn loosen(&mut self, note: impl Into<String>) {
        self.loosened += 1;
        self.notes.add(note);
    }

    fn spend(&mut self, bytes: usize) -> bool {
        let cost = bytes + NODE_BYTES;
        let has_enough = self.notes.left_bytes >= cost;
        self.notes.left_bytes = if has_enough { self.notes.left_bytes - cost } else { 0 };
        if !has_enough {
            self.loosen("the schemas are too large: parts of them are left open");
        }
        has_enough
    }

    fn schema(&mut self, schema: &'a Value, depth: usize) -> Result<Value, String> {
        let fields = match schema {
            Value::Bool(_) => return Ok(schema.clone()),
            Value::Object(fields) => fields,
            _ => {
                self.loosen("something stands where a schema belongs: it is left open");
                return Ok(json!({}));
            }
        };
        if depth > MAX_DEPTH {
            self.loosen("a schema nests too deep: parts of it are left open");
            return Ok(json!({}));
        }
        // Keys that are passed over cost time as well.
        if !self.spend(fields.len()) {
            return Ok(json!({}));
        }
        // Both may be wrapped into another schema, which makes the rest deeper.
        let is_nullable = fields.get("nullable") == Some(&Value::Bool(true));
        let depth = if is_nullable || fields.contains_key("$ref") { depth + 2 } else { depth };
        let made = match fields.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.reference(reference, fields, depth)?,
            None => Value::Object(self.object(fields, depth)?),
        };
        Ok(if is_nullable { keywords::or_null(made) } else { made })
    }

    fn reference(
        &mut self,
        reference: &str,
        fields: &'a Map<String, Value>,
        depth: usize,
    ) -> Result<Value, String> {
        let target = self.document.at(reference)?;
        let made = if self.within.iter().any(|outer| outer == reference) {
            self.loosen(format!("`{}` contains itself: the inner one is left open", short(reference)));
            json!({})
        } else {
            self.within.push(reference.to_owned());
            let made = self.schema(target, depth);
            self.within.pop();
            made?
        };
        // What stands beside a reference: texts replace those of the target, anything else holds as well.
        let mut beside = self.object(fields, depth)?;
        if beside.is_empty() {
            return Ok(made);
        }
        // A boolean schema has no texts to replace.
        let Value::Object(mut made) = made else { return Ok(json!({"allOf": [made, beside]})) };
        let texts: Vec<String> = beside.keys().filter(|key| keywords::is_annotation(key)).cloned().collect();
        for key in texts {
            if let Some(text) = beside.remove(&key) {
                made.insert(key, text);
            }
        }
        if !beside.is_empty() {
            beside.insert("allOf".to_owned(), json!([made]));
            return Ok(beside.into());
        }
        Ok(made.into())
    }

    fn object(&mut self, fields: &'a Map<String, Value>, depth: usize) -> Result<Map<String, Value>, String> {
        let mut made = Map::new();
        let mut is_cut = false;
        for (key, value) in fields {
            let before = self.loosened;
            match Keyword::of(key) {
                Keyword::Other => {}
                Keyword::Unsupported => self.loosen(format!("`{key}` in a schema is left out")),
                Keyword::Schemas => {
                    let Some(members) = value.as_object() else { continue };
                    let (members, cut) = self.members(members, key == "patternProperties", depth + 2)?;
                    is_cut |= cut;
                    made.insert(key.clone(), members.into());
                }
                Keyword::Schema => {
                    let inner = self.schema(value, depth + 1)?;
                    made.insert(key.clone(), inner);
                }
                // A schema that was left open would turn these around.
                Keyword::Negative => {
                    let inner = self.schema(value, depth + 1)?;
                    if self.loosened == before {
                        made.insert(key.clone(), inner);
                    }
                }
                Keyword::List => {
                    let Some(list) = self.list(value, depth + 2)? else { continue };
                    let is_open = key == "oneOf" && self.loosened > before;
                    // With an open branch two would match: any of them is as much as can be said.
                    made.insert(if is_open { "anyOf".to_owned() } else { key.clone() }, list);
                }
                Keyword::Plain => self.plain(key, value, &mut made),
            }
        }
        keywords::exclusive_bounds(fields, &mut made);
        self.required(fields, &mut made);
        if is_cut {
            // Members are missing: nothing can be said about those.
            for key in ["required", "additionalProperties", "unevaluatedProperties"] {
                made.remove(key);
            }
        }
        Ok(made)
    }

    fn members(
        &mut self,
        members: &'a Map<String, Value>,
        are_patterns: bool,
        depth: usize,
    ) -> Result<(Map<String, Value>, bool), String> {
        let mut made = Map::new();
        let mut is_cut = false;
        for (name, schema) in members {
            if self.goes_other_way(schema) {
                continue;
            }
            if !self.spend(name.len()) {
                return Ok((made, true));
            }
            if are_patterns && !self.compiles(name) {
                self.loosen("a pattern for names cannot be used: it is left out");
                is_cut = true;
                continue;
            }
            let schema = self.schema(schema, depth)?;
            made.insert(name.clone(), schema);
        }
        Ok((made, is_cut))
    }

    fn goes_other_way(&self, schema: &'a Value) -> bool {
        let mark = self.way.other();
        let is_marked = |schema: &Value| schema.get(mark) == Some(&Value::Bool(true));
        is_marked(schema) || self.document.resolve(schema).is_ok_and(is_marked)
    }

    fn list(&mut self, value: &'a Value, depth: usize) -> Result<Option<Value>, String> {
        let Some(items) = value.as_array().filter(|items| !items.is_empty()) else { return Ok(None) };
        let mut made = Vec::new();
        for item in items {
            if !self.spend(0) {
                made.push(json!({}));
                break;
            }
            made.push(self.schema(item, depth)?);
        }
        Ok(Some(made.into()))
    }

    /// To compile a pattern is work, however short it is.
    fn compiles(&mut self, pattern: &str) -> bool {
        self.spend(keywords::PATTERN_BYTES) && keywords::compiles(pattern)
    }

    fn plain(&mut self, key: &str, value: &Value, made: &mut Map<String, Value>) {
        // Paid for before it is looked at, so that what is thrown away has its price too.
        if !self.spend(keywords::cost(key, value)) {
            return;
        }
        match keywords::plain(key, value) {
            Ok(Some((key, value))) => drop(made.insert(key.to_owned(), value)),
            Ok(None) => {}
            Err(note) => self.loosen(note),
        }
    }

    /// What goes the other way only cannot be required here.
    fn required(&self, fields: &'a Map<String, Value>, made: &mut Map<String, Value>) {
        let Some(Value::Array(names)) = made.get_mut("required") else { return };
        let properties = fields.get("properties");
        names.retain(|name| {
            let schema = name.as_str().and_then(|name| properties?.get(name));
            schema.is_none_or(|schema| !self.goes_other_way(schema))
        });
        if names.is_empty() {
            made.remove("required");
        }
    }
}
