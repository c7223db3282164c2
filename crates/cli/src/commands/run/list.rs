//! `toolgate run list`.

use std::process::ExitCode;

use serde_json::Value;

use super::show::{error, status};
use crate::{
    cli::ListRunsArgs,
    client::{Client, pages},
    output::{Output, short},
    render::{text, time},
    when::{Way, moment},
};

pub(super) async fn run(args: ListRunsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let since = args.since.as_deref().map(|since| moment("--since", since, Way::Ago)).transpose()?;
    let ask = || {
        client
            .get(&["api", "runs"])
            .query("agent", args.agent.as_ref())
            .query("status", args.status.as_ref())
            .query("since", since)
    };
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    let row = |run: &Value| {
        let said = if run["response"].is_string() { text(&run["response"]) } else { error(run) };
        vec![
            time(&run["created_at"]),
            text(&run["id"]),
            text(&run["agent"]),
            status(run),
            short(&text(&run["message"]), 40),
            short(&said, 60),
        ]
    };
    let header = ["TIME", "ID", "AGENT", "STATUS", "MESSAGE", "RESPONSE"];
    output.answer(&page, || output.page(&page, "no runs", &header, row));
    Ok(ExitCode::SUCCESS)
}
