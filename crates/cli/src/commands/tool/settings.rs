//! `toolgate tool settings`: what the tenant decided about a tool.

use std::process::ExitCode;

use serde_json::Value;

use super::super::profile::{changed_terms, terms};
use crate::{cli::ToolSettingsArgs, client::Client, output::Output, render};

pub(super) async fn run(
    args: ToolSettingsArgs,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let path = ["api", "tools", args.name.as_str(), "settings"];
    let old = client.get(&path).value().await?;
    let new = changed(&args, old.clone());
    let now = if new == old { old } else { client.put(&path, new).value().await? };
    output.answer(&now, || {
        let switch = match now["enabled"].as_bool() {
            Some(true) => "on",
            Some(false) => "off",
            None => "as the tool itself says",
        };
        let by = terms(&now["approval"]);
        render::facts(
            output,
            vec![
                ("tool", args.name),
                ("switch", switch.to_owned()),
                ("approved by", if by.is_empty() { "as the tool itself says".to_owned() } else { by }),
            ],
        );
    });
    Ok(ExitCode::SUCCESS)
}

fn changed(args: &ToolSettingsArgs, mut settings: Value) -> Value {
    let approval = changed_terms(&args.approval, &settings["approval"]);
    if let Some(fields) = settings.as_object_mut() {
        if args.default {
            fields.remove("enabled");
        }
        if args.enable || args.disable {
            fields.insert("enabled".to_owned(), args.enable.into());
        }
        if let Some(approval) = approval {
            fields.insert("approval".to_owned(), approval);
        }
    }
    settings
}
