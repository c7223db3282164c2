//! The lease of this process, and its calls: while the lease holds, no other process takes them.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use tokio::{sync::Mutex, task::JoinHandle};
use toolgate_domain::Invocation;
use toolgate_store::{StoreError, Takeover};

use crate::{Engine, executor::Hand};

/// Goes by a clock that nobody steps, and that runs on while the process is stopped.
pub(crate) struct Lease {
    /// The task that renews the lease.
    pub(super) renewing: Mutex<Option<JoinHandle<()>>>,
    began: Instant,
    /// Until when the lease holds at least, in milliseconds since `began`.
    holds_until_ms: AtomicU64,
    /// How often the lease ended before it was renewed.
    lapses: AtomicU64,
}

/// The lapses of the lease at the moment in which a call became this process's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeaseEpoch(Option<u64>);

impl LeaseEpoch {
    /// The call was lost for a while; other processes may have taken it.
    pub(crate) const UNKNOWN: Self = Self(None);
}

impl Default for Lease {
    fn default() -> Self {
        Self {
            renewing: Mutex::default(),
            began: Instant::now(),
            holds_until_ms: AtomicU64::new(0),
            lapses: AtomicU64::new(0),
        }
    }
}

impl Lease {
    /// Notes a renewal that was asked for at `asked_at` and is answered now.
    pub(super) fn renewed(&self, asked_at: Instant, lease_ms: u64) {
        if !self.holds() {
            self.lapses.fetch_add(1, Ordering::AcqRel);
        }
        let until = asked_at.saturating_duration_since(self.began) + Duration::from_millis(lease_ms);
        self.holds_until_ms.store(u64::try_from(until.as_millis()).unwrap_or(u64::MAX), Ordering::Release);
    }

    pub(crate) fn epoch(&self) -> LeaseEpoch {
        LeaseEpoch(Some(self.lapses.load(Ordering::Acquire)))
    }

    fn holds(&self) -> bool {
        self.began.elapsed().as_millis() < u128::from(self.holds_until_ms.load(Ordering::Acquire))
    }

    fn held_since(&self, epoch: LeaseEpoch) -> bool {
        self.holds() && self.epoch() == epoch
    }
}

impl Engine {
    /// Whether a running call is still this process's own. When the lease lapsed since the call was taken, another process may have
    /// settled it: this one claims it again, under one more attempt, and the database lets one of them through.
    pub(crate) async fn still_owns(&self, row: &mut Invocation, hand: &Hand) -> Result<bool, StoreError> {
        if self.lease.held_since(hand.epoch()) {
            return Ok(true);
        }
        self.renew_lease().await?;
        let is_ours = self.stores.invocations.adopt(row, self.node_id, Takeover::Run).await?;
        row.attempt += u32::from(is_ours);
        Ok(is_ours)
    }
}
