//! `toolgate tool list --agent A`: what an agent could be given, and what it may do with it; and the profiles it has.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    client::{Client, pages},
    output::{Output, short},
    render::text,
};

/// With `--json`, the catalog; for people, beside what is assigned and permitted.
pub(super) async fn run(agent: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let catalog = client.get(&["api", "agents", agent, "tools", "catalog"]).value().await?;
    if output.is_json() {
        output.json(&catalog);
        return Ok(ExitCode::SUCCESS);
    }
    let permissions = client.get(&["api", "agents", agent, "tools"]).value().await?;
    let assignments = assignments(agent, client, output).await?;
    let row = |tool: &Value| {
        let name = &tool["toolName"];
        let found = |list: &Value, key: &str| -> Option<Value> {
            list.as_array()?.iter().find(|one| one[key] == *name).cloned()
        };
        let assigned = match found(&assignments["items"], "tool") {
            Some(one) if one["allowed"] == true => "assigned",
            Some(_) => "denied",
            None => "",
        };
        let permission =
            match (found(&permissions["tools"], "toolName"), found(&permissions["overrides"], "toolName")) {
                (Some(one), None) => text(&one["permissionStatus"]),
                (None, None) => String::new(),
                (_, Some(_)) => "approved for good".to_owned(),
            };
        vec![
            text(name),
            text(&tool["category"]),
            text(&tool["egressClass"]),
            assigned.to_owned(),
            permission,
            short(&text(&tool["description"]), 100),
        ]
    };
    let rows = catalog["tools"].as_array().into_iter().flatten().map(row).collect();
    output.table(&["NAME", "CATEGORY", "EGRESS", "ASSIGNED", "PERMISSION", "DESCRIPTION"], rows);
    Ok(ExitCode::SUCCESS)
}

/// All profiles, or those that an agent's assignments have.
pub(super) async fn profiles(
    agent: Option<&str>,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let mut profiles = client.get(&["api", "profiles"]).value().await?;
    if let Some(agent) = agent {
        let assignments = assignments(agent, client, output).await?;
        let used = |profile: &Value| {
            let mut all = assignments["items"].as_array().into_iter().flatten();
            all.any(|one| one["profile_id"] == profile["id"])
        };
        let all = profiles["items"].as_array().cloned().unwrap_or_default();
        profiles = json!({"items": all.into_iter().filter(used).collect::<Vec<_>>()});
    }
    super::super::profile::list(&profiles, output);
    Ok(ExitCode::SUCCESS)
}

async fn assignments(agent: &str, client: &Client, output: &Output) -> anyhow::Result<Value> {
    pages(|| client.get(&["api", "agents", agent, "assignments"]), None, true, output).await
}
