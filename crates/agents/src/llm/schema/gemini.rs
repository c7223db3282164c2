//! Gemini's select subset of an OpenAPI 3.0 schema. Whatever comes in, something that it takes goes out.

use serde_json::{Map, Value, json};

use super::{Translated, inline, merge};
use crate::llm::NameRule;

const MAX_DEPTH: usize = 24;

/// Keywords that mean the same, by type.
const STRING: &[&str] = &["minLength", "maxLength", "pattern"];
const NUMBER: &[&str] = &["minimum", "maximum"];
const ARRAY: &[&str] = &["minItems", "maxItems"];
const OBJECT: &[&str] = &["minProperties", "maxProperties"];
/// Read elsewhere, or nothing that a model must keep to.
const KNOWN: &[&str] = &[
    "type",
    "title",
    "description",
    "enum",
    "const",
    "nullable",
    "properties",
    "required",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "format",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "$defs",
    "definitions",
];

/// The parameters of a function: always an object, without `properties` where it has none.
pub(super) fn translate(schema: &Value) -> Translated {
    let mut work = Work { is_input: true, is_vague: false, warnings: Vec::new() };
    let root = match work.inlined(schema) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let (mut root, merged) = merge::merged(root, &["allOf", "anyOf", "oneOf"]);
    for keyword in merged {
        work.warnings.push(format!("`{keyword}` of the input is rewritten: its branches become one object"));
    }
    for keyword in ["enum", "const", "nullable"] {
        root.remove(keyword);
    }
    root.insert("type".into(), "object".into());
    let schema = work.node(&root.into(), "", 0);
    Translated { schema, strict: false, loose_because: None, warnings: work.warnings }
}

/// The schema of an answer, which may be of any type; `None` where the model would be held to something else.
pub(super) fn translate_output(schema: &Value) -> Option<Translated> {
    let mut work = Work { is_input: false, is_vague: false, warnings: Vec::new() };
    let inlined = work.inlined(schema);
    let schema = work.node(&inlined, "", 0);
    let made = Translated { schema, strict: true, loose_because: None, warnings: work.warnings };
    (!work.is_vague).then_some(made)
}

struct Work {
    is_input: bool,
    /// Something stands for what cannot be said.
    is_vague: bool,
    warnings: Vec<String>,
}

impl Work {
    fn warn(&mut self, path: &str, what: &str) {
        let at = if path.is_empty() { "the root" } else { path };
        self.warnings.push(format!("{at}: {what}"));
    }

    /// The schema without references; where one cannot be put in place, it takes anything.
    fn inlined(&mut self, schema: &Value) -> Value {
        inline::inlined(schema).unwrap_or_else(|reason| {
            self.warn("", &format!("references are dropped: {reason}"));
            without_references(schema, 0)
        })
    }

    fn node(&mut self, schema: &Value, path: &str, depth: usize) -> Value {
        let Some(fields) = schema.as_object().filter(|_| depth <= MAX_DEPTH) else {
            return self.anything(&Map::new(), path);
        };
        let (fields, merged) = merge::merged(fields.clone(), &["allOf"]);
        if !merged.is_empty() {
            self.warn(path, "`allOf` is rewritten: its branches become one");
        }
        let (kinds, is_nullable) = self.kinds(&fields);
        let branches = fields.get("anyOf").or_else(|| fields.get("oneOf")).and_then(Value::as_array);
        let mut made = match (kinds.as_slice(), branches) {
            ([], Some(branches)) => return self.alternatives(branches, &fields, is_nullable, path, depth),
            ([], None) => return self.anything(&fields, path),
            ([kind], _) => {
                if branches.is_some() {
                    self.warn(path, "its alternatives are dropped: it has a type of its own");
                }
                self.typed(kind, &fields, path, depth)
            }
            (several, _) => {
                let each: Vec<Value> = several
                    .iter()
                    .map(|kind| {
                        let mut one = fields.clone();
                        one.insert("type".into(), (*kind).into());
                        Value::from(one)
                    })
                    .collect();
                return self.alternatives(&each, &Map::new(), is_nullable, path, depth);
            }
        };
        if is_nullable {
            made.insert("nullable".into(), true.into());
        }
        made.into()
    }

