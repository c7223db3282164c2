use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use crate::StoreError;

/// What a scope's results were made under. A purge begins another; what was kept under an earlier one is never given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(pub u128);

/// What a look into the cache found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    pub value: Option<Bytes>,
    /// To be named when the missing result is put in: it then falls to a purge that came between.
    pub generation: Generation,
}

/// The right to make a result while others wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease(pub u128);

/// Results kept by key, in scopes that are purged as a whole. It may forget at any time; it never answers with another key's
/// value, nor with one from before a purge.
#[async_trait]
pub trait ResultCache: Send + Sync {
    async fn get(&self, scope: &str, key: &str) -> Result<Looked, StoreError>;

    /// Without a `ttl`, until there is no more room.
    async fn put(
        &self,
        scope: &str,
        key: &str,
        generation: Generation,
        value: Bytes,
        ttl: Option<Duration>,
    ) -> Result<(), StoreError>;

    /// Forgets everything in a scope, in the same time however much it is.
    async fn purge(&self, scope: &str) -> Result<(), StoreError>;

    /// Whether other processes look into the same cache.
    fn is_shared(&self) -> bool;

    /// One holder at a time until it releases it or `ttl` is over; nothing while another has it.
    async fn lease(&self, key: &str, ttl: Duration) -> Result<Option<Lease>, StoreError>;

    /// Gives a lease back; nothing happens when it has passed to another.
    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError>;
}
