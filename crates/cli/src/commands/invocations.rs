//! `toolgate invocations`, and `show` and `cancel` below it.

use std::process::ExitCode;

use serde_json::Value;
use toolgate_domain::Timestamp;

use crate::{
    cli::{InvocationsArgs, InvocationsCommand, ListInvocationsArgs},
    client::{Client, pages},
    lookup::optional_agent_id,
    output::{Output, short},
    render::{self, text, time},
    when::{Way, moment},
};

pub(crate) async fn run(args: InvocationsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match args.command {
        None => list(args.list, client, output).await?,
        Some(InvocationsCommand::Show { id }) => {
            let row = client.get(&["api", "invocations", &id]).value().await?;
            show(&row, output);
        }
        Some(InvocationsCommand::Cancel { id }) => {
            let row = client.post(&["api", "invocations", &id, "cancel"], Value::Null).value().await?;
            if output.is_json() {
                output.json(&row);
            } else {
                output.line(format!("{} is {}", text(&row["id"]), text(&row["status"])));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn list(args: ListInvocationsArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let at = |option, text: &Option<String>| {
        text.as_deref().map(|text| moment(option, text, Way::Ago)).transpose()
    };
    let (since, until) = (at("--since", &args.since)?, at("--until", &args.until)?);
    let agent = optional_agent_id(client, args.agent.as_ref()).await?;
    let ask = || {
        client
            .get(&["api", "invocations"])
            .query("status", args.status.as_ref())
            .query("tool", args.tool.as_ref())
            .query("agent", agent.as_ref())
            .query("run", args.run.as_ref())
            .query("parent", args.parent.as_ref())
            .query("since", since)
            .query("until", until)
    };
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    if output.is_json() {
        output.json(&page);
        return Ok(());
    }
    let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        output.note("no calls match");
        return Ok(());
    }
    let row = |row: &Value| {
        vec![
            time(&row["created_at"]),
            text(&row["id"]),
            text(&row["tool_key"]).trim_end_matches('@').to_owned(),
            text(&row["status"]),
            took(row),
            text(&row["surface"]),
            short(&result(row), 60),
        ]
    };
    output.table(&["TIME", "ID", "TOOL", "STATUS", "TOOK", "BY", "RESULT"], items.iter().map(row).collect());
    if page["next_cursor"].is_string() {
        output.note("there are more: --all lists every one, --limit up to 200");
    }
    Ok(())
}

fn took(row: &Value) -> String {
    let at = |key: &str| row[key].as_str().and_then(|text| text.parse::<Timestamp>().ok());
    match (at("started_at"), at("completed_at")) {
        (Some(start), Some(end)) => format!("{} ms", end.ms_since(start)),
        _ => String::new(),
    }
}

/// How it ended, in a few words.
pub(super) fn result(row: &Value) -> String {
    match (&row["error"], &row["output"]) {
        (Value::Object(error), _) => format!(
            "{}: {}",
            text(error.get("code").unwrap_or(&Value::Null)),
            text(error.get("message").unwrap_or(&Value::Null))
        ),
        (_, Value::Null) => String::new(),
        (_, output) => output.to_string(),
    }
}

fn show(row: &Value, output: &Output) {
    if output.is_json() {
        output.json(row);
        return;
    }
    let mut facts = Vec::new();
    for key in [
        "id",
        "tool_key",
        "status",
        "approval_status",
        "approval_decided_by",
        "approval_reason",
        "approval_expires_at",
        "caller",
        "surface",
        "session_id",
        "run_id",
        "agent_id",
        "call_id",
        "created_at",
        "started_at",
        "completed_at",
    ] {
        if !row[key].is_null() {
            facts.push((key, text(&row[key])));
        }
    }
    facts.push(("took", took(row)));
    facts.push(("decision", text(&row["decision"]["verdict"])));
    render::facts(output, facts);
    for evidence in row["decision"]["evidence"].as_array().into_iter().flatten() {
        output.line(format!(
            "  {} by {}: {}",
            text(&evidence["verdict"]),
            text(&evidence["rule"]),
            text(&evidence["because"])
        ));
    }
    for warning in row["warnings"].as_array().into_iter().flatten() {
        output.line(format!("warning: {}", text(warning)));
    }
    output.line("input:");
    render::value(output, &row["input"]);
    if row["approved_input"].is_object() {
        output.line("input as it was approved:");
        render::value(output, &row["approved_input"]);
    }
    if row["error"].is_object() {
        output.line(format!("error: {}", result(row)));
    } else if !row["output"].is_null() {
        output.line("output:");
        render::value(output, &row["output"]);
    }
    render::attachments(output, row);
}
