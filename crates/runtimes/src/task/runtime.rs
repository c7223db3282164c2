use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, Tool, ToolError,
    governance::{Task, TaskStatus},
    tool::Execution,
};
use toolgate_engine::{Compiled, Halt, NewTask, Output, Redactor, RuleError, RunContext, Runtime, Waiting};

use super::config::Config;
use crate::template;

/// The runtime of kind `task`.
pub struct TaskRuntime;

#[async_trait]
impl Runtime for TaskRuntime {
    fn kind(&self) -> &'static str {
        "task"
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        Config::read(execution).map(Compiled::new)
    }

    /// The task of a call is made once, however often its run begins again.
    fn replays(&self, _execution: &Execution) -> bool {
        true
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let config: &Config = context.plan()?;
        let mut task = open(config, &tool, input, &context).await?;
        if !config.wait {
            return Ok(Output::from(json!({"task_id": task.id, "status": task.status})));
        }
        if task.overdue {
            let left = context.invoker.house()?.stop_waiting(task.id).await;
            task = left.map_err(|error| ToolError::new(ErrorCode::Unknown, error.to_string()))?;
        }
        match task.status {
            TaskStatus::Open | TaskStatus::InProgress if task.overdue => Err(overdue(&task).into()),
            TaskStatus::Open | TaskStatus::InProgress => {
                Err(Halt::Waiting(Waiting { task: Some(task.id), ..Waiting::default() }))
            }
            TaskStatus::Completed => Ok(Output::from(task.answer())),
            TaskStatus::Cancelled => Err(cancelled(&task).into()),
        }
    }
}

async fn open(
    config: &Config,
    tool: &Tool,
    mut input: Value,
    context: &RunContext,
) -> Result<Task, ToolError> {
    // A task is kept, and people read it.
    redactor(context)?.redact_value(&mut input);
    let mut title = template::fill(&config.title, &input).await?;
    if context.invoker.is_test() {
        title.insert_str(0, "[test] ");
    }
    let description = match &config.description {
        Some(description) => template::fill(description, &input).await?,
        None => String::new(),
    };
    // The task names the call, so that must be in the ledger first.
    context.invoker.be_on_record().await?;
    let new = NewTask {
        title,
        description,
        assignee: config.assignee.as_ref().map(super::config::Assignee::named),
        input,
        tool: tool.spec.id(),
        waits: config.wait,
        answers: config.output,
        due_in_s: config.due_in_s,
    };
    context.invoker.house()?.open_task(new).await.map_err(|error| match error {
        RuleError::Invalid(message) => ToolError::validation(message),
        RuleError::Conflict(message) => ToolError::denied(message),
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    })
}

fn redactor(context: &RunContext) -> Result<Redactor, ToolError> {
    let secrets = &context.secrets;
    let pairs = secrets.names().filter_map(|name| Some((name.parse().ok()?, secrets.get(name)?.clone())));
    Redactor::new(pairs).map_err(|error| ToolError::new(ErrorCode::Unknown, error.to_string()))
}

fn overdue(task: &Task) -> ToolError {
    let message =
        format!("the task `{}` was not done in time; it is still {}", task.title, task.status.as_str());
    ToolError::new(ErrorCode::Timeout, message)
        .with_details(json!({"reason": "task_overdue", "task_id": task.id, "due_at": task.due_at}))
}

fn cancelled(task: &Task) -> ToolError {
    let reason = task.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    ToolError::new(ErrorCode::ProviderError, format!("the task `{}` was cancelled{reason}", task.title))
        .with_details(json!({"reason": "task_cancelled", "task_id": task.id, "by": task.worked_by}))
}
