//! From the rows of a run to its bundle.

use std::collections::HashMap;

use data_encoding::BASE64;
use serde_json::Value;
use toolgate_domain::{
    Invocation, RunId, RunStep, StepId, StepKind, TenantId,
    json::{call_id, check_value},
};
use toolgate_engine::{Engine, RecordedBlob, Redactor, RunRecord};

use super::{
    asked::tools_asked,
    format::{Aside, Asking, Blob, Bounds, Bundle, CallRecord, Ending, FORMAT, RunFacts, TurnRecord},
};
use crate::run::{Begin, KeptTurn};

/// Integers that JSON readers agree about.
const MAX_SAFE: u64 = 1 << 53;
/// What deeper parts of a provider's answer become.
const MAX_RAW_DEPTH: usize = 100;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("there is no run {0}")]
    NotFound(RunId),
    #[error("what the run did cannot be read: {0}")]
    Unreadable(String),
}

/// The bundle of a run of this tenant, without any secret that its tools had or would have.
pub async fn export(engine: &Engine, tenant: TenantId, run: RunId) -> Result<Bundle, ExportError> {
    let unreadable = |error: &dyn std::fmt::Display| ExportError::Unreadable(error.to_string());
    let record = engine.run_record(tenant, run).await.map_err(|error| unreadable(&error))?;
    let record = record.ok_or(ExportError::NotFound(run))?;
    let bundle = assembled(run, record, Bounds::of(engine.limits()))?;
    let given = bundle.begin.tools.iter().map(|tool| (tool.name.clone(), tool.version.clone()));
    let called = bundle.calls.iter().map(|call| (call.tool.clone(), call.version.clone()));
    let tools: Vec<_> = given.chain(called).collect();
    let redactors =
        engine.run_redactors(tenant, bundle.run.agent, tools).await.map_err(|error| unreadable(&error))?;
    if redactors.iter().all(Redactor::is_empty) {
        return Ok(bundle);
    }
    let mut value = serde_json::to_value(&bundle).map_err(|error| unreadable(&error))?;
    for redactor in &redactors {
        redactor.redact_value(&mut value);
    }
    let redacted: Bundle = serde_json::from_value(value).map_err(|error| unreadable(&error))?;
    Ok(renamed(redacted))
}

fn assembled(run: RunId, record: RunRecord, bounds: Bounds) -> Result<Bundle, ExportError> {
    let RunRecord { outer, steps, calls, under, blobs } = record;
    let (mut begin, mut turns, mut asides) = (None, Vec::new(), Vec::new());
    let mut turn_of: HashMap<StepId, u64> = HashMap::new();
    for RunStep { id, seq, kind, title, mut body, .. } in steps {
        let unreadable = |error: serde_json::Error| ExportError::Unreadable(format!("step {seq}: {error}"));
        if kind == StepKind::Begin {
            begin = Some(serde_json::from_value::<Begin>(body).map_err(unreadable)?);
        } else if kind == StepKind::Turn {
            tame(&mut body);
            let answer: KeptTurn = serde_json::from_value(body).map_err(unreadable)?;
            turns.push(TurnRecord { step: seq, answer });
            turn_of.insert(id, turns.len() as u64);
        } else {
            // Whatever else a run keeps: it goes along as it is.
            asides.push(Aside { step: seq, kind: kind.as_str().to_owned(), title, body });
        }
    }
    let begin = begin.ok_or(ExportError::NotFound(run))?;
    let calls: Vec<CallRecord> = calls.into_iter().map(|row| call_record(row, &turn_of)).collect();
    let asked = tools_asked(&begin, &turns, &calls);
    Ok(Bundle {
        format: FORMAT.to_owned(),
        digest: String::new(),
        run: RunFacts {
            id: run,
            invocation_id: outer.id,
            agent: begin.agent,
            handle: begin.handle.clone(),
            status: outer.status(),
            started_at: outer.started_at.unwrap_or(outer.created_at),
            ended_at: outer.completed_at,
            toolgate: env!("CARGO_PKG_VERSION").to_owned(),
        },
        begin,
        bounds,
        asked,
        turns,
        asides,
        ending: ending(&outer, &calls),
        calls,
        under: under.iter().filter_map(Invocation::envelope).collect(),
        blobs: blobs.into_iter().map(blob).collect(),
    })
}

