//! One schema inside the document, as everybody reads it.

use serde_json::{Map, Value, json};

use super::{
    ANY_TYPES, MAX_LEVELS, MAX_NODES, MAX_PUBLISHED_DEPTH, Role, TYPES, conjoin, flatten,
    keyword::{
        ANNOTATIONS, Fields, OBJECT_KEYWORDS, annotate, anything_typed, copy, has_constraints, is_whole,
        kind_of, list, numbers, strings, tidied, values,
    },
    reference,
    words::{remark, shortened},
};

/// Read differently, or not at all, by one draft or another; some of them say what must not be, and cannot be widened.
const TOLD_IN_WORDS: [&str; 13] = [
    "not",
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Schemas that are looked at to learn a type.
const MAX_HOPS: usize = 32;

/// The schema grows beyond its bound.
pub(super) struct Beyond;

/// `None` where nothing fits the schema.
pub(super) type Made = Result<Option<Fields>, Beyond>;

pub(super) struct Work<'a> {
    pub(super) root: &'a Value,
    pub(super) role: Role,
    /// Of a draft in which whatever stands beside a reference is not read.
    is_old: bool,
    nodes: usize,
    /// The references that are being put in place.
    trail: Vec<String>,
    /// Inside so many schemas with addresses of their own, in which `#` means something else.
    foreign: usize,
}

/// Where in the document a schema stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Values inside values.
    pub(super) depth: usize,
    /// Schemas inside schemas.
    pub(super) level: usize,
}

impl Place {
    pub(super) const ROOT: Self = Self { depth: 0, level: 0 };

    /// For the same value.
    fn beside(self) -> Self {
        Self { level: self.level + 1, ..self }
    }

    /// For a value inside it.
    pub(super) fn inside(self) -> Self {
        Self { depth: self.depth + 1, level: self.level + 1 }
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(root: &'a Value, role: Role) -> Self {
        let is_old = root.get("$schema").and_then(Value::as_str).is_some_and(|uri| {
            ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].iter().any(|old| uri.contains(old))
        });
        Self { root, role, is_old, nodes: 0, trail: Vec::new(), foreign: 0 }
    }

    /// `inherited`: the types that the value has by what stands around this schema.
    pub(super) fn node(&mut self, schema: &Value, inherited: &[&'static str], place: Place) -> Made {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Beyond);
        }
        let fields = match schema {
            Value::Object(fields) => fields,
            Value::Bool(false) => return Ok(None),
            _ => return Ok(Some(self.of_types(inherited))),
        };
        if place.depth > MAX_PUBLISHED_DEPTH || place.level > MAX_LEVELS {
            return Ok(Some(self.cut(fields, "It nests deeper than is told here.")));
        }
        let has_address = place.level > 0 && fields.get("$id").is_some_and(Value::is_string);
        self.foreign += usize::from(has_address);
        let made = self.conjunction(fields, inherited, place);
        self.foreign -= usize::from(has_address);
        made
    }

