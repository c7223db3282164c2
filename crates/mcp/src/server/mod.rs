//! Our tools out: what a client of the protocol sees of Toolgate. Every call goes through the engine's door.
//!
//! `gateway.rs` is the table of what can be asked; each kind of question is a file of its own.

mod asks;
mod calls;
mod changes;
mod gateway;
mod http;
mod logs;
mod pending;
mod pipe;
mod resources;
mod results;
mod sessions;
mod state;
mod tasks;
mod tools;
mod who;

pub use gateway::Gateway;
pub use http::{McpHttp, McpHttpOptions};
pub use pipe::serve_stdio;
pub use sessions::TooManySessions;
