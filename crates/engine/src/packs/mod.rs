//! Packs: many tools as data, checked together, installed and removed as one.
//!
//! A pack is read (`pack.rs`), held against the tenant (`plan.rs`), and only then written (`install.rs`, `remove.rs`). Its
//! document goes first and says which tools it claims, so that what a crash left behind is known to be the pack's.

mod error;
mod install;
mod list;
mod manifest;
mod pack;
mod plan;
mod remove;

pub use error::{PackError, PackProblem};
pub use list::Packs;
pub use pack::{Bundle, Pack};
pub use plan::{PackChange, PackPlan, PackStep};
