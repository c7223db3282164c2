//! A model whose every question is counted.

use tokio::sync::mpsc;
use toolgate_domain::{Tool, ToolError};
use toolgate_engine::{Asked, Model, ModelReply, ModelRequest, RunContext, Tokens};

/// Asks for one call.
pub(super) struct Metered<'a> {
    model: &'a dyn Model,
    tool: &'a Tool,
    context: &'a RunContext,
}

impl<'a> Metered<'a> {
    pub(super) fn new(model: &'a dyn Model, tool: &'a Tool, context: &'a RunContext) -> Self {
        Self { model, tool, context }
    }

    pub(super) async fn complete(
        &self,
        request: ModelRequest,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<ModelReply, ToolError> {
        let invoker = &self.context.invoker;
        let (provider, model) = self.model.names();
        let wanted = Some(request.model.clone().unwrap_or_else(|| model.to_owned()));
        let asked_at = invoker.now();
        let reply = self.model.complete(request, deltas).await;
        let latency_ms = invoker.now().ms_since(asked_at);
        let tool = self.tool.spec.name.to_string();
        match reply {
            Ok(reply) => {
                let tokens = Tokens {
                    input: reply.input_tokens,
                    cached_input: reply.cached_input_tokens,
                    output: reply.output_tokens,
                    reasoning: reply.reasoning_tokens,
                };
                let asked = Asked {
                    asked_at,
                    latency_ms,
                    tool,
                    provider: reply.provider.clone(),
                    model: reply.model.clone().or(wanted),
                    tokens,
                    cost: reply.cost_estimate,
                    self_reported_cost: reply.self_reported_cost,
                    error: None,
                };
                invoker.note_use(asked).await?;
                Ok(reply)
            }
            Err(error) => {
                let provider = Some(provider.to_owned());
                let asked = Asked {
                    provider,
                    model: wanted,
                    ..Asked::in_vain(asked_at, latency_ms, &tool, error.code)
                };
                if let Err(uncounted) = invoker.note_use(asked).await {
                    tracing::warn!(%uncounted, "a question in vain is not counted");
                }
                Err(error)
            }
        }
    }
}
