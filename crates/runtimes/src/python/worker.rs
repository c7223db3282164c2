//! One worker process, from its parent's side.

use std::{
    io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::{Failure, FailureKind, wire};

/// The worker's exit code when memory ran out faster than the script could be told.
const EXIT_OUT_OF_MEMORY: i32 = 65;
/// The signals of a run that computed too long: its own alarm, and the bound of the process.
const SIGALRM: i32 = 14;
const SIGXCPU: i32 = 24;

/// Which program to start, and the bounds of the process as a whole.
#[derive(Clone, Debug)]
pub struct WorkerProgram {
    path: PathBuf,
    arguments: Vec<String>,
}

impl WorkerProgram {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), arguments: Vec::new() }
    }

    #[must_use]
    pub fn with_arguments(mut self, arguments: impl IntoIterator<Item = String>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.path);
        command
            .args(&self.arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }
}

/// Killed when dropped.
pub(super) struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Worker {
    pub(super) fn spawn(program: &WorkerProgram) -> io::Result<Self> {
        let mut child = Command::from(program.command()).kill_on_drop(true).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { child, input, output }),
            _ => Err(io::Error::other("the worker has no pipes")),
        }
    }

    pub(super) async fn ready(&mut self) -> Result<(), Failure> {
        let message = self.receive().await?;
        if message["type"] == "ready" {
            Ok(())
        } else {
            Err(Failure::new(FailureKind::Unavailable, "the sandbox worker did not say that it is ready"))
        }
    }

    /// Whether the process is still there.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(super) async fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let frame = wire::encode(message).map_err(|e| Failure::new(FailureKind::Protocol, e.to_string()))?;
        match wire::send(&mut self.input, &frame).await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.ended().await),
        }
    }

    pub(super) async fn receive(&mut self) -> Result<Value, Failure> {
        match wire::receive(&mut self.output).await {
            Ok(message) => Ok(message),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Failure::new(
                FailureKind::Protocol,
                format!("the sandbox worker answered nonsense: {error}"),
            )),
            Err(_) => Err(self.ended().await),
        }
    }

    /// Why the process is gone. Its pipes are closed, so it is about to be.
    async fn ended(&mut self) -> Failure {
        let Ok(status) = self.child.wait().await else {
            return Failure::new(FailureKind::Crash, "the sandbox worker is gone");
        };
        match (status.code(), status.signal()) {
            (Some(EXIT_OUT_OF_MEMORY), _) => {
                Failure::new(FailureKind::Memory, "the script ran out of memory")
            }
            (_, Some(SIGALRM | SIGXCPU)) => {
                Failure::new(FailureKind::Cpu, "the script computed for longer than it may")
            }
            _ => Failure::new(FailureKind::Crash, format!("the sandbox worker crashed ({status})")),
        }
    }
}
