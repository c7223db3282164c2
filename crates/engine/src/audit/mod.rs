//! Whether the chain holds: signing where it ends, verifying it, and taking it elsewhere.

mod compare;
mod export;
mod file;
mod finding;
mod lines;
mod live;
mod signer;
mod stray;
mod verifier;
mod walk;

pub use export::ExportError;
pub use file::verify_file;
pub use finding::{Finding, FindingKind, KeySource, Totals, Verification};
pub use signer::{HeadSigner, PublicKey, PublicKeyError};
