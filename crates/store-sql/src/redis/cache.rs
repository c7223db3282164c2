use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use toolgate_store::{ResultCache, StoreError};

use super::{RedisShared, connection::unavailable};

fn key_of(key: &str) -> String {
    format!("tg:cache:{key}")
}

#[async_trait]
impl ResultCache for RedisShared {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, StoreError> {
        let value: Option<Vec<u8>> = redis::cmd("GET")
            .arg(key_of(key))
            .query_async(&mut self.connection())
            .await
            .map_err(unavailable)?;
        Ok(value.map(Bytes::from))
    }

    async fn put(&self, key: &str, value: Bytes, ttl: Option<Duration>) -> Result<(), StoreError> {
        let mut set = redis::cmd("SET");
        set.arg(key_of(key)).arg(&value[..]);
        if let Some(ttl) = ttl {
            // Redis refuses a life of no milliseconds.
            set.arg("PX").arg(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX).max(1));
        }
        set.query_async(&mut self.connection()).await.map_err(unavailable)
    }
}
