//! How many requests a host gets at a time, and how often: its owner did not ask for a flood.

use std::{sync::Arc, time::Duration};

use dashmap::DashMap;
use serde_json::json;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use toolgate_domain::{
    ErrorCode, ToolError,
    rate::{RateDecision, RateLimit, gcra},
};

use super::Failure;

/// Accounts by key; one that nobody uses is forgotten when there are too many.
pub(in crate::http) struct Gate {
    accounts: DashMap<String, Arc<Account>>,
    began: Instant,
    max_accounts: usize,
    max_wait: Duration,
}

struct Account {
    places: Arc<Semaphore>,
    rate: RateLimit,
    arrival_us: std::sync::Mutex<Option<i64>>,
}

impl Gate {
    pub(in crate::http) fn new(max_accounts: usize, max_wait: Duration) -> Self {
        Self { accounts: DashMap::new(), began: Instant::now(), max_accounts, max_wait }
    }

    /// Waits for a turn, until the deadline at the latest.
    pub(in crate::http) async fn enter(
        &self,
        key: &str,
        rate: RateLimit,
        deadline: Instant,
    ) -> Result<OwnedSemaphorePermit, Failure> {
        let account = self.account(key, rate)?;
        let until = deadline.min(Instant::now() + self.max_wait);
        loop {
            match account.spend(self.now_us()) {
                RateDecision::Allowed { .. } => break,
                RateDecision::Limited { retry_after_us } => {
                    let wait = Duration::from_micros(u64::try_from(retry_after_us).unwrap_or(0));
                    if Instant::now() + wait > until {
                        return Err(busy("rate", wait));
                    }
                    tokio::time::sleep(wait).await;
                }
            }
        }
        match tokio::time::timeout_at(until, Arc::clone(&account.places).acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(busy("concurrency", Duration::from_secs(1))),
        }
    }

    fn now_us(&self) -> i64 {
        i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX)
    }

    fn account(&self, key: &str, rate: RateLimit) -> Result<Arc<Account>, Failure> {
        if let Some(account) = self.accounts.get(key)
            && account.rate == rate
        {
            return Ok(Arc::clone(&account));
        }
        if self.accounts.len() >= self.max_accounts && !self.accounts.contains_key(key) {
            let now_us = self.now_us();
            self.accounts.retain(|_, account| !account.is_idle(now_us));
            if self.accounts.len() >= self.max_accounts {
                return Err(busy("hosts", Duration::from_secs(1)));
            }
        }
        let made = Arc::new(Account {
            places: Arc::new(Semaphore::new(rate.concurrency.unwrap_or(u32::MAX >> 4) as usize)),
            rate,
            arrival_us: std::sync::Mutex::new(None),
        });
        // The same key with another rate is a new version of the tool: it begins anew.
        self.accounts.insert(key.to_owned(), Arc::clone(&made));
        Ok(made)
    }
}

impl Account {
    fn spend(&self, now_us: i64) -> RateDecision {
        let mut arrival = self.arrival_us.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let decision = gcra(*arrival, now_us, self.rate);
        if let RateDecision::Allowed { arrival_us } = decision {
            *arrival = Some(arrival_us);
        }
        decision
    }

    fn is_idle(self: &Arc<Self>, now_us: i64) -> bool {
        let arrival = *self.arrival_us.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::strong_count(self) == 1
            && self.places.available_permits() == self.rate.concurrency.unwrap_or(u32::MAX >> 4) as usize
            && arrival.is_none_or(|arrival| arrival <= now_us)
    }
}

fn busy(reason: &str, wait: Duration) -> Failure {
    let error = ToolError::new(
        ErrorCode::RateLimit,
        "the host gets as many requests as it may from here: try again later",
    )
    .with_details(json!({"reason": format!("host_{reason}")}))
    .retry_after(wait.as_secs() + u64::from(wait.subsec_nanos() > 0));
    Failure::last(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(limit: u32, window_s: u32, concurrency: u32) -> RateLimit {
        RateLimit { limit, window_s, concurrency: Some(concurrency) }
    }

    #[tokio::test]
    async fn the_rate_makes_requests_wait_and_refuses_those_that_would_wait_too_long() {
        let gate = Gate::new(10, Duration::from_secs(5));
        let far = Instant::now() + Duration::from_secs(60);
        let began = Instant::now();
        for _ in 0..12 {
            drop(gate.enter("h", rate(10, 1, 99), far).await.unwrap());
        }
        assert!(
            began.elapsed() >= Duration::from_millis(150),
            "ten at once, the others a tenth of a second apart"
        );
        drop(gate.enter("slow", rate(1, 100, 99), far).await.unwrap());
        let refused = gate.enter("slow", rate(1, 100, 99), far).await.unwrap_err().error;
        assert_eq!((refused.code, refused.retry_after_s), (ErrorCode::RateLimit, Some(100)));
    }

    #[tokio::test]
    async fn a_place_that_is_left_is_taken_by_the_next() {
        let gate = Gate::new(10, Duration::from_millis(50));
        let far = Instant::now() + Duration::from_secs(60);
        let place = gate.enter("h", rate(100, 1, 1), far).await.unwrap();
        assert_eq!(gate.enter("h", rate(100, 1, 1), far).await.unwrap_err().error.code, ErrorCode::RateLimit);
        drop(gate.enter("other", rate(100, 1, 1), far).await.unwrap());
        drop(place);
        drop(gate.enter("h", rate(100, 1, 1), far).await.unwrap());
    }

    #[tokio::test]
    async fn idle_hosts_are_forgotten_before_new_ones_are_refused() {
        let gate = Gate::new(2, Duration::from_secs(5));
        let far = Instant::now() + Duration::from_secs(60);
        let fast = rate(1_000_000, 1, 1);
        let _a = gate.enter("a", fast, far).await.unwrap();
        // A second use waits until the account of the first is even again.
        drop(gate.enter("b", rate(1, 1, 1), far).await.unwrap());
        assert!(gate.enter("c", fast, far).await.is_err(), "b has not been idle for long enough");
        drop(gate.enter("b", fast, far).await.unwrap());
        let _c = loop {
            if let Ok(place) = gate.enter("c", fast, far).await {
                break place;
            }
        };
        assert!(gate.enter("d", fast, far).await.is_err());
    }
}
