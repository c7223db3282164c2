//! `getTaskStatus`: what became of a task that a tool handed to somebody.

use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, TaskId, ToolError, ToolSpec};
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
                "overdue": {"type": "boolean", "description": "Whether it should be done by now, and is not."},
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
    let task = context.invoker.house()?.task(id).await.map_err(|error| match error {
        RuleError::NotFound(message) => ToolError::validation(message),
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    })?;
    let mut answer = json!({"task_id": task.id, "title": task.title, "status": task.status});
    let mut note = |key: &str, value: Option<Value>| {
        if let (Some(value), Some(fields)) = (value, answer.as_object_mut()) {
            fields.insert(key.to_owned(), value);
        }
    };
    note("result", task.result);
    note("reason", task.reason.map(Value::from));
    note("due_at", task.due_at.map(|at| json!(at)));
    note("overdue", task.due_at.map(|_| task.overdue.into()));
    note("ended_at", task.ended_at.map(|at| json!(at)));
    Ok(answer)
}
