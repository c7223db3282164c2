//! Runs tools of kind `python`.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use toolgate_domain::{ErrorCode, Tool, ToolError, ToolSpec, tool::Execution};
use toolgate_engine::{Output, RunContext, Runtime};

use super::{
    Answer, Binding, Choice, Failure, FailureKind, HostCall, HostCalls, NoHostCalls, Progress, PythonConfig,
    PythonLimits, Sandbox, Script, SnapshotSeal, Source, host, run_python,
};

/// Makes the host calls of one run: which tools its script may call, and how.
pub type HostCallsOf = dyn Fn(&PythonConfig, &RunContext) -> Arc<dyn HostCalls> + Send + Sync;

/// How far a call came.
#[derive(Clone, Debug, PartialEq)]
pub enum PythonProgress {
    Done(Output),
    /// The script waits for `call`. The sealed snapshot goes on with its answer, in this process or another.
    Suspended {
        call: HostCall,
        runtime: &'static str,
        sealed: Vec<u8>,
    },
}

/// Where a script is tried, and where it goes when the first cannot run it.
struct Candidates<'a> {
    first: &'a dyn Sandbox,
    second: Option<&'a dyn Sandbox>,
}

/// The runtime of kind `python`.
pub struct PythonRuntime {
    default: Arc<dyn Sandbox>,
    full: Option<Arc<dyn Sandbox>>,
    limits: PythonLimits,
    seal: SnapshotSeal,
    host_calls: Arc<HostCallsOf>,
}

impl PythonRuntime {
    /// Both sandboxes have passed their self-test.
    pub fn new(default: Arc<dyn Sandbox>, limits: PythonLimits, seal: SnapshotSeal) -> Self {
        Self { default, full: None, limits, seal, host_calls: Arc::new(|_, _| Arc::new(NoHostCalls)) }
    }

    #[must_use]
    pub fn with_full(mut self, full: Arc<dyn Sandbox>) -> Self {
        self.full = Some(full);
        self
    }

    #[must_use]
    pub fn with_host_calls(mut self, host_calls: Arc<HostCallsOf>) -> Self {
        self.host_calls = host_calls;
        self
    }

