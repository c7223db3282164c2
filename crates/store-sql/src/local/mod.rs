//! What the embedded deployment keeps in memory: cached results, rate accounts and quotas.

mod cache;
mod limits;
mod quota;
mod rate;

pub use cache::MemoryCache;
pub use limits::MemoryLimits;
