//! Their tools in: servers of the protocol, each behind a wall of its own.
//!
//! [`Upstreams`] holds the connections (`upstreams.rs`, `lane.rs`, `session.rs`) and makes them (`connect.rs`) over HTTP (`wire.rs`) or the pipes
//! of a program (`pipes.rs`). [`McpRuntime`] runs the tools that were imported from them. [`McpReader`] runs the tools that read what else
//! they have: prompts and resources, which are listed by `catalog.rs` and watched by `watching.rs`.

mod answer;
mod asks;
pub mod auth;
mod breaker;
mod catalog;
mod check;
mod commands;
mod connect;
mod failure;
mod follow;
mod guard;
mod lane;
mod limits;
mod listening;
mod notices;
mod offer;
mod options;
mod outlet;
mod pipes;
mod plan;
mod program;
mod reader;
mod reading;
mod rounds;
mod runtime;
mod session;
mod sse;
mod stderr;
mod upstreams;
mod watching;
mod what;
mod wire;

pub use commands::AllowedCommands;
pub use limits::UpstreamLimits;
pub use options::{ListChanged, UpstreamOptions};
pub use outlet::Outlet;
pub(crate) use reader::KIND as READER_KIND;
pub use reader::{COMPLETE_ARGUMENT, GET_PROMPT, McpReader, READ_RESOURCE};
pub use runtime::McpRuntime;
pub use upstreams::Upstreams;
pub use wire::{Wire, WireError};
