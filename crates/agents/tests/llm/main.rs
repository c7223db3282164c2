//! The adapters against a server that speaks each wire format, rightly and wrongly.

#![expect(clippy::unwrap_used, reason = "a test ends where its story breaks")]

mod broken;
mod config;
mod golden;
#[path = "../shared/host.rs"]
mod host;
mod legal_names;
mod model_port;
mod retries;
mod schemas;
mod scripted;
mod streams;
mod support;
#[path = "../shared/world.rs"]
mod world;
