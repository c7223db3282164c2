//! `toolgate task …`: work that tools handed to somebody.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::tool::read_json;
use crate::{
    cli::{ListTasksArgs, TaskCommand},
    client::{Client, pages},
    output::Output,
    render::{self, text, time},
};

pub(crate) async fn run(command: TaskCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let said = |id: &str, what: &str, body: Value| client.post(&["api", "tasks", id, what], body).value();
    let task = match command {
        TaskCommand::List(args) => {
            list(&args, client, output).await?;
            return Ok(ExitCode::SUCCESS);
        }
        TaskCommand::Show { id } => {
            let task = client.get(&["api", "tasks", &id]).value().await?;
            output.answer(&task, || show(&task, output));
            return Ok(ExitCode::SUCCESS);
        }
        TaskCommand::Start { id } => said(&id, "start", Value::Null).await?,
        TaskCommand::Complete { id, result } => {
            let result = result.as_deref().map(read_json).transpose()?;
            said(&id, "complete", json!({"result": result})).await?
        }
        TaskCommand::Cancel { id, reason } => said(&id, "cancel", json!({"reason": reason})).await?,
    };
    output.answer(&task, || output.line(format!("{} is {}", text(&task["id"]), text(&task["status"]))));
    Ok(ExitCode::SUCCESS)
}

async fn list(args: &ListTasksArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let ask = || {
        client
            .get(&["api", "tasks"])
            .query("status", args.status.as_ref())
            .query("assignee", args.assignee.as_ref())
            .query("overdue", args.overdue.then_some(true))
    };
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    let row = |task: &Value| {
        vec![
            time(&task["created_at"]),
            text(&task["id"]),
            status(task),
            assignee(&task["assignee"]),
            time(&task["due_at"]),
            text(&task["title"]),
        ]
    };
    let header = ["TIME", "ID", "STATUS", "FOR", "DUE", "TITLE"];
    output.answer(&page, || output.page(&page, "no tasks", &header, row));
    Ok(())
}

fn status(task: &Value) -> String {
    let overdue = if task["overdue"] == true { ", overdue" } else { "" };
    format!("{}{overdue}", text(&task["status"]))
}

/// `user usr_…`, `role approver`, `agent agt_…`.
fn assignee(assignee: &Value) -> String {
    let named = assignee.as_object().and_then(|fields| fields.iter().next());
    named.map(|(kind, name)| format!("{kind} {}", text(name))).unwrap_or_default()
}

fn show(task: &Value, output: &Output) {
    let json = |value: &Value| if value.is_null() { String::new() } else { value.to_string() };
    let waits = if task["waits"] == true { "the call waits for it" } else { "" };
    render::facts(
        output,
        vec![
            ("title", text(&task["title"])),
            ("id", text(&task["id"])),
            ("status", status(task)),
            ("for", assignee(&task["assignee"])),
            ("due", time(&task["due_at"])),
            ("tool", text(&task["tool"])),
            ("call", text(&task["invocation_id"])),
            ("", waits.to_owned()),
            ("asked by", text(&task["created_by"])),
            ("worked on by", text(&task["worked_by"])),
            ("input", json(&task["input"])),
            ("result", json(&task["result"])),
            ("reason", text(&task["reason"])),
            ("description", text(&task["description"])),
        ],
    );
}
