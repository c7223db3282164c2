//! What the embedded deployment keeps in memory: cached results and rate accounts.

mod cache;
mod rate;

pub use cache::MemoryCache;
pub use rate::MemoryRates;
