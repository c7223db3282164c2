use toolgate_store::StoreError;

/// Why a rule was not changed.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Conflict(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Forbidden(String),
    #[error("too many attempts: wait {retry_after_s} s, then try again")]
    TooMany { retry_after_s: u64 },
    #[error(transparent)]
    Store(StoreError),
}

impl RuleError {
    pub(super) fn missing(what: &str, id: impl std::fmt::Display) -> Self {
        Self::NotFound(format!("there is no {what} {id}"))
    }
}

impl From<StoreError> for RuleError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(_) => Self::Conflict(
                "somebody else changed it meanwhile: look at it again, then try once more".to_owned(),
            ),
            other => Self::Store(other),
        }
    }
}
