//! Runs tools of kind `python`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::{Map, Value, json};
use toolgate_domain::{ErrorCode, Tool, ToolError, ToolSpec, tool::Execution};
use toolgate_engine::{Compiled, Halt, Output, RunContext, Runtime, Waiting};

use super::{
    Answer, Binding, Choice, Failure, FailureKind, HostAnswer, HostCalls, Offer, Progress, PythonConfig,
    PythonLimits, Sandbox, Script, SnapshotSeal, Source, host, offer::SELF_TEST, paused::Paused, run_python,
    tools::Toolbox,
};

/// The runtime of kind `python`.
pub struct PythonRuntime {
    default: Arc<Offer>,
    full: Option<Arc<Offer>>,
    limits: PythonLimits,
    seal: SnapshotSeal,
}

impl PythonRuntime {
    pub fn new(default: Arc<Offer>, limits: PythonLimits, seal: SnapshotSeal) -> Self {
        Self { default, full: None, limits, seal }
    }

    #[must_use]
    pub fn with_full(mut self, full: Arc<Offer>) -> Self {
        self.full = Some(full);
        self
    }

    /// The definitions of the tools that it serves by itself.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![run_python::spec(&self.limits)]
    }

    async fn begin(
        &self,
        script: &Script,
        config: &PythonConfig,
        time: &Time,
        toolbox: &Toolbox,
    ) -> Result<(&Arc<dyn Sandbox>, Progress), Failure> {
        let (first, second) = self.sandboxes(config.choice)?;
        let first = first.within(time.before_its_end()).await?;
        match (host::run(&**first, script, &config.limits.within(time.left_ms()), toolbox).await, second) {
            // Found before anything ran, so nothing happens twice.
            (Err(failure), Some(full)) if failure.kind == FailureKind::Unsupported => {
                let full = full.within(time.before_its_end()).await?;
                Ok((full, host::run(&**full, script, &config.limits.within(time.left_ms()), toolbox).await?))
            }
            (Err(failure), None) if failure.kind == FailureKind::Unsupported => Err(hint(failure)),
            (other, _) => Ok((first, other?)),
        }
    }

    /// Goes on where the script waited. What it waits for may not be over yet.
    async fn go_on(
        &self,
        paused: Paused,
        config: &PythonConfig,
        time: &Time,
        toolbox: &Toolbox,
    ) -> Result<(&Arc<dyn Sandbox>, Progress), Failure> {
        let sandbox = self.default.within(time.before_its_end()).await?;
        let answer = match toolbox.call(&paused.call).await {
            HostAnswer::Value(value) => Answer::Value(value),
            HostAnswer::Error { code, message } => Answer::Error { code, message },
            HostAnswer::Waiting => {
                let Paused { call, snapshot } = paused;
                return Ok((sandbox, Progress::Suspended { call, snapshot: Some(snapshot) }));
            }
        };
        Ok((
            sandbox,
            host::go_on(&**sandbox, &paused.snapshot, answer, &config.limits.within(time.left_ms()), toolbox)
                .await?,
        ))
    }

    /// The reason why the script cannot begin yet. The self-test takes a moment, and is not reported.
    fn pending(&self, choice: Choice) -> Option<&'static str> {
        let (first, _) = self.sandboxes(choice).ok()?;
        first.pending().filter(|pending| *pending != SELF_TEST)
    }

    /// The sandbox to try, and the one for what it cannot run.
    fn sandboxes(&self, choice: Choice) -> Result<(&Arc<Offer>, Option<&Arc<Offer>>), Failure> {
        match (choice, &self.full) {
            (Choice::Auto, full) => Ok((&self.default, full.as_ref())),
            (Choice::Default, _) => Ok((&self.default, None)),
            (Choice::Full, Some(full)) => Ok((full, None)),
            (Choice::Full, None) => {
                Err(hint(Failure::new(FailureKind::Unsupported, "the tool asks for the full Python runtime")))
            }
        }
    }
}

