use std::time::Duration;

use redis::{
    Client, RedisError, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use toolgate_store::StoreError;

use super::{cache, quota, rate};

/// A shared cache or limiter that is slower than this is worse than none.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(1);
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(2);

/// One multiplexed connection that reconnects by itself. Clones share it.
#[derive(Clone)]
pub struct RedisShared {
    manager: ConnectionManager,
    pub(super) gcra: Script,
    pub(super) quotas: quota::Scripts,
    pub(super) release: Script,
}

impl RedisShared {
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let client = Client::open(url).map_err(unavailable)?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(RESPONSE_TIMEOUT))
            .set_connection_timeout(Some(CONNECTION_TIMEOUT))
            .set_number_of_retries(1);
        let manager = ConnectionManager::new_with_config(client, config).await.map_err(unavailable)?;
        Ok(Self {
            manager,
            gcra: rate::script(),
            quotas: quota::Scripts::new(),
            release: cache::release_script(),
        })
    }

    /// A handle on the shared connection: commands need one of their own to be mutable.
    pub(super) fn connection(&self) -> ConnectionManager {
        self.manager.clone()
    }
}

pub(super) fn unavailable(error: RedisError) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
