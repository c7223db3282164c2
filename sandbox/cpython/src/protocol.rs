//! What the parent and the worker say to each other, and what the guest says to the worker.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Of each text that a guest writes into its failure.
const MAX_TEXT_BYTES: usize = 64 << 10;

/// The member by which every message is known.
#[derive(Deserialize)]
pub(crate) struct Kind {
    #[serde(alias = "op")]
    pub(crate) r#type: String,
}

/// The parent: run this, or only look whether it compiles.
#[derive(Deserialize)]
pub(crate) struct Start {
    pub(crate) code: String,
    #[serde(default)]
    pub(crate) inputs: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) functions: Vec<String>,
    #[serde(default)]
    pub(crate) limits: Limits,
    /// What `random` is made of; by default of code and inputs, so that a run can be repeated.
    #[serde(default)]
    pub(crate) seed: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Limits {
    /// Beyond what the interpreter itself takes.
    pub(crate) memory_bytes: usize,
    pub(crate) cpu_ms: u64,
    /// By the clock on the wall, which stands while the parent answers a call.
    pub(crate) wall_ms: u64,
    pub(crate) max_output_bytes: usize,
    pub(crate) max_recursion: u32,
    pub(crate) max_host_calls: u64,
    pub(crate) max_result_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 128 << 20,
            cpu_ms: 5_000,
            wall_ms: 10_000,
            max_output_bytes: 64 << 10,
            max_recursion: 400,
            max_host_calls: 100,
            max_result_bytes: 1 << 20,
        }
    }
}

impl Limits {
    /// A value and what was printed share one frame, and a printed byte can take six in JSON.
    pub(crate) fn bounded(mut self) -> Self {
        self.max_output_bytes = self.max_output_bytes.min(512 << 10);
        self.max_result_bytes = self.max_result_bytes.min(4 << 20);
        self
    }
}

/// The worker, to the guest that waits at the door.
#[derive(Serialize)]
pub(crate) struct Script<'a> {
    pub(crate) code: &'a str,
    pub(crate) inputs: &'a RawValue,
    pub(crate) functions: &'a [String],
    pub(crate) max_recursion: u32,
    /// Compile it, and run nothing.
    pub(crate) check: bool,
}

/// The worker, to a guest whose call cannot leave.
#[derive(Serialize)]
pub(crate) struct Refusal<'a> {
    pub(crate) refused: &'a str,
}

/// The guest: call this tool.
#[derive(Deserialize)]
pub(crate) struct Call<'a> {
    pub(crate) function: String,
    #[serde(borrow)]
    pub(crate) args: &'a RawValue,
    #[serde(borrow)]
    pub(crate) kwargs: &'a RawValue,
}

/// The guest: this is the script's value.
#[derive(Deserialize)]
pub(crate) struct Value<'a> {
    #[serde(borrow)]
    pub(crate) value: &'a RawValue,
}

/// Why a run ended without a value.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FailureKind {
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

impl FailureKind {
    /// What Python would raise.
    fn exception(self) -> Option<&'static str> {
        match self {
            Self::Cpu | Self::Wall => Some("TimeoutError"),
            Self::Memory => Some("MemoryError"),
            Self::Recursion => Some("RecursionError"),
            _ => None,
        }
    }
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) traceback: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) exception_type: Option<String>,
    /// Of the frames in the traceback of a guest that ran out of memory: for the innermost it may have had none.
    #[serde(default, skip_serializing)]
    pub(crate) lines: Vec<Option<u32>>,
    /// What was printed before.
    #[serde(skip_deserializing)]
    pub(crate) stdout: String,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            traceback: None,
            line: None,
            exception_type: kind.exception().map(str::to_owned),
            lines: Vec::new(),
            stdout: String::new(),
        }
    }

    /// A guest says what it likes, but at no length, and it does not speak for the worker.
    pub(crate) fn of_a_guest(mut self) -> Self {
        if !matches!(
            self.kind,
            FailureKind::Syntax | FailureKind::Memory | FailureKind::Recursion | FailureKind::Result
        ) {
            self.kind = FailureKind::Exception;
        }
        let texts = [Some(&mut self.message), self.traceback.as_mut(), self.exception_type.as_mut()];
        for text in texts.into_iter().flatten() {
            text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
        }
        self
    }
}

/// The worker, to the parent.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Report<'a> {
    Ready,
    Checked,
    HostCall { seq: u64, function: &'a str, args: &'a RawValue, kwargs: &'a RawValue },
    Done { value: &'a RawValue, stdout: &'a str },
    Error(Failure),
}
