//! The stories of this crate, in one program: a program of tests costs a link, and links add up.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where its story breaks"
)]

mod cli;
mod crash;
mod mcp;
mod once;
