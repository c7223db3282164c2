//! Calls that wait, and questions that come back to the client: a real engine, real upstreams and real clients, over loopback.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its story breaks")]
#![expect(
    deprecated,
    reason = "sampling and roots are deprecated in the newest revision and alive in all others"
)]

mod approvals;
mod direct;
mod house;
mod person;
mod questions;
mod tasks;
mod upstream;
