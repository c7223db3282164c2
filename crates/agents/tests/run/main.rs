//! Runs of agents, through the real door, with a model that plays a script.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its story breaks")]

mod actions;
mod common;
mod going_on;
#[expect(dead_code, reason = "the adapters' own stories use all of it")]
#[path = "../shared/host.rs"]
mod host;
mod hostile;
mod speaking;
mod toolset;
mod toolset_search;
mod trace;
mod cancelling;
#[path = "../llm/host.rs"]
#[expect(dead_code, reason = "the tests of the adapters use the rest of it")]
mod replay;
mod turns;
mod usage;
#[path = "../shared/world.rs"]
mod world;
