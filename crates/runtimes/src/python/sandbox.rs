//! What runs scripts: start, host call, resume, done. One trait, so that every runtime meets the same tests.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Failure, PythonLimits};

/// A script and what it is given.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub code: String,
    /// The dict `input`; each key that is an identifier is a variable as well.
    pub inputs: Map<String, Value>,
    /// The names that the script may call. Each call pauses it.
    pub functions: Vec<String>,
}

/// A script asks its host for something, and is paused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostCall {
    /// Counted from 1 within the run, across snapshots.
    pub seq: u64,
    pub function: String,
    pub args: Vec<Value>,
    pub kwargs: Map<String, Value>,
}

/// What a paused script is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Value(Value),
    /// Raised in the script as `CODE: message`; the script may catch it.
    Error {
        code: String,
        message: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    HostCall(HostCall),
    Done { value: Value, stdout: String },
}

#[async_trait]
pub trait Sandbox: Send + Sync {
    /// `default` or `full`: what a tool writes in `runtime`.
    fn name(&self) -> &'static str;

    /// Whether a paused run can be written down and go on elsewhere.
    fn can_snapshot(&self) -> bool;

    /// Whether the code compiles. Runs nothing, within a bounded time; it may block.
    fn check(&self, code: &str) -> Result<(), Failure>;

    async fn start(&self, script: &Script, limits: &PythonLimits) -> Result<Box<dyn SandboxRun>, Failure>;

    /// Goes on from a snapshot that the caller has authenticated.
    async fn restore(
        &self,
        snapshot: &[u8],
        answer: Answer,
        limits: &PythonLimits,
    ) -> Result<Box<dyn SandboxRun>, Failure>;
}

/// One run. Dropping it ends the script.
#[async_trait]
pub trait SandboxRun: Send {
    /// Waits until the script asks for something or ends.
    async fn step(&mut self) -> Result<Step, Failure>;

    /// Answers the host call on which the script is paused.
    async fn resume(&mut self, answer: Answer) -> Result<(), Failure>;

    /// Writes down a run that is paused on a host call.
    async fn snapshot(&mut self) -> Result<Vec<u8>, Failure>;
}
