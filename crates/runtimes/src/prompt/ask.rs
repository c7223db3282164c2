//! The question to the model: who speaks, what they are told, and what shape the answer has.

use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, Tool, ToolError,
    governance::{Agent, AgentStatus},
};
use toolgate_engine::{ModelMessage, ModelRequest, ModelRole, RuleError, RunContext};

use super::config::{Config, Mode};
use crate::template;

/// A question, and the schema that its answer must fit; without one, the answer is text.
pub(super) struct Question {
    /// Who is asked, by the name that the tool or its agent has for it.
    pub(super) model: Option<String>,
    pub(super) request: ModelRequest,
    pub(super) schema: Option<Value>,
}

pub(super) async fn question(
    config: &Config,
    tool: &Tool,
    input: &Value,
    context: &RunContext,
) -> Result<Question, ToolError> {
    let mut schema = schema_of(tool);
    let said = said(config, input).await?;
    let (mut model, mut system) = (config.model.clone(), Vec::new());
    if let Some(text) = &config.system {
        system.push(template::fill(text, input).await?);
    }
    if config.mode != Mode::Direct {
        let agent = agent(config, context).await?;
        model = model.or(agent.model);
        system.extend(agent.persona);
    }
    if let Some(name) = config.skill.as_deref() {
        let skill = context.invoker.house()?.skill(name).await.map_err(missing)?;
        system.push(skill.instructions);
        schema = schema.or(if tool.spec.output_schema.is_none() { skill.output_schema } else { None });
    }
    system.extend(schema.as_ref().map(shape));
    let request = ModelRequest {
        tenant_id: context.tenant_id,
        // The one that was opened for the name.
        model: None,
        system: (!system.is_empty()).then(|| system.join("\n\n")),
        messages: vec![ModelMessage { role: ModelRole::User, content: said }],
        output_schema: schema.clone(),
        max_output_tokens: config.max_output_tokens,
        temperature: config.temperature,
    };
    Ok(Question { model, request, schema })
}

/// The shape of the answer, where it is not text.
pub(super) fn schema_of(tool: &Tool) -> Option<Value> {
    tool.spec.output_schema.as_ref().filter(|schema| !is_text(schema)).cloned()
}

/// What is said: the template filled in, or the input itself.
pub(super) async fn said(config: &Config, input: &Value) -> Result<String, ToolError> {
    match &config.template {
        Some(template) => template::fill(template, input).await,
        None => Ok(serde_json::to_string_pretty(input).unwrap_or_default()),
    }
}

/// What a model is told of the shape.
pub(super) fn shape(schema: &Value) -> String {
    format!("Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{schema}")
}

/// The agent to whom the work goes: one of the caller's tenant and teams, and active.
pub(super) async fn agent(config: &Config, context: &RunContext) -> Result<Agent, ToolError> {
    let depth = context.invoker.depth();
    if config.mode == Mode::Agent && depth >= config.max_depth {
        let message =
            format!("work is handed on {depth} calls deep, and this tool does so up to {}", config.max_depth);
        return Err(ToolError::denied(message)
            .with_details(json!({"reason": "agent_depth", "max_depth": config.max_depth})));
    }
    let handle = config.agent.as_deref().unwrap_or_default();
    let agent = context.invoker.house()?.agent(handle).await.map_err(missing)?;
    match agent.status {
        AgentStatus::Active => Ok(agent),
        AgentStatus::Paused => Err(unwilling(handle, "paused")),
        AgentStatus::Archived => Err(unwilling(handle, "archived")),
    }
}

fn unwilling(handle: &str, status: &str) -> ToolError {
    ToolError::denied(format!("the agent `{handle}` is {status}, and takes no work"))
        .with_details(json!({"reason": "agent_inactive", "status": status}))
}

fn missing(error: RuleError) -> ToolError {
    match error {
        RuleError::NotFound(message) | RuleError::Forbidden(message) => {
            ToolError::denied(message).with_details(json!({"reason": "not_found"}))
        }
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    }
}

/// A tool answers text when it does not say what it answers, or says `{text}`.
fn is_text(schema: &Value) -> bool {
    let properties = schema["properties"].as_object();
    properties.is_some_and(|properties| {
        properties.len() == 1 && properties.get("text").is_some_and(|text| text["type"] == "string")
    })
}
