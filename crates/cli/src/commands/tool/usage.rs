//! `toolgate tool usage`.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    cli::UsageArgs,
    client::Client,
    output::Output,
    render::{text, time},
    when::{Way, moment},
};

pub(crate) async fn run(args: UsageArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let since = args.since.as_deref().map(|text| moment("--since", text, Way::Ago)).transpose()?;
    let path = match &args.name {
        Some(name) => vec!["api", "tools", name, "usage"],
        None => vec!["api", "usage", "deprecated"],
    };
    let report = client.get(&path).query("since", since).value().await?;
    if output.is_json() {
        output.json(&report);
        return Ok(ExitCode::SUCCESS);
    }
    let lines = report["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if lines.is_empty() {
        output.note("nobody called it in that time");
        return Ok(ExitCode::SUCCESS);
    }
    let row = |line: &Value| {
        vec![
            text(&line["name"]),
            text(&line["version"]),
            text(&line["lifecycle"]),
            text(&line["alias"]),
            text(&line["caller"]),
            text(&line["agent_id"]),
            text(&line["surface"]),
            line["calls"].to_string(),
            time(&line["last_call"]),
        ]
    };
    output.table(
        &["TOOL", "VERSION", "LIFECYCLE", "CALLED AS", "CALLER", "AGENT", "SURFACE", "CALLS", "LAST CALL"],
        lines.iter().map(row).collect(),
    );
    Ok(ExitCode::SUCCESS)
}
