//! What a model asked for beside what was called: whatever is not the same, somebody put in between. A tenant fills in what calls leave
//! out, and a tool can have another name. A replay must do the same.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::format::{CallRecord, ToolAsked, TurnRecord};
use crate::{
    llm::{Arguments, ToolCall},
    run::Begin,
};

/// The name by which a model calls tools that it found by a search.
const CALL_TOOL: &str = "call_tool";

pub(super) fn tools_asked(begin: &Begin, turns: &[TurnRecord], calls: &[CallRecord]) -> Vec<ToolAsked> {
    let is_tool = |name: &str| {
        begin.tools.iter().any(|tool| tool.name == name) || calls.iter().any(|call| call.tool == name)
    };
    let mut found: BTreeMap<(String, String, Option<String>), Map<String, Value>> = BTreeMap::new();
    for (turn, place) in turns.iter().zip(1..) {
        let of_turn = calls.iter().filter(|call| call.turn == place && !call.version.is_empty());
        let mut wanted: Vec<ToolCall> = turn.answer.turn.tool_calls.iter().map(meant).collect();
        // What was called just as it was asked for is set aside first: it explains nothing else.
        let (mut exact, mut others) = (Vec::new(), Vec::new());
        for call in of_turn {
            match take(&mut wanted, |asked| asked.name == call.tool && is_just(asked, &call.input)) {
                Some(asked) => exact.push((call, Some(asked))),
                None => others.push(call),
            }
        }
        let others = others.into_iter().map(|call| {
            let own = |asked: &ToolCall| asked.name == call.tool && is_in(asked, &call.input);
            let renamed = |asked: &ToolCall| !is_tool(&asked.name) && is_in(asked, &call.input);
            let asked = take(&mut wanted, own).or_else(|| take(&mut wanted, renamed));
            (call, asked)
        });
        for (call, asked) in exact.into_iter().chain(others) {
            let alias = asked.as_ref().map(|asked| asked.name.clone()).filter(|name| *name != call.tool);
            let key = (call.tool.clone(), call.version.clone(), alias);
            let added = asked.map(|asked| added(&asked, &call.input)).unwrap_or_default();
            found.entry(key).or_default().extend(added);
        }
    }
    let asked = |((name, version, alias), defaults)| ToolAsked { name, version, alias, defaults };
    found.into_iter().map(asked).collect()
}

fn take(wanted: &mut Vec<ToolCall>, fits: impl Fn(&ToolCall) -> bool) -> Option<ToolCall> {
    wanted.iter().position(fits).map(|at| wanted.remove(at))
}

/// Where tools are too many to be shown, a model calls them through another name.
fn meant(call: &ToolCall) -> ToolCall {
    let wrapped = match &call.arguments {
        Arguments::Json(Value::Object(fields)) if call.name == CALL_TOOL => {
            fields.get("name").and_then(Value::as_str).zip(fields.get("arguments"))
        }
        _ => None,
    };
    match wrapped {
        Some((name, arguments)) => ToolCall {
            id: call.id.clone(),
            name: name.trim().to_owned(),
            arguments: Arguments::Json(arguments.clone()),
        },
        None => call.clone(),
    }
}

fn is_just(asked: &ToolCall, input: &Value) -> bool {
    match &asked.arguments {
        Arguments::Json(said) => said == input,
        Arguments::Malformed(_) => input.is_null(),
    }
}

/// Whether an input has all that was asked for, and perhaps more. Values may have been redacted.
fn is_in(asked: &ToolCall, input: &Value) -> bool {
    match (&asked.arguments, input) {
        (Arguments::Json(Value::Object(said)), Value::Object(input)) => {
            said.keys().all(|key| input.contains_key(key))
        }
        _ => is_just(asked, input),
    }
}

/// What was filled in where a call said nothing.
fn added(asked: &ToolCall, input: &Value) -> Map<String, Value> {
    let (Arguments::Json(Value::Object(said)), Value::Object(input)) = (&asked.arguments, input) else {
        return Map::new();
    };
    let added = input.iter().filter(|(key, _)| !said.contains_key(*key));
    added.map(|(key, value)| (key.clone(), value.clone())).collect()
}
