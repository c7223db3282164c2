//! How a run has gone so far: the conversation, the calls, what it has cost.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use toolgate_domain::{Envelope, ToolError, json::canonical_bytes};

use super::{
    Begin,
    ask::KeptTurn,
    call::Outcome,
    receipts::receipts,
    wish::{Meant, Wish, nearest},
};
use crate::llm::{Arguments, Message, ToolCall};

/// The same call with the same failure: after so many it is not made again.
const MAX_SAME_FAILURES: u32 = 2;

pub(super) struct Course {
    pub(super) messages: Vec<Message>,
    envelopes: Vec<Envelope>,
    failures: HashMap<(String, Vec<u8>), u32>,
    /// Places that calls were asked for in, whatever became of them.
    places: u64,
    pub(super) turns: u64,
    pub(super) spent: f64,
    /// Characters of a result that the model is shown.
    shown_chars: usize,
}

impl Course {
    pub(super) fn new(messages: Vec<Message>, shown_chars: u64) -> Self {
        Self {
            messages,
            envelopes: Vec::new(),
            failures: HashMap::new(),
            places: 0,
            turns: 0,
            spent: 0.0,
            shown_chars: usize::try_from(shown_chars).unwrap_or(usize::MAX),
        }
    }

    /// The place of the next call.
    pub(super) fn next_place(&self) -> u64 {
        self.places
    }

    pub(super) fn hear(&mut self, kept: &KeptTurn) {
        self.turns += 1;
        self.spent += kept.cost.unwrap_or_default();
        let KeptTurn { turn, .. } = kept;
        self.messages
            .push(Message::Assistant { text: turn.text.clone(), tool_calls: turn.tool_calls.clone() });
    }

    /// Why a call is not made: it failed before, more than once, and nothing has changed.
    pub(super) fn objection(&self, call: &ToolCall) -> Option<ToolError> {
        let failures = self.failures.get(&key(call)).copied().unwrap_or_default();
        (failures >= MAX_SAME_FAILURES).then(|| {
            let message = format!(
                "{} failed {failures} times with these arguments; it is not called again with them",
                call.name
            );
            ToolError::denied(message).with_details(json!({"reason": "repeated_failure"}))
        })
    }

    /// What the calls of a turn answered. Fails when nothing but calls that keep failing was asked for.
    pub(super) fn learn(
        &mut self,
        begin: &Begin,
        wishes: &[Wish],
        outcomes: Vec<Outcome>,
    ) -> Result<(), ToolError> {
        let mut stuck = None;
        let mut went_on = false;
        // As they were given out: a call that could not be made keeps its place, or the next one would be taken for it.
        let has_place =
            |wish: &&Wish| matches!(wish.meant, Meant::Tool) && self.objection(&wish.call).is_none();
        self.places += wishes.iter().filter(has_place).count() as u64;
        for (wish, outcome) in wishes.iter().zip(outcomes) {
            let call = &wish.call;
            let (content, is_error) = match outcome {
                Outcome::Waiting(_) | Outcome::Broken(_) => continue,
                Outcome::Refused(error) => {
                    let content = self.shown_error(&error);
                    stuck.get_or_insert(error);
                    (content, true)
                }
                Outcome::Told { content, is_error } => {
                    went_on = true;
                    self.note(call, is_error);
                    (content.to_string(), is_error)
                }
                Outcome::Done(envelope) => {
                    went_on = true;
                    let is_error = envelope.error.is_some();
                    self.note(call, is_error);
                    let told = self.shown(&told(begin, wish, &envelope));
                    self.envelopes.push(*envelope);
                    (told, is_error)
                }
            };
            let (id, name) = (call.id.clone(), wish.said.clone());
            self.messages.push(Message::Tool { id, name, content, is_error });
        }
        match stuck {
            Some(error) if !went_on => Err(error),
            _ => Ok(()),
        }
    }

    fn note(&mut self, call: &ToolCall, is_error: bool) {
        if is_error {
            *self.failures.entry(key(call)).or_default() += 1;
        }
    }

    fn shown_error(&self, error: &ToolError) -> String {
        self.shown(&json!({"error": error}))
    }

    /// As much of a result as the model is shown.
    fn shown(&self, value: &Value) -> String {
        let text = value.to_string();
        match text.char_indices().nth(self.shown_chars) {
            None => text,
            Some((end, _)) => format!("{}… (cut; the receipt has all of it)", &text[..end]),
        }
    }

    /// The outputs of every run, whatever it was.
    pub(super) fn outputs(&self, response: &str, traces_url: &str, max_bytes: u64) -> Value {
        let id = |envelope: &Envelope| envelope.call_id.clone();
        let receipts = receipts(&self.envelopes, max_bytes);
        let by_id: Map<String, Value> = self.envelopes.iter().map(id).zip(receipts.iter().cloned()).collect();
        let last = self.envelopes.iter().rposition(|envelope| envelope.error.is_none());
        json!({
            "response": response,
            "tools_by_id": by_id,
            "tool_order": self.envelopes.iter().map(id).collect::<Vec<_>>(),
            "last_tool": last.and_then(|at| receipts.get(at)),
            "traces_url": traces_url,
        })
    }
}

/// What the model is told of a call that is over. Where it called a tool through another one, it is told which.
fn told(begin: &Begin, wish: &Wish, envelope: &Envelope) -> Value {
    let mut told = match &envelope.error {
        Some(error) => json!({"error": error}),
        None if wish.is_wrapped() => json!({"output": envelope.output}),
        None => return envelope.output.clone().unwrap_or(Value::Null),
    };
    if wish.is_wrapped() {
        told["tool"] = json!(begin.reference(&wish.call.name));
    }
    if begin.by_search && begin.given(&wish.call.name).is_none() {
        told["did_you_mean"] = json!(nearest(begin, &wish.call.name));
    }
    told
}

fn key(call: &ToolCall) -> (String, Vec<u8>) {
    let arguments = match &call.arguments {
        Arguments::Json(input) => canonical_bytes(input).unwrap_or_default(),
        Arguments::Malformed(text) => text.clone().into_bytes(),
    };
    (call.name.clone(), arguments)
}
