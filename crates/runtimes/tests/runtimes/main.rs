//! Tools that are made without Rust: compositions, prompts, tasks, on a real database.

mod common;
mod compositions;
mod links;
mod prompts;
mod tasks;
