//! What some client would refuse of a schema.

use serde_json::{Map, Value};

use super::{
    MAX_BYTES, MAX_DEPTH, MAX_LEVELS, MAX_NODES, Role, Rule, Severity,
    keyword::{kind_of, list},
    object::is_property_name,
    pattern::is_portable,
    reference,
};
use crate::json::encoded_len;

/// More are not told.
const MAX_COMPLAINTS: usize = 100;
const NEWEST: &str = "json-schema.org/draft/2020-12/schema";
/// What a root may not be made of.
const COMBINED: [&str; 7] = ["anyOf", "oneOf", "allOf", "not", "if", "enum", "const"];
/// Inside a schema: not understood by strict clients, or read differently from draft to draft.
const UNUSUAL: [&str; 16] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "contains",
    "prefixItems",
    "additionalItems",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "nullable",
    "definitions",
    "$dynamicRef",
];
const STRICT_MAX_PROPERTIES: usize = 5_000;

/// Something that some client would refuse, or read less of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Where in the schema.
    pub pointer: String,
    pub rule: Rule,
    pub severity: Severity,
    pub why: String,
}

impl Complaint {
    /// Who would.
    pub fn clients(&self) -> &'static [&'static str] {
        self.rule.clients()
    }

    pub fn blocks(&self) -> bool {
        self.severity == Severity::Blocks
    }
}

/// What the clients that we know of would refuse of this schema, or not read.
pub fn complaints(schema: &Value, role: Role) -> Vec<Complaint> {
    let mut work = Work { root: schema, role, found: Vec::new(), nodes: 0, properties: 0 };
    work.root();
    work.schema(schema, "", 0, 0);
    if work.properties > STRICT_MAX_PROPERTIES || work.nodes > MAX_NODES || encoded_len(schema) > MAX_BYTES {
        work.note("", Rule::Size, "it is larger than clients take".to_owned());
    }
    work.found
}

struct Work<'a> {
    root: &'a Value,
    role: Role,
    found: Vec<Complaint>,
    nodes: usize,
    properties: usize,
}

