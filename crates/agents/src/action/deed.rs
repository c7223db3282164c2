//! What an action does: which tool is called, as whom, and with what.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Tool, ToolError, governance::Agent};
use toolgate_engine::{Invoker, RegistryError};

use super::{
    outcome::{Ended, Outcome},
    spec::{Asked, KIND},
};

/// The action that is no tool of the agent's: the agent is given a message.
const RUN: &str = "run";
const RUN_AGENT: &str = "run_agent";

/// The call that an action is.
pub(super) struct Deed {
    /// Its own name and that of the tool: terms and quotas may have been written for either.
    pub(super) names: Vec<String>,
    /// `name@version`.
    pub(super) tool: String,
    pub(super) input: Value,
    /// Whom the call is made for. A run is the caller's, and makes its calls as the agent.
    pub(super) invoker: Invoker,
}

impl Deed {
    /// Finds it; answers how the action ended where there is nothing that it could be.
    pub(super) async fn of(
        asked: &Asked,
        agent: &Agent,
        caller: &Invoker,
    ) -> Result<Result<Self, Ended>, ToolError> {
        let as_agent = match caller.as_agent(agent.id).await {
            Ok(invoker) => invoker,
            Err(error) if error.code == ErrorCode::PolicyDenied => {
                return Ok(Err(Outcome::from(error).into()));
            }
            Err(error) => return Err(error),
        };
        let action = asked.action_type.as_str();
        let runs = action == RUN || action == RUN_AGENT;
        let invoker = if runs { caller.clone() } else { as_agent };
        let found = invoker.house()?.tool(if runs { RUN_AGENT } else { action }).await;
        let tool = match found {
            Ok(tool) if tool.spec.execution.kind == KIND => {
                return Ok(Err(Ended::blocked("not_an_action", "an action is no action of itself")));
            }
            Ok(tool) => tool,
            Err(
                RegistryError::NotFound(message)
                | RegistryError::Invalid(message)
                | RegistryError::Forbidden(message),
            ) => {
                return Ok(Err(Ended::blocked("unknown_action", message)));
            }
            Err(RegistryError::Store(error)) => {
                tracing::error!(%error, "the tool of an action cannot be read");
                return Err(ToolError::new(ErrorCode::Unknown, "the tool of the action cannot be read"));
            }
        };
        let input = if runs { message(asked, agent) } else { input(asked, &tool) };
        let mut names = vec![tool.spec.name.to_string(), action.to_owned()];
        if runs {
            names.push(RUN.to_owned());
        }
        names.dedup();
        Ok(Ok(Self { names, tool: tool.spec.id(), input, invoker }))
    }
}

/// What the agent is asked; whatever else a run can be told goes with it.
fn message(asked: &Asked, agent: &Agent) -> Value {
    let mut input = asked.metadata.clone();
    input.insert("agent".to_owned(), json!(agent.id));
    Value::Object(input)
}

/// The metadata, and what the action is about where the tool asks for it.
fn input(asked: &Asked, tool: &Arc<Tool>) -> Value {
    let mut input = asked.metadata.clone();
    for (key, value) in [("context_type", &asked.context_type), ("context_id", &asked.context_id)] {
        let takes = tool.spec.input_schema.pointer(&format!("/properties/{key}")).is_some();
        if let (true, Some(value)) = (takes, value) {
            input.entry(key).or_insert_with(|| value.as_str().into());
        }
    }
    Value::Object(input)
}
