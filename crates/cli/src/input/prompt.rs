//! Asking a person at a terminal for what is missing.

use anyhow::anyhow;
use inquire::{Confirm, InquireError, Select, Text};
use serde_json::Value;

use super::{
    convert::convert,
    missing::Missing,
    schema::{Kind, Schema},
};
use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

const MAX_TRIES: usize = 10;

/// Asks for one field until the answer fits.
pub(crate) fn prompt(field: &Missing<'_>, output: &Output) -> anyhow::Result<Value> {
    let any = Value::Bool(true);
    let schema = field.schema.unwrap_or_else(|| Schema::new(&any));
    let key = field.key();
    let message = clean(&format!("{key} ({})", schema.shape())).into_owned();
    let help = schema.description().map(|text| clean(text).into_owned());
    if let Some(choices) = schema.choices() {
        return select(&clean(&key), help.as_deref(), &choices);
    }
    if schema.kinds() == [Kind::Boolean] {
        let question = Confirm::new(&message).with_placeholder("y or n");
        let question = help.as_deref().into_iter().fold(question, Confirm::with_help_message);
        return question.prompt().map(Value::from).map_err(given_up);
    }
    for _ in 0..MAX_TRIES {
        let question = help.as_deref().into_iter().fold(Text::new(&message), Text::with_help_message);
        let text = question.prompt().map_err(given_up)?;
        match convert(&key, &[&text], schema) {
            Ok(value) => return Ok(value),
            Err(failure) => output.note(&failure.message),
        }
    }
    Err(Failure::invalid(format!("no value for `{key}` after {MAX_TRIES} tries")).into())
}

fn select(key: &str, help: Option<&str>, choices: &[Value]) -> anyhow::Result<Value> {
    let shown =
        |value: &Value| clean(&value.as_str().map_or_else(|| value.to_string(), str::to_owned)).into_owned();
    let question = Select::new(key, choices.iter().map(shown).collect());
    let question = help.into_iter().fold(question, Select::with_help_message);
    let chosen = question.raw_prompt().map_err(given_up)?;
    choices.get(chosen.index).cloned().ok_or_else(|| anyhow!("the choice is gone"))
}

fn given_up(error: InquireError) -> anyhow::Error {
    match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => {
            Failure::new(Exit::Failed, "given up: nothing was called").into()
        }
        other => anyhow::Error::new(other).context("the question cannot be asked"),
    }
}