    /// The definitions of the tools that it serves by itself.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![run_python::spec(&self.limits)]
    }

    /// Runs a call until it ends or waits.
    pub async fn execute(
        &self,
        tool: &Tool,
        input: Value,
        context: &RunContext,
    ) -> Result<PythonProgress, ToolError> {
        let config = self.read(tool)?;
        let host_calls = (self.host_calls)(&config, context);
        let script = script(&config, input, host_calls.functions())?;
        let Candidates { first, second } =
            self.candidates(config.choice).map_err(Failure::into_tool_error)?;
        let (sandbox, progress) = match host::run(first, &script, &config.limits, &*host_calls).await {
            // Found before anything ran, so nothing happens twice.
            Err(failure) if failure.kind == FailureKind::Unsupported => match second {
                Some(full) => (full, host::run(full, &script, &config.limits, &*host_calls).await),
                None => (first, Err(hint(failure))),
            },
            other => (first, other),
        };
        self.tell(sandbox, &config, &script.code, progress, context).await
    }

    /// Goes on with a call that was suspended. `input` is the call's own, as before.
    pub async fn resume(
        &self,
        tool: &Tool,
        input: Value,
        runtime: &str,
        sealed: &[u8],
        answer: Answer,
        context: &RunContext,
    ) -> Result<PythonProgress, ToolError> {
        let config = self.read(tool)?;
        let host_calls = (self.host_calls)(&config, context);
        let script = script(&config, input, host_calls.functions())?;
        let sandbox = [Some(&self.default), self.full.as_ref()]
            .into_iter()
            .flatten()
            .find(|sandbox| sandbox.name() == runtime && sandbox.can_snapshot())
            .ok_or_else(|| broken("the runtime that suspended this script is gone"))?;
        let snapshot = self
            .seal
            .open(sealed, &binding(context, sandbox.name(), &script.code))
            .map_err(|e| broken(&e.to_string()))?;
        let progress = host::go_on(&**sandbox, snapshot, answer, &config.limits, &*host_calls).await;
        self.tell(&**sandbox, &config, &script.code, progress, context).await
    }

    fn read(&self, tool: &Tool) -> Result<PythonConfig, ToolError> {
        PythonConfig::read(&tool.spec.execution, &self.limits)
            .map_err(|message| ToolError::new(ErrorCode::Unknown, message))
    }

    fn candidates(&self, choice: Choice) -> Result<Candidates<'_>, Failure> {
        let full = self.full.as_deref();
        match (choice, full) {
            (Choice::Auto, second) => Ok(Candidates { first: &*self.default, second }),
            (Choice::Default, _) => Ok(Candidates { first: &*self.default, second: None }),
            (Choice::Full, Some(full)) => Ok(Candidates { first: full, second: None }),
            (Choice::Full, None) => {
                Err(hint(Failure::new(FailureKind::Unsupported, "the tool asks for the full Python runtime")))
            }
        }
    }

    async fn tell(
        &self,
        sandbox: &dyn Sandbox,
        config: &PythonConfig,
        code: &str,
        progress: Result<Progress, Failure>,
        context: &RunContext,
    ) -> Result<PythonProgress, ToolError> {
        match progress.map_err(Failure::into_tool_error)? {
            Progress::Done { value, stdout } if config.source == Source::Input => {
                Ok(PythonProgress::Done(json!({"result": value, "stdout": stdout}).into()))
            }
            Progress::Done { value, stdout } => {
                if !stdout.is_empty() {
                    context.emit(json!({"stdout": stdout})).await;
                }
                Ok(PythonProgress::Done(value.into()))
            }
            Progress::Suspended { call, snapshot } => {
                let sealed = self.seal.seal(&snapshot, &binding(context, sandbox.name(), code));
                let sealed = sealed.map_err(|e| broken(&e.to_string()))?;
                Ok(PythonProgress::Suspended { call, runtime: sandbox.name(), sealed })
            }
        }
    }
}

#[async_trait]
impl Runtime for PythonRuntime {
    fn kind(&self) -> &'static str {
        "python"
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        let config = PythonConfig::read(execution, &self.limits)?;
        let Candidates { first, second } =
            self.candidates(config.choice).map_err(|failure| failure.summary())?;
        let Source::Code(code) = &config.source else { return Ok(()) };
        let checked = match (first.check(code), second) {
            (Err(failure), Some(full)) if failure.kind == FailureKind::Unsupported => full.check(code),
            (Err(failure), None) if failure.kind == FailureKind::Unsupported => Err(hint(failure)),
            (checked, _) => checked,
        };
        checked.map_err(|failure| format!("`code`, {}", failure.summary()))
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, ToolError> {
        match self.execute(&tool, input, &context).await? {
            PythonProgress::Done(output) => Ok(output),
            PythonProgress::Suspended { call, .. } => {
                Err(broken(&format!("the script waits for `{}`, and this call cannot wait", call.function)))
            }
        }
    }
}

fn script(config: &PythonConfig, mut input: Value, functions: Vec<String>) -> Result<Script, ToolError> {
    let object = |value: Value| match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    match &config.source {
        Source::Code(code) => Ok(Script { code: code.clone(), inputs: object(input), functions }),
        Source::Input => {
            let Value::String(code) = input["code"].take() else {
                return Err(ToolError::validation("`code` holds the script"));
            };
            let inputs = object(input["inputs"].take());
            Ok(Script { code, inputs, functions })
        }
    }
}

fn binding<'a>(context: &RunContext, runtime: &'a str, code: &'a str) -> Binding<'a> {
    Binding { tenant_id: context.tenant_id, invocation_id: context.invocation_id, runtime, code }
}

fn broken(message: &str) -> ToolError {
    ToolError::new(ErrorCode::SandboxError, message)
}

fn hint(mut failure: Failure) -> Failure {
    failure.message.push_str("; the full Python runtime may run it: `toolgate sandbox install`");
    failure
}
