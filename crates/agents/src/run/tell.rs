//! What a run says of itself while it goes on. These are pieces of its output, so they are on record before anybody sees them, and
//! whoever follows the session's log meets them in their order.

use serde_json::{Value, json};
use toolgate_domain::ToolError;
use toolgate_engine::RunContext;

use super::{ask::KeptTurn, call::Outcome};

/// A turn is kept: which model, what it used, what it asks for.
pub(super) async fn turn(context: &RunContext, iteration: u64, kept: &KeptTurn) -> Result<(), ToolError> {
    let calls: Vec<Value> =
        kept.turn.tool_calls.iter().map(|call| json!({"id": call.id, "name": call.name})).collect();
    let said = json!({
        "type": "turn", "iteration": iteration, "model": kept.turn.model, "provider": kept.provider,
        "usage": kept.turn.usage, "cost": kept.cost, "latency_ms": kept.latency_ms, "calls": calls,
    });
    say(context, said).await
}

/// The run gives its process back until these calls are over.
pub(super) async fn waiting(context: &RunContext, outcomes: &[Outcome]) -> Result<(), ToolError> {
    let waits: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Outcome::Waiting(id) => Some(id),
            Outcome::Done(_) | Outcome::Refused(_) | Outcome::Broken(_) | Outcome::Told { .. } => None,
        })
        .collect();
    say(context, json!({"type": "waiting", "for": waits})).await
}

/// Only what was heard is on record, and a run that stops is not listened to any longer.
async fn say(context: &RunContext, said: Value) -> Result<(), ToolError> {
    context.emit(said).await;
    context.invoker.be_on_record().await
}
