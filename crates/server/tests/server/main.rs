//! The REST surface over a real socket, on a real embedded database, with the tools that ship.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its story breaks")]

mod agents;
mod approvals;
mod audit;
mod authoring;
mod authorization;
mod calls;
mod chat;
mod common;
mod fields;
mod hostile;
mod manage_tools;
mod mcp_servers;
mod names;
mod operations;
mod packs;
mod packs_shipped;
mod people;
mod policies;
mod providers;
mod receipts;
mod registry;
mod runs;
mod secrets;
mod sessions;
mod test_runs;
mod traces;
mod usage;
mod walls;
mod web;
mod webhook_links;
mod webhooks;
mod work;
