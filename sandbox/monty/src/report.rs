//! How a run failed, in the words of the protocol.

use monty_types::{ExcType, MontyException};
use serde_json::{Value, json};

pub(crate) const SCRIPT_NAME: &str = "script.py";
const MAX_MESSAGE_BYTES: usize = 4 * 1024;
const MAX_TRACEBACK_BYTES: usize = 16 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Syntax,
    Unsupported,
    Exception,
    Memory,
    Cpu,
    Wall,
    Recursion,
    Output,
    HostCalls,
    Result,
    Protocol,
}

impl Kind {
    fn as_str(self) -> &'static str {
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
            Self::Protocol => "protocol",
        }
    }
}

pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    traceback: Option<String>,
    line: Option<u32>,
    exception_type: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), traceback: None, line: None, exception_type: None }
    }

    pub(crate) fn at_line(mut self, line: usize) -> Self {
        self.line = u32::try_from(line).ok();
        self
    }

    /// The code did not compile. What the interpreter does not know yet is told apart from what is no Python.
    pub(crate) fn compile(exception: &MontyException) -> Self {
        let kind = match exception.exc_type() {
            ExcType::NotImplementedError => Kind::Unsupported,
            ExcType::MemoryError => Kind::Memory,
            _ => Kind::Syntax,
        };
        Self::exception(kind, exception)
    }

    pub(crate) fn exception(kind: Kind, exception: &MontyException) -> Self {
        let line = exception.traceback().iter().rev().find(|frame| frame.filename == SCRIPT_NAME);
        Self {
            kind,
            message: exception.message().unwrap_or_default().to_owned(),
            traceback: Some(exception.to_string()),
            line: line.map(|frame| frame.start.line),
            exception_type: Some(exception.exc_type().to_string()),
        }
    }

    pub(crate) fn into_message(self, stdout: &str) -> Value {
        json!({
            "type": "error",
            "kind": self.kind.as_str(),
            "message": cut(self.message, MAX_MESSAGE_BYTES),
            "traceback": self.traceback.map(|text| cut(text, MAX_TRACEBACK_BYTES)),
            "line": self.line,
            "exception_type": self.exception_type,
            "stdout": stdout,
        })
    }
}

/// Long texts keep their beginning and, where the exception stands, their end.
fn cut(text: String, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text;
    }
    let head = text.floor_char_boundary(max_bytes / 2);
    let tail = text.ceil_char_boundary(text.len() - max_bytes / 2);
    format!("{}\n…\n{}", &text[..head], &text[tail..])
}
