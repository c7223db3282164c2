//! Runs tools of kind `agent_action`.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{
    EgressClass, ErrorCode, Tool, ToolError, ToolSpec, governance::Agent, json::encoded_len, quota::Window,
    tool::Execution,
};
use toolgate_engine::{Admission, Halt, Inner, Invoker, Output, RuleError, RunContext, Runtime, Waiting};

use super::{
    deed::Deed,
    outcome::{Ended, Outcome},
    spec::{Asked, KIND, spec},
};

/// The one call that an action makes.
const PLACE: u64 = 0;

/// What the audit trail calls it.
const TOLD_AS: &str = "agent.action";

const QUOTA: &str = "daily_quota_exceeded";

/// The runtime of kind `agent_action`.
#[derive(Default)]
pub struct ActionRuntime;

impl ActionRuntime {
    /// The definitions of the tools that it serves by itself.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![spec()]
    }
}

#[async_trait]
impl Runtime for ActionRuntime {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        match execution.config.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("/{key}: a tool of kind `{KIND}` has no settings")),
        }
    }

    /// What it does to the world it does through other tools, each of which is judged by itself.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::None
    }

    fn replays(&self, _execution: &Execution) -> bool {
        true
    }

    async fn run(&self, _tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let asked: Asked =
            serde_json::from_value(input).map_err(|error| ToolError::validation(error.to_string()))?;
        let invoker = &context.invoker;
        within_bounds(&asked, invoker)?;
        let agent = invoker.house()?.agent(&asked.agent_id).await.map_err(missing)?;
        invoker.may_act_for(&agent)?;
        let ended = match invoker.made_before(PLACE).await? {
            Some(made) => settled(made, invoker).await?,
            None => act(&asked, &agent, invoker).await?,
        };
        let mut told = ended.told(&asked.action_type, agent.id);
        told.insert("handle".to_owned(), agent.handle.into());
        told.insert("context_type".to_owned(), json!(asked.context_type));
        told.insert("context_id".to_owned(), json!(asked.context_id));
        told.insert("action_id".to_owned(), json!(context.invocation_id));
        invoker.tell(TOLD_AS, agent.id, Value::Object(told)).await?;
        Ok(ended.answer(&asked.action_type, agent.id).into())
    }
}

/// Does what is asked, once, where terms and day allow it.
async fn act(asked: &Asked, agent: &Agent, invoker: &Invoker) -> Result<Ended, Halt> {
    let deed = match Deed::of(asked, agent, invoker).await? {
        Ok(deed) => deed,
        Err(ended) => return Ok(ended),
    };
    let names: Vec<&str> = deed.names.iter().map(String::as_str).collect();
    if let Err(refusal) = agent.actions.weigh(&names) {
        let message = format!("the terms of {} refuse the action {}", agent.handle, asked.action_type);
        return Ok(Ended::blocked(refusal.as_str(), message));
    }
    let kind = names.first().copied().unwrap_or_default();
    match invoker.take_place(agent.id, kind, agent.actions.caps(&names)).await? {
        Admission::Taken => {}
        Admission::FullForKind | Admission::FullForAll => {
            let now = invoker.now();
            let retry_after_s = Some(Window::Day.ends_at(now).ms_since(now).div_ceil(1_000));
            return Ok(Outcome::Throttled { reason: QUOTA.to_owned(), retry_after_s }.into());
        }
    }
    match deed.invoker.call(PLACE, &deed.tool, deed.input).await {
        Ok(made) => settled(made, invoker).await,
        Err(error) => {
            invoker.give_place_back().await;
            Ok(Outcome::from(error).into())
        }
    }
}

/// What the call came to. Only a success keeps its place in the day.
async fn settled(made: Inner, invoker: &Invoker) -> Result<Ended, Halt> {
    let ended = match made {
        Inner::Waiting(_) => return Err(Halt::Waiting(Waiting::default())),
        Inner::Done(envelope) => Ended::from(*envelope).fitted(invoker.limits()),
    };
    if !ended.is_success() {
        invoker.give_place_back().await;
    }
    Ok(ended)
}

/// The metadata becomes the input of a call, and is no larger than one may be.
fn within_bounds(asked: &Asked, invoker: &Invoker) -> Result<(), ToolError> {
    let most = invoker.limits().max_input_bytes;
    let bytes: usize =
        asked.metadata.iter().map(|(key, value)| key.len().saturating_add(encoded_len(value))).sum();
    if bytes as u64 > most {
        return Err(ToolError::validation(format!("metadata has {bytes} bytes; the most is {most}")));
    }
    Ok(())
}

fn missing(error: RuleError) -> ToolError {
    match error {
        RuleError::NotFound(message) | RuleError::Forbidden(message) => {
            ToolError::denied(message).with_details(json!({"reason": "forbidden", "code": "FORBIDDEN"}))
        }
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    }
}
