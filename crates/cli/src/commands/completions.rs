//! `toolgate completions SHELL`.

use std::process::ExitCode;

use clap::CommandFactory;
use serde_json::json;

use crate::{cli::Cli, output::Output};

pub(crate) fn run(shell: clap_complete::Shell, output: &Output) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "toolgate", &mut script);
    let script = String::from_utf8(script)?;
    if output.is_json() {
        output.json(&json!({"shell": shell.to_string(), "script": script}));
    } else {
        output.text(script);
    }
    Ok(ExitCode::SUCCESS)
}
