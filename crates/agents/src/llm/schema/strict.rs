//! The schemas that a provider holds a model to: OpenAI's strict mode, and the structured output of both.
//!
//! A schema that allows it is translated; one that does not is refused here, with the reason, and goes another way.

use serde_json::{Map, Value, json};

use super::{Translated, inline};

/// What the providers differ in.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Every property must be required.
    all_required: bool,
    /// Numbers have `minimum` and the like, arrays have `minItems` and `maxItems`.
    has_bounds: bool,
    formats: &'static [&'static str],
}

impl Rules {
    pub(super) const OPENAI: Self = Self {
        all_required: true,
        has_bounds: true,
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
    };
    pub(super) const ANTHROPIC: Self = Self {
        all_required: false,
        has_bounds: false,
        formats: &[
            "date-time",
            "time",
            "date",
            "duration",
            "email",
            "hostname",
            "uri",
            "ipv4",
            "ipv6",
            "uuid",
        ],
    };
}

const MAX_DEPTH: usize = 10;
const MAX_PROPERTIES: usize = 5_000;
const MAX_ENUM_VALUES: usize = 1_000;

const TYPES: &[&str] = &["string", "number", "integer", "boolean", "null", "object", "array"];
/// They say nothing that a model must keep to.
const SILENT: &[&str] = &[
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "required",
    "additionalProperties",
];
/// Without them the schema would mean something else.
const STRUCTURAL: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "prefixItems",
    "additionalItems",
    "$dynamicRef",
    "$recursiveRef",
];
const BOUNDS: &[&str] =
    &["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"];

pub(super) fn translate(rules: Rules, schema: &Value) -> Result<Translated, String> {
    let inlined = inline::inlined(schema)?;
    if inlined.get("type").is_none_or(|kind| kind != "object") || inlined.get("anyOf").is_some() {
        return Err("the root is not a plain object".into());
    }
    let mut work = Work { rules, properties: 0, enum_values: 0, warnings: Vec::new() };
    let schema = work.node(&inlined, "", 0)?;
    Ok(Translated { schema, strict: true, loose_because: None, warnings: work.warnings })
}

struct Work {
    rules: Rules,
    properties: usize,
    enum_values: usize,
    warnings: Vec<String>,
}

impl Work {
    fn node(&mut self, schema: &Value, path: &str, depth: usize) -> Result<Value, String> {
        let at = if path.is_empty() { "the root" } else { path };
        let fields = schema.as_object().filter(|fields| !fields.is_empty());
        let fields = fields.ok_or_else(|| format!("{at} takes any value"))?;
        if depth > MAX_DEPTH {
            return Err(format!("{at} nests deeper than {MAX_DEPTH} levels"));
        }
        if let Some(keyword) = STRUCTURAL.iter().find(|keyword| fields.contains_key(**keyword)) {
            return Err(format!("{at} has `{keyword}`"));
        }
        if let Some(only) = only_branch(fields) {
            return self.node(&only, path, depth);
        }
        let mut made = Map::new();
        let mut notes = Vec::new();
        if let Some(branches) = fields.get("anyOf").or_else(|| fields.get("oneOf")) {
            self.branches(fields, branches, path, depth, &mut made)?;
        } else {
            self.typed(fields, path, depth, &mut made)?;
        }
        self.keywords(fields, path, &mut made, &mut notes);
        if !notes.is_empty() {
            let said = made.get("description").and_then(Value::as_str).unwrap_or_default();
            let said = format!("{said} ({})", notes.join(", "));
            made.insert("description".into(), said.trim_start().into());
        }
        Ok(made.into())
    }

    fn branches(
        &mut self,
        fields: &Map<String, Value>,
        branches: &Value,
        path: &str,
        depth: usize,
        made: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let structural = ["allOf", "properties", "items", "enum", "const", "required"];
        let both = fields.contains_key("anyOf") && fields.contains_key("oneOf");
        if both || structural.iter().any(|keyword| fields.contains_key(*keyword)) {
            return Err(format!("{path} has alternatives beside something else"));
        }
        if fields.contains_key("oneOf") {
            self.warnings.push(format!("`oneOf` at {path} is rewritten as `anyOf`"));
        }
        let branches = branches.as_array().filter(|branches| !branches.is_empty());
        let branches = branches.ok_or_else(|| format!("{path} has no alternatives"))?;
        let kind = fields.get("type");
        let branches: Result<Vec<Value>, String> = branches
            .iter()
            .map(|branch| {
                let mut branch = branch.clone();
                // A type beside the alternatives is that of each.
                if let (Some(kind), Some(branch)) = (kind, branch.as_object_mut()) {
                    branch.entry("type").or_insert(kind.clone());
                }
                self.node(&branch, path, depth + 1)
            })
            .collect();
        made.insert("anyOf".into(), branches?.into());
        Ok(())
    }

