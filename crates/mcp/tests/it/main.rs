//! The stories of this crate, in one program: a program of tests costs a link, and links add up.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where its story breaks"
)]

mod client;
mod conformance_client;
#[expect(
    deprecated,
    reason = "sampling and roots are deprecated in the newest revision and alive in all others"
)]
mod waiting;
