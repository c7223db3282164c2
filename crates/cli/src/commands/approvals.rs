//! `toolgate approvals`, and `tool approve` and `tool reject`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::{ApprovalsArgs, DecideArgs, EventsArgs},
    client::{Client, pages},
    output::{Output, short},
    render::{text, time},
};

pub(crate) async fn run(args: ApprovalsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    if args.watch {
        let all = EventsArgs { session: None, follow: true, after: None, limit: None };
        let wanted = |event: &Value| event["type"] == "tool.needs_approval";
        super::events::follow(&all, client, output, wanted, async || list(&args, client, output).await)
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
    let page = pages(ask, args.limit, args.all, output).await?;
    let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if output.is_json() && args.watch {
        items.iter().for_each(|item| output.json_line(item));
    } else if output.is_json() {
        output.json(&page);
    } else if items.is_empty() {
        output.note("no call waits for a person");
    } else {
        let row = |row: &Value| {
            vec![
                time(&row["created_at"]),
                text(&row["id"]),
                text(&row["tool_key"]),
                text(&row["caller"]),
                time(&row["approval_expires_at"]),
                short(&row["input"].to_string(), 80),
            ]
        };
        output
            .table(&["TIME", "ID", "TOOL", "ASKED BY", "EXPIRES", "INPUT"], items.iter().map(row).collect());
        output.note("decide with: toolgate tool approve ID, or: toolgate tool reject ID --reason \"…\"");
    }
    Ok(())
}

pub(crate) async fn approve(args: DecideArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let body = args.digest.map_or(Value::Null, |digest| json!({"digest": digest}));
    decided(client.post(&["api", "invocations", &args.id, "approve"], body).value().await?, output)
}

pub(crate) async fn reject(
    args: DecideArgs,
    reason: &str,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let mut body = json!({"reason": reason});
    if let Some(digest) = args.digest {
        body["digest"] = Value::from(digest);
    }
    decided(client.post(&["api", "invocations", &args.id, "reject"], body).value().await?, output)
}

#[expect(clippy::unnecessary_wraps, reason = "the end of both commands")]
fn decided(row: Value, output: &Output) -> anyhow::Result<ExitCode> {
    if output.is_json() {
        output.json(&row);
    } else {
        output.line(format!("{} is {}", text(&row["id"]), text(&row["status"])));
    }
    Ok(ExitCode::SUCCESS)
}
