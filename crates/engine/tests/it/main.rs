//! The engine on a real embedded database.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends where its story breaks"
)]

mod approvals;
mod audit;
mod audit_file;
mod audit_postgres;
mod batches;
mod cache;
mod cancelling;
mod common;
mod door;
mod faults;
mod inner;
mod leases;
mod lost;
mod messages;
mod packs;
mod questions;
mod recovery;
mod redaction;
mod rereading;
mod secrets;
mod secrets_attacks;
mod stumbling;
mod unrecorded;
mod upstreams;
mod winning;
