//! Upstreams as they are met: polite ones of the SDK's own making, and others.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod calls;
mod common;
mod http;
mod programs;
mod rude;
mod tenants;
mod traces;
mod walls;
mod web;
