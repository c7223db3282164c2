use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Value, json};

use super::{tools, wanted};
use crate::{
    cli::{AddMcpServerArgs, McpServerCommand, UpdateMcpServerArgs},
    client::Client,
    output::{Output, short},
    render::{facts, text, time},
};

pub(super) const SERVERS: [&str; 3] = ["api", "mcp", "servers"];

pub(super) async fn run(
    command: McpServerCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        McpServerCommand::Add(args) => return add(args, client, output).await,
        McpServerCommand::List => list(&client.get(&SERVERS).value().await?, output),
        McpServerCommand::Show { server } => {
            show(&client.get(&of(&server, &[])).value().await?, output);
        }
        McpServerCommand::Update(args) => update(args, client, output).await?,
        McpServerCommand::Remove { server } => {
            client.delete(&of(&server, &[])).value().await?;
            output.answer(&json!({"server": server, "removed": true}), || {
                output.line(format!("{server} is removed, and its tools with it"));
            });
        }
        McpServerCommand::Refresh { server, review } => {
            let asked =
                client.post(&of(&server, &["refresh"]), json!({})).query("review", review.then_some(true));
            return Ok(refreshed(&asked.value().await?, output));
        }
        McpServerCommand::Tools { server } => tools::list(&server, client, output).await?,
        McpServerCommand::Diff(args) => tools::diff(&args, client, output).await?,
        McpServerCommand::Accept(args) => tools::accept(args, client, output).await?,
        McpServerCommand::Reject(args) => tools::reject(args, client, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn of<'a>(server: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    SERVERS.iter().copied().chain([server]).chain(more.iter().copied()).collect()
}

async fn add(args: AddMcpServerArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let Some(transport) = wanted::transport(args.transport, args.args)? else {
        bail!("say where the server is: --to URL, or --command PROGRAM -- ARGUMENTS");
    };
    let mut body = json!({"name": args.name, "transport": transport});
    if let Value::Object(keys) = &mut body {
        keys.extend(wanted::terms(args.terms)?);
        // What nobody said anything about needs no rule.
        if let Some(Value::Object(rules)) = keys.get_mut("tools") {
            rules.retain(|_, rule| !rule.is_null());
        }
        keys.extend(wanted::oauth(args.oauth).map(|oauth| ("oauth".to_owned(), oauth)));
        keys.extend(args.prefix.map(|prefix| ("prefix".to_owned(), Value::from(prefix))));
    }
    let asked = client.post(&SERVERS, body).query("review", args.review.then_some(true));
    Ok(refreshed(&asked.value().await?, output))
}

async fn update(args: UpdateMcpServerArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let mut patch = wanted::terms(args.terms)?;
    if let Some(transport) = wanted::transport(args.transport, args.args)? {
        patch.insert("transport".to_owned(), transport);
    }
    match wanted::oauth(args.oauth) {
        Some(oauth) => drop(patch.insert("oauth".to_owned(), oauth)),
        None if args.no_oauth => drop(patch.insert("oauth".to_owned(), Value::Null)),
        None => {}
    }
    if args.enable || args.disable {
        patch.insert("enabled".to_owned(), args.enable.into());
    }
    if patch.is_empty() {
        bail!("nothing to change: name what shall be different");
    }
    let changed = client.patch(&of(&args.server, &[]), Value::Object(patch)).value().await?;
    show(&changed, output);
    Ok(())
}

/// What became of asking. A server that did not answer is a failure, although it is kept.
fn refreshed(answer: &Value, output: &Output) -> ExitCode {
    let name = text(&answer["server"]["name"]);
    output.answer(answer, || {
        let moved = answer["moved"].as_array().map(Vec::as_slice).unwrap_or_default();
        let row = |one: &Value| {
            let why = short(&text(&one["problem"]), 80);
            vec![text(&one["tool"]), text(&one["name"]), text(&one["from"]), text(&one["to"]), why]
        };
        if !moved.is_empty() {
            output.table(&["TOOL", "NAME", "WAS", "IS", "PROBLEM"], moved.iter().map(row).collect());
        }
        match &answer["error"] {
            Value::Null if moved.is_empty() => output.line(format!("{name} was asked, and nothing changed")),
            Value::Null => {}
            error => output.line(format!("{name} could not be asked: {}", text(&error["message"]))),
        }
        if moved.iter().any(|one| one["to"] == "new" || one["to"] == "quarantined") {
            output.note(&format!("look at what waits with: toolgate mcp server diff {name} TOOL"));
        }
    });
    if answer["error"].is_null() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn place(server: &Value) -> String {
    let transport = &server["transport"];
    if transport["kind"] == "http" {
        return text(&transport["url"]);
    }
    let args = transport["args"].as_array().map(Vec::as_slice).unwrap_or_default();
    std::iter::once(&transport["command"]).chain(args).map(text).collect::<Vec<_>>().join(" ")
}

/// How many tools are in each state.
fn counts(server: &Value) -> String {
    let imports = server["imports"].as_object();
    let states = ["accepted", "quarantined", "new", "gone", "unusable"];
    let count =
        |state: &str| imports.map_or(0, |all| all.values().filter(|one| one["state"] == state).count());
    let told: Vec<_> = states
        .iter()
        .filter(|state| count(state) > 0)
        .map(|state| format!("{} {state}", count(state)))
        .collect();
    told.join(", ")
}

fn state(server: &Value) -> String {
    if server["enabled"] == false { "disabled".to_owned() } else { text(&server["status"]["state"]) }
}

/// Who logs in to it.
fn login(server: &Value) -> String {
    let oauth = &server["oauth"];
    match (oauth, oauth["grant"].as_str(), oauth["per"].as_str()) {
        (Value::Null, ..) => String::new(),
        (_, Some("client_credentials"), _) => "the client itself".to_owned(),
        (_, _, Some("user")) => "each person".to_owned(),
        _ => "one for the whole tenant".to_owned(),
    }
}

fn list(answer: &Value, output: &Output) {
    output.answer(answer, || {
        let servers = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        if servers.is_empty() {
            return output.note("no MCP servers: add one with toolgate mcp server add NAME --to URL");
        }
        let row = |server: &Value| {
            let seen = time(&server["status"]["last_seen_at"]);
            vec![text(&server["name"]), state(server), counts(server), seen, short(&place(server), 60)]
        };
        output.table(&["NAME", "STATE", "TOOLS", "SEEN", "PLACE"], servers.iter().map(row).collect());
    });
}

fn show(server: &Value, output: &Output) {
    output.answer(server, || {
        let status = &server["status"];
        facts(
            output,
            vec![
                ("name", text(&server["name"])),
                ("id", text(&server["id"])),
                ("place", place(server)),
                ("prefix", text(&server["prefix"])),
                ("state", state(server)),
                ("server", text(&status["server"])),
                ("protocol", text(&status["revision"])),
                ("seen", time(&status["last_seen_at"])),
                ("trouble", text(&status["last_error"])),
                ("login", login(server)),
                ("egress", text(&server["egress_class"])),
                ("risk", text(&server["risk"])),
                ("tools", counts(server)),
            ],
        );
    });
}
