use async_trait::async_trait;

use crate::StoreError;

/// Facts about the installation that every process must agree on.
#[async_trait]
pub trait Settings: Send + Sync {
    /// The value kept under `name`; `fallback` is kept first when there is none.
    async fn get_or_init(&self, name: &str, fallback: &[u8]) -> Result<Vec<u8>, StoreError>;

    /// Whether the database answers and its schema is the one this program expects.
    async fn ready(&self) -> Result<(), StoreError>;
}
