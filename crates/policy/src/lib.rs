//! May this caller make this call? Pure: no clock, no store, no network.

mod guard;
pub mod rules;
mod visibility;

pub use guard::decide;
pub use visibility::is_visible;
