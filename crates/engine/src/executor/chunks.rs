//! What a tool streams: bounded, redacted, and on record before anybody sees it.

use std::sync::Arc;

use serde_json::Value;
use toolgate_domain::{ErrorCode, EventType, NewEvent, ToolError, json::encoded_len};
use toolgate_store::Entry;

use super::{
    Progress,
    run::{Flight, unrecorded},
    seal::event,
    secrets::Held,
};
use crate::{Redactor, StreamRedactor};

/// Counts and redacts. Text may be cut anywhere, within a secret too, so it lags behind by the longest form of one; any other
/// value is redacted by itself.
pub(super) struct Chunks {
    count: u64,
    redactor: Arc<Redactor>,
    text: Option<StreamRedactor>,
}

impl Chunks {
    pub(super) fn new(secrets: &Held) -> Self {
        Self { count: 0, redactor: Arc::clone(&secrets.redactor), text: None }
    }

    /// What can be said now: the rest of the text before this chunk, then what the chunk adds.
    fn say(&mut self, chunk: Value) -> (Option<Value>, Option<Value>) {
        if self.redactor.is_empty() {
            return (None, Some(chunk));
        }
        if let Value::String(text) = &chunk {
            let stream = self.text.get_or_insert_with(|| StreamRedactor::new(Arc::clone(&self.redactor)));
            return (None, said(stream.push(text).into_owned()));
        }
        let before = self.rest();
        let mut chunk = chunk;
        self.redactor.redact_value(&mut chunk);
        (before, Some(chunk))
    }

    fn rest(&mut self) -> Option<Value> {
        self.text.take().and_then(|stream| said(stream.finish()))
    }
}

fn said(text: String) -> Option<Value> {
    (!text.is_empty()).then_some(Value::String(text))
}

impl Flight<'_> {
    pub(super) async fn append(&mut self, chunk: Value) -> Result<(), ToolError> {
        self.chunks.count += 1;
        let limits = &self.engine.limits;
        if self.chunks.count > limits.max_output_chunks {
            let message = format!("the tool streams more than {} chunks", limits.max_output_chunks);
            return Err(ToolError::new(ErrorCode::ProviderError, message));
        }
        if encoded_len(&chunk) as u64 > limits.max_output_bytes {
            let message = format!("the tool streams a chunk of more than {} bytes", limits.max_output_bytes);
            return Err(ToolError::new(ErrorCode::ProviderError, message));
        }
        let (before, now) = self.chunks.say(chunk);
        for piece in before.into_iter().chain(now) {
            self.record_chunk(piece).await?;
        }
        Ok(())
    }

    /// The text that was held back, when nothing more comes.
    pub(super) async fn append_rest(&mut self) -> Result<(), ToolError> {
        match self.chunks.rest() {
            Some(rest) => self.record_chunk(rest).await,
            None => Ok(()),
        }
    }

    async fn record_chunk(&mut self, chunk: Value) -> Result<(), ToolError> {
        if !self.recorded {
            self.record_start().await.map_err(|refused| unrecorded(&refused))?;
        }
        let invocation = &self.prepared.invocation;
        let appended = NewEvent {
            data: Some(chunk.clone()),
            ..event(invocation, EventType::OutputAppended, self.engine.clock.now())
        };
        let entry = Entry { events: vec![appended], ..Entry::of(invocation.tenant_id) };
        self.engine.record(entry).await.map_err(|error| unrecorded(&error.into()))?;
        self.tell(Progress::Chunk(chunk));
        Ok(())
    }
}
