//! How the program ends: a code for scripts, a sentence for people.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::output;

/// The exit codes; scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok = 0,
    Failed = 1,
    // clap ends with it by itself; a mistake that shows later uses it too.
    Usage = 2,
    ToolFailed = 3,
    Refused = 4,
    NotFound = 5,
    Invalid = 6,
    Unreachable = 7,
    NeedsApproval = 8,
    Conflict = 9,
    Tampered = 10,
    Differs = 11,
}

impl Exit {
    const TABLE: &'static [(Self, &'static str)] = &[
        (Self::Ok, "done"),
        (Self::Failed, "the command failed"),
        (Self::Usage, "the command line is not right"),
        (Self::ToolFailed, "the tool failed: the envelope has an error; or an example of `tool test` did"),
        (Self::Refused, "refused: the key is not valid, lacks a scope, or the guard says no"),
        (Self::NotFound, "there is no such thing: tool, invocation, agent, person, key, …"),
        (Self::Invalid, "the input or the definition is not valid"),
        (
            Self::Unreachable,
            "the server cannot be reached, is overloaded, or a rate limit is spent: try again",
        ),
        (Self::NeedsApproval, "the call is recorded and waits for a person's approval"),
        (Self::Conflict, "something else stands in the way, such as a published version"),
        (
            Self::Tampered,
            "something was tampered with: the audit trail (`audit verify` names the first record), or an exported run",
        ),
        (Self::Differs, "a run comes out otherwise than it was recorded, or two runs differ"),
    ];

    fn code(self) -> u8 {
        self as u8
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Failed => "FAILED",
            Self::Usage => "USAGE",
            Self::ToolFailed => "TOOL_FAILED",
            Self::Refused => "REFUSED",
            Self::NotFound => "NOT_FOUND",
            Self::Invalid => "INVALID_INPUT",
            Self::Unreachable => "UNREACHABLE",
            Self::NeedsApproval => "NEEDS_APPROVAL",
            Self::Conflict => "CONFLICT",
            Self::Tampered => "TAMPERED",
            Self::Differs => "DIFFERS",
        }
    }

    /// What a problem's status means for the one who gave the command.
    pub(crate) fn of_status(status: u16) -> Self {
        match status {
            401 | 403 => Self::Refused,
            404 => Self::NotFound,
            409 => Self::Conflict,
            424 => Self::ToolFailed,
            408 | 429 | 502 | 503 | 504 => Self::Unreachable,
            400 | 413 | 422 | 431 => Self::Invalid,
            _ => Self::Failed,
        }
    }

    /// What the error of an envelope means: the same as over plain invoke.
    pub(crate) fn of_tool_error(code: &str) -> Self {
        match code {
            "VALIDATION_ERROR" => Self::Invalid,
            "POLICY_DENIED" => Self::Refused,
            "RATE_LIMIT" => Self::Unreachable,
            _ => Self::ToolFailed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Examples, and the table of exit codes below them.
pub(crate) fn help(examples: &str) -> String {
    let rows: Vec<_> =
        Exit::TABLE.iter().map(|(exit, meaning)| format!("  {:<2} {meaning}", exit.code())).collect();
    format!("{examples}\n\nExit codes:\n{}", rows.join("\n"))
}

/// A command that did not do what it was asked, and why.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    /// What to do next.
    pub(crate) hint: Option<String>,
    /// What the server said, word for word.
    pub(crate) document: Option<Value>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hint: None, document: None }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Exit::Invalid, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn document(mut self, document: Value) -> Self {
        self.document = Some(document);
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Says on stderr what went wrong.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    output::complain(&format!("error: {error:#}"));
    let failure = error.downcast_ref::<Failure>();
    if let Some(hint) = failure.and_then(|failure| failure.hint.as_deref()) {
        output::complain(&format!("  {hint}"));
    }
    failure.map_or(Exit::Failed, |failure| failure.exit).into()
}

/// The failure as a document, for `--json`: the server's own, or one of the same shape.
pub(crate) fn document(error: &anyhow::Error) -> Value {
    let failure = error.downcast_ref::<Failure>();
    if let Some(document) = failure.and_then(|failure| failure.document.clone()) {
        return document;
    }
    let exit = failure.map_or(Exit::Failed, |failure| failure.exit);
    let mut document = json!({"code": exit.name(), "detail": format!("{error:#}")});
    if let Some(hint) = failure.and_then(|failure| failure.hint.as_deref()) {
        document["hint"] = Value::from(hint);
    }
    document
}
