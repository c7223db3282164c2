//! What only a person at a terminal can say: yes, and a password.

use std::io::{BufRead, IsTerminal, Read};

use anyhow::Context;
use inquire::{Confirm, InquireError, Password, PasswordDisplayMode};

use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

const MAX_PASSWORD_BYTES: u64 = 4_096;

/// Goes on when the person says so, on the command line or at the terminal.
pub(crate) fn confirm(question: &str, yes: bool, output: &Output) -> anyhow::Result<()> {
    if yes {
        return Ok(());
    }
    if !output.can_ask() {
        return Err(Failure::new(Exit::Usage, "this cannot be undone, and nobody is there to be asked")
            .hint("say --yes if you mean it")
            .into());
    }
    match Confirm::new(&clean(question)).with_default(false).prompt() {
        Ok(true) => Ok(()),
        Ok(false) => Err(given_up()),
        Err(error) => Err(unasked(error)),
    }
}

/// A password, unseen; or the first line of stdin where that is no terminal. It never stands on a command line, where every
/// process of the machine could read it.
pub(crate) fn password() -> anyhow::Result<String> {
    read_password(Password::new("Password").with_custom_confirmation_message("The same again"))
}

/// A password that is there already: it is not asked for twice.
pub(crate) fn password_once() -> anyhow::Result<String> {
    read_password(Password::new("Password").without_confirmation())
}

fn read_password(question: Password<'_>) -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return question.with_display_mode(PasswordDisplayMode::Hidden).prompt().map_err(unasked);
    }
    let mut line = String::new();
    stdin.lock().take(MAX_PASSWORD_BYTES).read_line(&mut line).context("stdin cannot be read")?;
    let password = line.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        return Err(Failure::new(Exit::Usage, "there is no password on stdin")
            .hint("write it to stdin, or run the command at a terminal")
            .into());
    }
    Ok(password.to_owned())
}

fn unasked(error: InquireError) -> anyhow::Error {
    match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => given_up(),
        other => anyhow::Error::new(other).context("the question cannot be asked"),
    }
}

fn given_up() -> anyhow::Error {
    Failure::new(Exit::Failed, "given up: nothing was changed").into()
}
