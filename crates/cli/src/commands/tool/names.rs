//! `toolgate tool aliases|unalias|rename`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::RenameArgs,
    client::Client,
    output::Output,
    render::{text, time},
    when::{Way, moment},
};

pub(crate) async fn aliases(client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let listed = client.get(&["api", "aliases"]).value().await?;
    output.answer(&listed, || {
        let row =
            |alias: &Value| vec![text(&alias["alias"]), text(&alias["target"]), time(&alias["remove_by"])];
        let rows = listed["items"].as_array().into_iter().flatten().map(row).collect();
        output.table(&["ALIAS", "TOOL", "ENDS"], rows);
    });
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn end(alias: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let ended = client.delete(&["api", "aliases", alias]).value().await?;
    output.answer(&ended, || output.line(format!("{alias} no longer calls {}", text(&ended["target"]))));
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn rename(args: RenameArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let remove_by =
        args.remove_by.as_deref().map(|text| moment("--remove-by", text, Way::FromNow)).transpose()?;
    let body = json!({"name": args.new, "remove_by": remove_by});
    let done = client.post(&["api", "tools", &args.old, "rename"], body).value().await?;
    output.answer(&done, || {
        let tool = &done["tool"];
        output.line(format!("{}@{} is published", text(&tool["name"]), text(&tool["version"])));
        output.line(format!("{} calls it until {}", text(&done["alias"]), text(&done["remove_by"])));
    });
    Ok(ExitCode::SUCCESS)
}
