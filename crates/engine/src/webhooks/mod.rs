//! Questions reach people outside:
//!
//! 1. **manage** (`manage.rs`): where questions are sent; the signing secret is derived, shown once and kept nowhere (`post.rs`);
//! 2. **deliver** (`deliver.rs`): each question becomes a durable delivery per webhook, which one process at a time sends, again
//!    and again with growing pauses, until it arrives, is answered, or every attempt failed;
//! 3. **dispatch** (`dispatch.rs`): the tasks that do so when it is due (`agenda.rs`), by tenants and webhooks in turn (`turns.rs`), and
//!    look for questions that a crash kept back.
//!
//! A letter carries the question and the address of its page. The answer is a person's, who signs in there.

mod agenda;
mod deliver;
mod dispatch;
mod manage;
mod post;
mod turns;

pub use manage::Tested;
pub(crate) use post::{News, Post};
