//! Tools as Python functions: what a script's host calls meet, and the loop that serves them.

use async_trait::async_trait;
use serde_json::Value;

use super::{Answer, Failure, HostCall, PythonLimits, Sandbox, SandboxRun, Script, Step};

/// How a host call ends, for now.
#[derive(Clone, Debug, PartialEq)]
pub enum HostAnswer {
    Value(Value),
    Error {
        code: String,
        message: String,
    },
    /// The answer comes later, perhaps after a restart: the script is written down and put away.
    Waiting,
}

/// Serves the calls of one run.
#[async_trait]
pub trait HostCalls: Send + Sync {
    /// The functions that the script may call.
    fn functions(&self) -> Vec<String>;

    async fn call(&self, call: &HostCall) -> HostAnswer;
}

/// A script that may call nothing.
pub struct NoHostCalls;

#[async_trait]
impl HostCalls for NoHostCalls {
    fn functions(&self) -> Vec<String> {
        Vec::new()
    }

    async fn call(&self, call: &HostCall) -> HostAnswer {
        let message = format!("there is no tool `{}` here", call.function);
        HostAnswer::Error { code: "POLICY_DENIED".to_owned(), message }
    }
}

/// How far a run came.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    Done {
        value: Value,
        stdout: String,
    },
    /// The run waits for the answer to `call`; the snapshot goes on with it. Without one, the script must begin again.
    Suspended {
        call: HostCall,
        snapshot: Option<Vec<u8>>,
    },
}

/// Runs a script, serving its calls one after the other. Dropping the future ends the script.
pub async fn run(
    sandbox: &dyn Sandbox,
    script: &Script,
    limits: &PythonLimits,
    host: &dyn HostCalls,
) -> Result<Progress, Failure> {
    serve(sandbox.start(script, limits).await?, sandbox, host, limits).await
}

/// Goes on with a suspended run.
pub async fn go_on(
    sandbox: &dyn Sandbox,
    snapshot: &[u8],
    answer: Answer,
    limits: &PythonLimits,
    host: &dyn HostCalls,
) -> Result<Progress, Failure> {
    serve(sandbox.restore(snapshot, answer, limits).await?, sandbox, host, limits).await
}

async fn serve(
    mut run: Box<dyn SandboxRun>,
    sandbox: &dyn Sandbox,
    host: &dyn HostCalls,
    limits: &PythonLimits,
) -> Result<Progress, Failure> {
    // The worker counts too; this bound holds even where a script has taken its worker over.
    for _ in 0..=limits.max_host_calls {
        let call = match run.step().await? {
            Step::Done { value, stdout } => return Ok(Progress::Done { value, stdout }),
            Step::HostCall(call) => call,
        };
        let answer = match host.call(&call).await {
            HostAnswer::Value(value) => Answer::Value(value),
            HostAnswer::Error { code, message } => Answer::Error { code, message },
            HostAnswer::Waiting => {
                let snapshot = if sandbox.can_snapshot() { Some(run.snapshot().await?) } else { None };
                return Ok(Progress::Suspended { call, snapshot });
            }
        };
        run.resume(answer).await?;
    }
    let message = format!("the script called tools more than {} times", limits.max_host_calls);
    Err(Failure::new(super::FailureKind::HostCalls, message))
}
