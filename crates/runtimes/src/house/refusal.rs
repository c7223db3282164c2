//! How these tools refuse: one of the nine stable codes, and beside it, at `details.code`, the code that agents of the sources know.

use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::{DecideError, RegistryError, RuleError};

/// The codes at `details.code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Conflict,
    MissingLenser,
    Forbidden,
    NotFound,
    Throttled,
    PermissionDenied,
}

impl Code {
    fn as_str(self) -> &'static str {
        match self {
            Self::Conflict => "CONFLICT",
            Self::MissingLenser => "MISSING_LENSER",
            Self::Forbidden => "FORBIDDEN",
            Self::NotFound => "NOT_FOUND",
            Self::Throttled => "THROTTLED",
            Self::PermissionDenied => "PERMISSION_DENIED",
        }
    }

    fn stable(self) -> ErrorCode {
        match self {
            Self::Conflict | Self::MissingLenser | Self::NotFound => ErrorCode::ValidationError,
            Self::Forbidden | Self::PermissionDenied => ErrorCode::PolicyDenied,
            Self::Throttled => ErrorCode::RateLimit,
        }
    }

    pub(super) fn error(self, message: impl Into<String>) -> ToolError {
        ToolError::new(self.stable(), message).with_details(json!({"code": self.as_str()}))
    }

    /// The same error, with the code beside what else it tells.
    fn beside(self, mut error: ToolError) -> ToolError {
        match &mut error.details {
            Some(Value::Object(details)) => {
                details.insert("code".to_owned(), self.as_str().into());
            }
            details => *details = Some(json!({"code": self.as_str()})),
        }
        error
    }
}

pub(super) fn forbidden(message: impl Into<String>) -> ToolError {
    Code::Forbidden.error(message)
}

/// What a store says is for the log.
pub(super) fn unread(error: &dyn std::fmt::Display) -> ToolError {
    tracing::error!(%error, "a tool of the house cannot reach the store");
    ToolError::new(ErrorCode::Unknown, "it cannot be read or written now: try again in a moment")
}

pub(super) fn of_rule(error: RuleError) -> ToolError {
    match error {
        RuleError::NotFound(message) => Code::NotFound.error(message),
        RuleError::Conflict(message) => Code::Conflict.error(message),
        RuleError::Forbidden(message) => Code::Forbidden.error(message),
        RuleError::Invalid(message) => ToolError::validation(message),
        RuleError::TooMany { retry_after_s } => {
            Code::Throttled.error("too many attempts").retry_after(retry_after_s)
        }
        RuleError::Store(error) => unread(&error),
    }
}

pub(super) fn of_registry(error: RegistryError) -> ToolError {
    match error {
        RegistryError::NotFound(message) => Code::NotFound.error(message),
        RegistryError::Invalid(message) => ToolError::validation(message),
        RegistryError::Forbidden(message) => forbidden(message),
        RegistryError::Store(error) => unread(&error),
    }
}

pub(super) fn of_decision(error: DecideError) -> ToolError {
    let message = error.to_string();
    match error {
        DecideError::NotFound => Code::NotFound.error(message),
        DecideError::Decided(_) | DecideError::Expired | DecideError::Changed => {
            Code::Conflict.error(message)
        }
        DecideError::OwnCall
        | DecideError::ConfirmSelf
        | DecideError::ByAgent
        | DecideError::NoPerson
        | DecideError::KeyOfAnother
        | DecideError::SameCredential
        | DecideError::Involved
        | DecideError::CouldNotDoIt(_)
        | DecideError::NotAlways(_) => forbidden(message),
        DecideError::Reason | DecideError::EditedByOne(_) => ToolError::validation(message),
        DecideError::BadInput(error) => ToolError { message, ..*error },
        DecideError::Rules(error) => of_rule(error),
        DecideError::Store(error) => unread(&error),
    }
}

/// What became of something that was begun for an agent: a refusal of the rules, or of a limit, gets its code.
pub(super) fn of_start(error: ToolError) -> ToolError {
    match error.code {
        ErrorCode::PolicyDenied => Code::Forbidden.beside(error),
        ErrorCode::RateLimit => Code::Throttled.beside(error),
        _ => error,
    }
}
