//! Two runs, side by side.

use serde::Serialize;
use serde_json::{Value, json};
use toolgate_domain::RunId;

use super::{Difference, player::asked, recorded::named};
use crate::bundle::{Bundle, CallRecord, TurnRecord};

/// What two runs have in common, and where they part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub same: bool,
    /// The same calls with the same inputs, in the same order, whatever they answered.
    pub same_calls: bool,
    pub first: Option<Difference>,
    pub a: Tally,
    pub b: Tally,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tally {
    pub run: RunId,
    pub status: &'static str,
    pub turns: usize,
    pub calls: usize,
    pub failed_calls: usize,
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub output_tokens: u64,
    pub cost: Option<f64>,
    /// Milliseconds that models took.
    pub model_ms: u64,
    /// Milliseconds that tools took, one after the other.
    pub tool_ms: u64,
}

/// Compares what two runs were given, then turn by turn what was asked for and what was answered, then how they ended. Ids and moments
/// do not count.
pub fn diff(a: &Bundle, b: &Bundle) -> Comparison {
    let first = given(a, b).or_else(|| turns(a, b)).or_else(|| end(a, b));
    let ids =
        |bundle: &Bundle| -> Vec<String> { bundle.calls.iter().map(|call| call.call_id.clone()).collect() };
    Comparison { same: first.is_none(), same_calls: ids(a) == ids(b), first, a: tally(a), b: tally(b) }
}

fn given(a: &Bundle, b: &Bundle) -> Option<Difference> {
    let of = |bundle: &Bundle| {
        let begin = &bundle.begin;
        json!({
            "message": begin.message,
            "history": begin.history,
            "system": begin.system,
            "model": begin.model,
            "parameters": begin.parameters,
            "policy_version": begin.policy_version,
            "tools": begin.tools,
        })
    };
    Difference::of("the beginning", "", &of(a), &of(b))
}

fn turns(a: &Bundle, b: &Bundle) -> Option<Difference> {
    (0..a.turns.len().max(b.turns.len())).find_map(|place| {
        let at = format!("turn {}", place + 1);
        let said = |turn: Option<&TurnRecord>| {
            turn.map_or(Value::Null, |turn| {
                let turn = &turn.answer.turn;
                json!({"text": turn.text, "tool_calls": asked(&turn.tool_calls)})
            })
        };
        Difference::of(&at, "", &said(a.turns.get(place)), &said(b.turns.get(place)))
            .or_else(|| answers(a, b, place as u64 + 1))
    })
}

/// What the calls of one turn were answered.
fn answers(a: &Bundle, b: &Bundle, turn: u64) -> Option<Difference> {
    let of = |bundle: &Bundle| -> Vec<CallRecord> {
        bundle.calls.iter().filter(|call| call.turn == turn).cloned().collect()
    };
    let (then, now) = (of(a), of(b));
    (0..then.len().max(now.len())).find_map(|index| {
        let (then, now) = (then.get(index), now.get(index));
        let at = then.or(now).map(named).unwrap_or_default();
        let told = |call: Option<&CallRecord>| call.map_or(Value::Null, told);
        Difference::of(&at, "", &told(then), &told(now))
    })
}

fn told(call: &CallRecord) -> Value {
    let envelope = call.envelope.as_ref();
    json!({
        "tool": call.tool_id(),
        "call_id": call.call_id,
        "input": call.input,
        "ran": envelope.map(|envelope| &envelope.input),
        "output": envelope.and_then(|envelope| envelope.output.as_ref()),
        "error": envelope.and_then(|envelope| envelope.error.as_ref()),
    })
}

fn end(a: &Bundle, b: &Bundle) -> Option<Difference> {
    let of = |bundle: &Bundle| {
        let ending = &bundle.ending;
        json!({"status": bundle.run.status, "response": ending.response, "error": ending.error})
    };
    Difference::of("the end", "", &of(a), &of(b))
}

fn tally(bundle: &Bundle) -> Tally {
    let usage = |count: fn(&crate::llm::Usage) -> u64| {
        bundle.turns.iter().map(|turn| count(&turn.answer.turn.usage)).sum()
    };
    let envelopes = || bundle.calls.iter().filter_map(|call| call.envelope.as_ref());
    Tally {
        run: bundle.run.id,
        status: bundle.run.status.as_str(),
        turns: bundle.turns.len(),
        calls: bundle.calls.len(),
        failed_calls: envelopes().filter(|envelope| envelope.error.is_some()).count(),
        input_tokens: usage(|usage| usage.input_tokens),
        cached_input_tokens: usage(|usage| usage.cached_input_tokens),
        output_tokens: usage(|usage| usage.output_tokens),
        cost: bundle.ending.cost,
        model_ms: bundle.turns.iter().map(|turn| turn.answer.latency_ms).sum(),
        tool_ms: envelopes().map(|envelope| envelope.t_end.ms_since(envelope.t_start)).sum(),
    }
}
