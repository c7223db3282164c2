//! How a script fails, and what the caller is told.

use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, ToolError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The code is not Python.
    Syntax,
    /// This runtime cannot run the code; nothing of it has run.
    Unsupported,
    /// The script raised, and did not catch.
    Exception,
    Memory,
    Cpu,
    Wall,
    Recursion,
    Output,
    HostCalls,
    /// The script's value has no JSON form, or is too large.
    Result,
    /// The worker ended without a word.
    Crash,
    /// The worker, or its parent, broke the protocol.
    Protocol,
    /// All workers are busy, and enough callers wait already.
    Busy,
    /// No worker could be started.
    Unavailable,
}

impl FailureKind {
    const ALL: &'static [Self] = &[
        Self::Syntax,
        Self::Unsupported,
        Self::Exception,
        Self::Memory,
        Self::Cpu,
        Self::Wall,
        Self::Recursion,
        Self::Output,
        Self::HostCalls,
        Self::Result,
        Self::Crash,
        Self::Protocol,
        Self::Busy,
        Self::Unavailable,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Unsupported => "unsupported",
            Self::Exception => "exception",
            Self::Memory => "memory",
            Self::Cpu => "cpu",
            Self::Wall => "wall",
            Self::Recursion => "recursion",
            Self::Output => "output",
            Self::HostCalls => "host_calls",
            Self::Result => "result",
            Self::Crash => "crash",
            Self::Protocol => "protocol",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
        }
    }

    fn code(self) -> ErrorCode {
        match self {
            Self::Cpu | Self::Wall => ErrorCode::Timeout,
            Self::Busy => ErrorCode::RateLimit,
            _ => ErrorCode::SandboxError,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub line: Option<u64>,
    pub traceback: Option<String>,
    pub exception_type: Option<String>,
    /// What the script printed before it failed.
    pub stdout: String,
}

impl Failure {
    /// Bytes of the script's output that an error carries.
    const MAX_STDOUT_BYTES: usize = 16 * 1024;
    const MAX_MESSAGE_BYTES: usize = 8 * 1024;
    const MAX_TRACEBACK_BYTES: usize = 32 * 1024;
    const MAX_TYPE_BYTES: usize = 256;
    /// Seconds after which a caller that found no worker may come back.
    const RETRY_AFTER_S: u64 = 1;

    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            line: None,
            traceback: None,
            exception_type: None,
            stdout: String::new(),
        }
    }

    /// A worker's `error` message. A script words it, names of exceptions too: each text is cut to what an error may carry.
    pub(super) fn from_wire(message: &Value) -> Self {
        let text = |key: &str| message.get(key).and_then(Value::as_str);
        let cut = |key: &str, max_bytes| text(key).map(|t| t[..t.floor_char_boundary(max_bytes)].to_owned());
        let kind = text("kind").unwrap_or_default();
        let kind = FailureKind::ALL.iter().copied().find(|known| known.as_str() == kind);
        Self {
            kind: kind.unwrap_or(FailureKind::Protocol),
            message: cut("message", Self::MAX_MESSAGE_BYTES).unwrap_or_default(),
            line: message.get("line").and_then(Value::as_u64),
            traceback: cut("traceback", Self::MAX_TRACEBACK_BYTES),
            exception_type: cut("exception_type", Self::MAX_TYPE_BYTES),
            stdout: text("stdout").unwrap_or_default().to_owned(),
        }
    }

    /// One line for people: where, what, why.
    pub fn summary(&self) -> String {
        let place = self.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        match &self.exception_type {
            Some(exception) if !self.message.is_empty() => format!("{place}{exception}: {}", self.message),
            Some(exception) => format!("{place}{exception}"),
            None => format!("{place}{}", self.message),
        }
    }

    pub fn into_tool_error(self) -> ToolError {
        let code = self.kind.code();
        let error = ToolError::new(code, self.summary()).with_details(json!({
            "kind": self.kind.as_str(),
            "line": self.line,
            "traceback": self.traceback,
            "exception_type": self.exception_type,
            "stdout": &self.stdout[..self.stdout.floor_char_boundary(Self::MAX_STDOUT_BYTES)],
        }));
        if code == ErrorCode::RateLimit { error.retry_after(Self::RETRY_AFTER_S) } else { error }
    }
}
