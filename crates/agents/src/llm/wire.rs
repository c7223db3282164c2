//! What an adapter is: one wire format, as a value. The client does the rest.

use std::sync::Arc;

use reqwest::header::{AUTHORIZATION, HeaderName};
use serde_json::Value;

use super::{
    ChatRequest, Delta, Dialect, LlmError, NameRule, ToolSchema, Translated, Turn, legal::Legal,
    schema::translate_output,
};

/// A request as it leaves the house.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// Below the base URL, with its query.
    pub(super) path: String,
    pub(super) body: Value,
}

pub(super) trait Wire: Send + Sync {
    fn name_rule(&self) -> NameRule {
        NameRule::Plain
    }

    /// The header that carries the key, and the key as it says it.
    fn key(&self, key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    /// Headers that every request has.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn outgoing(&self, request: &ChatRequest, legal: &Legal, stream: bool) -> Result<Outgoing, LlmError>;

    /// Reads an answer, be it one or assembled from a stream.
    fn turn(&self, raw: Value, legal: &Legal) -> Result<Turn, LlmError>;

    fn assembler(&self, legal: &Arc<Legal>) -> Box<dyn Assembler>;
}

/// Makes an answer of a stream, in the form that the provider gives without one.
pub(super) trait Assembler: Send {
    /// Takes the data of one event. `true` when the stream is over.
    fn take(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<bool, LlmError>;

    /// The whole answer; an error when the stream ended before it did.
    fn finish(self: Box<Self>) -> Result<Value, LlmError>;
}

/// How an answer of a schema is asked for.
pub(super) enum Structured {
    /// The provider holds the model to it.
    Native(Translated),
    /// The provider cannot, so the model is told.
    Told(String),
}

pub(super) fn structured(dialect: Dialect, schema: &Value) -> Structured {
    match translate_output(dialect, schema) {
        Some(translated) => Structured::Native(translated),
        None => told(schema),
    }
}

pub(super) fn told(schema: &Value) -> Structured {
    Structured::Told(format!(
        "Answer with one JSON value that is valid against this JSON Schema, and with nothing else: {schema}"
    ))
}

/// The system prompt with what else the model must be told.
pub(super) fn system_prompt(system: Option<&str>, told: Option<&str>) -> Option<String> {
    let parts: Vec<&str> = [system, told].into_iter().flatten().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Sorted by name: the same tools make the same prompt, whatever order they come in, and prompts cache.
pub(super) fn sorted(tools: &[ToolSchema]) -> Vec<&ToolSchema> {
    let mut tools: Vec<&ToolSchema> = tools.iter().collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

/// More than any turn takes; sums of it fit into every database.
const MAX_TOKENS: u64 = 1 << 40;

/// A count of tokens, which some servers leave out.
pub(super) fn tokens(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0).min(MAX_TOKENS)
}

/// A text, `""` when there is none.
pub(super) fn text_at<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// `None` for what holds no character.
pub(super) fn some_text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
