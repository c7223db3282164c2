//! Secrets: sealed at rest, resolved by scope, redacted from everything a run says.
//!
//! - `vault.rs`, `scope.rs`, `value.rs`, `redact.rs` are pure: sealing, precedence, values, redaction;
//! - `document.rs` and `tenant_key.rs` say how both are kept; `service.rs` sets, lists, rotates and deletes;
//! - `resolve.rs` gives a run its values; `renewed.rs` replaces those that renew themselves; `rekey.rs` changes the keys.

mod document;
mod error;
mod redact;
mod rekey;
mod renewed;
mod resolve;
mod scope;
mod service;
mod target;
mod tenant_key;
mod value;
mod vault;

pub use document::SecretInfo;
pub use error::SecretError;
pub(crate) use redact::redaction_mark;
pub use redact::{Redactor, RedactorError, StreamRedactor};
pub use rekey::{Rekeyed, rekey, sealed_by};
pub(crate) use resolve::Found;
pub use resolve::RunSecrets;
pub use scope::{Resolved, SecretScope, resolve as resolve_scope};
pub use service::Secrets;
pub use target::SecretTarget;
pub use value::{SecretName, SecretNameError, SecretValue, SecretValueError};
pub use vault::{MasterKey, MasterKeyError, SealedSecret, SecretPlace, Vault, VaultError, WrappedKey};
