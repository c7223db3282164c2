//! `getTaskStatus`: what became of a task that a tool handed to somebody.

use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, Scope, TaskId, ToolError, ToolSpec,
    governance::{Assignee, Task},
};
use toolgate_engine::{RuleError, RunContext};

use super::definition::{Definition, refuses};

pub(super) const NAME: &str = "getTaskStatus";

pub(super) fn spec() -> ToolSpec {
    Definition {
        name: NAME,
        category: "task",
        icon: "list-checks",
        description: "Tells how a task stands that a tool of kind `task` made: open, in_progress, completed or cancelled, with its \
            result or the reason. Use it with the `task_id` that such a tool answered; do not use it to wait in a loop: a tool \
            that waits for its task answers by itself when the task is over.",
        input_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["task_id"],
            "properties": {"task_id": {"type": "string", "maxLength": 64, "description": "The task's id, `tsk_…`."}},
        }),
        output_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["task_id", "title", "status"],
            "properties": {
                "task_id": {"type": "string", "description": "The task's id."},
                "title": {"type": "string", "description": "What is to be done."},
                "status": {"enum": ["open", "in_progress", "completed", "cancelled"], "description": "How it stands."},
                "result": {"description": "What came of it, when it is completed."},
                "reason": {"type": "string", "description": "Why it was cancelled."},
                "due_at": {"type": "string", "description": "When it should be done."},
                "ended_at": {"type": "string", "description": "When it was ended."},
            },
        }),
        examples: vec![refuses("no id of a task", json!({"task_id": "42"})), refuses("no id", json!({}))],
        output_sections: vec![],
        repeatable: false,
    }
    .into_spec()
}

pub(super) async fn run(input: &Value, context: &RunContext) -> Result<Value, ToolError> {
    let id: TaskId = input["task_id"]
        .as_str()
        .unwrap_or_default()
        .parse()
        .map_err(|error: toolgate_domain::ids::IdError| ToolError::validation(error.to_string()))?;
    let task = find(id, context).await?;
    let mut answer = json!({"task_id": task.id, "title": task.title, "status": task.status});
    let mut note = |key: &str, value: Option<Value>| {
        if let (Some(value), Some(fields)) = (value, answer.as_object_mut()) {
            fields.insert(key.to_owned(), value);
        }
    };
    note("result", task.result);
    note("reason", task.reason.map(Value::from));
    note("due_at", task.due_at.map(|at| json!(at)));
    note("ended_at", task.ended_at.map(|at| json!(at)));
    Ok(answer)
}

/// A task that the caller made, was given, or may work on; any other is not there.
async fn find(id: TaskId, context: &RunContext) -> Result<Task, ToolError> {
    let (engine, caller) = (context.invoker.engine(), context.invoker.caller()?);
    let unknown = |error: String| ToolError::new(ErrorCode::Unknown, error);
    let task = engine.task(caller, id).await.map_err(|error| match error {
        RuleError::NotFound(message) => ToolError::validation(message),
        other => unknown(other.to_string()),
    })?;
    let given = matches!(&task.assignee, Some(Assignee::Agent(agent)) if caller.agent_id == Some(*agent));
    if given || caller.may(Scope::TasksWork) || task.created_by == caller.principal.to_string() {
        return Ok(task);
    }
    // An agent may have made it with another key.
    let row = engine.stores().invocations.get(caller.tenant_id, task.invocation_id).await;
    let row = row.map_err(|error| unknown(error.to_string()))?;
    if caller.agent_id.is_some() && row.is_some_and(|row| row.agent_id == caller.agent_id) {
        return Ok(task);
    }
    Err(ToolError::validation(format!("there is no task {id}")))
}
