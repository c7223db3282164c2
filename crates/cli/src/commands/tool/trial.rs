//! A definition on trial: the real engine on a throw-away database runs the examples.

use std::{path::Path, sync::Arc};

use serde::Serialize;
use serde_json::Value;
use toolgate_domain::{Caller, Limits, Surface, TenantId, ToolSpec, tool::Example};
use toolgate_engine::{Answer, Call, Definition, Engine, MasterKey, RegisterError};

use super::{definition, diff};
use crate::{config::Config, wiring};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Passed,
    Failed,
    NotRun,
}

/// How one example came out.
#[derive(Debug, Serialize)]
pub(super) struct ExampleReport {
    pub(super) name: String,
    pub(super) status: Status,
    /// Why it failed or was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) diff: Vec<String>,
}

/// How one file came out.
#[derive(Debug, Serialize)]
pub(super) struct FileReport {
    pub(super) file: String,
    pub(super) tool: Option<String>,
    pub(super) valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) examples: Vec<ExampleReport>,
}

impl FileReport {
    pub(super) fn has_failed(&self) -> bool {
        self.examples.iter().any(|example| example.status == Status::Failed)
    }
}

pub(super) async fn run(path: &Path) -> anyhow::Result<FileReport> {
    let file = path.display().to_string();
    let invalid = |tool: Option<String>, error: String| FileReport {
        file: file.clone(),
        tool,
        valid: false,
        error: Some(error),
        warnings: vec![],
        examples: vec![],
    };
    let spec = match definition::read(path)? {
        Ok(spec) => spec,
        Err(error) => return Ok(invalid(None, error.to_string())),
    };
    let directory = tempfile::tempdir()?;
    let config = Config::embedded(directory.path(), Limits::default());
    let (stores, _) = wiring::open_stores(&config).await?;
    let (engine, _) = wiring::start_engine(stores, &config, MasterKey::random_text().parse()?).await?;
    let caller = caller_of(&spec);
    let report = match register(&engine, &caller, &spec).await {
        Err(RegisterError::Store(error)) => Err(error.into()),
        Err(error) => Ok(invalid(Some(spec.id()), error.to_string())),
        Ok(warnings) => {
            let mut examples = Vec::with_capacity(spec.examples.len());
            for (index, example) in spec.examples.iter().enumerate() {
                examples.push(try_example(&engine, &caller, &spec, index, example).await);
            }
            Ok(FileReport {
                file: file.clone(),
                tool: Some(spec.id()),
                valid: true,
                error: None,
                warnings,
                examples,
            })
        }
    };
    engine.stop().await;
    report
}

/// Someone whom the tool is meant for.
fn caller_of(spec: &ToolSpec) -> Caller {
    Caller::system(TenantId::DEFAULT, spec.tenant_slugs.first().map_or("default", String::as_str))
}

/// Checks the definition as it is, then publishes it without its rate limit: the examples are no traffic.
async fn register(
    engine: &Arc<Engine>,
    caller: &Caller,
    definition: &Definition,
) -> Result<Vec<String>, RegisterError> {
    let checked = engine.registry().register(caller, definition.clone(), true).await?;
    let unlimited = definition.clone().with(|spec| spec.rate_limit = None);
    engine.registry().register(caller, unlimited, false).await?;
    Ok(checked.warnings)
}

async fn try_example(
    engine: &Arc<Engine>,
    caller: &Caller,
    spec: &ToolSpec,
    index: usize,
    example: &Example,
) -> ExampleReport {
    let name = example.name.clone().unwrap_or_else(|| format!("example {}", index + 1));
    let report =
        |status, reason: Option<String>, diff| ExampleReport { name: name.clone(), status, reason, diff };
    let failed = |reason: String| report(Status::Failed, Some(reason), Vec::new());
    let call = Call::new(caller.clone(), Surface::Internal, spec.id(), example.input.clone());
    let envelope = match engine.invoke(call).await {
        Ok(Answer::Parked(_)) => {
            return report(Status::NotRun, Some("waits for approval".to_owned()), Vec::new());
        }
        Ok(Answer::Done(envelope) | Answer::Unknown(envelope)) => *envelope,
        Err(refused) => return failed(refused.to_string()),
    };
    match (&example.error, envelope.error) {
        (Some(expected), Some(error)) if *expected == error.code => report(Status::Passed, None, Vec::new()),
        (Some(expected), Some(error)) => {
            failed(format!("expected {expected}, came {}: {}", error.code, error.message))
        }
        (Some(expected), None) => {
            failed(format!("expected {expected}, but it answered {}", envelope.output.unwrap_or(Value::Null)))
        }
        (None, Some(error)) => failed(format!("{}: {}", error.code, error.message)),
        (None, None) => {
            let actual = envelope.output.unwrap_or(Value::Null);
            match &example.output {
                Some(expected) if !diff::same(expected, &actual) => report(
                    Status::Failed,
                    Some("the output differs".to_owned()),
                    diff::diff(expected, &actual),
                ),
                _ => report(Status::Passed, None, Vec::new()),
            }
        }
    }
}
