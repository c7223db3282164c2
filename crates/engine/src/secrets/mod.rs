//! Secrets: sealed at rest, resolved by scope, redacted from everything a run says. Pure: the rows are kept elsewhere.

mod redact;
mod scope;
mod value;
mod vault;

pub use redact::{Redactor, RedactorError, StreamRedactor};
pub use scope::{Resolved, SecretScope, resolve as resolve_scope};
pub use value::{SecretName, SecretNameError, SecretValue, SecretValueError};
pub use vault::{MasterKey, MasterKeyError, SealedSecret, SecretPlace, Vault, VaultError, WrappedKey};
