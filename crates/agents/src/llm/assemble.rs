//! What the readers of streams share.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Delta, LlmError,
    failure::{broken, of_body},
    legal::{Legal, NewIds},
};

/// The calls of a stream, in the order in which they begin.
pub(super) struct Calls {
    legal: Arc<Legal>,
    ids: NewIds,
    begun: usize,
}

impl Calls {
    pub(super) fn new(legal: &Arc<Legal>) -> Self {
        Self { legal: Arc::clone(legal), ids: legal.new_ids(), begun: 0 }
    }

    /// A call begins; its index among the calls of the turn.
    pub(super) fn begin(&mut self, id: &str, wire_name: &str, deltas: &mut Vec<Delta>) -> usize {
        let index = self.begun;
        self.begun += 1;
        let name = self.legal.names.original(wire_name).to_owned();
        deltas.push(Delta::ToolCall { index, id: self.ids.claim(id), name });
        index
    }
}

/// More of a text, which is also handed out.
pub(super) fn text(kept: &mut String, part: &str, deltas: &mut Vec<Delta>) {
    if !part.is_empty() {
        kept.push_str(part);
        deltas.push(Delta::Text(part.to_owned()));
    }
}

/// More of a call's arguments, which are also handed out.
pub(super) fn arguments(kept: &mut String, index: usize, part: &str, deltas: &mut Vec<Delta>) {
    if !part.is_empty() {
        kept.push_str(part);
        deltas.push(Delta::Arguments { index, part: part.to_owned() });
    }
}

/// The data of an event, unless it tells of an error.
pub(super) fn event(data: &str) -> Result<Value, LlmError> {
    let value: Value =
        serde_json::from_str(data).map_err(|_| broken("an event of the stream is not JSON"))?;
    match of_body(&value) {
        Some(error) => Err(error),
        None => Ok(value),
    }
}

pub(super) fn cut_off() -> LlmError {
    broken("the stream ended before the answer did")
}
