//! Where a login is kept.

use async_trait::async_trait;
use tokio::sync::RwLock;
use toolgate_engine::SecretValue;

/// The kept login can be neither read nor written. The text holds no value.
#[derive(Debug, thiserror::Error)]
#[error("the kept login cannot be used: {0}")]
pub struct KeeperError(pub String);

/// Keeps one login: that of one owner towards one upstream. What is kept is a secret.
#[async_trait]
pub trait TokenKeeper: Send + Sync {
    async fn load(&self) -> Result<Option<SecretValue>, KeeperError>;

    async fn save(&self, login: SecretValue) -> Result<(), KeeperError>;
}

/// Forgets with the process.
#[derive(Default)]
pub struct MemoryKeeper(RwLock<Option<SecretValue>>);

#[async_trait]
impl TokenKeeper for MemoryKeeper {
    async fn load(&self) -> Result<Option<SecretValue>, KeeperError> {
        Ok(self.0.read().await.clone())
    }

    async fn save(&self, login: SecretValue) -> Result<(), KeeperError> {
        *self.0.write().await = Some(login);
        Ok(())
    }
}