    /// The types but for `null`, from `type` or from the values, and whether `null` is one of them.
    fn kinds(&self, fields: &Map<String, Value>) -> (Vec<&'static str>, bool) {
        let values: Vec<&Value> = match (fields.get("const"), fields.get("enum")) {
            (Some(value), _) => vec![value],
            (None, Some(Value::Array(values))) => values.iter().collect(),
            _ => Vec::new(),
        };
        let mut names: Vec<&str> = match fields.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ if fields.contains_key("properties") => vec!["object"],
            _ if fields.contains_key("items") => vec!["array"],
            _ => values.iter().map(|value| name_of(value)).collect(),
        };
        let flag = fields.get("nullable").and_then(Value::as_bool).unwrap_or(false);
        let is_nullable = flag || names.contains(&"null") || values.iter().any(|value| value.is_null());
        names.retain(|name| *name != "null");
        let mut kinds: Vec<&'static str> = names.into_iter().filter_map(known_kind).collect();
        kinds.dedup();
        // Only `null`: Gemini knows the type, but takes it in few places.
        if kinds.is_empty() && is_nullable && !fields.contains_key("anyOf") && !fields.contains_key("oneOf") {
            kinds.push("string");
        }
        (kinds, is_nullable)
    }

    fn typed(
        &mut self,
        kind: &'static str,
        fields: &Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Map<String, Value> {
        let mut made = Map::new();
        made.insert("type".into(), kind.to_ascii_uppercase().into());
        let mut notes = Vec::new();
        let kept: &[&str] = match kind {
            "string" => STRING,
            "number" | "integer" => NUMBER,
            "array" => ARRAY,
            "object" => OBJECT,
            _ => &[],
        };
        for (name, value) in fields {
            let is_of_type = if name == "pattern" { value.is_string() } else { value.is_number() };
            if kept.contains(&name.as_str()) && is_of_type {
                made.insert(name.clone(), value.clone());
            } else if name == "default" {
                notes.push(format!("default: {value}"));
            } else if name == "additionalProperties" {
                if kind == "object" && value.is_object() {
                    self.warn(path, "properties of any name are not described");
                }
            } else if !KNOWN.contains(&name.as_str()) && !name.starts_with("x-") {
                self.warn(path, &format!("`{name}` is told in words"));
                notes.push(format!("{name}: {value}"));
            }
        }
        self.format(kind, fields, path, &mut made, &mut notes);
        self.values(kind, fields, path, &mut made, &mut notes);
        match kind {
            "object" => self.object(fields, path, depth, &mut made),
            "array" => self.array(fields, path, depth, &mut made),
            "number" | "integer" => self.exclusive(kind, fields, path, &mut made, &mut notes),
            _ => {}
        }
        words(fields, &notes, &mut made);
        made
    }

    fn format(
        &mut self,
        kind: &str,
        fields: &Map<String, Value>,
        path: &str,
        made: &mut Map<String, Value>,
        notes: &mut Vec<String>,
    ) {
        let Some(format) = fields.get("format").and_then(Value::as_str) else { return };
        match (kind, format) {
            ("string", "date-time") | ("number", "float" | "double") | ("integer", "int32" | "int64") => {
                made.insert("format".into(), format.into());
            }
            _ => {
                self.warn(path, &format!("the format `{format}` is told in words"));
                notes.push(format!("format: {format}"));
            }
        }
    }

    /// Only texts can be listed.
    fn values(
        &mut self,
        kind: &str,
        fields: &Map<String, Value>,
        path: &str,
        made: &mut Map<String, Value>,
        notes: &mut Vec<String>,
    ) {
        let values: Vec<&Value> = match (fields.get("const"), fields.get("enum")) {
            (Some(value), _) => vec![value],
            (None, Some(Value::Array(values))) => values.iter().collect(),
            _ => return,
        };
        let mut texts: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
        texts.dedup();
        if kind == "string" && !texts.is_empty() && !texts.contains(&"") {
            made.insert("enum".into(), texts.into());
            made.insert("format".into(), "enum".into());
        } else if !values.iter().all(|value| value.is_null()) {
            self.warn(path, "the values that it may have are told in words");
            let listed: Vec<String> = values.iter().map(ToString::to_string).collect();
            notes.push(format!("one of {}", listed.join(", ")));
        }
    }

    fn object(
        &mut self,
        fields: &Map<String, Value>,
        path: &str,
        depth: usize,
        made: &mut Map<String, Value>,
    ) {
        let mut kept = Map::new();
        for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if is_key(name) {
                kept.insert(name.clone(), self.node(property, &format!("{path}/{name}"), depth + 1));
            } else {
                self.warn(path, &format!("the property `{name}` is dropped: its name is not accepted"));
            }
        }
        if kept.is_empty() {
            // A function without parameters goes without a schema.
            if self.is_input && depth == 0 {
                return;
            }
            self.is_vague = true;
            self.warn(path, "an object needs a property, so one stands for those of any name");
            let stand_in =
                json!({"type": "STRING", "nullable": true, "description": "Stands for any property."});
            kept.insert("_any".into(), stand_in);
        }
        let required = fields.get("required").and_then(Value::as_array).into_iter().flatten();
        let mut required: Vec<&str> =
            required.filter_map(Value::as_str).filter(|name| kept.contains_key(*name)).collect();
        required.sort_unstable();
        required.dedup();
        if !required.is_empty() {
            made.insert("required".into(), required.into());
        }
        made.insert("properties".into(), kept.into());
    }

    fn array(
        &mut self,
        fields: &Map<String, Value>,
        path: &str,
        depth: usize,
        made: &mut Map<String, Value>,
    ) {
        let inner = format!("{path}/items");
        let items = match (fields.get("items"), fields.get("prefixItems").and_then(Value::as_array)) {
            (_, Some(places)) if !places.is_empty() => {
                self.warn(path, "the places of its items are not told apart");
                self.node(&json!({"anyOf": places}), &inner, depth + 1)
            }
            (Some(items @ Value::Object(_)), _) => self.node(items, &inner, depth + 1),
            _ => self.anything(&Map::new(), &inner),
        };
        made.insert("items".into(), items);
    }

    fn exclusive(
        &mut self,
        kind: &str,
        fields: &Map<String, Value>,
        path: &str,
        made: &mut Map<String, Value>,
        notes: &mut Vec<String>,
    ) {
        for (name, inclusive, step) in
            [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)]
        {
            let Some(bound) = fields.get(name) else { continue };
            match bound.as_i64().and_then(|bound| bound.checked_add(step)) {
                Some(whole) if kind == "integer" && !made.contains_key(inclusive) => {
                    made.insert(inclusive.into(), whole.into());
                }
                _ => {
                    self.warn(path, &format!("`{name}` is told in words"));
                    notes.push(format!("{name}: {bound}"));
                }
            }
        }
    }

    /// `anyOf` stands alone in Gemini: what stands beside it goes into each branch.
    fn alternatives(
        &mut self,
        branches: &[Value],
        beside: &Map<String, Value>,
        is_nullable: bool,
        path: &str,
        depth: usize,
    ) -> Value {
        let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
        let is_nullable = is_nullable || branches.iter().any(is_null);
        let mut made: Vec<Value> = Vec::new();
        for branch in branches.iter().filter(|branch| !is_null(branch)) {
            let mut one = self.node(branch, path, depth + 1);
            // Alternatives inside alternatives are alternatives.
            let inner = match one.get_mut("anyOf").map(Value::take) {
                Some(Value::Array(inner)) => inner,
                _ => vec![one],
            };
            made.extend(inner);
        }
        let description = beside.get("description").and_then(Value::as_str);
        for one in made.iter_mut().filter_map(Value::as_object_mut) {
            if let Some(words) = description {
                one.entry("description").or_insert(words.into());
            }
            if is_nullable {
                one.insert("nullable".into(), true.into());
            }
        }
        made.dedup();
        match made.len() {
            0 => self.anything(beside, path),
            1 => made.remove(0),
            _ => json!({"anyOf": made}),
        }
    }

    /// A value of any type cannot be said; these are those that models need.
    fn anything(&mut self, fields: &Map<String, Value>, path: &str) -> Value {
        self.is_vague = true;
        self.warn(path, "any value is allowed, but only texts, numbers and booleans are described");
        let one = |kind: &str| {
            let mut made = Map::new();
            made.insert("type".into(), kind.into());
            words(fields, &[], &mut made);
            Value::from(made)
        };
        json!({"anyOf": [one("STRING"), one("NUMBER"), one("BOOLEAN")]})
    }
}

