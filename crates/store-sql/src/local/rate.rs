use async_trait::async_trait;
use toolgate_domain::{
    Timestamp,
    rate::{RateDecision, RateLimit, gcra},
};
use toolgate_store::{RateLimits, StoreError};

use super::MemoryLimits;

/// Above this many accounts, those that have nothing left to remember are dropped.
const SWEEP_ABOVE: usize = 10_000;

#[async_trait]
impl RateLimits for MemoryLimits {
    async fn check(&self, key: &str, rate: RateLimit, now: Timestamp) -> Result<RateDecision, StoreError> {
        let now_us = now.as_micros();
        if self.arrivals_us.len() > SWEEP_ABOVE {
            self.arrivals_us.retain(|_, arrival_us| *arrival_us > now_us);
        }
        let mut account = self.arrivals_us.entry(key.to_owned()).or_insert(now_us);
        let decision = gcra(Some(*account), now_us, rate);
        if let RateDecision::Allowed { arrival_us } = decision {
            *account = arrival_us;
        }
        Ok(decision)
    }
}
