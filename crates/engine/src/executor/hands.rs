//! Which calls this process works on: each is in somebody's hands from before its row becomes this process's own until the call has ended
//! or was let go. Hands that drop a call before that (an answer of the database was lost, something could not be read) leave word of
//! it, and a heartbeat takes it up (`ledger/lost.rs`). Nobody else would: to the ledger the row is held by a process that lives.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use dashmap::{DashMap, mapref::entry::Entry};
use tokio_util::sync::CancellationToken;
use toolgate_domain::{InvocationId, TenantId};

use crate::ledger::{Lease, LeaseEpoch};

/// Calls of which there is word, and calls in hand. More are dropped only while nothing can be recorded for long, and such calls have
/// no row.
const MAX_CALLS: usize = 10_000;
/// For how long a commit whose answer was lost may still come: longer than any store lets one wait.
const LATE: Duration = Duration::from_secs(60);

/// What is left to do with a call that was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// Whoever made it was told that it was not; if its row is there, it ends.
    Unmade,
    /// It was approved, and its tool was not asked for anything yet.
    Approved,
    /// It waited, or is taken over, and did not go on yet.
    Waiting,
    /// How far it came is not known.
    Unknown,
}

#[derive(Clone, Default)]
pub(crate) struct Hands {
    calls: Arc<DashMap<InvocationId, Work>>,
    lease: Arc<Lease>,
}

struct Work {
    tenant_id: TenantId,
    cancel: CancellationToken,
    /// Nothing while it is in hand.
    dropped: Option<(Left, Instant)>,
}

impl Hands {
    pub(crate) fn new(lease: Arc<Lease>) -> Self {
        Self { calls: Arc::default(), lease }
    }

    /// Takes a call in hand, unless somebody here has it. Should it be dropped, this is what is left to do.
    pub(crate) fn take(&self, tenant_id: TenantId, id: InvocationId, left: Left) -> Option<Hand> {
        let (cancel, epoch) = (CancellationToken::new(), self.lease.epoch());
        let work = Work { tenant_id, cancel: cancel.clone(), dropped: None };
        match self.calls.entry(id) {
            Entry::Occupied(known) if known.get().dropped.is_none() => return None,
            place => drop(place.insert(work)),
        }
        Some(Hand { hands: self.clone(), tenant_id, id, left: Some(left), cancel, epoch })
    }

    /// Takes up a call that was dropped, with what is left to do.
    pub(crate) fn take_up(&self, id: InvocationId) -> Option<(Hand, Left)> {
        let mut work = self.calls.get_mut(&id)?;
        let (left, _) = work.dropped.take()?;
        let (tenant_id, cancel) = (work.tenant_id, work.cancel.clone());
        let epoch = LeaseEpoch::UNKNOWN;
        Some((Hand { hands: self.clone(), tenant_id, id, left: Some(left), cancel, epoch }, left))
    }

    /// Tells whoever has the call in hand, or takes it up, that it is not wanted any more.
    pub(crate) fn cancel(&self, id: InvocationId) {
        if let Some(work) = self.calls.get(&id) {
            work.cancel.cancel();
        }
    }

    /// The calls that were dropped.
    pub(crate) fn dropped(&self) -> BTreeMap<TenantId, Vec<InvocationId>> {
        let mut dropped: BTreeMap<TenantId, Vec<InvocationId>> = BTreeMap::new();
        for work in self.calls.iter().filter(|work| work.dropped.is_some()) {
            dropped.entry(work.tenant_id).or_default().push(*work.key());
        }
        dropped
    }

    /// These were looked for, and are not ours: unless that is still to come, there is nothing to do.
    pub(crate) fn forget(&self, ids: &[InvocationId]) {
        for id in ids {
            self.calls
                .remove_if(id, |_, work| work.dropped.is_some_and(|(_, since)| since.elapsed() >= LATE));
        }
    }
}

/// One call in hand.
pub(crate) struct Hand {
    hands: Hands,
    tenant_id: TenantId,
    id: InvocationId,
    left: Option<Left>,
    cancel: CancellationToken,
    epoch: LeaseEpoch,
}

impl Hand {
    /// What is left to do from now on.
    pub(crate) fn leaves(&mut self, left: Left) {
        self.left = Some(left);
    }

    /// Nothing is left to do: it has ended, was let go, or is not ours.
    pub(crate) fn done(mut self) {
        self.left = None;
    }

    /// When the call became this process's own, as its lease counts.
    pub(crate) fn epoch(&self) -> LeaseEpoch {
        self.epoch
    }

    /// Says when the call is not wanted any more.
    pub(crate) fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let calls = &self.hands.calls;
        match self.left {
            Some(left) if calls.len() <= MAX_CALLS => {
                let (tenant_id, cancel) = (self.tenant_id, self.cancel.clone());
                calls.insert(self.id, Work { tenant_id, cancel, dropped: Some((left, Instant::now())) });
            }
            _ => drop(calls.remove(&self.id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::Uuid;

    use super::*;

    fn call(n: u128) -> InvocationId {
        InvocationId::from_uuid(Uuid::from_u128(n))
    }

    #[test]
    fn a_call_is_in_one_hand_at_a_time_and_what_is_dropped_is_taken_up_with_what_is_left_to_do() {
        let hands = Hands::default();
        let take = |left| hands.take(TenantId::DEFAULT, call(1), left);
        let mut hand = take(Left::Waiting).unwrap();
        assert!(take(Left::Waiting).is_none());
        assert!(hands.take_up(call(1)).is_none(), "it was not dropped");
        hands.cancel(call(1));
        assert!(hand.cancel().is_cancelled());
        hand.leaves(Left::Unknown);
        drop(hand);
        assert_eq!(hands.dropped(), BTreeMap::from([(TenantId::DEFAULT, vec![call(1)])]));
        hands.forget(&[call(1)]);
        let (hand, left) = hands.take_up(call(1)).unwrap();
        assert!(hand.cancel().is_cancelled(), "that it is not wanted is not forgotten");
        assert_eq!(left, Left::Unknown);
        hand.done();
        assert!(hands.dropped().is_empty());
        assert!(take(Left::Approved).is_some());
    }

    #[test]
    fn only_so_many_dropped_calls_are_remembered() {
        let hands = Hands::default();
        for n in 0..=MAX_CALLS as u128 + 10 {
            drop(hands.take(TenantId::DEFAULT, call(n), Left::Unmade));
        }
        let remembered = hands.dropped().remove(&TenantId::DEFAULT).unwrap();
        assert!(remembered.contains(&call(0)), "whatever was dropped first may have a row");
        assert!(remembered.len() <= MAX_CALLS, "{}", remembered.len());
    }
}
