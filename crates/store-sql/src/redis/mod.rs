//! What several processes share in Redis: cached results, rate accounts and quotas.

mod cache;
mod connection;
mod quota;
mod rate;

pub use connection::RedisShared;
