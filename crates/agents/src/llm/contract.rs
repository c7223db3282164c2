//! The neutral contract: what a model is asked and what it answers, the same for every provider.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{ErrorCode, ToolError};

/// A question to a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    pub model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    pub messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSchema>,
    #[serde(default)]
    pub tool_choice: ToolChoice,
    /// The answer shall be JSON of this schema. The one who asks checks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
}

/// One message of a conversation. Messages are stored and exported: what was written once must be read for ever.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "KeptMessage", into = "KeptMessage")]
pub enum Message {
    User(String),
    Assistant { text: Option<String>, tool_calls: Vec<ToolCall> },
    Tool { id: String, name: String, content: String, is_error: bool },
}

/// How a message is written: flat, with its role first.
#[derive(Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case", deny_unknown_fields)]
enum KeptMessage {
    User {
        content: String,
    },
    Assistant {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    Tool {
        id: String,
        name: String,
        content: String,
        #[serde(default)]
        is_error: bool,
    },
}

impl From<Message> for KeptMessage {
    fn from(message: Message) -> Self {
        match message {
            Message::User(content) => Self::User { content },
            Message::Assistant { text, tool_calls } => Self::Assistant { text, tool_calls },
            Message::Tool { id, name, content, is_error } => Self::Tool { id, name, content, is_error },
        }
    }
}

impl From<KeptMessage> for Message {
    fn from(kept: KeptMessage) -> Self {
        match kept {
            KeptMessage::User { content } => Self::User(content),
            KeptMessage::Assistant { text, tool_calls } => Self::Assistant { text, tool_calls },
            KeptMessage::Tool { id, name, content, is_error } => Self::Tool { id, name, content, is_error },
        }
    }
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSchema {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    #[default]
    Auto,
    None,
    Required,
    Named(String),
}

/// A call that a model asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Arguments,
}

/// What a model wants to call a tool with. A malformed call is data, never an error of the turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    Json(Value),
    Malformed(String),
}

/// What a model answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    pub stop: StopReason,
    #[serde(default)]
    pub usage: Usage,
    pub model: String,
    /// The provider's answer; for a stream, the answer assembled from it.
    #[serde(default)]
    pub raw: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    End,
    ToolCalls,
    Length,
    Refused,
    Other(String),
}

/// Tokens, counted alike for every provider: the input includes what was cached, the output what was thought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    /// Those of the input that were written to a cache, where that has a price of its own.
    #[serde(skip_serializing_if = "is_none")]
    pub cache_write_tokens: u64,
    pub output_tokens: u64,
    pub reasoning_tokens: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes by reference")]
fn is_none(tokens: &u64) -> bool {
    *tokens == 0
}

/// A piece of a turn, while it comes in. `index` counts the calls of the turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    Text(String),
    ToolCall { index: usize, id: String, name: String },
    Arguments { index: usize, part: String },
}

/// Why a model did not answer. No message holds a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct LlmError {
    pub code: ErrorCode,
    pub message: String,
    /// The same question may be answered in a moment.
    pub is_retryable: bool,
    pub retry_after_s: Option<u64>,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
}

impl LlmError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), is_retryable: false, retry_after_s: None, status: None }
    }

    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.is_retryable = true;
        self
    }
}

impl From<LlmError> for ToolError {
    fn from(error: LlmError) -> Self {
        let mut details = json!({"is_retryable": error.is_retryable});
        if let Some(status) = error.status {
            details["status"] = status.into();
        }
        let made = Self::new(error.code, error.message).with_details(details);
        match error.retry_after_s {
            Some(seconds) => made.retry_after(seconds),
            None => made,
        }
    }
}

/// Something that answers like a model.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The name under which it was configured.
    fn name(&self) -> &str;

    /// Asks once. With `deltas`, the answer is streamed; who stops listening gets the whole in the end all the same.
    async fn chat(
        &self,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<Delta>>,
    ) -> Result<Turn, LlmError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_written_in_one_form_for_ever() {
        let messages = vec![
            Message::User("hi".into()),
            Message::Assistant {
                text: None,
                tool_calls: vec![
                    ToolCall {
                        id: "a".into(),
                        name: "add".into(),
                        arguments: Arguments::Json(json!({"x": 1})),
                    },
                    ToolCall {
                        id: "b".into(),
                        name: "add".into(),
                        arguments: Arguments::Malformed("{x".into()),
                    },
                ],
            },
            Message::Tool { id: "a".into(), name: "add".into(), content: "2".into(), is_error: false },
        ];
        let written = json!([
            {"role": "user", "content": "hi"},
            {"role": "assistant", "tool_calls": [
                {"id": "a", "name": "add", "arguments": {"json": {"x": 1}}},
                {"id": "b", "name": "add", "arguments": {"malformed": "{x"}},
            ]},
            {"role": "tool", "id": "a", "name": "add", "content": "2", "is_error": false},
        ]);
        assert_eq!(serde_json::to_value(&messages).unwrap(), written);
        assert_eq!(serde_json::from_value::<Vec<Message>>(written).unwrap(), messages);
    }

    #[test]
    fn an_error_becomes_that_of_a_tool_with_what_is_known() {
        let mut error = LlmError::new(ErrorCode::RateLimit, "slow down").retryable();
        error.retry_after_s = Some(7);
        error.status = Some(429);
        let made = ToolError::from(error);
        assert_eq!((made.code, made.retry_after_s), (ErrorCode::RateLimit, Some(7)));
        assert_eq!(made.details, Some(json!({"is_retryable": true, "status": 429})));
    }
}
