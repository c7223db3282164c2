//! `toolgate settings …`.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    cli::SettingsCommand,
    client::Client,
    document::{parse_text, read_text},
    output::Output,
    render,
};

const MAX_BYTES: usize = 1024 * 1024;

pub(crate) async fn run(
    command: SettingsCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let settings = match command {
        SettingsCommand::Show => client.get(&["api", "settings"]).value().await?,
        SettingsCommand::Set { file } => {
            let body = parse_text(&file, &read_text(&file, MAX_BYTES)?)?;
            client.put(&["api", "settings"], body).value().await?
        }
    };
    output.answer(&settings, || show(&settings, output));
    Ok(ExitCode::SUCCESS)
}

fn show(settings: &Value, output: &Output) {
    let bounds = |value: &Value| match value {
        Value::Null => String::new(),
        Value::Object(fields) if fields.is_empty() => String::new(),
        rate if rate["limit"].is_u64() => format!("{} calls in {} s", rate["limit"], rate["window_s"]),
        other => other.to_string(),
    };
    let facts: Vec<_> = settings
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.as_str(), bounds(value)))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    if facts.is_empty() {
        output.note("the tenant sets no limits of its own: the server's hold");
    }
    render::facts(output, facts);
}
