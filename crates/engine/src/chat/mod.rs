//! Conversations with agents. A thread is a session with one agent; what is said to it starts a run, and the run's output is the answer.
//! An answer is never written down twice: its message names the run, and says what the run's own row says.

mod history;
mod read;
mod say;
mod threads;

pub use read::Heard;
pub use say::{ChatError, Spoken};
pub use threads::ThreadPatch;
