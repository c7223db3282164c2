//! What is kept in memory: the indexes of tools, and for the embedded deployment cached results, rate accounts and quotas.

mod cache;
mod full_text;
mod limits;
mod quota;
mod rate;
mod words;

pub use cache::MemoryCache;
pub use full_text::FullText;
pub use limits::MemoryLimits;
