//! `toolgate tool deprecate|block|activate|versions|alias`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::AliasArgs,
    client::Client,
    output::Output,
    render::{text, time},
    when::{Way, moment},
};

pub(crate) async fn set(
    name: &str,
    lifecycle: &str,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let changed = client.patch(&["api", "tools", name], json!({"lifecycle": lifecycle})).value().await?;
    if output.is_json() {
        output.json(&changed);
    } else {
        for tool in changed["items"].as_array().into_iter().flatten() {
            output.line(format!(
                "{}@{} is {}",
                text(&tool["name"]),
                text(&tool["version"]),
                text(&tool["lifecycle"])
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn versions(name: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let versions = client.get(&["api", "tools", name, "versions"]).value().await?;
    if output.is_json() {
        output.json(&versions);
        return Ok(ExitCode::SUCCESS);
    }
    let hash = |value: &Value| value.as_str().map(|hash| hash.chars().take(12).collect()).unwrap_or_default();
    let row = |tool: &Value| {
        vec![
            text(&tool["version"]),
            text(&tool["lifecycle"]),
            hash(&tool["input_schema_hash"]),
            hash(&tool["output_schema_hash"]),
            time(&tool["created_at"]),
            time(&tool["updated_at"]),
        ]
    };
    let rows = versions["items"].as_array().into_iter().flatten().map(row).collect();
    output.table(&["VERSION", "LIFECYCLE", "INPUT SCHEMA", "OUTPUT SCHEMA", "PUBLISHED", "UPDATED"], rows);
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn alias(args: AliasArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let remove_by = moment("--remove-by", &args.remove_by, Way::FromNow)?;
    let body = json!({"alias": args.alias, "remove_by": remove_by});
    let made = client.post(&["api", "tools", &args.name, "aliases"], body).value().await?;
    if output.is_json() {
        output.json(&made);
    } else {
        output.line(format!(
            "{} calls {} until {}",
            text(&made["alias"]),
            text(&made["target"]),
            text(&made["remove_by"])
        ));
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn purge(name: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    client.delete(&["api", "tools", name, "cache"]).value().await?;
    output.answer(&json!({"name": name, "purged": true}), || {
        output.line(format!("the kept results of {name} are forgotten"));
    });
    Ok(ExitCode::SUCCESS)
}