#[async_trait]
impl Runtime for PythonRuntime {
    fn kind(&self) -> &'static str {
        "python"
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        PythonConfig::read(execution, &self.limits).map(Compiled::new)
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        let config = PythonConfig::read(execution, &self.limits)?;
        let (first, second) = self.sandboxes(config.choice).map_err(|failure| failure.summary())?;
        let Source::Code(code) = &config.source else { return Ok(()) };
        let check = |offer: &Offer| offer.to_compile().and_then(|sandbox| sandbox.check(code));
        let checked = match (check(first), second) {
            (Err(failure), Some(full)) if failure.kind == FailureKind::Unsupported => check(full),
            (Err(failure), None) if failure.kind == FailureKind::Unsupported => Err(hint(failure)),
            (checked, _) => checked,
        };
        checked.map_err(|failure| format!("`code`, {}", failure.summary()))
    }

    fn calls(&self, execution: &Execution) -> Vec<String> {
        PythonConfig::read(execution, &self.limits).map(|config| config.tools).unwrap_or_default()
    }

    /// A script reaches nothing but tools.
    fn replays(&self, _execution: &Execution) -> bool {
        true
    }

    async fn run(&self, _tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let config: &PythonConfig = context.plan()?;
        let time = Time { begun: Instant::now(), timeout_ms: context.timeout_ms };
        let (code, inputs) = code_and_inputs(config, input)?;
        if let Some(pending) = self.pending(config.choice) {
            context.emit(json!({"waiting": format!("the Python runtime is not ready: {pending}")})).await;
        }
        let toolbox = Toolbox::of(config, &code, &context.invoker).await?;
        let script = Script { code, inputs, functions: toolbox.functions() };
        let state = context.resumed.as_ref().and_then(|resumed| resumed.state.as_ref());
        let binding = |runtime| Binding {
            tenant_id: context.tenant_id,
            invocation_id: context.invocation_id,
            runtime,
            code: &script.code,
        };
        let went = match state {
            None => self.begin(&script, config, &time, &toolbox).await,
            Some(sealed) => {
                let opened =
                    self.seal.open(sealed, &binding(WITH_SNAPSHOTS)).map_err(|e| broken(&e.to_string()))?;
                let paused = Paused::decode(opened).ok_or_else(|| broken("the snapshot cannot be read"))?;
                self.go_on(paused, config, &time, &toolbox).await
            }
        };
        let (sandbox, progress) = went.map_err(Failure::into_tool_error)?;
        match progress {
            Progress::Done { value, stdout } if config.source == Source::Input => {
                Ok(json!({"result": value, "stdout": stdout}).into())
            }
            Progress::Done { value, stdout } => {
                if !stdout.is_empty() {
                    context.emit(json!({"stdout": stdout})).await;
                }
                Ok(value.into())
            }
            // Such a script begins again, and the calls that it made are answered from the record.
            Progress::Suspended { snapshot: None, .. } => Err(Halt::Waiting(Waiting::default())),
            Progress::Suspended { call, snapshot: Some(snapshot) } => {
                let paused = Paused { call, snapshot }.encode().map_err(|e| broken(&e))?;
                let sealed =
                    self.seal.seal(&paused, &binding(sandbox.name())).map_err(|e| broken(&e.to_string()))?;
                Err(Halt::Waiting(Waiting { state: Some(Bytes::from(sealed)), ..Waiting::default() }))
            }
        }
    }
}

/// The rest of its time in which a call that waited in vain says so.
const LAST_WORD: Duration = Duration::from_millis(250);

/// What its call gives a run. Whatever it waits for before the script begins is taken from it.
struct Time {
    begun: Instant,
    timeout_ms: u64,
}

impl Time {
    /// How long to wait for a sandbox: it leaves a moment in which to say what was waited for.
    fn before_its_end(&self) -> Duration {
        Duration::from_millis(self.left_ms()).saturating_sub(LAST_WORD)
    }

    fn left_ms(&self) -> u64 {
        let passed_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.timeout_ms.saturating_sub(passed_ms)
    }
}

/// The runtime whose scripts can be written down while they wait.
const WITH_SNAPSHOTS: &str = "default";

fn code_and_inputs(
    config: &PythonConfig,
    mut input: Value,
) -> Result<(String, Map<String, Value>), ToolError> {
    let object = |value: Value| match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    match &config.source {
        Source::Code(code) => Ok((code.clone(), object(input))),
        Source::Input => {
            let Value::String(code) = input["code"].take() else {
                return Err(ToolError::validation("`code` holds the script"));
            };
            Ok((code, object(input["inputs"].take())))
        }
    }
}

fn broken(message: &str) -> ToolError {
    ToolError::new(ErrorCode::SandboxError, message)
}

fn hint(mut failure: Failure) -> Failure {
    failure.message.push_str("; the full Python runtime may run it: `toolgate sandbox install`");
    failure
}
