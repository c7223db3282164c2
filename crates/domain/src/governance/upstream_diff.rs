//! What changed of a tool, in words, the strictest first.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{UpstreamTool, hidden_in, made_visible};
use crate::tool::Annotations;

/// Deeper parts of a schema are compared as a whole.
const MAX_DEPTH: usize = 12;
/// What is told of one tool at most; the strictest come first.
const MAX_CHANGES: usize = 200;
const MAX_SHOWN_CHARS: usize = 200;
/// The keywords of a schema of which more can be said than that they changed.
const HANDLED: [&str; 5] = ["properties", "required", "type", "enum", "description"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Danger,
    Warning,
    Info,
}

/// What kind of change it is, the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    HiddenText,
    BecameDestructive,
    LostReadOnly,
    ClassBelowHints,
    NoLongerIdempotent,
    OpenWorld,
    RequiredParameter,
    RemovedParameter,
    ChangedType,
    NarrowedEnum,
    WidenedEnum,
    Description,
    ParameterDescription,
    InputSchema,
    OptionalParameter,
    OutputSchema,
    Annotations,
    Title,
    Name,
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpstreamChange {
    pub severity: Severity,
    pub kind: ChangeKind,
    pub message: String,
    /// Where in the schema: a JSON pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The texts against each other, line by line: `-` is gone, `+` is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// What was called before may fail now, or mean something else.
    #[serde(skip)]
    pub breaking: bool,
}

/// How a version number grows by a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Growth {
    Patch,
    Minor,
    Major,
}

/// How much a change matters to those who call.
pub fn growth(changes: &[UpstreamChange]) -> Growth {
    let of_schema = |change: &UpstreamChange| {
        use ChangeKind::{InputSchema, OptionalParameter, OutputSchema, WidenedEnum};
        matches!(change.kind, InputSchema | OptionalParameter | OutputSchema | WidenedEnum)
    };
    if changes.iter().any(|change| change.breaking) {
        Growth::Major
    } else if changes.iter().any(of_schema) {
        Growth::Minor
    } else {
        Growth::Patch
    }
}

/// What a person should know before they agree to a tool for the first time.
pub fn notes(tool: &UpstreamTool) -> Vec<UpstreamChange> {
    let mut found = Vec::new();
    let mut look = |place: &str, text: &str| {
        for hidden in hidden_in(text) {
            let message = format!("{place} holds {hidden}: {}", shown(text));
            found.push(change(Severity::Danger, ChangeKind::HiddenText, message));
        }
    };
    look("the name", &tool.name);
    look("the title", tool.title.as_deref().unwrap_or_default());
    look("the description", tool.description.as_deref().unwrap_or_default());
    texts(&tool.input_schema, "the input schema", 0, &mut look);
    if let Some(schema) = &tool.output_schema {
        texts(schema, "the output schema", 0, &mut look);
    }
    sorted(found)
}

/// Everything that differs, the strictest first. There is something exactly when the definitions differ, or hide something.
pub fn changes(old: &UpstreamTool, new: &UpstreamTool) -> Vec<UpstreamChange> {
    let mut found = notes(new);
    annotations(old.annotations, new.annotations, &mut found);
    if old.name != new.name {
        let message = format!("its name was `{}` and is `{}`", shown(&old.name), shown(&new.name));
        found.push(UpstreamChange { breaking: true, ..change(Severity::Warning, ChangeKind::Name, message) });
    }
    if old.description != new.description {
        let diff = text_diff(old.description.as_deref(), new.description.as_deref());
        let said = change(Severity::Warning, ChangeKind::Description, "the description changed".to_owned());
        found.push(UpstreamChange { diff: Some(diff), ..said });
    }
    if old.title != new.title {
        let diff = text_diff(old.title.as_deref(), new.title.as_deref());
        let said = change(Severity::Info, ChangeKind::Title, "the title changed".to_owned());
        found.push(UpstreamChange { diff: Some(diff), ..said });
    }
    if old.input_schema != new.input_schema {
        let before = found.len();
        input(&old.input_schema, &new.input_schema, "", 0, &mut found);
        if found.len() == before {
            let said = "the input schema is written differently".to_owned();
            found.push(change(Severity::Warning, ChangeKind::InputSchema, said));
        }
    }
    if old.output_schema != new.output_schema {
        found.push(output(old.output_schema.as_ref(), new.output_schema.as_ref()));
    }
    sorted(found)
}

