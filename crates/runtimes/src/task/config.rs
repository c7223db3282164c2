//! The block of a task tool, as its author wrote it.

use serde::Deserialize;
use serde_json::Value;
use toolgate_domain::{
    governance::TaskAnswer,
    tool::{Execution, reject_unknown_keys},
};

use crate::template;

const MAX_DUE_IN_S: u64 = 366 * 24 * 3_600;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) assignee: Option<Assignee>,
    /// The call goes on when the task is over.
    #[serde(default)]
    pub(super) wait: bool,
    #[serde(default)]
    pub(super) due_in_s: Option<u64>,
    /// What a call that waits answers with.
    #[serde(default)]
    pub(super) output: TaskAnswer,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Assignee {
    User(String),
    Role(String),
    Agent(String),
}

impl Assignee {
    pub(super) fn named(&self) -> (String, String) {
        let (kind, name) = match self {
            Self::User(name) => ("user", name),
            Self::Role(name) => ("role", name),
            Self::Agent(name) => ("agent", name),
        };
        (kind.to_owned(), name.clone())
    }
}

impl Config {
    /// Reads the block; the error begins with the place where there is one.
    pub(super) fn read(execution: &Execution) -> Result<Self, String> {
        reject_unknown_keys(
            &execution.config,
            &["title", "description", "assignee", "wait", "due_in_s", "output"],
        )
        .map_err(|e| e.to_string())?;
        let config: Self =
            serde_json::from_value(Value::Object(execution.config.clone())).map_err(|e| e.to_string())?;
        template::check(&config.title).map_err(|message| format!("/title: {message}"))?;
        if let Some(description) = &config.description {
            template::check(description).map_err(|message| format!("/description: {message}"))?;
        }
        if config.due_in_s.is_some_and(|s| s == 0 || s > MAX_DUE_IN_S) {
            return Err(format!("/due_in_s: is between 1 and {MAX_DUE_IN_S} seconds"));
        }
        if config.output == TaskAnswer::Result && !config.wait {
            return Err(
                "/output: `result` goes with `wait: true`: a call that does not wait has none".to_owned()
            );
        }
        Ok(config)
    }
}
