//! What the questions of a run took, as it is counted.

use toolgate_domain::{Timestamp, ToolError};
use toolgate_engine::{Asked, Invoker, Tokens};

use super::{Opened, ask::KeptTurn};

pub(super) fn took(kept: &KeptTurn, tool: &str) -> Asked {
    let usage = &kept.turn.usage;
    Asked {
        asked_at: kept.asked_at,
        latency_ms: kept.latency_ms,
        tool: tool.to_owned(),
        provider: Some(kept.provider.clone()),
        model: Some(kept.turn.model.clone()),
        tokens: Tokens {
            input: usage.input_tokens,
            cached_input: usage.cached_input_tokens,
            output: usage.output_tokens,
            reasoning: usage.reasoning_tokens,
        },
        cost: kept.cost,
        self_reported_cost: kept.self_reported_cost,
        error: None,
    }
}

/// A question that the model did not answer counts as well. The run ends for its own reason, whatever becomes of this.
pub(super) async fn asked_in_vain(
    invoker: &Invoker,
    opened: &Opened,
    tool: &str,
    asked_at: Timestamp,
    error: &ToolError,
) {
    let latency_ms = invoker.now().ms_since(asked_at);
    let asked = Asked {
        provider: Some(opened.provider.name().to_owned()),
        model: Some(opened.model.clone()),
        ..Asked::in_vain(asked_at, latency_ms, tool, error.code)
    };
    if let Err(uncounted) = invoker.note_use(asked).await {
        tracing::warn!(%uncounted, "a question in vain is not counted");
    }
}
