//! A model that says what a model said. With a real one behind it, that one speaks, and is stopped where it asks for something else.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::Invoker;

use super::Difference;
use crate::{
    bundle::Bundle,
    llm::{Arguments, ChatRequest, Delta, LlmError, Message, Prices, Provider, ToolCall, Turn},
    run::{Models, Opened},
};

const NAME: &str = "replay";

pub(super) struct Player {
    turns: Vec<Turn>,
    /// Assistant messages before the run.
    said_before: usize,
    /// Why there was no further turn.
    end: LlmError,
    parted: Mutex<Option<Difference>>,
}

impl Player {
    pub(super) fn new(bundle: &Bundle) -> Self {
        let ended = bundle.ending.error.as_ref();
        Self {
            turns: bundle.turns.iter().map(|turn| turn.answer.turn.clone()).collect(),
            said_before: assistants(&bundle.begin.history),
            end: ended.map_or_else(no_more, as_said),
            parted: Mutex::default(),
        }
    }

    /// Where the real model asked for something else.
    pub(super) fn parted(&self) -> Option<Difference> {
        self.parted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Which turn is asked for follows from the conversation, so that nothing need be kept.
    fn place(&self, request: &ChatRequest) -> usize {
        assistants(&request.messages).saturating_sub(self.said_before)
    }

    fn turn(&self, place: usize) -> Result<&Turn, LlmError> {
        self.turns.get(place).ok_or_else(|| self.end.clone())
    }

    /// Whether a real model asks for the same calls; otherwise the replay ends here.
    fn hold(&self, place: usize, now: &Turn) -> Result<(), LlmError> {
        let then = self.turns.get(place).map(|turn| asked(&turn.tool_calls)).unwrap_or_default();
        let at = format!("turn {}", place + 1);
        let Some(found) = Difference::of(&at, "/tool_calls", &then, &asked(&now.tool_calls)) else {
            return Ok(());
        };
        *self.parted.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        Err(LlmError::new(ErrorCode::Unknown, "the model asked for something else than in the record"))
    }
}

/// What calls ask for; their ids are the provider's business.
pub(super) fn asked(calls: &[ToolCall]) -> Value {
    let one = |call: &ToolCall| match &call.arguments {
        Arguments::Json(input) => json!({"name": call.name, "arguments": input}),
        Arguments::Malformed(text) => json!({"name": call.name, "malformed": text}),
    };
    calls.iter().map(one).collect()
}

fn assistants(messages: &[Message]) -> usize {
    messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count()
}

fn no_more() -> LlmError {
    LlmError::new(ErrorCode::Unknown, "the record ends here")
}

/// The failure of a model, as it was told; what failed otherwise is told alike.
fn as_said(error: &ToolError) -> LlmError {
    let details = error.details.as_ref();
    let status = details.and_then(|details| details["status"].as_u64());
    LlmError {
        code: error.code,
        message: error.message.clone(),
        is_retryable: details.is_some_and(|details| details["is_retryable"] == true),
        retry_after_s: error.retry_after_s,
        status: status.and_then(|status| u16::try_from(status).ok()),
    }
}

#[async_trait]
impl Provider for Player {
    fn name(&self) -> &str {
        NAME
    }

    async fn chat(&self, request: &ChatRequest, _: Option<mpsc::Sender<Delta>>) -> Result<Turn, LlmError> {
        self.turn(self.place(request)).cloned()
    }
}

/// The models of a replay: the record, or a real one that is held against it.
pub(super) struct Playing {
    pub(super) player: Arc<Player>,
    pub(super) live: Option<Arc<dyn Models>>,
}

#[async_trait]
impl Models for Playing {
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Opened, ToolError> {
        let player = Arc::clone(&self.player);
        match &self.live {
            None => Ok(Opened { provider: player, model: NAME.to_owned(), prices: Prices::default() }),
            Some(live) => {
                let opened = live.open(asker, name).await?;
                Ok(Opened { provider: Arc::new(Held { player, live: opened.provider }), ..opened })
            }
        }
    }
}

struct Held {
    player: Arc<Player>,
    live: Arc<dyn Provider>,
}

#[async_trait]
impl Provider for Held {
    fn name(&self) -> &str {
        self.live.name()
    }

    async fn chat(
        &self,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<Delta>>,
    ) -> Result<Turn, LlmError> {
        let now = self.live.chat(request, deltas).await?;
        self.player.hold(self.player.place(request), &now)?;
        Ok(now)
    }
}