    fn typed(
        &mut self,
        fields: &Map<String, Value>,
        path: &str,
        depth: usize,
        made: &mut Map<String, Value>,
    ) -> Result<(), String> {
        if fields.contains_key("allOf") {
            return Err(format!("{path} has `allOf`"));
        }
        self.values(fields, path, made)?;
        let kind = fields.get("type").cloned().or_else(|| type_of_values(made));
        let kind = kind.ok_or_else(|| format!("{path} has no type"))?;
        let kinds: Vec<&str> = match &kind {
            Value::String(kind) => vec![kind],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if kinds.is_empty() || !kinds.iter().all(|kind| TYPES.contains(kind)) {
            return Err(format!("{path} has a type that is none"));
        }
        if kinds.contains(&"object") {
            self.object(fields, path, depth, made)?;
        }
        if kinds.contains(&"array") {
            let items = fields.get("items").ok_or_else(|| format!("{path} has items of any kind"))?;
            made.insert("items".into(), self.node(items, &format!("{path}/items"), depth + 1)?);
        }
        made.insert("type".into(), kind);
        Ok(())
    }

    fn values(
        &mut self,
        fields: &Map<String, Value>,
        path: &str,
        made: &mut Map<String, Value>,
    ) -> Result<(), String> {
        for keyword in ["enum", "const"] {
            let Some(value) = fields.get(keyword) else { continue };
            let all = value.as_array().filter(|_| keyword == "enum");
            let values: Vec<&Value> = all.map_or_else(|| vec![value], |all| all.iter().collect());
            self.enum_values += values.len();
            let is_plain = |value: &&Value| !value.is_object() && !value.is_array();
            if values.is_empty() || !values.iter().all(is_plain) || self.enum_values > MAX_ENUM_VALUES {
                return Err(format!("`{keyword}` at {path} is too much"));
            }
            made.insert(keyword.into(), value.clone());
        }
        Ok(())
    }

    fn object(
        &mut self,
        fields: &Map<String, Value>,
        path: &str,
        depth: usize,
        made: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let at = if path.is_empty() { "the root" } else { path };
        let properties = fields.get("properties").and_then(Value::as_object);
        match (fields.get("additionalProperties"), properties) {
            (Some(Value::Bool(false)), _) | (None, Some(_)) => {}
            _ => return Err(format!("{at} takes properties of any name")),
        }
        let empty = Map::new();
        let properties = properties.unwrap_or(&empty);
        let required = fields.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|other| other == name));
        self.properties += properties.len();
        if self.properties > MAX_PROPERTIES {
            return Err(format!("it has more than {MAX_PROPERTIES} properties"));
        }
        let mut kept = Map::new();
        let mut names = Vec::new();
        for (name, property) in properties {
            let inner = format!("{path}/{name}");
            if is_required(name) {
                names.push(Value::from(name.as_str()));
            } else if self.rules.all_required {
                return Err(format!("{inner} is optional"));
            }
            kept.insert(name.clone(), self.node(property, &inner, depth + 1)?);
        }
        made.insert("properties".into(), kept.into());
        made.insert("required".into(), names.into());
        made.insert("additionalProperties".into(), json!(false));
        Ok(())
    }

    /// What is neither structure nor value: kept, told in the description, or silently gone.
    fn keywords(
        &mut self,
        fields: &Map<String, Value>,
        path: &str,
        made: &mut Map<String, Value>,
        notes: &mut Vec<String>,
    ) {
        for (keyword, value) in fields {
            let name = keyword.as_str();
            let is_kept = match name {
                "title" | "description" | "pattern" => value.is_string(),
                "format" => value.as_str().is_some_and(|format| self.rules.formats.contains(&format)),
                _ => self.rules.has_bounds && BOUNDS.contains(&name) && value.is_number(),
            };
            let is_done = made.contains_key(name) || matches!(name, "anyOf" | "oneOf" | "type");
            if is_kept {
                made.insert(keyword.clone(), value.clone());
            } else if !is_done && !SILENT.contains(&name) && !name.starts_with("x-") {
                self.warnings.push(format!("`{name}` at {path} is told in words"));
                notes.push(format!("{name}: {value}"));
            }
        }
    }
}

/// `allOf` with one branch and nothing but words beside it is that branch.
fn only_branch(fields: &Map<String, Value>) -> Option<Value> {
    let [Value::Object(branch)] = fields.get("allOf")?.as_array()?.as_slice() else { return None };
    let is_word = |name: &String| matches!(name.as_str(), "allOf" | "title" | "description" | "default");
    if !fields.keys().all(is_word) {
        return None;
    }
    let mut branch = branch.clone();
    for (name, value) in fields.iter().filter(|(name, _)| *name != "allOf") {
        branch.insert(name.clone(), value.clone());
    }
    Some(branch.into())
}

/// The type that all listed values have.
fn type_of_values(made: &Map<String, Value>) -> Option<Value> {
    let of = |value: &Value| match value {
        Value::String(_) => Some("string"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(number) if number.is_f64() => Some("number"),
        Value::Number(_) => Some("integer"),
        Value::Null => Some("null"),
        Value::Array(_) | Value::Object(_) => None,
    };
    let values = match (made.get("const"), made.get("enum")) {
        (Some(value), _) => vec![value],
        (None, Some(Value::Array(values))) => values.iter().collect(),
        _ => return None,
    };
    let first = of(values.first()?)?;
    values.iter().all(|value| of(value) == Some(first)).then(|| first.into())
}
