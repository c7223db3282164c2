//! The command line as a person and a script meet it: the real binary against a real server.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod acting;
mod admitting;
mod approving;
mod asking;
mod auditing;
mod authoring;
mod calling;
mod chatting;
mod conforming;
mod documents;
mod governing;
mod http;
mod importing;
mod login;
mod operating;
mod packing;
mod pipe;
mod piping;
mod registering;
mod replaying;
mod ruling;
mod running;
mod runs;
mod sandboxing;
mod scripting;
mod secrets;
mod support;
mod testing;
mod tracing;
mod upstreams;
mod using;
mod watching;
mod webhooks;
mod working;
