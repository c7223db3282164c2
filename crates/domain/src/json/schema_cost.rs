//! What validating against a JSON Schema can cost.
//!
//! References let a small schema ask for exponential work: `a` is all of `b` and `b`, `b` is all of `c` and `c`, and
//! so on; and a recursive one multiplies with every level of the document. The library has no budget, so the work is
//! bounded from above before it starts: every part of the schema is costed once per level of the document.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

/// Schemas applied within each other, references followed. Each takes a few frames of the stack.
const MAX_NESTING: u32 = 250;
/// Pairs of schema and level that are costed.
const MAX_STATES: usize = 100_000;
/// Patterns are compiled, at up to some milliseconds each.
const MAX_PATTERNS: usize = 200;
/// Characters of a reference that an error shows.
const MAX_SHOWN_CHARS: usize = 60;
/// A pattern costs as much as this many other keywords.
const PATTERN_VISITS: u64 = 16;

/// An upper bound.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Schemas applied to any one value of the document.
    visits: u64,
    /// Schemas applied within each other.
    nesting: u32,
}

impl Cost {
    fn add(&mut self, inner: Self) {
        self.visits = self.visits.saturating_add(inner.visits);
        self.nesting = self.nesting.max(inner.nesting + 1);
    }

    fn max(self, other: Self) -> Self {
        Self { visits: self.visits.max(other.visits), nesting: self.nesting.max(other.nesting) }
    }
}

/// How many schemas are applied to a value at most, in a document of `levels` levels.
pub fn visits_per_value(schema: &Value, levels: u64) -> Result<u64, String> {
    let mut bound = Bound {
        places: Places::of(schema),
        known: HashMap::new(),
        pending: HashSet::new(),
        patterns: HashSet::new(),
    };
    Ok(bound.of(schema, levels, 0)?.visits)
}

struct Bound<'s> {
    places: Places<'s>,
    known: HashMap<(*const Value, u64), Cost>,
    /// What is being costed, to notice a schema that is part of itself.
    pending: HashSet<(*const Value, u64)>,
    patterns: HashSet<*const Value>,
}

impl<'s> Bound<'s> {
    /// The cost of `schema` on a value with `levels` levels below it.
    fn of(&mut self, schema: &'s Value, levels: u64, nesting: u32) -> Result<Cost, String> {
        let Value::Object(keywords) = schema else {
            return Ok(Cost { visits: 1, nesting: 1 });
        };
        let state = (std::ptr::from_ref(schema), levels);
        let cost = match self.known.get(&state) {
            Some(known) => *known,
            None => {
                if nesting > MAX_NESTING {
                    return Err(too_deep());
                }
                if self.known.len() + self.pending.len() >= MAX_STATES {
                    return Err("the schema is too large for a document of this depth".to_owned());
                }
                if !self.pending.insert(state) {
                    return Err(
                        "the schema contains itself: a `$ref` leads back without looking into the document"
                            .to_owned(),
                    );
                }
                let cost = self.of_keywords(schema, keywords, levels, nesting + 1)?;
                self.pending.remove(&state);
                self.known.insert(state, cost);
                cost
            }
        };
        if nesting + cost.nesting > MAX_NESTING { Err(too_deep()) } else { Ok(cost) }
    }

