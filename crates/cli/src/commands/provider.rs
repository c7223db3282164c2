//! `toolgate provider …`.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::tool::read_json;
use crate::{
    cli::{ProviderArgs, ProviderCommand},
    client::Client,
    exit::{Exit, Failure},
    output::Output,
    render::{self, text, texts},
};

pub(crate) async fn run(
    command: ProviderCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        ProviderCommand::List => {
            let providers = client.get(&["api", "providers"]).value().await?;
            let row = |provider: &Value| {
                vec![
                    text(&provider["name"]),
                    text(&provider["api"]),
                    text(&provider["base_url"]),
                    text(&provider["api_key_secret"]),
                ]
            };
            output.answer(&providers, || {
                output.page(&providers, "no providers", &["NAME", "API", "URL", "KEY SECRET"], row);
            });
        }
        ProviderCommand::Show { provider } => {
            let provider = client.get(&["api", "providers", &provider]).value().await?;
            output.answer(&provider, || show(&provider, output));
        }
        ProviderCommand::Set(args) => {
            let listed = client.get(&["api", "providers"]).value().await?;
            let items = listed["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            let old = items.iter().find(|provider| provider["name"] == args.name.as_str());
            let name = args.name.clone();
            let body = Value::Object(changed(old, args)?);
            let now = match old {
                Some(_) => client.put(&["api", "providers", &name], body).value().await?,
                None => client.post(&["api", "providers"], body).value().await?,
            };
            output.answer(&now, || show(&now, output));
        }
        ProviderCommand::Remove { provider } => {
            client.delete(&["api", "providers", &provider]).value().await?;
            output.answer(&json!({"provider": provider, "removed": true}), || {
                output.line(format!("{provider} is removed"));
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The old one with what is named.
fn changed(old: Option<&Value>, args: ProviderArgs) -> anyhow::Result<Map<String, Value>> {
    let mut body = old.and_then(Value::as_object).cloned().unwrap_or_default();
    ["id", "created_at", "updated_at"].iter().for_each(|key| drop(body.remove(*key)));
    if old.is_none() && args.api.is_none() {
        return Err(Failure::new(Exit::Usage, "a new provider needs --api: the format that it speaks").into());
    }
    let mut prices = body.get("prices").and_then(Value::as_object).cloned().unwrap_or_default();
    for given in &args.prices {
        let (model, price) =
            given.split_once('=').ok_or_else(|| Failure::new(Exit::Usage, "--price takes NAME=JSON"))?;
        prices.insert(model.to_owned(), read_json(price)?);
    }
    let given = [
        ("name", Some(args.name.into())),
        ("api", args.api.map(Value::from)),
        ("base_url", args.base_url.map(Value::from)),
        ("api_key_secret", args.key_secret.map(Value::from)),
        ("models", (!args.models.is_empty()).then(|| args.models.into())),
        ("prices", Some(prices.into())),
        ("timeout_ms", args.timeout_ms.map(Value::from)),
        ("max_retries", args.max_retries.map(Value::from)),
    ];
    body.extend(given.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    Ok(body)
}

fn show(provider: &Value, output: &Output) {
    render::facts(
        output,
        vec![
            ("name", text(&provider["name"])),
            ("id", text(&provider["id"])),
            ("api", text(&provider["api"])),
            ("url", text(&provider["base_url"])),
            ("key secret", text(&provider["api_key_secret"])),
            ("models", texts(&provider["models"])),
        ],
    );
}
