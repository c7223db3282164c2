//! The `execution` block of a Python tool.

use serde_json::{Map, Value};
use toolgate_domain::tool::{Execution, reject_unknown_keys};

use super::PythonLimits;

/// Tools that one script may name.
const MAX_TOOLS: usize = 64;

/// Where the code comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The tool's own code; the call's input is the script's.
    Code(String),
    /// The caller's code: the input's `code`, with its `inputs`.
    Input,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The default runtime; the full one for code that the default cannot run.
    Auto,
    Default,
    Full,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PythonConfig {
    pub source: Source,
    pub limits: PythonLimits,
    pub choice: Choice,
    /// The tools that the script may call.
    pub tools: Vec<String>,
}

impl PythonConfig {
    pub fn read(execution: &Execution, bounds: &PythonLimits) -> Result<Self, String> {
        let config = &execution.config;
        reject_unknown_keys(config, &["code", "source", "limits", "runtime", "tools"])
            .map_err(|e| e.to_string())?;
        let limits = match config.get("limits") {
            None => bounds.clone(),
            Some(Value::Object(asked)) => bounds.stricter(asked)?,
            Some(_) => return Err("`limits` is an object".to_owned()),
        };
        Ok(Self { source: source(config, &limits)?, limits, choice: choice(config)?, tools: tools(config)? })
    }
}

fn source(config: &Map<String, Value>, limits: &PythonLimits) -> Result<Source, String> {
    match (config.get("code"), config.get("source")) {
        (Some(Value::String(code)), None) if code.len() as u64 <= limits.max_code_bytes => {
            Ok(Source::Code(code.clone()))
        }
        (Some(Value::String(_)), None) => {
            Err(format!("`code` is longer than {} bytes", limits.max_code_bytes))
        }
        (None, Some(Value::String(source))) if source == "input" => Ok(Source::Input),
        _ => Err("either `code` holds the script, or `source: input` takes it from the caller".to_owned()),
    }
}

fn choice(config: &Map<String, Value>) -> Result<Choice, String> {
    match config.get("runtime").map(Value::as_str) {
        None | Some(Some("auto")) => Ok(Choice::Auto),
        Some(Some("default")) => Ok(Choice::Default),
        Some(Some("full")) => Ok(Choice::Full),
        Some(_) => Err("`runtime` is auto, default or full".to_owned()),
    }
}

fn tools(config: &Map<String, Value>) -> Result<Vec<String>, String> {
    let Some(value) = config.get("tools") else { return Ok(Vec::new()) };
    let names: Option<Vec<String>> = value
        .as_array()
        .and_then(|items| items.iter().map(|item| item.as_str().map(str::to_owned)).collect());
    match names {
        Some(names) if names.len() <= MAX_TOOLS => Ok(names),
        Some(_) => Err(format!("`tools` names more than {MAX_TOOLS} tools")),
        None => Err("`tools` is a list of tool names".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn read(config: Value) -> Result<PythonConfig, String> {
        let config = config.as_object().cloned().unwrap();
        PythonConfig::read(&Execution { kind: "python".to_owned(), config }, &PythonLimits::default())
    }

    #[test]
    fn code_is_enough() {
        let config = read(json!({"code": "1"})).unwrap();
        assert_eq!(config.source, Source::Code("1".to_owned()));
        assert_eq!(config.choice, Choice::Auto);
    }

    #[rstest]
    #[case::nothing(json!({}), "either `code`")]
    #[case::both(json!({"code": "1", "source": "input"}), "either `code`")]
    #[case::slip(json!({"cod": "1"}), "did you mean `code`?")]
    #[case::runtime(json!({"code": "1", "runtime": "docker"}), "auto, default or full")]
    #[case::looser(json!({"code": "1", "limits": {"memory_bytes": 1_000_000_000}}), "at most")]
    #[case::tools(json!({"code": "1", "tools": [1]}), "list of tool names")]
    #[case::long(json!({"code": "x".repeat(300_000)}), "longer than")]
    fn refuses(#[case] config: Value, #[case] says: &str) {
        let error = read(config).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}
