//! `toolgate run show`, and how a run that ended is told.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    client::Client,
    exit::{Exit, Failure},
    output::Output,
    render::{self, text, texts, time},
};

pub(super) async fn run(id: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let run = client.get(&["api", "runs", id]).value().await?;
    output.answer(&run, || facts(&run, output));
    Ok(ExitCode::SUCCESS)
}

fn facts(run: &Value, output: &Output) {
    let steps = &run["steps"];
    let did = format!("{} turns, {} calls", text(&steps["turns"]), text(&steps["calls"]));
    render::facts(
        output,
        vec![
            ("id", text(&run["id"])),
            ("agent", text(&run["agent"])),
            ("status", status(run)),
            ("waits for", texts(&run["waiting_for"])),
            ("message", text(&run["message"])),
            ("did", did),
            ("last step", text(&steps["last"])),
            ("model", text(&steps["model"])),
            ("tokens", format!("{} in, {} out", text(&steps["input_tokens"]), text(&steps["output_tokens"]))),
            ("cost", text(&run["cost"])),
            ("session", text(&run["session_id"])),
            ("caller", text(&run["caller"])),
            ("started", time(&run["started_at"])),
            ("ended", time(&run["completed_at"])),
            ("deadline", time(&steps["deadline"])),
            ("error", error(run)),
        ],
    );
    if run["response"].is_string() {
        output.line("response:");
        output.line(text(&run["response"]));
    }
}

/// A run that waits is running, and says so.
pub(super) fn status(run: &Value) -> String {
    let waits = run["waiting_for"].as_array().is_some_and(|waits| !waits.is_empty());
    format!("{}{}", text(&run["status"]), if waits { ", waits" } else { "" })
}

pub(super) fn error(run: &Value) -> String {
    match &run["error"] {
        Value::Object(_) => format!("{}: {}", text(&run["error"]["code"]), text(&run["error"]["message"])),
        _ => String::new(),
    }
}

/// The answer of a run, or why there is none.
pub(super) fn ended(run: &Value, output: &Output) -> anyhow::Result<ExitCode> {
    if run["error"].is_object() {
        return Err(failed(run).into());
    }
    if !run["completed_at"].is_null() {
        output.answer(run, || output.line(text(&run["response"])));
        return Ok(ExitCode::SUCCESS);
    }
    output.answer(run, || {
        output.line(format!("{} waits for {}", text(&run["id"]), texts(&run["waiting_for"])));
        output.note(&format!("follow it with `toolgate run events {} --follow`", text(&run["id"])));
    });
    Ok(Exit::NeedsApproval.into())
}

/// The failure that a run's error stands for.
pub(super) fn failed(run: &Value) -> Failure {
    let exit = Exit::of_tool_error(&text(&run["error"]["code"]));
    let message = format!("{} ({})", text(&run["error"]["message"]), text(&run["error"]["code"]));
    Failure::new(exit, message).document(run.clone())
}
