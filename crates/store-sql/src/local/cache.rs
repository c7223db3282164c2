use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use moka::{Expiry, future::Cache};
use toolgate_store::{ResultCache, StoreError};

#[derive(Clone)]
struct Entry {
    value: Bytes,
    ttl: Option<Duration>,
}

struct PerEntry;

impl Expiry<String, Entry> for PerEntry {
    fn expire_after_create(&self, _key: &String, entry: &Entry, _now: Instant) -> Option<Duration> {
        entry.ttl
    }

    fn expire_after_update(
        &self,
        _key: &String,
        entry: &Entry,
        _now: Instant,
        _left: Option<Duration>,
    ) -> Option<Duration> {
        entry.ttl
    }
}

/// Results in memory, bounded in bytes.
pub struct MemoryCache {
    entries: Cache<String, Entry>,
}

impl MemoryCache {
    pub fn new(max_bytes: u64) -> Self {
        let entries = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(|key: &String, entry: &Entry| {
                u32::try_from(key.len() + entry.value.len() + 64).unwrap_or(u32::MAX)
            })
            .expire_after(PerEntry)
            .build();
        Self { entries }
    }
}

#[async_trait]
impl ResultCache for MemoryCache {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        Ok(self.entries.get(key).await.map(|entry| entry.value))
    }

    async fn put(&self, key: &str, value: Bytes, ttl: Option<Duration>) -> Result<(), StoreError> {
        self.entries.insert(key.to_owned(), Entry { value, ttl }).await;
        Ok(())
    }
}
