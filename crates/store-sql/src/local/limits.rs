use std::sync::Mutex;

use dashmap::DashMap;

use super::quota::Accounts;

/// Rate accounts and quotas in memory. They end with the process.
#[derive(Default)]
pub struct MemoryLimits {
    pub(super) arrivals_us: DashMap<String, i64>,
    /// One lock for all accounts, because a take concerns several at once; it is never held across an await.
    pub(super) accounts: Mutex<Accounts>,
}

impl MemoryLimits {
    /// With room for this many quota accounts, each in one window.
    pub fn with_max_accounts(max_accounts: usize) -> Self {
        Self { accounts: Mutex::new(Accounts::new(max_accounts)), ..Self::default() }
    }
}
