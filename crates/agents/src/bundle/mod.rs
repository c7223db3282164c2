//! A run in one file: what it was given, what its model said, what its tools answered. It holds all that a replay needs, so that the run
//! can be gone through again on another machine, without a network and without keys. No secret is in it.
//!
//! What is written once is read for ever: a change that older readers would misunderstand gets another [`FORMAT`].

mod asked;
mod export;
mod format;
mod read;

pub use export::{ExportError, export};
pub use format::{
    Aside, Asking, Blob, Bounds, Bundle, CallRecord, Ending, FORMAT, RunFacts, ToolAsked, TurnRecord,
};
pub use read::{MAX_BUNDLE_BYTES, ReadError, read, write};
