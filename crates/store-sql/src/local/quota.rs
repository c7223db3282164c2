use std::{
    collections::HashMap,
    sync::{MutexGuard, PoisonError},
};

use async_trait::async_trait;
use toolgate_domain::{
    Timestamp,
    quota::{Amount, Claim, QuotaDecision, Settlement, Spend, Window},
};
use toolgate_store::{Quotas, StoreError};

use super::MemoryLimits;

/// Some 20 MB. A forgotten account would be a fresh allowance, so above this new accounts are refused.
const MAX_ACCOUNTS: usize = 100_000;

/// An account and the name of its window.
type Key = (String, String);

#[derive(Clone, Copy)]
struct Account {
    spend: Spend,
    kept_until: Timestamp,
}

/// Every account that may still be asked for.
pub(super) struct Accounts {
    kept: HashMap<Key, Account>,
    max_accounts: usize,
    /// Before this there is nothing to forget, so that nobody searches for it in vain on each refusal.
    next_end: Timestamp,
}

impl Default for Accounts {
    fn default() -> Self {
        Self::new(MAX_ACCOUNTS)
    }
}

impl Accounts {
    pub(super) fn new(max_accounts: usize) -> Self {
        Self { kept: HashMap::new(), max_accounts, next_end: Timestamp::from_micros(i64::MAX) }
    }

    fn spend(&self, key: &Key) -> Spend {
        self.kept.get(key).map(|account| account.spend).unwrap_or_default()
    }

    /// Writes all of them or, when there is no room, none.
    fn write(&mut self, changed: HashMap<Key, Account>, now: Timestamp) -> Result<(), StoreError> {
        let new = changed.keys().filter(|key| !self.kept.contains_key(*key)).count();
        if self.kept.len() + new > self.max_accounts && self.next_end <= now {
            self.kept.retain(|_, account| account.kept_until > now);
            self.next_end = first_end(&self.kept);
        }
        if self.kept.len() + new > self.max_accounts {
            return Err(StoreError::Refused(format!("all {} quota accounts are in use", self.max_accounts)));
        }
        self.next_end = self.next_end.min(first_end(&changed));
        self.kept.extend(changed);
        Ok(())
    }
}

fn first_end(accounts: &HashMap<Key, Account>) -> Timestamp {
    accounts.values().map(|account| account.kept_until).min().unwrap_or(Timestamp::from_micros(i64::MAX))
}

#[async_trait]
impl Quotas for MemoryLimits {
    async fn take(&self, claims: &[Claim], now: Timestamp) -> Result<QuotaDecision, StoreError> {
        let mut accounts = self.accounts();
        let mut changed: HashMap<Key, Account> = HashMap::new();
        for (index, claim) in claims.iter().enumerate() {
            let key = (claim.account.clone(), claim.window.key(now));
            let spend = changed.get(&key).map_or_else(|| accounts.spend(&key), |account| account.spend);
            let Some(after) = spend.admit(claim.amount, claim.cap) else {
                return Ok(QuotaDecision::exhausted(index, claim, spend.counted(), now));
            };
            // A claim of nothing is no reason to remember an account.
            if claim.amount > Amount::ZERO {
                changed.insert(key, Account { spend: after, kept_until: claim.window.kept_until(now) });
            }
        }
        accounts.write(changed, now)?;
        Ok(QuotaDecision::Taken)
    }

    async fn settle(&self, settlements: &[Settlement], now: Timestamp) -> Result<(), StoreError> {
        let mut accounts = self.accounts();
        let mut changed: HashMap<Key, Account> = HashMap::new();
        for Settlement { account, window, taken_at, taken, cost } in settlements {
            let kept_until = window.kept_until(*taken_at);
            if kept_until <= now {
                continue;
            }
            let key = (account.clone(), window.key(*taken_at));
            let spend = changed.get(&key).map_or_else(|| accounts.spend(&key), |account| account.spend);
            changed.insert(key, Account { spend: spend.settle(*taken, *cost), kept_until });
        }
        accounts.write(changed, now)
    }

    async fn spent(&self, account: &str, window: Window, now: Timestamp) -> Result<Amount, StoreError> {
        Ok(self.accounts().spend(&(account.to_owned(), window.key(now))).counted())
    }
}

impl MemoryLimits {
    fn accounts(&self) -> MutexGuard<'_, Accounts> {
        // Whoever panicked with the lock had not begun to write: that is the last thing done, and cannot fail.
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(account: &str) -> Claim {
        Claim { account: account.into(), window: Window::Day, amount: Amount::ONE, cap: Amount::from(2) }
    }

    #[tokio::test]
    async fn when_full_it_refuses_newcomers_rather_than_forget_until_a_window_is_over() {
        let limits = MemoryLimits::with_max_accounts(2);
        let (today, day_after_tomorrow) = (Timestamp::EPOCH, Timestamp::EPOCH.plus_ms(2 * 86_400_000));
        limits.take(&[claim("a"), claim("b")], today).await.unwrap();

        let refusal = limits.take(&[claim("a"), claim("c")], today).await;
        assert!(matches!(refusal, Err(StoreError::Refused(_))), "{refusal:?}");
        assert_eq!(limits.spent("a", Window::Day, today).await.unwrap(), Amount::ONE, "all or none");

        // Those who have an account go on, and one that needs nothing needs no account.
        assert_eq!(limits.take(&[claim("a")], today).await.unwrap(), QuotaDecision::Taken);
        let free = Claim { amount: Amount::ZERO, ..claim("c") };
        assert_eq!(limits.take(&[free], today).await.unwrap(), QuotaDecision::Taken);

        let both = [claim("c"), claim("d")];
        assert_eq!(limits.take(&both, day_after_tomorrow).await.unwrap(), QuotaDecision::Taken);
        assert_eq!(limits.spent("a", Window::Day, today).await.unwrap(), Amount::ZERO, "forgotten");
    }
}
