//! What those who watch a run are told.

use super::is_team_run;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toolgate_domain::{Event, EventType, Invocation, RunId, Timestamp};

/// One thing that happened in a run. It stands for one event of the session's log and bears its id, so that a stream goes on where it
/// broke, on any process.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunEvent {
    pub id: i64,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub run_id: RunId,
    pub data: Value,
    pub created_at: Timestamp,
}

/// Tells of the run itself.
pub(super) fn of_run(
    event: &Event,
    row: &Invocation,
    response: Option<String>,
) -> Option<(&'static str, Value)> {
    Some(match event.kind {
        EventType::Started => {
            let input = &event.data["input"];
            let begun = if is_team_run(row) {
                let workflow = format!("{}@{}", row.tool_name, row.tool_version);
                json!({"invocation_id": row.id, "session_id": row.session_id, "agent": row.agent_id, "workflow": workflow})
            } else {
                json!({
                    "invocation_id": row.id, "session_id": row.session_id, "agent": input["agent"], "message": input["message"],
                })
            };
            ("run.started", begun)
        }
        EventType::NeedsApproval => {
            let asked = json!({
                "for": [row.id], "reason": "approval", "expires_at": row.approval_expires_at,
            });
            ("run.waiting", asked)
        }
        EventType::Approved => return None,
        EventType::OutputAppended => return of_piece(event),
        EventType::Completed | EventType::Failed | EventType::Cancelled => {
            let mut ended =
                json!({"status": row.status(), "response": response, "cost": row.outcome.cost_estimate});
            for (name, from) in [("outputs", "output"), ("error", "error"), ("truncated", "truncated")] {
                if let Some(value) = event.data.get(from) {
                    ended[name] = value.clone();
                }
            }
            ("run.finished", ended)
        }
    })
}

/// Tells of a piece of a run's output, which needs no row.
pub(super) fn of_piece(event: &Event) -> Option<(&'static str, Value)> {
    (event.kind == EventType::OutputAppended).then(|| of_chunk(&event.data["chunk"]))
}

/// What the run says of itself is told by its name; anything else is output.
fn of_chunk(chunk: &Value) -> (&'static str, Value) {
    match chunk["type"].as_str() {
        Some("text_delta") => ("text.delta", without_type(chunk)),
        Some("turn") => ("usage", without_type(chunk)),
        Some("waiting") => {
            let mut said = without_type(chunk);
            said["reason"] = json!("calls");
            ("run.waiting", said)
        }
        _ => ("run.output", json!({"chunk": chunk})),
    }
}

fn without_type(chunk: &Value) -> Value {
    let fields = chunk.as_object().cloned().unwrap_or_default();
    Value::Object(fields.into_iter().filter(|(name, _)| name != "type").collect::<Map<_, _>>())
}

/// Tells of a call that the run made.
pub(super) fn of_call(event: &Event, row: &Invocation, iteration: Option<u64>) -> (&'static str, Value) {
    let mut data = json!({
        "invocation_id": row.id, "parent_id": row.parent_id, "call_id": row.call_id, "name": row.tool_name,
        "version": row.tool_version, "iteration": iteration,
    });
    let kind = match event.kind {
        EventType::Started => {
            data["input"] = row.effective_input().clone();
            "tool.started"
        }
        EventType::NeedsApproval => {
            data["input"] = row.input.clone();
            data["egress_class"] = json!(row.egress_class);
            data["expires_at"] = json!(row.approval_expires_at);
            "tool.needs_approval"
        }
        EventType::Approved => {
            data["by"] = json!(row.approval_decided_by);
            "tool.approved"
        }
        EventType::OutputAppended => {
            data["chunk"] = event.data["chunk"].clone();
            "tool.output"
        }
        EventType::Completed | EventType::Failed | EventType::Cancelled => {
            data["status"] = json!(row.status());
            for name in ["output", "error", "cached", "truncated"] {
                if let Some(value) = event.data.get(name) {
                    data[name] = value.clone();
                }
            }
            data["duration_ms"] =
                json!(row.completed_at.zip(row.started_at).map(|(end, start)| end.ms_since(start)));
            data["cost"] = json!(row.outcome.cost_estimate);
            if event.kind == EventType::Completed { "tool.completed" } else { "tool.failed" }
        }
    };
    (kind, data)
}