    fn of_keywords(
        &mut self,
        schema: &'s Value,
        keywords: &'s Map<String, Value>,
        levels: u64,
        nesting: u32,
    ) -> Result<Cost, String> {
        let mut cost = Cost { visits: 1 + keywords.len() as u64, nesting: 1 };
        // Which values no other keyword looked at is found out by applying them once more.
        let asks_twice =
            ["unevaluatedItems", "unevaluatedProperties"].iter().any(|key| keywords.contains_key(*key));
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                // A dynamic reference leads to one of the parts of that name.
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    let mut largest = Cost::default();
                    for target in self.places.targets(schema, reference)? {
                        largest = largest.max(self.of(target, levels, nesting)?);
                    }
                    cost.add(largest);
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                    for part in parts {
                        cost.add(self.of(part, levels, nesting)?);
                    }
                }
                ("not" | "if" | "then" | "else", part) => cost.add(self.of(part, levels, nesting)?),
                ("dependentSchemas" | "dependencies", Value::Object(parts)) => {
                    for part in parts.values() {
                        cost.add(self.of(part, levels, nesting)?);
                    }
                }
                // Of these, each value of the document meets at most one.
                ("properties", Value::Object(parts)) => {
                    cost.visits = cost.visits.saturating_add(lookups(parts.len()));
                    cost.add(self.largest(parts.values(), levels, nesting)?)
                }
                ("prefixItems" | "items", Value::Array(parts)) => {
                    cost.add(self.largest(parts.iter(), levels, nesting)?)
                }
                ("patternProperties", Value::Object(parts)) => {
                    for part in parts.values() {
                        self.pattern(part)?;
                        cost.visits = cost.visits.saturating_add(PATTERN_VISITS);
                        cost.add(self.below(part, levels, nesting)?);
                    }
                }
                (
                    "items"
                    | "additionalItems"
                    | "additionalProperties"
                    | "unevaluatedItems"
                    | "unevaluatedProperties"
                    | "contains"
                    | "propertyNames",
                    part,
                ) => cost.add(self.below(part, levels, nesting)?),
                ("pattern", pattern) => {
                    self.pattern(pattern)?;
                    cost.visits = cost.visits.saturating_add(PATTERN_VISITS);
                }
                ("enum" | "required", Value::Array(values)) => {
                    cost.visits = cost.visits.saturating_add(lookups(values.len()));
                }
                ("dependentRequired", Value::Object(lists)) => {
                    let names = lists.values().map(|list| 1 + list.as_array().map_or(0, Vec::len)).sum();
                    cost.visits = cost.visits.saturating_add(lookups(names));
                }
                _ => {}
            }
        }
        if asks_twice {
            cost.visits = cost.visits.saturating_mul(2);
        }
        Ok(cost)
    }

    /// The cost on the values one level down.
    fn below(&mut self, schema: &'s Value, levels: u64, nesting: u32) -> Result<Cost, String> {
        match levels.checked_sub(1) {
            Some(levels) => self.of(schema, levels, nesting),
            None => Ok(Cost::default()),
        }
    }

    fn largest(
        &mut self,
        parts: impl Iterator<Item = &'s Value>,
        levels: u64,
        nesting: u32,
    ) -> Result<Cost, String> {
        parts
            .into_iter()
            .try_fold(Cost::default(), |largest, part| Ok(largest.max(self.below(part, levels, nesting)?)))
    }

    fn pattern(&mut self, place: &Value) -> Result<(), String> {
        self.patterns.insert(std::ptr::from_ref(place));
        if self.patterns.len() > MAX_PATTERNS {
            return Err(format!("the schema has more than {MAX_PATTERNS} patterns"));
        }
        Ok(())
    }
}

/// Where references lead.
struct Places<'s> {
    /// The document of each part: the whole schema, or the part with an `$id` of its own that it stands in.
    documents: HashMap<*const Value, &'s Value>,
    anchors: HashMap<&'s str, Vec<&'s Value>>,
}

impl<'s> Places<'s> {
    fn of(schema: &'s Value) -> Self {
        let mut places = Self { documents: HashMap::new(), anchors: HashMap::new() };
        let mut open = vec![(schema, schema)];
        while let Some((value, document)) = open.pop() {
            match value {
                Value::Object(fields) => {
                    let id = fields.get("$id").and_then(Value::as_str);
                    let document = if id.is_some_and(|id| !id.starts_with('#')) { value } else { document };
                    places.documents.insert(std::ptr::from_ref(value), document);
                    for name in ["$anchor", "$dynamicAnchor", "$id"] {
                        if let Some(name) = fields.get(name).and_then(Value::as_str) {
                            places.anchors.entry(name.trim_start_matches('#')).or_default().push(value);
                        }
                    }
                    open.extend(fields.values().map(|field| (field, document)));
                }
                Value::Array(items) => open.extend(items.iter().map(|item| (item, document))),
                _ => {}
            }
        }
        places
    }