fn call_record(row: Invocation, turn_of: &HashMap<StepId, u64>) -> CallRecord {
    let envelope = row.envelope();
    CallRecord {
        place: row.seq,
        turn: row.agent_run_step_id.and_then(|step| turn_of.get(&step).copied()).unwrap_or_default(),
        status: row.status(),
        approval: Asking {
            status: row.approval_status(),
            edited: row.approved_input.is_some(),
            decided_by: row.approval_decided_by,
            reason: row.approval_reason,
        },
        tool: row.tool_name,
        version: row.tool_version,
        call_id: row.call_id,
        egress_class: row.egress_class,
        input: row.input,
        decision: row.decision,
        envelope,
    }
}

fn ending(outer: &Invocation, calls: &[CallRecord]) -> Ending {
    let output = outer.outcome.output.as_ref();
    let ended = || calls.iter().filter_map(|call| call.envelope.as_ref());
    // What the run itself said, where it came to say something.
    let said = output.and_then(|output| output["tool_order"].as_array());
    let said = said.map(|ids| ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect());
    Ending {
        response: output.and_then(|output| output["response"].as_str()).map(str::to_owned),
        tool_order: said
            .unwrap_or_else(|| ended().map(|envelope| envelope.call_id.clone()).collect::<Vec<_>>()),
        last_tool: ended().rfind(|envelope| envelope.error.is_none()).map(|e| e.call_id.clone()),
        error: outer.outcome.error.clone(),
        cost: outer.outcome.cost_estimate,
    }
}

fn blob(found: RecordedBlob) -> Blob {
    let (mut text, mut base64) = (None, None);
    match found.content.map(|content| String::from_utf8(content.into())) {
        Some(Ok(whole)) => text = Some(whole),
        Some(Err(other)) => base64 = Some(BASE64.encode(other.as_bytes())),
        None => {}
    }
    Blob { id: found.id.to_string(), bytes: found.bytes, sha256: found.sha256, text, base64 }
}

/// A provider's answer may hold what has no canonical form: integers that readers would round, and nesting without end.
fn tame(turn: &mut Value) {
    let Some(raw) = turn.pointer_mut("/turn/raw") else { return };
    if check_value(raw, MAX_RAW_DEPTH).is_ok() {
        return;
    }
    tame_to(raw, MAX_RAW_DEPTH);
}

fn tame_to(value: &mut Value, depth: usize) {
    match value {
        Value::Number(number) => {
            let whole = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            if whole.is_some_and(|whole| whole > MAX_SAFE) {
                *value = Value::String(number.to_string());
            }
        }
        Value::Array(_) | Value::Object(_) if depth == 0 => {
            *value = Value::String("(deeper than a bundle goes)".to_owned());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| tame_to(item, depth - 1)),
        Value::Object(fields) => fields.values_mut().for_each(|field| tame_to(field, depth - 1)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// A call whose input held somebody else's secret has the id of an input that is no more: the id follows from what is left, as it does
/// where a tool's own secret was in its input.
fn renamed(mut bundle: Bundle) -> Bundle {
    let mut names: HashMap<String, String> = HashMap::new();
    for call in &mut bundle.calls {
        let now = call_id(&call.tool_id(), &call.input, call.place).unwrap_or_default();
        if now != call.call_id {
            let before = std::mem::replace(&mut call.call_id, now.clone());
            names.insert(before, now);
        }
        if let Some(envelope) = &mut call.envelope {
            envelope.call_id.clone_from(&call.call_id);
        }
    }
    let order = bundle.ending.tool_order.iter_mut().chain(&mut bundle.ending.last_tool);
    for id in order {
        if let Some(now) = names.get(id) {
            id.clone_from(now);
        }
    }
    bundle
}
