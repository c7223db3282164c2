//! `toolgate tool update|delete|diff|restore`.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::{input::read_json, register::print_changes};
use crate::{
    cli::{DiffToolArgs, UpdateToolArgs},
    client::Client,
    exit::Failure,
    output::Output,
    render::text,
};

pub(super) async fn update(
    args: UpdateToolArgs,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let mut patch = match args.set_json.as_deref().map(read_json).transpose()? {
        None => Map::new(),
        Some(Value::Object(patch)) => patch,
        Some(_) => return Err(Failure::invalid("--set-json is an object").into()),
    };
    // What is no JSON is text: a description need not be quoted twice.
    let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    patch.extend(args.set.into_iter().map(|(key, text)| (key, value(text))));
    if patch.is_empty() {
        return Err(Failure::invalid("say what to change, with --set or --set-json").into());
    }
    let done = client.patch(&["api", "tools", &args.name], Value::Object(patch)).value().await?;
    output.answer(&done, || {
        for tool in done["items"].as_array().into_iter().flatten() {
            let did = if done["created"] == true { "published" } else { "changed" };
            output.line(format!(
                "{did} {}@{} ({})",
                text(&tool["name"]),
                text(&tool["version"]),
                text(&tool["kind"])
            ));
        }
        print_changes(&done["changes"], output);
        for warning in done["warnings"].as_array().into_iter().flatten() {
            output.note(&format!("warning: {}", text(warning)));
        }
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn delete(name: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    client.delete(&["api", "tools", name]).value().await?;
    output.answer(&json!({"deleted": name}), || {
        output.line(format!("deleted {name}"));
        output.note("`toolgate tool restore` brings a tool of the tenant back");
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn diff(args: DiffToolArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let ask = client.get(&["api", "tools", &args.name, "diff"]);
    let found = ask.query("from", args.from.as_ref()).query("to", args.to.as_ref()).value().await?;
    output.answer(&found, || {
        output.line(format!("{} → {}", text(&found["from"]), text(&found["to"])));
        print_changes(&found["changes"], output);
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn restore(
    name: &str,
    version: &str,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let body = json!({"version": version});
    let done = client.post(&["api", "tools", name, "restore"], body).value().await?;
    output.answer(&done, || {
        let published = text(&done["tool"]["version"]);
        output.line(format!("published {name}@{published}, as {version} was"));
    });
    Ok(ExitCode::SUCCESS)
}
