//! `toolgate run cancel`.

use std::process::ExitCode;

use serde_json::json;

use crate::{client::Client, output::Output, render::text};

pub(super) async fn run(id: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let run = client.post(&["api", "runs", id, "cancel"], json!({})).value().await?;
    output.answer(&run, || output.line(format!("{} is {}", text(&run["id"]), text(&run["status"]))));
    Ok(ExitCode::SUCCESS)
}
