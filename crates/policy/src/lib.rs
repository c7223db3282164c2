//! May this caller make this call? Pure: no clock, no store, no network.

mod decide;
mod question;
pub mod rules;
mod run_guard;
mod standing;
mod visibility;

pub use decide::{decide, is_hopeless};
pub use question::Question;
pub use run_guard::{RunBounds, RunTally};
pub use standing::{Assigned, Standing};
pub use visibility::{Switches, is_known, is_visible};
