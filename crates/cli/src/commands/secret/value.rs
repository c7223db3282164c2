//! A value on its way in: typed unseen, or through stdin. Never from the command line, where everybody could read it.

use std::io::{IsTerminal, Read};

use anyhow::Context;
use inquire::{InquireError, Password, PasswordDisplayMode};

use crate::{
    exit::{Exit, Failure},
    output::Output,
};

/// More than the server takes: it says how much that is.
const MAX_BYTES: u64 = 1024 * 1024;

pub(super) fn read(name: &str, output: &Output) -> anyhow::Result<String> {
    if output.can_ask() {
        return ask(name);
    }
    if std::io::stdin().is_terminal() {
        return Err(Failure::new(Exit::Usage, "there is no value, and nobody can be asked for it")
            .hint("give it through stdin: toolgate secret set NAME < file")
            .into());
    }
    let mut value = String::new();
    std::io::stdin().lock().take(MAX_BYTES).read_to_string(&mut value).context("stdin is no text")?;
    // A file usually ends in a line end that is not meant.
    let meant = value.strip_suffix('\n').unwrap_or(&value);
    let meant = meant.strip_suffix('\r').unwrap_or(meant).len();
    value.truncate(meant);
    if value.is_empty() {
        return Err(Failure::invalid("the value is empty")
            .hint("give it through stdin: toolgate secret set NAME < file")
            .into());
    }
    Ok(value)
}

fn ask(name: &str) -> anyhow::Result<String> {
    let question = format!("value of {name}");
    let asked =
        Password::new(&question).with_display_mode(PasswordDisplayMode::Hidden).without_confirmation();
    asked.prompt().map_err(|error| match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => {
            Failure::new(Exit::Failed, "given up: nothing was set").into()
        }
        other => anyhow::Error::new(other).context("the question cannot be asked"),
    })
}
