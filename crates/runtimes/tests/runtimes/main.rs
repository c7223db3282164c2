//! Tools that are made without Rust: compositions, prompts, tasks, on a real database.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod agents_as_tools;
mod approvals_as_tools;
mod common;
mod compositions;
mod links;
mod prompts;
mod secrets;
mod tasks;
mod team_runs;
