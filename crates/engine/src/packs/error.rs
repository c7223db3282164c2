use serde::Serialize;
use toolgate_store::StoreError;

use crate::{RegisterError, RegistryError};

/// One thing that is wrong, and where: a file's path, or a tool's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackProblem {
    pub place: String,
    pub message: String,
}

impl PackProblem {
    pub(super) fn at(place: impl ToString, message: impl ToString) -> Self {
        Self { place: place.to_string(), message: message.to_string() }
    }
}

/// Why a pack was not installed or removed. Nothing was changed, unless the store failed on the way.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("there is no pack `{0}`")]
    NotFound(String),
    /// The pack itself is wrong.
    #[error("the pack is not sound: {}", told(.0))]
    Invalid(Vec<PackProblem>),
    /// The pack does not fit what the tenant has.
    #[error("the pack cannot be installed here: {}", told(.0))]
    Conflict(Vec<PackProblem>),
    #[error("{0}")]
    Forbidden(String),
    #[error("somebody else changed the pack meanwhile: look at it again, then try once more")]
    Raced,
    #[error(transparent)]
    Store(StoreError),
}

/// Problems that one message names; the rest is counted.
const MAX_TOLD: usize = 5;

fn told(problems: &[PackProblem]) -> String {
    let mut lines: Vec<_> =
        problems.iter().take(MAX_TOLD).map(|p| format!("{}: {}", p.place, p.message)).collect();
    if problems.len() > MAX_TOLD {
        lines.push(format!("and {} more", problems.len() - MAX_TOLD));
    }
    lines.join("; ")
}

impl From<StoreError> for PackError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(_) => Self::Raced,
            other => Self::Store(other),
        }
    }
}

impl PackError {
    /// What the registry said of one tool, when it was asked in earnest.
    pub(super) fn of_tool(tool: &str, error: RegisterError) -> Self {
        match error {
            RegisterError::Store(error) => error.into(),
            other => Self::Conflict(vec![PackProblem::at(tool, other)]),
        }
    }
}

impl From<RegistryError> for PackError {
    fn from(error: RegistryError) -> Self {
        match error {
            RegistryError::Store(error) => error.into(),
            RegistryError::Forbidden(text) => Self::Forbidden(text),
            RegistryError::NotFound(text) | RegistryError::Invalid(text) => {
                Self::Conflict(vec![PackProblem::at("tools", text)])
            }
        }
    }
}
