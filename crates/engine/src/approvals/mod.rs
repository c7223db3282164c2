//! A person's word on a call that waits:
//!
//! 1. **decide** (`decide.rs`): the word is bound to the digest of what was asked, counts once, and is never the caller's own;
//! 2. **resume** (`resume.rs`): an approved call begins exactly once, on whichever process claims it first, also after a crash;
//! 3. **expire** (`resume.rs`): a question nobody answered in time counts as rejected.

mod decide;
mod resume;

pub use decide::{DecideError, Ruling};
