//! The engine's port for prompt tools, over any provider.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::mpsc;
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::{Model, ModelReply, ModelRequest, ModelRole};

use super::{ChatRequest, Delta, LlmError, Message, Prices, Provider, StopReason, ToolChoice, Turn};

/// Pieces of a stream that may wait for their listener.
const DELTA_QUEUE: usize = 64;

/// Answers for prompt tools.
pub struct ProviderModel {
    provider: Arc<dyn Provider>,
    /// Asked when a tool does not say which.
    default_model: String,
    prices: Prices,
}

impl ProviderModel {
    pub fn new(provider: Arc<dyn Provider>, default_model: impl Into<String>, prices: Prices) -> Self {
        Self { provider, default_model: default_model.into(), prices }
    }

    async fn ask(
        &self,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<Turn, LlmError> {
        let Some(texts) = deltas else { return self.provider.chat(request, None).await };
        let (sender, mut pieces) = mpsc::channel(DELTA_QUEUE);
        let forward = async {
            // Ends with the turn, which holds the other end.
            while let Some(piece) = pieces.recv().await {
                if let Delta::Text(text) = piece {
                    let _ = texts.send(text).await;
                }
            }
        };
        let (turn, ()) = tokio::join!(self.provider.chat(request, Some(sender)), forward);
        turn
    }
}

#[async_trait]
impl Model for ProviderModel {
    fn names(&self) -> (&str, &str) {
        (self.provider.name(), &self.default_model)
    }

    async fn complete(
        &self,
        request: ModelRequest,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<ModelReply, ToolError> {
        let messages = request.messages.into_iter().map(|message| match message.role {
            ModelRole::User => Message::User(message.content),
            ModelRole::Assistant => {
                Message::Assistant { text: Some(message.content), tool_calls: Vec::new() }
            }
        });
        let asked = ChatRequest {
            model: request.model.unwrap_or_else(|| self.default_model.clone()),
            system: request.system,
            messages: messages.collect(),
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            output_schema: request.output_schema,
            max_output_tokens: request.max_output_tokens,
            temperature: request.temperature,
        };
        let turn = Box::pin(self.ask(&asked, deltas)).await?;
        let settled = self.prices.settle(&asked.model, &turn);
        let text = turn.text.unwrap_or_default();
        if turn.stop == StopReason::Refused {
            let error = ToolError::new(ErrorCode::ProviderError, "the model refuses to answer");
            return Err(error.with_details(json!({"refusal": text, "is_retryable": false})));
        }
        Ok(ModelReply {
            text,
            input_tokens: turn.usage.input_tokens,
            cached_input_tokens: turn.usage.cached_input_tokens,
            output_tokens: turn.usage.output_tokens,
            reasoning_tokens: turn.usage.reasoning_tokens,
            cost_estimate: settled.cost,
            self_reported_cost: settled.self_reported,
            provider: Some(self.provider.name().to_owned()),
            model: Some(turn.model),
        })
    }
}
