//! What a server offers, what changed, and what a person says to it.

use anyhow::bail;
use serde_json::{Value, json};
use toolgate_domain::governance::made_visible;

use super::server::of;
use crate::{
    ask::confirm,
    cli::{McpToolArgs, ReviewMcpToolArgs},
    client::Client,
    output::{Output, short},
    render::text,
};

pub(super) async fn list(server: &str, client: &Client, output: &Output) -> anyhow::Result<()> {
    let answer = client.get(&of(server, &["tools"])).value().await?;
    output.answer(&answer, || {
        let tools = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        if tools.is_empty() {
            return output.note("no tools: ask the server with toolgate mcp server refresh");
        }
        let row = |tool: &Value| {
            let state = match &tool["pending"]["rejected_by"] {
                Value::String(_) => format!("{} (rejected)", text(&tool["state"])),
                _ => text(&tool["state"]),
            };
            let note = match tool["changes"].as_array().and_then(|changes| changes.first()) {
                Some(change) => text(&change["message"]),
                None => text(&tool["problem"]),
            };
            let mut class = text(&tool["egress_class"]);
            if tool["class_below_hints"] == true {
                class += " (below its hints)";
            }
            vec![
                text(&tool["tool"]),
                text(&tool["name"]),
                text(&tool["version"]),
                state,
                class,
                short(&note, 70),
            ]
        };
        let heads = ["TOOL", "NAME", "VERSION", "STATE", "EGRESS", "NOTE"];
        output.table(&heads, tools.iter().map(row).collect());
    });
    Ok(())
}

async fn find(args: &McpToolArgs, client: &Client) -> anyhow::Result<Value> {
    let answer = client.get(&of(&args.server, &["tools"])).value().await?;
    let tools = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = |key: &str| tools.iter().find(|tool| tool[key] == args.tool.as_str());
    match named("tool").or_else(|| named("name")) {
        Some(tool) => Ok(tool.clone()),
        None => bail!("the MCP server {} has no tool `{}`", args.server, args.tool),
    }
}

pub(super) async fn diff(args: &McpToolArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let tool = find(args, client).await?;
    output.answer(&tool, || shown(&tool, output));
    Ok(())
}

/// The difference, the strictest first, and the digest that accepts it.
fn shown(tool: &Value, output: &Output) {
    output.line(format!("{} ({}) is {}", text(&tool["tool"]), text(&tool["name"]), text(&tool["state"])));
    if let Value::String(problem) = &tool["problem"] {
        output.line(format!("  cannot be used: {problem}"));
    }
    for change in tool["changes"].as_array().map(Vec::as_slice).unwrap_or_default() {
        output.line(format!("  {:<8} {}", text(&change["severity"]), text(&change["message"])));
        for line in change["diff"].as_str().unwrap_or_default().lines() {
            output.line(format!("           {line}"));
        }
    }
    if tool["state"] == "new" {
        output.line("  nobody accepted it yet. It says of itself:");
        let definition = &tool["pending"]["definition"];
        for line in made_visible(definition["description"].as_str().unwrap_or_default()).lines() {
            output.line(format!("           {line}"));
        }
        output.line(format!("           input: {}", made_visible(&definition["input_schema"].to_string())));
    }
    match &tool["digest"] {
        Value::String(digest) => output.line(format!("digest {digest}")),
        _ => output.line("nothing waits to be accepted"),
    }
}

pub(super) async fn accept(args: ReviewMcpToolArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let tool = review(&args, "accept", client, output).await?;
    output.answer(&tool, || {
        output.line(format!("{}@{} can be called", text(&tool["name"]), text(&tool["version"])));
    });
    Ok(())
}

pub(super) async fn reject(args: ReviewMcpToolArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let tool = review(&args, "reject", client, output).await?;
    output.answer(&tool, || {
        output.line(format!("{} stays shut until the server changes it again", text(&tool["name"])));
    });
    Ok(())
}

async fn review(
    args: &ReviewMcpToolArgs,
    verb: &str,
    client: &Client,
    output: &Output,
) -> anyhow::Result<Value> {
    let digest = match &args.digest {
        Some(digest) => digest.clone(),
        None => {
            let tool = find(&args.of, client).await?;
            let Value::String(digest) = &tool["digest"] else {
                bail!("nothing about `{}` waits: it is {}", args.of.tool, text(&tool["state"]));
            };
            if !output.is_json() {
                shown(&tool, output);
            }
            confirm(&format!("{verb} {}?", args.of.tool), args.yes, output)?;
            digest.clone()
        }
    };
    let path = of(&args.of.server, &["tools", &args.of.tool, verb]);
    client.post(&path, json!({"digest": digest})).value().await
}
