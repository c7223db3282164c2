//! Our tools out: what a client of the protocol sees of Toolgate. Every call goes through the engine's door.
//!
//! `gateway.rs` is the table of what can be asked; each kind of question is a file of its own.

mod asker;
mod asks;
mod calls;
mod changes;
mod completions;
mod direct;
mod gateway;
mod http;
mod logs;
mod others;
mod outlook;
mod pending;
mod pipe;
mod prompts;
mod resources;
mod results;
mod sessions;
mod shelves;
mod state;
mod subscriptions;
mod tasks;
mod templates;
mod tools;
mod who;

pub use gateway::Gateway;
pub use http::{McpHttp, McpHttpOptions};
pub use pipe::serve_stdio;
pub use sessions::TooManySessions;
