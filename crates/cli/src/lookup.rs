//! From the names that people use to the ids that the server takes.

use serde_json::Value;

use crate::{
    client::{Client, pages},
    exit::{Exit, Failure},
    output::Output,
};

/// An agent's id, by its handle. An id is taken as it is: then the key need not read agents.
pub(crate) async fn agent_id(client: &Client, reference: &str) -> anyhow::Result<String> {
    if reference.starts_with("agt_") {
        return Ok(reference.to_owned());
    }
    let agent = client.get(&["api", "agents", reference]).value().await?;
    agent["id"].as_str().map(str::to_owned).ok_or_else(|| missing("agent", reference, "agent list"))
}

pub(crate) async fn optional_agent_id(
    client: &Client,
    reference: Option<&String>,
) -> anyhow::Result<Option<String>> {
    match reference {
        Some(reference) => agent_id(client, reference).await.map(Some),
        None => Ok(None),
    }
}

/// A user's id, by the address.
pub(crate) async fn user_id(client: &Client, reference: &str, output: &Output) -> anyhow::Result<String> {
    if reference.starts_with("usr_") {
        return Ok(reference.to_owned());
    }
    let all = pages(|| client.get(&["api", "users"]), None, true, output).await?;
    let address = reference.trim().to_lowercase();
    find(&all, |user| user["email"] == address).ok_or_else(|| missing("user", reference, "user list"))
}

/// A workspace's id, by its slug.
pub(crate) async fn workspace_id(client: &Client, reference: &str) -> anyhow::Result<String> {
    if reference.starts_with("wsp_") {
        return Ok(reference.to_owned());
    }
    let all = client.get(&["api", "workspaces"]).value().await?;
    find(&all, |one| one["slug"] == reference)
        .ok_or_else(|| missing("workspace", reference, "workspace list"))
}

pub(crate) async fn workspace_ids(client: &Client, references: &[String]) -> anyhow::Result<Vec<String>> {
    let mut ids = Vec::with_capacity(references.len());
    for reference in references {
        ids.push(workspace_id(client, reference).await?);
    }
    Ok(ids)
}

/// A tenant's id, by its slug.
pub(crate) async fn tenant_id(client: &Client, reference: &str) -> anyhow::Result<String> {
    if reference.starts_with("ten_") {
        return Ok(reference.to_owned());
    }
    let all = client.get(&["api", "tenants"]).value().await?;
    find(&all, |one| one["slug"] == reference).ok_or_else(|| missing("tenant", reference, "tenant list"))
}

fn find(list: &Value, is_it: impl Fn(&Value) -> bool) -> Option<String> {
    let found = list["items"].as_array()?.iter().find(|item| is_it(item))?;
    found["id"].as_str().map(str::to_owned)
}

fn missing(what: &str, reference: &str, command: &str) -> anyhow::Error {
    Failure::new(Exit::NotFound, format!("there is no {what} `{reference}`"))
        .hint(format!("`toolgate {command}` shows what there is"))
        .into()
}