/// Title and description, with what could not be said otherwise.
fn words(fields: &Map<String, Value>, notes: &[String], made: &mut Map<String, Value>) {
    if let Some(title) = fields.get("title").filter(|title| title.is_string()) {
        made.insert("title".into(), title.clone());
    }
    let said = fields.get("description").and_then(Value::as_str).unwrap_or_default();
    let said = if notes.is_empty() { said.to_owned() } else { format!("{said} ({})", notes.join(", ")) };
    let said = said.trim();
    if !said.is_empty() {
        made.insert("description".into(), said.into());
    }
}

fn known_kind(name: &str) -> Option<&'static str> {
    ["string", "number", "integer", "boolean", "array", "object"].into_iter().find(|kind| *kind == name)
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// `^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`, as for functions.
fn is_key(name: &str) -> bool {
    NameRule::Gemini.is_legal(name)
}

fn without_references(schema: &Value, depth: usize) -> Value {
    match schema {
        Value::Object(_) if schema.get("$ref").is_some() || depth > MAX_DEPTH * 2 => json!({}),
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "$defs" | "definitions"));
            kept.map(|(name, value)| (name.clone(), without_references(value, depth + 1))).collect()
        }
        Value::Array(items) => items.iter().map(|item| without_references(item, depth + 1)).collect(),
        plain => plain.clone(),
    }
}
