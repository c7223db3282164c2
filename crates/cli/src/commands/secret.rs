//! `toolgate secret set|list|rotate|delete|rekey`.

mod rekey;
mod value;

use std::{path::Path, process::ExitCode};

use serde_json::{Value, json};

use crate::{
    cli::{SecretArgs, SecretCommand},
    client::Client,
    output::Output,
    render::{text, time},
};

pub(crate) async fn run(
    command: SecretCommand,
    client: impl Fn() -> anyhow::Result<Client>,
    config: Option<&Path>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        SecretCommand::List => list(&client()?, output).await?,
        SecretCommand::Set(args) => {
            let client = client()?;
            let body = body(&args, output)?;
            let set = client.put(&["api", "secrets", &args.name], body).value().await?;
            told(&set, "is set", output);
        }
        SecretCommand::Rotate(args) => {
            let client = client()?;
            let body = body(&args, output)?;
            let rotated = client.post(&["api", "secrets", &args.name, "rotate"], body).value().await?;
            told(&rotated, "has a new value", output);
        }
        SecretCommand::Delete(args) => {
            let ask = client()?;
            let ask = ask.delete(&["api", "secrets", &args.name]);
            ask.query("scope", args.scope).query("workspace", args.workspace).value().await?;
            if output.is_json() {
                output.json(&json!({"name": args.name, "deleted": true}));
            } else {
                output.line(format!("{} is deleted", args.name));
            }
        }
        SecretCommand::Rekey(args) => rekey::run(*args, config, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn body(args: &SecretArgs, output: &Output) -> anyhow::Result<Value> {
    let value = value::read(&args.name, output)?;
    Ok(json!({"value": value, "scope": args.scope, "workspace": args.workspace}))
}

fn told(secret: &Value, what: &str, output: &Output) {
    if output.is_json() {
        output.json(secret);
    } else {
        let [name, scope, revision] = ["name", "scope", "revision"].map(|key| text(&secret[key]));
        output.line(format!("{name} {what} (scope {scope}, revision {revision})"));
    }
}

async fn list(client: &Client, output: &Output) -> anyhow::Result<()> {
    let secrets = client.get(&["api", "secrets"]).value().await?;
    if output.is_json() {
        output.json(&secrets);
        return Ok(());
    }
    let items = secrets["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        output.note("no secrets are set");
        return Ok(());
    }
    let row = |secret: &Value| {
        let owner = secret["workspace_id"].as_str().map(|id| format!(" {id}")).unwrap_or_default();
        let used = match &secret["last_used_at"] {
            Value::Null => "never".to_owned(),
            moment => time(moment),
        };
        vec![
            text(&secret["name"]),
            format!("{}{owner}", text(&secret["scope"])),
            text(&secret["revision"]),
            time(&secret["updated_at"]),
            used,
        ]
    };
    output.table(&["NAME", "SCOPE", "REVISION", "UPDATED", "LAST USED"], items.iter().map(row).collect());
    Ok(())
}
