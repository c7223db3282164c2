//! The block of a prompt tool, as its author wrote it.

use serde::Deserialize;
use serde_json::Value;
use toolgate_domain::tool::{Execution, reject_unknown_keys};

use crate::template;

const DEFAULT_REASKS: u64 = 2;
const MAX_REASKS: u64 = 5;
const MAX_OUTPUT_TOKENS: u64 = 200_000;
const DEFAULT_DEPTH: u64 = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    #[default]
    Direct,
    /// Runs a skill against an agent.
    Skill,
    /// Hands the input to another agent.
    Agent,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    #[serde(default)]
    pub(super) mode: Mode,
    /// What is said to the model; the input's properties are its values.
    #[serde(default, alias = "prompt_template")]
    pub(super) template: Option<String>,
    #[serde(default)]
    pub(super) system: Option<String>,
    #[serde(default)]
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) temperature: Option<f64>,
    #[serde(default)]
    pub(super) max_output_tokens: Option<u64>,
    #[serde(default = "default_reasks")]
    pub(super) max_reasks: u64,
    #[serde(default)]
    pub(super) skill: Option<String>,
    #[serde(default)]
    pub(super) agent: Option<String>,
    /// How deep the call of an agent may stand among calls of tools by tools.
    #[serde(default = "default_depth")]
    pub(super) max_depth: u64,
}

fn default_reasks() -> u64 {
    DEFAULT_REASKS
}

fn default_depth() -> u64 {
    DEFAULT_DEPTH
}

const KEYS: &[&str] = &[
    "mode",
    "template",
    "prompt_template",
    "system",
    "model",
    "temperature",
    "max_output_tokens",
    "max_reasks",
    "skill",
    "agent",
    "max_depth",
];

impl Config {
    /// Reads the block; the error begins with the place where there is one.
    pub(super) fn read(execution: &Execution) -> Result<Self, String> {
        reject_unknown_keys(&execution.config, KEYS).map_err(|e| e.to_string())?;
        let config: Self =
            serde_json::from_value(Value::Object(execution.config.clone())).map_err(|e| e.to_string())?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        let needs = |key: &str, given: bool, wanted: bool| match (given, wanted) {
            (false, true) => Err(format!("/{key}: a prompt of this mode needs it")),
            (true, false) => Err(format!("/{key}: does not go with this mode")),
            _ => Ok(()),
        };
        needs("template", self.template.is_some() || self.mode != Mode::Direct, true)?;
        needs("skill", self.skill.is_some(), self.mode == Mode::Skill)?;
        needs("agent", self.agent.is_some(), self.mode != Mode::Direct)?;
        needs("system", self.system.is_some() && self.mode != Mode::Direct, false)?;
        // A run has the agent's own model, with the agent's own parameters.
        let hands_over = self.mode == Mode::Agent;
        needs("model", self.model.is_some() && hands_over, false)?;
        needs("temperature", self.temperature.is_some() && hands_over, false)?;
        needs("max_output_tokens", self.max_output_tokens.is_some() && hands_over, false)?;
        for (key, text) in [("template", &self.template), ("system", &self.system)] {
            if let Some(text) = text {
                template::check(text).map_err(|message| format!("/{key}: {message}"))?;
            }
        }
        if self.temperature.is_some_and(|t| !(0.0..=2.0).contains(&t)) {
            return Err("/temperature: is between 0 and 2".to_owned());
        }
        if self.max_output_tokens.is_some_and(|tokens| tokens == 0 || tokens > MAX_OUTPUT_TOKENS) {
            return Err(format!("/max_output_tokens: is between 1 and {MAX_OUTPUT_TOKENS}"));
        }
        if self.max_reasks > MAX_REASKS {
            return Err(format!("/max_reasks: is at most {MAX_REASKS}"));
        }
        if self.max_depth == 0 {
            return Err("/max_depth: is at least 1".to_owned());
        }
        Ok(())
    }
}
