//! `toolgate run steps`.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    client::Client,
    output::{Output, short},
    render::{text, time},
};

pub(super) async fn run(id: &str, raw: bool, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let page = client.get(&["api", "runs", id, "steps"]).query("raw", raw.then_some(true)).value().await?;
    let row = |step: &Value| {
        let turn = &step["body"]["turn"];
        vec![
            text(&step["seq"]),
            time(&step["created_at"]),
            text(&step["kind"]),
            text(&step["title"]),
            text(&turn["model"]),
            short(&text(&turn["text"]), 60),
        ]
    };
    let header = ["STEP", "TIME", "KIND", "TITLE", "MODEL", "TEXT"];
    output.answer(&page, || output.page(&page, "no steps", &header, row));
    Ok(ExitCode::SUCCESS)
}
