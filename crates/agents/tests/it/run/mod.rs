//! Runs of agents, through the real door, with a model that plays a script.

mod actions;
mod cancelling;
mod common;
mod going_on;
mod hostile;
mod replay;
mod speaking;
mod toolset;
mod toolset_search;
mod trace;
mod turns;
mod usage;

use crate::{host, world};