impl Work<'_> {
    fn note(&mut self, pointer: &str, rule: Rule, why: String) {
        if self.found.len() < MAX_COMPLAINTS {
            let severity = rule.severity(self.role);
            self.found.push(Complaint { pointer: pointer.to_owned(), rule, severity, why });
        }
    }

    fn root(&mut self) {
        let none = Map::new();
        let fields = self.root.as_object().unwrap_or(&none);
        if fields.get("type").and_then(Value::as_str) != Some("object") {
            self.note("/type", Rule::RootObject, "the root says `type: object`".to_owned());
        }
        if !fields.get("properties").is_some_and(Value::is_object) {
            self.note(
                "/properties",
                Rule::RootProperties,
                "the root names its properties, if only `{}`".to_owned(),
            );
        }
        for keyword in COMBINED.into_iter().filter(|keyword| fields.contains_key(*keyword)) {
            let why = format!("`{keyword}` may not stand at the root");
            self.note(&format!("/{keyword}"), Rule::RootUnion, why);
        }
        if let Some(uri) = fields.get("$schema")
            && !uri.as_str().is_some_and(|uri| uri.contains(NEWEST))
        {
            self.note("/$schema", Rule::Dialect, "schemas of tools are of the dialect 2020-12".to_owned());
        }
    }

    fn schema(&mut self, schema: &Value, at: &str, depth: usize, level: usize) {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return;
        }
        let fields = match schema {
            Value::Object(fields) => fields,
            _ => {
                return self.note(at, Rule::BooleanSchema, "a schema is an object, not a boolean".to_owned());
            }
        };
        if depth > MAX_DEPTH || level > MAX_LEVELS {
            return self.note(at, Rule::Depth, format!("it nests deeper than {MAX_DEPTH} levels"));
        }
        self.reference(fields, at);
        self.draft_four(fields, at);
        self.types(fields, at, level);
        self.values(fields, at);
        let here = |keyword: &str| format!("{at}/{keyword}");
        for keyword in UNUSUAL.into_iter().filter(|keyword| fields.contains_key(*keyword)) {
            if level > 0 || !COMBINED.contains(&keyword) {
                self.note(&here(keyword), Rule::Keyword, format!("`{keyword}` is not read by everyone"));
            }
        }
        if let Some(pattern) = fields.get("pattern").and_then(Value::as_str)
            && !is_portable(pattern)
        {
            self.note(&here("pattern"), Rule::Pattern, "the pattern does not compile everywhere".to_owned());
        }
        self.object(fields, at, depth, level);
        self.array(fields, at, depth, level);
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for (index, branch) in list(fields, keyword).iter().enumerate() {
                self.schema(branch, &format!("{at}/{keyword}/{index}"), depth, level + 1);
            }
        }
    }

    fn reference(&mut self, fields: &Map<String, Value>, at: &str) {
        let Some(target) = fields.get("$ref") else { return };
        let target = target.as_str().unwrap_or_default();
        let here = format!("{at}/$ref");
        match reference::target(self.root, target) {
            None => self.note(&here, Rule::Reference, "it leads out of the schema, or nowhere".to_owned()),
            Some(found) if leads_back(self.root, found, target) => {
                self.note(&here, Rule::Reference, "it leads back to itself".to_owned());
            }
            Some(_) => self.note(&here, Rule::LocalReference, "not everyone follows references".to_owned()),
        }
    }

    fn draft_four(&mut self, fields: &Map<String, Value>, at: &str) {
        let is_old = [
            ("exclusiveMinimum", fields.get("exclusiveMinimum").is_some_and(Value::is_boolean)),
            ("exclusiveMaximum", fields.get("exclusiveMaximum").is_some_and(Value::is_boolean)),
            ("required", fields.get("required").is_some_and(Value::is_boolean)),
            ("items", fields.get("items").is_some_and(Value::is_array)),
        ];
        for (keyword, _) in is_old.into_iter().filter(|(_, is_old)| *is_old) {
            let why = format!("`{keyword}` is spelt as in an old draft");
            self.note(&format!("{at}/{keyword}"), Rule::DraftFour, why);
        }
    }

    fn types(&mut self, fields: &Map<String, Value>, at: &str, level: usize) {
        match fields.get("type") {
            Some(Value::Array(_)) => {
                self.note(
                    &format!("{at}/type"),
                    Rule::TypeList,
                    "not everyone reads a list of types".to_owned(),
                );
            }
            Some(_) => {}
            None => {
                let is_said =
                    ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| fields.contains_key(*keyword));
                if level > 0 && !is_said {
                    self.note(at, Rule::NoType, "it says no type".to_owned());
                }
            }
        }
    }

    fn values(&mut self, fields: &Map<String, Value>, at: &str) {
        let mut kinds: Vec<&str> = list(fields, "enum").iter().map(kind_of).collect();
        for kind in &mut kinds {
            if *kind == "integer" {
                *kind = "number";
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > 1 {
            let why = format!("values of several types are listed: {}", kinds.join(", "));
            self.note(&format!("{at}/enum"), Rule::MixedEnum, why);
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, at: &str, depth: usize, level: usize) {
        let none = Map::new();
        let properties = fields.get("properties").and_then(Value::as_object).unwrap_or(&none);
        self.properties += properties.len();
        for (name, property) in properties {
            let place = format!("{at}/properties/{}", escaped(name));
            if self.role == Role::Input && !is_property_name(name) {
                let why =
                    "names of properties are of letters, digits, `_`, `.` and `-`, at most 64".to_owned();
                self.note(&place, Rule::PropertyName, why);
            }
            self.schema(property, &place, depth + 1, level + 1);
        }
        for name in list(fields, "required").iter().filter_map(Value::as_str) {
            if !properties.contains_key(name) {
                let why = format!("`{}` is required and not named", super::words::shortened(name, 64));
                self.note(&format!("{at}/required"), Rule::RequiredUnknown, why);
            }
        }
        for (pattern, property) in
            fields.get("patternProperties").and_then(Value::as_object).into_iter().flatten()
        {
            let place = format!("{at}/patternProperties/{}", escaped(pattern));
            if !is_portable(pattern) {
                self.note(&place, Rule::Pattern, "the pattern does not compile everywhere".to_owned());
            }
            self.schema(property, &place, depth + 1, level + 1);
        }
        let here = format!("{at}/additionalProperties");
        let is_bare = properties.is_empty() && !fields.contains_key("patternProperties");
        let is_object = fields.get("type").is_some_and(|kind| kind == "object");
        match fields.get("additionalProperties") {
            Some(Value::Object(others)) if others.is_empty() => {
                self.note(
                    &here,
                    Rule::OpenEmpty,
                    "an empty schema is taken for closed by one, and refused by another".to_owned(),
                );
            }
            Some(others @ Value::Object(_)) => self.schema(others, &here, depth + 1, level + 1),
            Some(Value::Bool(true)) => {
                self.note(&here, Rule::OpenObject, "properties of any name keep strict mode away".to_owned());
            }
            None if is_bare && is_object => {
                self.note(at, Rule::OpenObject, "it names no properties and is not closed".to_owned());
            }
            _ => {}
        }
    }

    fn array(&mut self, fields: &Map<String, Value>, at: &str, depth: usize, level: usize) {
        let is_array = fields.get("type").is_some_and(|kind| kind == "array");
        match fields.get("items") {
            Some(items @ Value::Object(_)) => {
                self.schema(items, &format!("{at}/items"), depth + 1, level + 1);
            }
            Some(Value::Array(_)) => {}
            _ if is_array => self.note(at, Rule::NoItems, "an array says what its items are".to_owned()),
            _ => {}
        }
    }
}

/// Whether what a reference names contains it.
fn leads_back(root: &Value, found: &Value, reference: &str) -> bool {
    let mut seen = vec![reference.to_owned()];
    let mut waiting = vec![found];
    let mut steps = 0;
    while let Some(value) = waiting.pop() {
        steps += 1;
        if steps > MAX_NODES {
            return true;
        }
        match value {
            Value::Object(fields) => {
                if let Some(next) = fields.get("$ref").and_then(Value::as_str) {
                    if next == reference {
                        return true;
                    }
                    if !seen.iter().any(|known| known == next) {
                        seen.push(next.to_owned());
                        waiting.extend(reference::target(root, next));
                    }
                }
                waiting.extend(fields.values());
            }
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    false
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