fn change(severity: Severity, kind: ChangeKind, message: String) -> UpstreamChange {
    UpstreamChange { severity, kind, message, at: None, diff: None, breaking: false }
}

fn sorted(mut found: Vec<UpstreamChange>) -> Vec<UpstreamChange> {
    found.sort();
    found.dedup();
    found.truncate(MAX_CHANGES);
    found
}

fn annotations(old: Annotations, new: Annotations, found: &mut Vec<UpstreamChange>) {
    if old == new {
        return;
    }
    let reads = |hints: Annotations| hints.read_only_hint == Some(true);
    // What says nothing counts as destructive and open: that is how the protocol reads it.
    let destroys = |hints: Annotations| !reads(hints) && hints.destructive_hint != Some(false);
    let known = found.len();
    let mut say = |severity, kind, message: &str| found.push(change(severity, kind, message.to_owned()));
    if !destroys(old) && destroys(new) {
        say(
            Severity::Danger,
            ChangeKind::BecameDestructive,
            "it may destroy things now, and said before that it does not",
        );
    }
    if reads(old) && !reads(new) {
        say(Severity::Danger, ChangeKind::LostReadOnly, "it no longer says that it only reads");
    }
    if old.idempotent_hint == Some(true) && new.idempotent_hint != Some(true) {
        let message = "calling it twice is no longer the same as calling it once";
        say(Severity::Warning, ChangeKind::NoLongerIdempotent, message);
    }
    if old.open_world_hint == Some(false) && new.open_world_hint != Some(false) {
        say(Severity::Warning, ChangeKind::OpenWorld, "it deals with the world outside now");
    }
    if found.len() == known {
        say_hints(old, new, found);
    }
}

fn say_hints(old: Annotations, new: Annotations, found: &mut Vec<UpstreamChange>) {
    let told = |hints: Annotations| serde_json::to_string(&hints).unwrap_or_default();
    let message = format!("its hints were {} and are {}", told(old), told(new));
    found.push(change(Severity::Info, ChangeKind::Annotations, message));
}

/// One level of an input schema: its parameters, and what else is said of it.
fn input(old: &Value, new: &Value, at: &str, depth: usize, found: &mut Vec<UpstreamChange>) {
    let (Value::Object(before), Value::Object(after)) = (old, new) else {
        let message = format!("{} was {} and is {}", place(at), told(old), told(new));
        found.push(broken(Severity::Warning, ChangeKind::ChangedType, message, at));
        return;
    };
    if depth >= MAX_DEPTH {
        let message = format!("{} changed", place(at));
        found.push(broken(Severity::Warning, ChangeKind::InputSchema, message, at));
        return;
    }
    parameters(before, after, at, depth, found);
    keyword_type(before, after, at, found);
    keyword_enum(before, after, at, found);
    if before.get("description") != after.get("description") && !at.is_empty() {
        let text = |of: &Map<String, Value>| of.get("description").and_then(Value::as_str).map(str::to_owned);
        let diff = text_diff(text(before).as_deref(), text(after).as_deref());
        let message = format!("the description of {} changed", place(at));
        let said = change(Severity::Warning, ChangeKind::ParameterDescription, message);
        found.push(UpstreamChange { at: Some(at.to_owned()), diff: Some(diff), ..said });
    }
    if let (Some(old), Some(new)) = (before.get("items"), after.get("items"))
        && old != new
    {
        input(old, new, &format!("{at}/items"), depth + 1, found);
    }
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let (old, new) = (before.get(key), after.get(key));
        let is_walked = key == "items" && old.is_some() && new.is_some();
        if old == new
            || HANDLED.contains(&key.as_str()) && !(key == "description" && at.is_empty())
            || is_walked
        {
            continue;
        }
        let cosmetic =
            ["title", "description", "examples", "default", "$schema", "$comment"].contains(&key.as_str());
        let message =
            format!("`{}` of {} was {} and is {}", shown(key), place(at), told_of(old), told_of(new));
        let at = format!("{at}/{}", escaped(key));
        let severity = if cosmetic { Severity::Info } else { Severity::Warning };
        let said = broken(severity, ChangeKind::InputSchema, message, &at);
        found.push(UpstreamChange { breaking: !cosmetic, ..said });
    }
}

