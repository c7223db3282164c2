//! `toolgate approvals`.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    cli::ApprovalsArgs,
    client::{Client, SseEvent, pages},
    lookup::optional_agent_id,
    output::{Output, short},
    render::{text, time},
};

pub(crate) async fn run(args: ApprovalsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    // Events name agents by their ids.
    let agent = optional_agent_id(client, args.agent.as_ref()).await?;
    let args = ApprovalsArgs { agent, ..args };
    if args.watch {
        let ask = || client.get(&["api", "approvals", "stream"]);
        let show = |event: &SseEvent| came(&args, event, output);
        super::events::follow(ask, None, client, output, show, async || list(&args, client, output).await)
            .await?;
    } else {
        list(&args, client, output).await?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(args: &ApprovalsArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let ask = || {
        client
            .get(&["api", "approvals"])
            .query("tool", args.tool.as_ref())
            .query("agent", args.agent.as_ref())
    };
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if output.is_json() && args.watch {
        items.iter().for_each(|item| output.json_line(item));
    } else if output.is_json() {
        output.json(&page);
    } else if items.is_empty() {
        output.note("no call waits for a person");
    } else {
        output.table(
            &["TIME", "ID", "TOOL", "ASKED BY", "EXPIRES", "AGREED", "INPUT"],
            items.iter().map(columns).collect(),
        );
        output.note("decide with: toolgate approve ID, or: toolgate reject ID --reason \"…\"");
    }
    Ok(())
}

fn columns(row: &Value) -> Vec<String> {
    vec![
        time(&row["created_at"]),
        text(&row["id"]),
        text(&row["tool_key"]),
        text(&row["caller"]),
        time(&row["approval_expires_at"]),
        agreed(&row["approval"]),
        short(&row["input"].to_string(), 80),
    ]
}

/// How many of those who must agree have: `1 of 2`.
fn agreed(terms: &Value) -> String {
    let votes = terms["votes"].as_array().map_or(0, Vec::len);
    terms["quorum"].as_u64().map(|quorum| format!("{votes} of {quorum}")).unwrap_or_default()
}

/// Something happened while we watch: a call came to wait, or was decided.
fn came(args: &ApprovalsArgs, event: &SseEvent, output: &Output) {
    let Ok(data) = serde_json::from_str::<Value>(&event.data) else {
        return output.note("an event cannot be read; it is left out");
    };
    let is_of = |wanted: &Option<String>, field: &str| {
        wanted.as_ref().is_none_or(|wanted| data[field].as_str() == Some(wanted))
    };
    match event.name.as_str() {
        "needs_approval" if !is_of(&args.tool, "tool_name") || !is_of(&args.agent, "agent_id") => {}
        "needs_approval" | "decided" if output.is_json() => output.json_line(&data),
        "needs_approval" => output.text(columns(&data).join("  ") + "\n"),
        "decided" => output.note(&format!(
            "{} is {} by {}",
            text(&data["id"]),
            text(&data["status"]),
            text(&data["by"])
        )),
        _ => {}
    }
}
