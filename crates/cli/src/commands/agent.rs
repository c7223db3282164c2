//! `toolgate agent …`.

mod actions;
mod tools;

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::{
    ask::confirm,
    cli::{AgentCommand, CreateAgentArgs, ListAgentsArgs},
    client::{Client, pages},
    lookup,
    output::Output,
    render::{self, text, texts, time},
};

pub(crate) async fn run(command: AgentCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match command {
        AgentCommand::Create(args) => create(args, client, output).await?,
        AgentCommand::List(args) => list(args, client, output).await?,
        AgentCommand::Show { agent } => {
            let agent = client.get(&["api", "agents", &agent]).value().await?;
            output.answer(&agent, || show(&agent, output));
        }
        AgentCommand::Update { agent, set } => {
            let body = Value::Object(set.into_iter().collect());
            let changed = client.patch(&["api", "agents", &agent], body).value().await?;
            output.answer(&changed, || {
                output.line(format!(
                    "{} has a new {}",
                    text(&changed["agent"]["handle"]),
                    texts(&changed["patched_keys"])
                ));
            });
        }
        AgentCommand::Archive { agent, yes } => {
            confirm(&format!("Archive {agent} for good?"), yes, output)?;
            let archived =
                client.post(&["api", "agents", &agent, "archive"], json!({"confirm": true})).value().await?;
            output.answer(&archived, || {
                output.line(format!("{agent} is {}", text(&archived["status"])));
            });
        }
        AgentCommand::Tools { agent } => tools::list(&agent, client, output).await?,
        AgentCommand::Act(args) => return actions::act(args, client, output).await,
        AgentCommand::Actions(args) => actions::list(args, client, output).await?,
        AgentCommand::Permit(args) => tools::permit(args, client, output).await?,
        AgentCommand::RevokeOverride { agent, tool } => {
            tools::revoke_override(&agent, &tool, client, output).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(args: CreateAgentArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let mut body = Map::new();
    let name = args.name.unwrap_or_else(|| args.handle.trim_start_matches('@').to_owned());
    body.insert("handle".to_owned(), args.handle.into());
    body.insert("display_name".to_owned(), name.into());
    if let Some(owner) = &args.owner {
        body.insert("owner".to_owned(), lookup::user_id(client, owner, output).await?.into());
    }
    if let Some(workspace) = &args.workspace {
        body.insert("workspace_id".to_owned(), lookup::workspace_id(client, workspace).await?.into());
    }
    for (key, value) in [("model", args.model), ("persona", args.persona), ("bio", args.bio)] {
        if let Some(value) = value {
            body.insert(key.to_owned(), value.into());
        }
    }
    for (key, list) in [("tool_groups", args.tool_group), ("custom_tools", args.tool)] {
        if !list.is_empty() {
            body.insert(key.to_owned(), list.into());
        }
    }
    body.extend(args.set);
    let made = client.post(&["api", "agents"], Value::Object(body)).value().await?;
    output.answer(&made, || {
        let handle = text(&made["handle"]);
        output.line(format!("{handle} is {}", text(&made["id"])));
        output.note(&format!("give it a tool with: toolgate tool assign --tool T --agent {handle}"));
        output.note(&format!(
            "give it a key with: toolgate key create {handle} --scope tools:read,tools:execute --agent {handle}"
        ));
    });
    Ok(())
}

async fn list(args: ListAgentsArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let owner = match &args.owner {
        Some(owner) => Some(lookup::user_id(client, owner, output).await?),
        None => None,
    };
    let ask = || {
        client
            .get(&["api", "agents"])
            .query("owner", owner.as_ref())
            .query("archived", args.archived.then_some(true))
    };
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    let row = |agent: &Value| {
        vec![
            text(&agent["handle"]),
            text(&agent["id"]),
            text(&agent["status"]),
            text(&agent["model"]),
            text(&agent["owner"]),
            text(&agent["display_name"]),
        ]
    };
    output.answer(&page, || {
        output.page(&page, "no agents", &["HANDLE", "ID", "STATUS", "MODEL", "OWNER", "NAME"], row);
    });
    Ok(())
}

fn show(agent: &Value, output: &Output) {
    let object = |value: &Value| match value.as_object() {
        Some(fields) if !fields.is_empty() => value.to_string(),
        _ => String::new(),
    };
    render::facts(
        output,
        vec![
            ("handle", text(&agent["handle"])),
            ("id", text(&agent["id"])),
            ("name", text(&agent["display_name"])),
            ("status", text(&agent["status"])),
            ("owner", text(&agent["owner"])),
            ("workspace", text(&agent["workspace_id"])),
            ("model", text(&agent["model"])),
            ("persona", text(&agent["persona"])),
            ("bio", text(&agent["bio"])),
            ("tool groups", texts(&agent["tool_groups"])),
            ("custom tools", texts(&agent["custom_tools"])),
            ("guard", object(&agent["guard"])),
            ("actions", object(&agent["actions"])),
            ("metadata", object(&agent["metadata"])),
            ("created", time(&agent["created_at"])),
            ("updated", time(&agent["updated_at"])),
            ("archived", time(&agent["archived_at"])),
        ],
    );
}
