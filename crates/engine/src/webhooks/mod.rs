//! Questions reach people outside:
//!
//! 1. **manage** (`manage.rs`): where questions are sent; the signing secret is derived, shown once and kept nowhere (`post.rs`);
//! 2. **deliver** (`deliver.rs`): each question becomes a durable delivery per webhook, which one process at a time sends, again
//!    and again with growing pauses, until it arrives, is answered, or every attempt failed;
//! 3. **dispatch** (`dispatch.rs`): the tasks that do so when it is due (`agenda.rs`), by tenants and webhooks in turn (`turns.rs`), and
//!    look for questions that a crash kept back;
//! 4. **answer** (`answer.rs`): the links in a letter (`link.rs`), each good for one answer to one question.

mod agenda;
mod answer;
mod deliver;
mod dispatch;
mod link;
mod manage;
mod post;
mod turns;

pub use answer::{LinkError, Question};
pub use link::LinkAction;
pub use manage::Tested;
pub(crate) use post::{News, Post};
