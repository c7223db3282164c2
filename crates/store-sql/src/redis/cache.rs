use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use rand::RngExt;
use redis::Script;
use toolgate_store::{Generation, Lease, Looked, ResultCache, StoreError};

use super::{RedisShared, connection::unavailable};

/// A value begins with the generation that it was made under.
const TAG_BYTES: usize = 16;

/// Only the holder gives a lease back.
const RELEASE: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

pub(super) fn release_script() -> Script {
    Script::new(RELEASE)
}

/// In braces, so that a cluster keeps a scope in one place.
fn key_of(scope: &str, key: &str) -> String {
    format!("tg:cache:{{{scope}}}:{key}")
}

fn generation_key(scope: &str) -> String {
    format!("tg:cache:{{{scope}}}")
}

fn lease_key(key: &str) -> String {
    format!("tg:lease:{key}")
}

fn millis(ttl: Duration) -> u64 {
    // Redis refuses a life of no milliseconds.
    u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX).max(1)
}

fn tag_of(bytes: &[u8]) -> Option<Generation> {
    bytes.get(..TAG_BYTES)?.try_into().ok().map(u128::from_be_bytes).map(Generation)
}

impl RedisShared {
    /// A scope without a generation gets a new one, at random: when Redis forgets the generation, what was kept under it is
    /// forgotten as well, and not brought back from before a purge.
    async fn begin_generation(&self, scope: &str) -> Result<Generation, StoreError> {
        let name = generation_key(scope);
        let fresh = Generation(rand::rng().random());
        let (_, kept): (Option<String>, Option<Vec<u8>>) = redis::pipe()
            .cmd("SET")
            .arg(&name)
            .arg(&fresh.0.to_be_bytes()[..])
            .arg("NX")
            .cmd("GET")
            .arg(&name)
            .query_async(&mut self.connection())
            .await
            .map_err(unavailable)?;
        Ok(kept.as_deref().and_then(tag_of).unwrap_or(fresh))
    }
}

#[async_trait]
impl ResultCache for RedisShared {
    async fn get(&self, scope: &str, key: &str) -> Result<Looked, StoreError> {
        let (generation, found): (Option<Vec<u8>>, Option<Vec<u8>>) = redis::cmd("MGET")
            .arg(generation_key(scope))
            .arg(key_of(scope, key))
            .query_async(&mut self.connection())
            .await
            .map_err(unavailable)?;
        let Some(generation) = generation.as_deref().and_then(tag_of) else {
            return Ok(Looked { value: None, generation: self.begin_generation(scope).await? });
        };
        let current = found.filter(|value| tag_of(value) == Some(generation));
        Ok(Looked { value: current.map(|value| Bytes::from(value).slice(TAG_BYTES..)), generation })
    }

    async fn put(
        &self,
        scope: &str,
        key: &str,
        generation: Generation,
        value: Bytes,
        ttl: Option<Duration>,
    ) -> Result<(), StoreError> {
        let tagged = [&generation.0.to_be_bytes()[..], &value[..]].concat();
        let mut set = redis::cmd("SET");
        set.arg(key_of(scope, key)).arg(tagged);
        if let Some(ttl) = ttl {
            set.arg("PX").arg(millis(ttl));
        }
        set.query_async(&mut self.connection()).await.map_err(unavailable)
    }

    async fn purge(&self, scope: &str) -> Result<(), StoreError> {
        let mut forget = redis::cmd("DEL");
        forget.arg(generation_key(scope));
        forget.query_async(&mut self.connection()).await.map_err(unavailable)
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn lease(&self, key: &str, ttl: Duration) -> Result<Option<Lease>, StoreError> {
        let lease = Lease(rand::rng().random());
        let taken: Option<String> = redis::cmd("SET")
            .arg(lease_key(key))
            .arg(&lease.0.to_be_bytes()[..])
            .arg("NX")
            .arg("PX")
            .arg(millis(ttl))
            .query_async(&mut self.connection())
            .await
            .map_err(unavailable)?;
        Ok(taken.map(|_| lease))
    }

    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        self.release
            .key(lease_key(key))
            .arg(&lease.0.to_be_bytes()[..])
            .invoke_async(&mut self.connection())
            .await
            .map_err(unavailable)
    }
}
