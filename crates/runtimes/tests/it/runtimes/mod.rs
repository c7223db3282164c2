//! Tools that are made without Rust: compositions, prompts, tasks, on a real database.

mod agents_as_tools;
mod approvals_as_tools;
mod common;
mod compositions;
mod links;
mod prompts;
mod secrets;
mod tasks;
mod team_runs;
