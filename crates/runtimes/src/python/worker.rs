//! One worker process, from its parent's side.

use std::{
    io,
    os::{fd::OwnedFd, unix::process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use tokio::{io::BufReader, net::unix::pipe};

use super::{Failure, FailureKind, process::Process, wire};

/// The worker's exit code when memory ran out faster than the script could be told.
const EXIT_OUT_OF_MEMORY: i32 = 65;
/// The signals of a run that computed too long: its own alarm, and the bound of the process.
const SIGPROF: i32 = 27;
const SIGXCPU: i32 = 24;

/// Which program to start, and the bounds of the process as a whole.
#[derive(Clone, Debug)]
pub struct WorkerProgram {
    path: PathBuf,
    arguments: Vec<String>,
    /// Whether one process of it can bear the others.
    pub(super) has_nursery: bool,
}

impl WorkerProgram {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), arguments: Vec::new(), has_nursery: false }
    }

    /// The program knows `--nursery`: see `sandbox/PROTOCOL.md`.
    #[must_use]
    pub fn with_nursery(self) -> Self {
        Self { has_nursery: true, ..self }
    }

    #[must_use]
    pub fn with_arguments(mut self, arguments: impl IntoIterator<Item = String>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
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
    process: Process,
    input: pipe::Sender,
    output: BufReader<pipe::Receiver>,
}

impl Worker {
    /// `input` and `output` are our ends of its pipes. Must be called inside a tokio runtime.
    pub(super) fn new(process: Process, input: OwnedFd, output: OwnedFd) -> io::Result<Self> {
        let input = pipe::Sender::from_owned_fd(input)?;
        let output = BufReader::new(pipe::Receiver::from_owned_fd(output)?);
        Ok(Self { process, input, output })
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
    pub(super) fn is_alive(&self) -> bool {
        self.process.is_alive()
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
        let Ok(status) = self.process.ended().await else {
            return Failure::new(FailureKind::Crash, "the sandbox worker is gone");
        };
        match (status.code(), status.signal()) {
            (Some(EXIT_OUT_OF_MEMORY), _) => {
                Failure::new(FailureKind::Memory, "the script ran out of memory")
            }
            (_, Some(SIGPROF | SIGXCPU)) => {
                Failure::new(FailureKind::Cpu, "the script computed for longer than it may")
            }
            _ => Failure::new(FailureKind::Crash, format!("the sandbox worker crashed ({status})")),
        }
    }
}
