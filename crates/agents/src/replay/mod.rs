//! Goes through a recorded run again. The loop is the real one and so is the door; what stands behind them comes from the bundle: the
//! model says what it said (`player.rs`), and every tool answers what it answered in its place (`recorded.rs`). What comes out must be
//! what came out: the same calls with the same ids, in the same order, with the same answers (`compare.rs`).
//!
//! A replay asks nobody, so nobody is asked to agree, either: what a call was answered is known. Part of it can be the world as it is now:
//! another model, or tools that only read (`live.rs`). Then the first difference is what one wants to know.

mod compare;
mod diff;
mod live;
mod player;
mod pointer;
mod recorded;
mod stage;

pub use diff::{Comparison, Tally, diff};
pub use live::{Live, LiveTools};
pub use pointer::Difference;
pub use stage::{Replay, ReplayError, Report};
