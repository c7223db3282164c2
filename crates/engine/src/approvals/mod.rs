//! A person's word on a call that waits:
//!
//! 1. **decide** (`decide.rs`): a person's word is bound to the digest of what was asked and counts once. `origin.rs` finds the persons
//!    behind the call, who do not decide it themselves. Where several must agree, each yes is kept (`quorum.rs`);
//! 2. **resume** (`resume.rs`): an approved call begins exactly once, on whichever process claims it first, also after a crash,
//!    if the rules of that moment still allow it (`recheck.rs`);
//! 3. **expire** (`resume.rs`): a question nobody answered in time counts as rejected.

mod decide;
mod origin;
mod quorum;
mod recheck;
mod resume;

pub use decide::{Approval, DecideError, Ruling, Separation};