    fn targets(&self, from: &Value, reference: &str) -> Result<Vec<&'s Value>, String> {
        let document = self.documents.get(&std::ptr::from_ref(from)).copied();
        let fragment = reference.strip_prefix('#').map(percent_decoded);
        let found = match (document, fragment.as_deref()) {
            (Some(document), Some("")) => vec![document],
            (Some(document), Some(pointer)) if pointer.starts_with('/') => {
                document.pointer(pointer).into_iter().collect()
            }
            (_, Some(anchor)) => self.anchors.get(anchor).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        if found.is_empty() {
            let shown: String = reference.chars().filter(|c| !c.is_control()).take(MAX_SHOWN_CHARS).collect();
            return Err(format!(
                "`$ref` leads nowhere: `{shown}`. References point into the schema itself, as in `#/$defs/name`"
            ));
        }
        Ok(found)
    }
}

fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|hex| str::from_utf8(hex).ok());
        match digits.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                rest = &after[2..];
            }
            None => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// What looking through a list of the schema costs: much less per entry than applying a schema.
fn lookups(entries: usize) -> u64 {
    entries as u64 / 4
}

fn too_deep() -> String {
    format!("the schema applies more than {MAX_NESTING} schemas within each other")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_of_objects_cost_little_per_value() {
        let schema = json!({"items": {"properties": {"a": {"type": "string"}, "b": {"type": "number"}}}});
        assert!(visits_per_value(&schema, 2).unwrap() < 10);
    }

    #[test]
    fn a_recursive_schema_costs_by_the_depth_of_the_document() {
        let tree = json!({"properties": {"children": {"items": {"$ref": "#"}}}});
        let shallow = visits_per_value(&tree, 4).unwrap();
        let deep = visits_per_value(&tree, 40).unwrap();
        assert!(shallow < 40 && deep < 400, "{shallow} {deep}");
    }

    #[test]
    fn references_that_multiply_are_counted_without_being_followed_each_time() {
        let mut definitions = Map::new();
        for n in 0..60 {
            let next = format!("#/$defs/d{}", n + 1);
            definitions.insert(format!("d{n}"), json!({"allOf": [{"$ref": next}, {"$ref": next}]}));
        }
        definitions.insert("d60".to_owned(), json!({"type": "string"}));
        let bomb = json!({"$ref": "#/$defs/d0", "$defs": definitions});
        assert_eq!(visits_per_value(&bomb, 0).map(|visits| visits > 1 << 60), Ok(true));
        let recursive = json!({"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]});
        assert!(visits_per_value(&recursive, 60).unwrap() > 1 << 50);
    }

    #[test]
    fn a_schema_that_contains_itself_is_refused() {
        for schema in [json!({"$ref": "#"}), json!({"allOf": [{"not": {"$ref": "#/allOf/0"}}]})] {
            assert!(visits_per_value(&schema, 1).unwrap_err().contains("contains itself"));
        }
    }

    #[test]
    fn references_by_anchor_and_by_encoded_names_are_followed() {
        for schema in [
            json!({"$defs": {"a": {"$anchor": "here", "not": {"$ref": "#here"}}}, "items": {"$ref": "#here"}}),
            json!({"$defs": {"a b": {"not": {"$ref": "#/$defs/a%20b"}}}, "items": {"$ref": "#/$defs/a%20b"}}),
            json!({"$dynamicAnchor": "top", "not": {"$dynamicRef": "#top"}}),
            json!({"$defs": {"x": {"$id": "https://x.example/x", "not": {"$ref": "#"}}}, "items": {"$ref": "#/$defs/x"}}),
        ] {
            assert!(visits_per_value(&schema, 2).unwrap_err().contains("contains itself"), "{schema}");
        }
    }

    #[test]
    fn looking_for_what_was_not_looked_at_doubles_at_each_level() {
        let schema = (0..40).fold(
            json!({"type": "string"}),
            |inner, _| json!({"allOf": [inner], "unevaluatedProperties": false}),
        );
        assert!(visits_per_value(&schema, 1).unwrap() > 1 << 40);
    }
}
