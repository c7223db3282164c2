//! What several processes share in Redis: cached results and rate accounts.

mod cache;
mod connection;
mod rate;

pub use connection::RedisShared;