    /// The schema with what it refers to and all that must hold beside it.
    fn conjunction(&mut self, fields: &Fields, inherited: &[&'static str], place: Place) -> Made {
        let mut types = self.declared(fields);
        if types.is_empty() {
            types = inherited.to_vec();
        }
        let referred = match fields.get("$ref").and_then(Value::as_str) {
            Some(target) => match self.referred(target, &types, place)? {
                Some(made) => Some(made),
                None => return Ok(None),
            },
            None => None,
        };
        let is_plain = |name: &String| name.starts_with('$') || ANNOTATIONS.contains(&name.as_str());
        if let Some(mut made) = referred.clone()
            && (self.is_old || fields.keys().all(is_plain))
        {
            annotate(&mut made, fields);
            return Ok(Some(made));
        }
        let Some(mut made) = self.own(fields, &types, place)? else { return Ok(None) };
        if let Some(target) = referred {
            made = conjoin::both(made, target);
        }
        for branch in list(fields, "allOf") {
            let Some(branch) = self.node(branch, &types, place.beside())? else { return Ok(None) };
            made = conjoin::both(made, branch);
        }
        Ok(Some(made))
    }

    /// The types that a schema names: itself, by reference, in one of `allOf`, or by its values.
    fn declared(&self, fields: &Fields) -> Vec<&'static str> {
        let mut waiting = vec![fields];
        // References can lead in circles.
        for _ in 0..MAX_HOPS {
            let Some(fields) = waiting.pop() else { break };
            let known = |name: &Value| TYPES.into_iter().find(|kind| name.as_str() == Some(kind));
            let named: Vec<&'static str> = match (fields.get("type"), values(fields)) {
                (Some(Value::Array(names)), _) => names.iter().filter_map(known).collect(),
                (Some(name), _) => known(name).into_iter().collect(),
                (None, Some(values)) => values.iter().map(kind_of).collect(),
                (None, None) => Vec::new(),
            };
            if !named.is_empty() {
                return tidied(named);
            }
            let target = fields.get("$ref").and_then(Value::as_str).filter(|_| self.foreign == 0);
            let target = target.and_then(|target| reference::target(self.root, target));
            let beside = list(fields, "allOf").iter().rev().chain(target);
            waiting.extend(beside.filter_map(Value::as_object));
        }
        Vec::new()
    }

    fn referred(&mut self, target: &str, types: &[&'static str], place: Place) -> Made {
        let found = if self.foreign > 0 { None } else { reference::target(self.root, target) };
        let Some(found) = found else {
            let mut made = self.of_types(types);
            remark(&mut made, &["What it refers to is not part of this schema.".to_owned()]);
            return Ok(Some(made));
        };
        if self.trail.iter().any(|known| known == target) || (target == "#" && place.level > 0) {
            let none = Map::new();
            return Ok(Some(
                self.cut(found.as_object().unwrap_or(&none), "It nests again, in the same way."),
            ));
        }
        self.trail.push(target.to_owned());
        let made = self.node(found, types, place.beside());
        self.trail.pop();
        made
    }

    /// What the schema itself says.
    fn own(&mut self, fields: &Fields, types: &[&'static str], place: Place) -> Made {
        let mut unions = Vec::new();
        for keyword in ["anyOf", "oneOf"] {
            let branches: Vec<Value> = list(fields, keyword).to_vec();
            if branches.is_empty() {
                continue;
            }
            let mut made = Vec::new();
            for branch in &branches {
                made.extend(self.node(branch, types, place.beside())?);
            }
            if made.is_empty() {
                return Ok(None);
            }
            unions.push(made);
        }
        let mut remarks = Vec::new();
        let says_object = OBJECT_KEYWORDS.iter().any(|keyword| fields.contains_key(*keyword));
        let is_object = types == ["object"] && (says_object || place.level == 0);
        let has_more = fields.contains_key("$ref") || !list(fields, "allOf").is_empty();
        let mut made = match (types, unions.is_empty()) {
            (_, false) if types.len() != 1 || (types == ["object"] && !is_object) => Map::new(),
            // Whatever else must hold says what it is.
            (_, true) if has_more && !fields.contains_key("type") && !has_constraints(fields) => Map::new(),
            ([], true) if !has_constraints(fields) => self.anything(),
            ([], true) if self.role == Role::Output => self.untyped(fields, place, &mut remarks)?,
            ([], true) => match self.each(&ANY_TYPES, fields, place, &mut remarks)? {
                Some(made) => made,
                None => return Ok(None),
            },
            (types, _) => match self.each(types, fields, place, &mut remarks)? {
                Some(made) => made,
                None => return Ok(None),
            },
        };
        annotate(&mut made, fields);
        for branches in unions {
            if is_object {
                made = flatten::into_one(made, branches, self.role);
            } else if !made.contains_key("anyOf") {
                let one = conjoin::either(branches);
                made = if made.keys().all(|name| ANNOTATIONS.contains(&name.as_str())) {
                    let mut one = one;
                    annotate(&mut one, fields);
                    one
                } else if one.contains_key("anyOf") {
                    made.extend(one.into_iter().filter(|(name, _)| name == "anyOf"));
                    made
                } else {
                    conjoin::both(made, one)
                };
            }
        }
        let told: Map<String, Value> = fields
            .iter()
            .filter(|(name, value)| {
                TOLD_IN_WORDS.contains(&name.as_str()) && **value != json!({"type": "string"})
            })
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !told.is_empty() {
            remarks.push(format!("Also held to: {}", shortened(&Value::from(told).to_string(), 220)));
        }
        remark(&mut made, &remarks);
        Ok(Some(made))
    }

    /// The schema for each type that the value may have.
    fn each(
        &mut self,
        types: &[&'static str],
        fields: &Fields,
        place: Place,
        remarks: &mut Vec<String>,
    ) -> Made {
        let mut made = Vec::new();
        for kind in types {
            made.extend(self.typed(kind, fields, place, remarks)?);
        }
        Ok(match made.len() {
            0 => None,
            1 => made.pop(),
            _ => Some(Map::from_iter([("anyOf".to_owned(), made.into())])),
        })
    }

    /// The keywords that concern values of this type.
    fn typed(
        &mut self,
        kind: &'static str,
        fields: &Fields,
        place: Place,
        remarks: &mut Vec<String>,
    ) -> Made {
        let mut made = Map::from_iter([("type".to_owned(), Value::from(kind))]);
        if let Some(values) = values(fields) {
            let fits = |value: &&Value| {
                let own = kind_of(value);
                own == kind || (own == "integer" && kind == "number") || is_whole(value, kind)
            };
            let mut fitting: Vec<Value> = values.iter().filter(fits).cloned().collect();
            fitting.dedup();
            if fitting.is_empty() {
                return Ok(None);
            }
            if kind != "null" {
                made.insert("enum".into(), fitting.into());
            }
        }
        match kind {
            "string" => strings(fields, &mut made, remarks),
            "number" | "integer" => numbers(fields, &mut made),
            "array" => self.array(fields, &mut made, place)?,
            "object" => self.object(fields, &mut made, place, remarks)?,
            _ => {}
        }
        Ok(Some(made))
    }

    /// An output without a type: nobody but validators reads it, so it may stay as it is.
    fn untyped(
        &mut self,
        fields: &Fields,
        place: Place,
        remarks: &mut Vec<String>,
    ) -> Result<Fields, Beyond> {
        let mut made = Map::new();
        if let Some(values) = values(fields) {
            made.insert("enum".into(), values.into());
        }
        strings(fields, &mut made, remarks);
        numbers(fields, &mut made);
        self.array(fields, &mut made, place)?;
        self.object(fields, &mut made, place, remarks)?;
        Ok(made)
    }

    fn array(&mut self, fields: &Fields, made: &mut Fields, place: Place) -> Result<(), Beyond> {
        for name in ["minItems", "maxItems"] {
            copy(fields, made, name, Value::is_u64);
        }
        copy(fields, made, "uniqueItems", Value::is_boolean);
        // The drafts disagree on what stands beside the first places, so all places take what any of them takes.
        let (places, rest) = match (fields.get("prefixItems"), fields.get("items")) {
            (Some(Value::Array(places)), rest) => (places.as_slice(), rest),
            (_, Some(Value::Array(places))) => (places.as_slice(), fields.get("additionalItems")),
            (_, items) => (&[][..], items),
        };
        let mut kinds = Vec::new();
        for one in places {
            kinds.extend(self.node(one, &[], place.inside())?);
        }
        match rest {
            Some(Value::Bool(false)) => {
                let most = fields.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
                made.insert("maxItems".into(), most.min(places.len() as u64).into());
            }
            Some(rest @ Value::Object(_)) => kinds.extend(self.node(rest, &[], place.inside())?),
            _ if places.is_empty() && self.role == Role::Output => return Ok(()),
            _ => kinds = vec![self.anything()],
        }
        if kinds.is_empty() {
            if self.role == Role::Output {
                return Ok(());
            }
            kinds.push(self.anything());
        }
        made.insert("items".into(), conjoin::either(kinds).into());
        Ok(())
    }

    /// Any value.
    pub(super) fn anything(&self) -> Fields {
        match self.role {
            Role::Output => Map::new(),
            Role::Input => anything_typed(),
        }
    }

    /// Any value of these types.
    fn of_types(&self, types: &[&'static str]) -> Fields {
        match types {
            [kind] => self.open(kind),
            _ => self.anything(),
        }
    }

    fn open(&self, kind: &str) -> Fields {
        let mut made = Map::from_iter([("type".to_owned(), Value::from(kind))]);
        match kind {
            "object" => drop(made.insert("additionalProperties".into(), true.into())),
            "array" if self.role == Role::Input => drop(made.insert("items".into(), self.anything().into())),
            _ => {}
        }
        made
    }

    /// In place of a schema that cannot be told in full.
    fn cut(&self, fields: &Fields, why: &str) -> Fields {
        let mut made = self.of_types(&self.declared(fields));
        annotate(&mut made, fields);
        remark(&mut made, &[why.to_owned()]);
        made
    }
}
