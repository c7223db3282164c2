//! Work for an agent. It does it in a run of its own, with its own tools: a call of `run_agent` under this one. An answer that does not
//! fit goes back to it, as the next call. This call waits as long as the run does, and goes on from the record.

use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Tool, ToolError};
use toolgate_engine::{Halt, Inner, Output, PlannedCall, RunContext, Waiting, compile_schema};

use super::{
    answer::{again, fitting, misfit},
    ask::{agent, said, schema_of, shape},
    config::Config,
};

const RUN_AGENT: &str = "run_agent";

pub(super) fn planned() -> PlannedCall {
    PlannedCall {
        pointer: String::new(),
        tool: RUN_AGENT.to_owned(),
        certain: true,
        passes: Some(vec!["agent".to_owned(), "message".to_owned()]),
        repeats: false,
    }
}

pub(super) async fn run(
    config: &Config,
    tool: &Tool,
    input: &Value,
    context: &RunContext,
) -> Result<Output, Halt> {
    let agent = agent(config, context).await?;
    let schema = schema_of(tool);
    let mut message = said(config, input).await?;
    let Some(schema) = schema else {
        return Ok(json!({"text": ask(context, 0, &agent.handle, &message, &[]).await?}).into());
    };
    let validator = compile_schema(&schema).map_err(|message| ToolError::new(ErrorCode::Unknown, message))?;
    message = format!("{message}\n\n{}", shape(&schema));
    let mut history = Vec::new();
    // Each ask is a call in its place, so what was asked before is answered from the record.
    for place in 0..=config.max_reasks {
        let text = ask(context, place, &agent.handle, &message, &history).await?;
        let wrong = match fitting(&validator, &text) {
            Ok(value) => return Ok(value.into()),
            Err(wrong) => wrong,
        };
        if place == config.max_reasks {
            return Err(misfit(place + 1, &wrong, &text).into());
        }
        history.push(json!({"role": "user", "content": message}));
        history.push(json!({"role": "assistant", "content": text}));
        message = again(&wrong);
    }
    Err(ToolError::new(ErrorCode::Unknown, "the agent was not asked").into())
}

/// One run, and what the agent answered in it.
async fn ask(
    context: &RunContext,
    place: u64,
    agent: &str,
    message: &str,
    history: &[Value],
) -> Result<String, Halt> {
    let mut input = json!({"agent": agent, "message": message});
    if !history.is_empty() {
        input["history"] = history.into();
    }
    let envelope = match context.invoker.call(place, RUN_AGENT, input).await? {
        Inner::Done(envelope) => envelope,
        Inner::Waiting(_) => return Err(Halt::Waiting(Waiting::default())),
    };
    match (envelope.error, envelope.output) {
        (Some(error), _) => Err(error.into()),
        (None, output) => {
            let response = output.as_ref().and_then(|output| output["response"].as_str());
            Ok(response.unwrap_or_default().to_owned())
        }
    }
}
