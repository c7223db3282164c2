//! `toolgate audit list|verify|export`.

mod export;
mod verify;

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    cli::{AuditCommand, ListAuditArgs},
    client::{Client, pages},
    output::{Output, short},
    render::{text, time},
};

pub(crate) async fn run(
    command: AuditCommand,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        AuditCommand::List(args) => list(&args, &client()?, output).await?,
        AuditCommand::Verify(args) => return verify::run(args, client, output).await,
        AuditCommand::Export { output: file } => export::run(file.as_deref(), &client()?, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(args: &ListAuditArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let ask = || {
        client
            .get(&["api", "audit"])
            .query("action", args.action.as_ref())
            .query("actor", args.actor.as_ref())
            .query("target", args.target.as_ref())
    };
    let page = pages(ask, args.limit, args.all, output).await?;
    if output.is_json() {
        output.json(&page);
        return Ok(());
    }
    let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        output.note("no changes match");
        return Ok(());
    }
    let row = |event: &Value| {
        vec![
            time(&event["at"]),
            text(&event["id"]),
            text(&event["action"]),
            text(&event["actor"]),
            text(&event["target"]),
            short(&text(&event["after"]), 60),
        ]
    };
    output.table(&["TIME", "ID", "ACTION", "BY", "TARGET", "AFTER"], items.iter().map(row).collect());
    if page["next_cursor"].is_string() {
        output.note("there are more: --all lists every one, --limit up to 200");
    }
    Ok(())
}
