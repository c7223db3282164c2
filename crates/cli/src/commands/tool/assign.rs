//! `toolgate tool assign` and `revoke`, and the list of assignments.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::{AssignArgs, RevokeArgs, Rows},
    client::{Client, pages},
    output::Output,
    render::{text, time},
};

pub(super) async fn assign(args: AssignArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let body = json!({"tool": args.tool, "profile": args.profile, "allowed": !args.deny});
    let made = client.post(&["api", "agents", &args.agent, "assignments"], body).value().await?;
    output.answer(&made, || {
        let (tool, agent) = (text(&made["tool"]), &args.agent);
        if args.deny {
            output.line(format!("{tool} is denied to {agent}"));
        } else {
            let profile = args
                .profile
                .as_ref()
                .map(|profile| format!(", with the profile {profile}"))
                .unwrap_or_default();
            output.line(format!("{tool} is assigned to {agent}{profile}"));
            output
                .note(&format!("see what would happen with: toolgate policy explain {tool} --agent {agent}"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn revoke(args: RevokeArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let gone = client.delete(&["api", "agents", &args.agent, "assignments", &args.tool]).value().await?;
    output.answer(&gone, || output.line(format!("{} is taken from {}", text(&gone["tool"]), args.agent)));
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn list(
    agent: Option<&str>,
    rows: &Rows,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let ask = || match agent {
        Some(agent) => client.get(&["api", "agents", agent, "assignments"]),
        None => client.get(&["api", "assignments"]),
    };
    let page = pages(ask, rows.limit, rows.all, output).await?;
    let row = |one: &Value| {
        let allowed = if one["allowed"] == true { "allowed" } else { "denied" };
        vec![
            text(&one["tool"]),
            text(&one["agent_id"]),
            allowed.to_owned(),
            text(&one["profile_id"]),
            time(&one["created_at"]),
            text(&one["created_by"]),
        ]
    };
    let header = ["TOOL", "AGENT", "", "PROFILE", "SINCE", "BY"];
    output.answer(&page, || output.page(&page, "no tool is assigned", &header, row));
    Ok(ExitCode::SUCCESS)
}
