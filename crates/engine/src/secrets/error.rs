use toolgate_store::StoreError;

use super::{SecretNameError, SecretValueError, VaultError};

/// Why a secret was not set, found or opened. None of the texts holds a value.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Conflict(String),
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SecretError {
    pub(super) fn corrupt(what: impl std::fmt::Display) -> Self {
        Self::Store(StoreError::Corrupt(format!("{what} cannot be read: restore it from a backup")))
    }

    /// Somebody else wrote the same row first: what was read is read again.
    pub(super) fn is_overtaken(&self) -> bool {
        matches!(self, Self::Store(StoreError::Conflict(_)))
    }
}

impl From<SecretNameError> for SecretError {
    fn from(error: SecretNameError) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl From<SecretValueError> for SecretError {
    fn from(error: SecretValueError) -> Self {
        Self::Invalid(error.to_string())
    }
}
