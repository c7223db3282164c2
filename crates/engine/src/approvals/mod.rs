//! A person's word on a call that waits:
//!
//! 1. **decide** (`decide.rs`): the word is bound to the digest of what was asked, counts once, and is never the caller's own;
//!    Where several must agree, each yes is kept (`quorum.rs`);
//! 2. **resume** (`resume.rs`): an approved call begins exactly once, on whichever process claims it first, also after a crash,
//!    if the rules of that moment still allow it (`recheck.rs`);
//! 3. **expire** (`resume.rs`): a question nobody answered in time counts as rejected.

mod decide;
mod quorum;
mod recheck;
mod resume;

pub use decide::{Approval, DecideError, Ruling};
