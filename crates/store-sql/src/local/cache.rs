use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use bytes::Bytes;
use moka::{Expiry, future::Cache, ops::compute::Op};
use toolgate_store::{Generation, Lease, Looked, ResultCache, StoreError};

/// Scopes and leases that are remembered at a time; a scope that is forgotten is as good as purged.
const MAX_SCOPES: u64 = 100_000;

#[derive(Clone)]
struct Entry {
    generation: u64,
    value: Bytes,
    ttl: Option<Duration>,
}

#[derive(Clone)]
struct Held {
    lease: u64,
    ttl: Duration,
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

impl Expiry<String, Held> for PerEntry {
    fn expire_after_create(&self, _key: &String, held: &Held, _now: Instant) -> Option<Duration> {
        Some(held.ttl)
    }
}

/// Results in memory, bounded in bytes.
pub struct MemoryCache {
    entries: Cache<String, Entry>,
    generations: Cache<String, u64>,
    leases: Cache<String, Held>,
    /// Numbers that were never given before: generations and leases.
    next: AtomicU64,
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
        Self {
            entries,
            generations: Cache::new(MAX_SCOPES),
            leases: Cache::builder().max_capacity(MAX_SCOPES).expire_after(PerEntry).build(),
            next: AtomicU64::new(1),
        }
    }

    fn fresh(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

fn within(scope: &str, key: &str) -> String {
    format!("{scope}\n{key}")
}

#[async_trait]
impl ResultCache for MemoryCache {
    async fn get(&self, scope: &str, key: &str) -> Result<Looked, StoreError> {
        let generation = self.generations.get_with_by_ref(scope, std::future::ready(self.fresh())).await;
        let found = self.entries.get(&within(scope, key)).await;
        let value = found.filter(|entry| entry.generation == generation).map(|entry| entry.value);
        Ok(Looked { value, generation: Generation(generation.into()) })
    }

    async fn put(
        &self,
        scope: &str,
        key: &str,
        generation: Generation,
        value: Bytes,
        ttl: Option<Duration>,
    ) -> Result<(), StoreError> {
        if let Ok(generation) = u64::try_from(generation.0) {
            self.entries.insert(within(scope, key), Entry { generation, value, ttl }).await;
        }
        Ok(())
    }

    async fn purge(&self, scope: &str) -> Result<(), StoreError> {
        self.generations.invalidate(scope).await;
        Ok(())
    }

    fn is_shared(&self) -> bool {
        false
    }

    async fn lease(&self, key: &str, ttl: Duration) -> Result<Option<Lease>, StoreError> {
        let lease = self.fresh();
        let held =
            self.leases.entry_by_ref(key).or_insert_with(std::future::ready(Held { lease, ttl })).await;
        Ok(held.is_fresh().then_some(Lease(lease.into())))
    }

    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        self.leases
            .entry_by_ref(key)
            .and_compute_with(|held| {
                let own = held.is_some_and(|held| u128::from(held.into_value().lease) == lease.0);
                std::future::ready(if own { Op::Remove } else { Op::Nop })
            })
            .await;
        Ok(())
    }
}
