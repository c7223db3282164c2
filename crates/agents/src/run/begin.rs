//! What a run was given. It is its first step: whatever changes meanwhile, the run goes on with what it began with.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{
    AgentId, ErrorCode, Timestamp, ToolError,
    governance::{Agent, ModelParameters},
};
use toolgate_engine::Invoker;

use super::{
    spec::Asked,
    toolset::{given, shown},
};
use crate::llm::{ChatRequest, Message};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    pub agent: AgentId,
    pub handle: String,
    /// `provider/model`, as the agent has it.
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default)]
    pub parameters: ModelParameters,
    #[serde(default)]
    pub system: Option<String>,
    /// What was said before.
    #[serde(default)]
    pub history: Vec<Message>,
    pub message: String,
    /// The run ends by then, whatever it waits for.
    pub deadline: Timestamp,
    #[serde(default)]
    pub policy_version: Option<String>,
    /// Sorted by name: the same tools make the same prompt.
    pub tools: Vec<GivenTool>,
    /// The tools are too many to be shown: they have no schemas here, and the model searches them.
    #[serde(default)]
    pub by_search: bool,
}

/// A tool as it was when the run began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenTool {
    pub name: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input_schema: Value,
}

impl Begin {
    /// The agent with all that it may call now. `invoker` is the agent's.
    pub(super) async fn of(agent: Agent, mut asked: Asked, invoker: &Invoker) -> Result<Self, ToolError> {
        let (tools, by_search) = given(invoker.toolset().await?);
        let longest_s = invoker.limits().run_deadline_s;
        let deadline_s = asked.deadline_s.map_or(longest_s, |asked| asked.min(longest_s));
        let deadline_ms = i64::try_from(deadline_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
        Ok(Self {
            agent: agent.id,
            handle: agent.handle,
            model: agent.model,
            parameters: agent.model_parameters,
            system: agent.persona,
            history: asked.history(),
            message: asked.message,
            deadline: invoker.now().plus_ms(deadline_ms),
            policy_version: invoker.policy_version().await?,
            tools,
            by_search,
        })
    }

    /// The same, with all the time that a run may have.
    #[must_use]
    pub(super) fn beginning_now(mut self, invoker: &Invoker) -> Self {
        let longest_ms = invoker.limits().run_deadline_s.saturating_mul(1_000);
        self.deadline = invoker.now().plus_ms(i64::try_from(longest_ms).unwrap_or(i64::MAX));
        self
    }

    /// The conversation as it begins.
    pub(super) fn messages(&self) -> Vec<Message> {
        let mut messages = self.history.clone();
        messages.push(Message::User(self.message.clone()));
        messages
    }

    pub(super) fn read(body: Value) -> Result<Self, ToolError> {
        serde_json::from_value(body)
            .map_err(|error| ToolError::new(ErrorCode::Unknown, format!("the run's first step: {error}")))
    }

    pub(super) fn given(&self, name: &str) -> Option<&GivenTool> {
        let at = self.tools.binary_search_by(|tool| tool.name.as_str().cmp(name)).ok()?;
        self.tools.get(at)
    }

    /// The reference that calls the tool as it was given.
    pub(super) fn reference(&self, name: &str) -> String {
        self.given(name).map_or_else(|| name.to_owned(), |tool| format!("{}@{}", tool.name, tool.version))
    }

    pub(super) fn request(&self, model: &str, messages: Vec<Message>) -> ChatRequest {
        ChatRequest {
            model: model.to_owned(),
            system: self.system.clone(),
            messages,
            tools: shown(self),
            max_output_tokens: self.parameters.max_output_tokens,
            temperature: self.parameters.temperature,
            ..ChatRequest::default()
        }
    }
}
