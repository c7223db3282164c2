//! `toolgate tool list`.

use std::process::ExitCode;

use serde_json::Value;

use super::{assign, catalog};
use crate::{
    cli::ListToolsArgs,
    client::{Client, pages},
    output::{Output, short},
    render::text,
};

pub(crate) async fn run(args: ListToolsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let agent = args.agent.as_deref();
    match agent {
        _ if args.assignments => return assign::list(agent, &args.rows, client, output).await,
        _ if args.profiles => return catalog::profiles(agent, client, output).await,
        Some(agent) => return catalog::run(agent, client, output).await,
        None => {}
    }
    let ask = || {
        client
            .get(&["api", "tools"])
            .query("search", args.search.as_ref())
            .query("category", args.category.as_ref())
            .query("kind", args.kind.as_ref())
            .query("egress_class", args.egress_class.as_ref())
            .query("origin", args.origin.as_ref())
            .query("lifecycle", args.lifecycle.as_ref())
            .query("include_deprecated", args.include_deprecated.then_some("true"))
    };
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    if output.is_json() {
        output.json(&page);
        return Ok(ExitCode::SUCCESS);
    }
    let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        output.note("no tools match");
        return Ok(ExitCode::SUCCESS);
    }
    let row = |tool: &Value| {
        let asks = if tool["requires_approval"] == true { "asks" } else { "" };
        let about = first_sentence(tool["description"].as_str().unwrap_or_default());
        vec![
            text(&tool["name"]),
            text(&tool["version"]),
            text(&tool["category"]),
            text(&tool["egress_class"]),
            asks.to_owned(),
            text(&tool["lifecycle"]),
            about,
        ]
    };
    output.table(
        &["NAME", "VERSION", "CATEGORY", "EGRESS", "APPROVAL", "LIFECYCLE", "DESCRIPTION"],
        items.iter().map(row).collect(),
    );
    if page["next_cursor"].is_string() {
        output.note("there are more: --all lists every one, --limit up to 200");
    }
    Ok(ExitCode::SUCCESS)
}

fn first_sentence(description: &str) -> String {
    let end = description.find(". ").map_or(description.len(), |end| end + 1);
    short(&description[..end], 100)
}
