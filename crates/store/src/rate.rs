use async_trait::async_trait;
use toolgate_domain::{
    Timestamp,
    rate::{RateDecision, RateLimit},
};

use crate::StoreError;

/// Accounts of the generic cell rate algorithm, one per key.
#[async_trait]
pub trait RateLimits: Send + Sync {
    async fn check(&self, key: &str, rate: RateLimit, now: Timestamp) -> Result<RateDecision, StoreError>;
}
