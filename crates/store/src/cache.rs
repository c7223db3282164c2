use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use crate::StoreError;

/// Results kept by key. It may forget at any time; it never answers with another key's value.
#[async_trait]
pub trait ResultCache: Send + Sync {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError>;

    /// Without a `ttl`, until there is no more room.
    async fn put(&self, key: &str, value: Bytes, ttl: Option<Duration>) -> Result<(), StoreError>;
}
