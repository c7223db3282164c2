//! Tools that hand work to somebody: a durable task, and a call that waits for it or does not.

mod config;
mod runtime;

pub use runtime::TaskRuntime;
