//! `toolgate workspace …`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{cli::WorkspaceCommand, client::Client, output::Output, render::text};

pub(crate) async fn run(
    command: WorkspaceCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        WorkspaceCommand::Create(args) => {
            let name = args.name.as_ref().unwrap_or(&args.slug);
            let body = json!({"slug": args.slug, "name": name});
            let made = client.post(&["api", "workspaces"], body).value().await?;
            output.answer(&made, || output.line(format!("{} is {}", text(&made["slug"]), text(&made["id"]))));
        }
        WorkspaceCommand::List => {
            let all = client.get(&["api", "workspaces"]).value().await?;
            let row = |one: &Value| vec![text(&one["slug"]), text(&one["id"]), text(&one["name"])];
            output.answer(&all, || {
                output.page(&all, "no workspaces", &["SLUG", "ID", "NAME"], row);
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}