fn parameters(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    at: &str,
    depth: usize,
    found: &mut Vec<UpstreamChange>,
) {
    let none = Map::new();
    let properties = |of: &Map<String, Value>| of.get("properties").and_then(Value::as_object).cloned();
    let (old, new) = (properties(before), properties(after));
    let (old, new) = (old.as_ref().unwrap_or(&none), new.as_ref().unwrap_or(&none));
    let required = |of: &Map<String, Value>| -> BTreeSet<String> {
        let names = of.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (needed, needs) = (required(before), required(after));
    for name in needs.difference(&needed) {
        let how = if old.contains_key(name) { "is required now" } else { "is new and required" };
        let message = format!("the parameter `{}` {how}", shown(name));
        found.push(broken(Severity::Warning, ChangeKind::RequiredParameter, message, &below(at, name)));
    }
    for name in needed.difference(&needs).filter(|name| new.contains_key(*name)) {
        let message = format!("the parameter `{}` is no longer required", shown(name));
        let said = broken(Severity::Info, ChangeKind::OptionalParameter, message, &below(at, name));
        found.push(UpstreamChange { breaking: false, ..said });
    }
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        let message = format!("the parameter `{}` is gone", shown(name));
        found.push(broken(Severity::Warning, ChangeKind::RemovedParameter, message, &below(at, name)));
    }
    for (name, schema) in new {
        match old.get(name) {
            Some(known) if known == schema => {}
            Some(known) => input(known, schema, &below(at, name), depth + 1, found),
            None if needs.contains(name) => {}
            None => {
                let message = format!("the parameter `{}` is new: {}", shown(name), told(schema));
                let said = broken(Severity::Info, ChangeKind::OptionalParameter, message, &below(at, name));
                found.push(UpstreamChange { breaking: false, ..said });
            }
        }
    }
}

fn keyword_type(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    at: &str,
    found: &mut Vec<UpstreamChange>,
) {
    let (old, new) = (before.get("type"), after.get("type"));
    if old != new {
        let message = format!("the type of {} was {} and is {}", place(at), told_of(old), told_of(new));
        found.push(broken(Severity::Warning, ChangeKind::ChangedType, message, at));
    }
}

fn keyword_enum(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    at: &str,
    found: &mut Vec<UpstreamChange>,
) {
    let (old, new) = (before.get("enum"), after.get("enum"));
    if old == new {
        return;
    }
    let values = |of: Option<&Value>| of.and_then(Value::as_array).cloned();
    let (gone, added) = match (values(old), values(new)) {
        (Some(old), Some(new)) => {
            let less = |some: &[Value], others: &[Value]| -> Vec<Value> {
                some.iter().filter(|value| !others.contains(value)).cloned().collect()
            };
            (less(&old, &new), less(&new, &old))
        }
        (None, Some(_)) => {
            let message = format!("{} takes only {} now", place(at), told_of(new));
            found.push(broken(Severity::Warning, ChangeKind::NarrowedEnum, message, at));
            return;
        }
        _ => {
            let message = format!("{} takes anything now, and took {}", place(at), told_of(old));
            let said = broken(Severity::Warning, ChangeKind::WidenedEnum, message, at);
            found.push(UpstreamChange { breaking: false, ..said });
            return;
        }
    };
    if !gone.is_empty() {
        let message = format!("{} no longer takes {}", place(at), told(&Value::Array(gone)));
        found.push(broken(Severity::Warning, ChangeKind::NarrowedEnum, message, at));
    }
    if !added.is_empty() {
        let message = format!("{} takes {} as well", place(at), told(&Value::Array(added)));
        let said = broken(Severity::Info, ChangeKind::WidenedEnum, message, at);
        found.push(UpstreamChange { breaking: false, ..said });
    }
}

