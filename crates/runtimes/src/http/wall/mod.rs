//! The wall: which addresses the platform connects to on somebody else's word.
//!
//! A URL is parsed strictly, its name is resolved once, every address found is judged, and only what was judged is
//! connected to. It knows nothing of tools: whatever sends to addresses from outside can stand behind it.

mod allow;
mod judge;
mod resolver;
mod screen;

pub use allow::{AllowError, AllowHosts};
pub use judge::{Admitted, Refusal, Wall};
pub use resolver::{Resolver, SystemResolver};
pub use toolgate_domain::address::{Place, place};
