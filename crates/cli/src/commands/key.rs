//! `toolgate key create|list|revoke`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    ask,
    cli::{CreateKeyArgs, KeyCommand},
    client::Client,
    lookup,
    output::Output,
    render::{text, texts},
    when::{Way, moment},
};

pub(crate) async fn run(command: KeyCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match command {
        KeyCommand::Create(args) => create(args, client, output).await?,
        KeyCommand::List => list(client, output).await?,
        KeyCommand::Revoke { id } => {
            client.delete(&["api", "keys", &id]).value().await?;
            if output.is_json() {
                output.json(&json!({"id": id, "revoked": true}));
            } else {
                output.line(format!("{id} is revoked"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(args: CreateKeyArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let expires_at =
        args.expires_at.as_deref().map(|text| moment("--expires-at", text, Way::FromNow)).transpose()?;
    let mut body = json!({"name": args.name, "scopes": args.scope, "expires_at": expires_at});
    if let Some(agent) = args.agent {
        body["agent"] = agent.into();
    }
    if let Some(user) = &args.user {
        body["user"] = lookup::user_id(client, user, output).await?.into();
    }
    if args.service_role {
        body["service_role"] = true.into();
    }
    let made = match &args.sign_in {
        None => client.post(&["api", "keys"], body).value().await?,
        Some(email) => {
            let session = client.sign_in(email, &ask::password_once()?).await?;
            body["user"] = "me".into();
            let made = client.post(&["api", "keys"], body).in_session(&session).value().await;
            client.sign_out(&session).await?;
            made?
        }
    };
    if output.is_json() {
        output.json(&made);
        return Ok(());
    }
    output.line(text(&made["key"]));
    let until = made["expires_at"].as_str().map(|until| format!(", until {until}")).unwrap_or_default();
    output.note(&format!(
        "{} may {}{until}. The key is shown this once: keep it.",
        text(&made["id"]),
        texts(&made["scopes"])
    ));
    Ok(())
}

async fn list(client: &Client, output: &Output) -> anyhow::Result<()> {
    let keys = client.get(&["api", "keys"]).value().await?;
    if output.is_json() {
        output.json(&keys);
        return Ok(());
    }
    let state = |key: &Value| match (key["revoked_at"].as_str(), key["expires_at"].as_str()) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) => format!("until {at}"),
        (None, None) => "valid".to_owned(),
    };
    let rows = keys["items"].as_array().into_iter().flatten();
    let rows = rows.map(|key| {
        vec![
            text(&key["id"]),
            text(&key["name"]),
            format!("{}…", text(&key["hint"])),
            holder(key),
            texts(&key["scopes"]),
            state(key),
        ]
    });
    output.table(&["ID", "NAME", "KEY", "OF", "SCOPES", "STATE"], rows.collect());
    Ok(())
}

/// Whom the key speaks for.
fn holder(key: &Value) -> String {
    if key["service_role"] == true {
        return "service role".to_owned();
    }
    let [agent, user] = ["agent_id", "user_id"].map(|holder| text(&key[holder]));
    if agent.is_empty() { user } else { agent }
}