fn output(old: Option<&Value>, new: Option<&Value>) -> UpstreamChange {
    let lines = |schema: Option<&Value>| schema.and_then(|schema| serde_json::to_string_pretty(schema).ok());
    let diff = text_diff(lines(old).as_deref(), lines(new).as_deref());
    let (message, breaking) = match (old, new) {
        (None, _) => ("it says now what it answers", true),
        (_, None) => ("it no longer says what it answers", true),
        (Some(old), Some(new)) => ("what it answers changed", !only_adds(old, new)),
    };
    let said = change(Severity::Warning, ChangeKind::OutputSchema, message.to_owned());
    UpstreamChange { diff: Some(diff), breaking, ..said }
}

/// Whether everything that the old schema says of an answer still holds: only properties came to it.
fn only_adds(old: &Value, new: &Value) -> bool {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return false };
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).filter(|key| *key != "properties").collect();
    let none = Map::new();
    let properties = |of: &'_ Map<String, Value>| of.get("properties").and_then(Value::as_object).cloned();
    let (was, is) = (properties(old).unwrap_or_else(|| none.clone()), properties(new).unwrap_or(none));
    keys.into_iter().all(|key| old.get(key) == new.get(key))
        && was.iter().all(|(name, schema)| is.get(name) == Some(schema))
}

fn broken(severity: Severity, kind: ChangeKind, message: String, at: &str) -> UpstreamChange {
    UpstreamChange { at: Some(at.to_owned()), breaking: true, ..change(severity, kind, message) }
}

fn below(at: &str, name: &str) -> String {
    format!("{at}/properties/{}", escaped(name))
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn place(at: &str) -> String {
    match at.rsplit_once("/properties/") {
        Some((_, name)) => format!("the parameter `{}`", shown(name)),
        None if at.is_empty() => "the input".to_owned(),
        None => format!("the input at {}", shown(at)),
    }
}

fn shown(text: &str) -> String {
    let visible = made_visible(text);
    let mut short: String = visible.chars().take(MAX_SHOWN_CHARS).collect();
    if short.len() < visible.len() {
        short.push('…');
    }
    short
}

fn told(value: &Value) -> String {
    shown(&value.to_string())
}

fn told_of(value: Option<&Value>) -> String {
    value.map_or_else(|| "not there".to_owned(), told)
}

fn text_diff(old: Option<&str>, new: Option<&str>) -> String {
    let lines = |text: Option<&str>| made_visible(text.unwrap_or_default());
    let (old, new) = (lines(old), lines(new));
    let mut shown = String::new();
    for change in similar::TextDiff::from_lines(&old, &new).iter_all_changes() {
        let sign = match change.tag() {
            similar::ChangeTag::Delete => '-',
            similar::ChangeTag::Insert => '+',
            similar::ChangeTag::Equal => ' ',
        };
        shown.push(sign);
        shown.push_str(change.value().trim_end_matches(['\n', '\r']));
        shown.push('\n');
    }
    shown
}

fn texts(value: &Value, place: &str, depth: usize, look: &mut impl FnMut(&str, &str)) {
    if depth > 64 {
        return;
    }
    match value {
        Value::String(text) => look(place, text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, place, depth + 1, look)),
        Value::Object(fields) => fields.iter().for_each(|(key, field)| {
            look(place, key);
            texts(field, place, depth + 1, look);
        }),
        _ => {}
    }
}

#[cfg(test)]
#[path = "upstream_diff_tests.rs"]
mod tests;
