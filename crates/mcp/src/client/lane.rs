//! What is kept of one upstream, for as long as its document stays as it is: its connections, one for each set of credentials, its turns, and
//! whether it is worth asking.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use toolgate_domain::{ErrorCode, Timestamp, ToolError};

use super::{UpstreamLimits, breaker::Breaker, connect::Greeting, session::Session};

/// Tells sets of credentials apart without telling what they are.
pub(super) type Credentials = [u8; 32];

pub(super) struct Lane {
    pub(super) breaker: Breaker,
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
    slots: Mutex<HashMap<Credentials, Arc<Slot>>>,
    greets_the_old_way: AtomicBool,
}

/// The place of one connection.
#[derive(Default)]
pub(super) struct Slot {
    session: Mutex<Option<Arc<Session>>>,
    /// One connects; the others wait for what comes of it.
    pub(super) connecting: tokio::sync::Mutex<()>,
}

impl Slot {
    pub(super) fn session(&self) -> Option<Arc<Session>> {
        self.lock().as_ref().filter(|session| session.is_alive()).cloned()
    }

    pub(super) fn put(&self, session: Arc<Session>) {
        *self.lock() = Some(session);
    }

    /// Takes out the session if nobody used it since then, or if it is dead.
    pub(super) fn take_unused(&self, since: Timestamp) -> Option<Arc<Session>> {
        let mut held = self.lock();
        let session = held.as_ref()?;
        let unused = session.idle_since().is_some_and(|idle| idle <= since);
        if unused || !session.is_alive() { held.take() } else { None }
    }

    fn idle_since(&self) -> Option<Timestamp> {
        self.lock().as_ref()?.idle_since()
    }

    fn is_empty(&self) -> bool {
        self.lock().is_none()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Session>>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lane {
    pub(super) fn new(limits: &UpstreamLimits) -> Self {
        Self {
            breaker: Breaker::default(),
            turns: Arc::new(Semaphore::new(limits.concurrency)),
            waiting: AtomicUsize::new(0),
            slots: Mutex::default(),
            greets_the_old_way: AtomicBool::new(false),
        }
    }

    pub(super) fn greeting(&self) -> Greeting {
        if self.greets_the_old_way.load(Ordering::Relaxed) { Greeting::Old } else { Greeting::Newest }
    }

    pub(super) fn remember(&self, greeting: Greeting) {
        self.greets_the_old_way.store(greeting == Greeting::Old, Ordering::Relaxed);
    }

    /// Waits for a turn, unless too many wait already.
    pub(super) async fn turn(&self, limits: &UpstreamLimits) -> Result<OwnedSemaphorePermit, ToolError> {
        if let Ok(turn) = Arc::clone(&self.turns).try_acquire_owned() {
            return Ok(turn);
        }
        let _waiting = Waiting::begin(&self.waiting, limits.queue).ok_or_else(|| {
            let message = format!("{} calls of the upstream run and as many wait as may", limits.concurrency);
            ToolError::new(ErrorCode::RateLimit, message).retry_after(1)
        })?;
        let closed = |_| ToolError::new(ErrorCode::Unknown, "the upstream is being put away");
        Arc::clone(&self.turns).acquire_owned().await.map_err(closed)
    }

    /// The place of these credentials. Where there are too many, the one that was unused the longest makes room.
    pub(super) fn slot(
        &self,
        credentials: &Credentials,
        limits: &UpstreamLimits,
    ) -> Result<Arc<Slot>, ToolError> {
        let mut slots = self.lock();
        if let Some(slot) = slots.get(credentials) {
            return Ok(Arc::clone(slot));
        }
        if slots.len() >= limits.upstream_connections {
            let oldest = slots.iter().filter_map(|(key, slot)| Some((slot.idle_since()?, *key))).min();
            let free = slots.iter().find(|(_, slot)| Arc::strong_count(slot) == 1 && slot.is_empty());
            let Some(gone) = free.map(|(key, _)| *key).or(oldest.map(|(_, key)| key)) else {
                let message = format!(
                    "{} connections to the upstream are open, each in use",
                    limits.upstream_connections
                );
                return Err(ToolError::new(ErrorCode::RateLimit, message).retry_after(1));
            };
            slots.remove(&gone);
        }
        let slot = Arc::new(Slot::default());
        slots.insert(*credentials, Arc::clone(&slot));
        Ok(slot)
    }

    /// Lets go of sessions that nobody used since then. Says whether anything is left.
    pub(super) fn sweep(&self, since: Timestamp) -> bool {
        let mut slots = self.lock();
        slots.retain(|_, slot| {
            drop(slot.take_unused(since));
            !slot.is_empty() || Arc::strong_count(slot) > 1
        });
        !slots.is_empty()
    }

    /// The slot that was unused the longest.
    pub(super) fn oldest(&self) -> Option<(Timestamp, Arc<Slot>)> {
        let slots = self.lock();
        let idle = slots.values().filter_map(|slot| Some((slot.idle_since()?, Arc::clone(slot))));
        idle.min_by_key(|(since, _)| *since)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Credentials, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One that waits, for as long as it does.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        let entered = Self(waiting);
        (waiting.fetch_add(1, Ordering::AcqRel) < most).then_some(entered)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
