//! One question to the model. What it says streams out while it comes in; what it said is kept before anything is done with it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{ErrorCode, Timestamp, ToolError};
use toolgate_engine::{Invoker, RunContext};

use super::{Opened, pieces::Pieces, trace::Asking};
use crate::llm::{ChatRequest, Delta, Settled, Turn};

/// Pieces of a stream that may wait to be written.
const DELTA_QUEUE: usize = 256;

/// A turn as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptTurn {
    pub turn: Turn,
    #[serde(default)]
    pub cost: Option<f64>,
    /// By the provider's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_reported_cost: Option<f64>,
    /// Who was asked.
    pub provider: String,
    pub asked_at: Timestamp,
    pub latency_ms: u64,
}

impl KeptTurn {
    pub(super) fn read(body: Value) -> Result<Self, ToolError> {
        serde_json::from_value(body)
            .map_err(|error| ToolError::new(ErrorCode::Unknown, format!("a turn of the run: {error}")))
    }
}

pub(super) async fn ask(
    invoker: &Invoker,
    opened: &Opened,
    request: &ChatRequest,
    iteration: u64,
    context: &RunContext,
) -> Result<KeptTurn, ToolError> {
    let asked_at = invoker.now();
    let asking = Asking::begin(invoker, opened, request, iteration, asked_at);
    let answered = answer(opened, request, iteration, asked_at, context).await;
    asking.end(answered.as_ref());
    answered
}

async fn answer(
    opened: &Opened,
    request: &ChatRequest,
    iteration: u64,
    asked_at: Timestamp,
    context: &RunContext,
) -> Result<KeptTurn, ToolError> {
    let (sender, pieces) = mpsc::channel(DELTA_QUEUE);
    let (turn, ()) =
        tokio::join!(opened.provider.chat(request, Some(sender)), stream(pieces, iteration, context));
    let turn = turn?;
    let Settled { cost, self_reported } = opened.prices.settle(&request.model, &turn);
    let provider = opened.provider.name().to_owned();
    let latency_ms = context.invoker.now().ms_since(asked_at);
    Ok(KeptTurn { turn, cost, self_reported_cost: self_reported, provider, asked_at, latency_ms })
}

/// Writes text as it comes, in pieces as large as the ledger is slow.
async fn stream(mut pieces: mpsc::Receiver<Delta>, iteration: u64, context: &RunContext) {
    let mut waiting = Vec::with_capacity(DELTA_QUEUE);
    let limits = context.invoker.limits();
    let mut said = Pieces::of_turn(limits.max_output_chunks, limits.run_max_iterations);
    let emit = async |text: String| {
        context.emit(json!({"type": "text_delta", "iteration": iteration, "text": text})).await;
    };
    // Ends with the turn, which holds the other end.
    while pieces.recv_many(&mut waiting, DELTA_QUEUE).await > 0 {
        let text: String = waiting
            .drain(..)
            .filter_map(|piece| match piece {
                Delta::Text(text) => Some(text),
                Delta::ToolCall { .. } | Delta::Arguments { .. } => None,
            })
            .collect();
        for piece in said.add(&text) {
            emit(piece).await;
        }
    }
    for piece in said.rest() {
        emit(piece).await;
    }
}
