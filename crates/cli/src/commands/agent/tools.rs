//! What an agent may do with each tool.

use serde_json::{Value, json};

use crate::{
    cli::PermitArgs,
    client::Client,
    output::Output,
    render::{text, time},
};

pub(super) async fn list(agent: &str, client: &Client, output: &Output) -> anyhow::Result<()> {
    let found = client.get(&["api", "agents", agent, "tools"]).value().await?;
    output.answer(&found, || show(&found, output));
    Ok(())
}

fn show(found: &Value, output: &Output) {
    let items = |key: &str| found[key].as_array().cloned().unwrap_or_default();
    let (tools, overrides) = (items("tools"), items("overrides"));
    if !tools.is_empty() {
        let row = |tool: &Value| {
            vec![text(&tool["toolName"]), text(&tool["permissionStatus"]), text(&tool["providerKey"])]
        };
        output.table(&["TOOL", "PERMISSION", "PROVIDER"], tools.iter().map(row).collect());
    }
    if !overrides.is_empty() {
        if !tools.is_empty() {
            output.line("");
        }
        let row = |given: &Value| {
            vec![
                text(&given["toolName"]),
                text(&given["approvedBy"]),
                time(&given["approvedAt"]),
                text(&given["invocationId"]),
            ]
        };
        let header = ["APPROVED FOR GOOD", "BY", "AT", "WHEN ASKED ABOUT"];
        output.table(&header, overrides.iter().map(row).collect());
    }
    output.note("a tool that is not listed needs approval");
}

/// The server takes the whole list: it is read, one entry is changed, and it is sent back.
pub(super) async fn permit(args: PermitArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let path = ["api", "agents", args.agent.as_str(), "tools"];
    let mut tools = match client.get(&path).value().await?["tools"].take() {
        Value::Array(tools) => tools,
        _ => Vec::new(),
    };
    match tools.iter_mut().find(|tool| tool["toolName"] == args.tool) {
        Some(known) => {
            known["permissionStatus"] = args.status.clone().into();
            if let Some(provider) = args.provider_key {
                known["providerKey"] = provider.into();
            }
        }
        None => tools.push(json!({
            "toolName": args.tool, "permissionStatus": args.status, "providerKey": args.provider_key,
        })),
    }
    let now = client.put(&path, json!({"tools": tools})).value().await?;
    output.answer(&now, || output.line(format!("{} for {} is {}", args.tool, args.agent, args.status)));
    Ok(())
}

pub(super) async fn revoke_override(
    agent: &str,
    tool: &str,
    client: &Client,
    output: &Output,
) -> anyhow::Result<()> {
    client.delete(&["api", "agents", agent, "overrides", tool]).value().await?;
    output.answer(&json!({"agent": agent, "tool": tool, "revoked": true}), || {
        output.line(format!("{agent} asks again for {tool}"));
    });
    Ok(())
}
