//! Runs of agents, through the real door, with a model that plays a script.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its story breaks")]

mod actions;
mod cancelling;
mod common;
mod going_on;
#[expect(dead_code, reason = "the adapters' own stories use all of it")]
#[path = "../shared/host.rs"]
mod host;
mod hostile;
mod replay;
mod speaking;
mod toolset;
mod toolset_search;
mod trace;
mod turns;
mod usage;
#[path = "../shared/world.rs"]
mod world;
