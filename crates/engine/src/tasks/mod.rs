//! Work that a tool hands to somebody: **open** (`open.rs`) makes the task of a call, once; **work** (`work.rs`) is what people do with
//! it, and lets the call go on that waits for it; **list** (`list.rs`) shows them. A task may be a question to whoever made the call
//! (`questions.rs`, and `answers.rs` for what counts as an answer).

mod answers;
mod list;
mod open;
mod questions;
mod work;

pub use list::TaskFilter;
pub use open::NewTask;
pub use questions::{Asking, NewQuestions};
