//! Equal calls take turns: one makes the result, the others wait for it. When it comes to nothing, the next one tries.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use dashmap::DashMap;
use tokio::sync::{Mutex, OwnedMutexGuard};

type Slots = DashMap<String, Arc<Slot>>;

/// What this process makes at the moment, by what makes calls equal. It holds no more than there are calls under way.
#[derive(Default)]
pub(crate) struct Turns {
    by_key: Arc<Slots>,
}

#[derive(Default)]
struct Slot {
    /// The newest result that was made here.
    newest: Arc<Mutex<Option<Bytes>>>,
    /// How many were made.
    made: AtomicU64,
}

/// A place in the queue. The last one to leave takes the slot away, so besides the list nobody else holds one.
struct Place {
    by_key: Arc<Slots>,
    key: String,
    slot: Option<Arc<Slot>>,
}

impl Place {
    fn made(&self) -> u64 {
        self.slot.as_ref().map_or(0, |slot| slot.made.load(Ordering::Acquire))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.slot = None;
        self.by_key.remove_if(&self.key, |_, slot| Arc::strong_count(slot) == 1);
    }
}

/// The head of the queue: whoever has it makes the result. Dropping it lets the next one try.
pub(super) struct Turn {
    // Given up before the place: while anybody waits, there is one queue.
    newest: OwnedMutexGuard<Option<Bytes>>,
    place: Place,
}

pub(super) enum Queued {
    /// Made by another while this one waited.
    Made(Bytes),
    Turn(Turn),
}

impl Turns {
    /// Waits for those ahead. A result counts for those who waited when it was made, and for nobody who comes later: they look
    /// into the cache.
    pub(super) async fn wait(&self, key: String) -> Queued {
        let slot = Arc::clone(&self.by_key.entry(key.clone()).or_default());
        let queue = Arc::clone(&slot.newest);
        let place = Place { by_key: Arc::clone(&self.by_key), key, slot: Some(slot) };
        let made_before = place.made();
        let newest = queue.lock_owned().await;
        match &*newest {
            Some(bytes) if place.made() > made_before => Queued::Made(bytes.clone()),
            _ => Queued::Turn(Turn { newest, place }),
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.by_key.len()
    }
}

impl Turn {
    /// Hands the result to those who wait.
    pub(super) fn made(mut self, result: Bytes) {
        *self.newest = Some(result);
        if let Some(slot) = &self.place.slot {
            slot.made.fetch_add(1, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn turn(turns: &Turns) -> Turn {
        match turns.wait("k".to_owned()).await {
            Queued::Turn(turn) => turn,
            Queued::Made(bytes) => panic!("made already: {bytes:?}"),
        }
    }

    #[tokio::test]
    async fn those_who_waited_get_the_result_and_those_who_come_later_do_not() {
        let turns = Turns::default();
        let leader = turn(&turns).await;
        let waiters: Vec<_> = (0..8).map(|_| turns.wait("k".to_owned())).collect();
        let mut waiters: Vec<_> = waiters.into_iter().map(Box::pin).collect();
        for waiter in &mut waiters {
            assert!(futures::poll!(waiter.as_mut()).is_pending());
        }
        leader.made(Bytes::from_static(b"one"));
        for waiter in waiters {
            assert!(matches!(waiter.await, Queued::Made(bytes) if bytes == "one"));
        }
        assert_eq!(turns.len(), 0, "nobody is left, and no result");
        drop(turn(&turns).await);
        assert_eq!(turns.len(), 0);
    }

    #[tokio::test]
    async fn one_who_gives_up_last_leaves_nothing_behind() {
        let turns = Turns::default();
        for is_made in [true, false] {
            let leader = turn(&turns).await;
            let mut waiter = Box::pin(turns.wait("k".to_owned()));
            assert!(futures::poll!(waiter.as_mut()).is_pending());
            match is_made {
                true => leader.made(Bytes::from_static(b"one")),
                false => drop(leader),
            }
            // It is its turn now, and its time is over.
            drop(waiter);
            assert_eq!(turns.len(), 0);
        }
    }

    #[tokio::test]
    async fn when_it_comes_to_nothing_one_of_those_who_wait_tries() {
        let turns = Turns::default();
        let leader = turn(&turns).await;
        let (mut first, mut second) =
            (Box::pin(turns.wait("k".to_owned())), Box::pin(turns.wait("k".to_owned())));
        assert!(futures::poll!(first.as_mut()).is_pending() && futures::poll!(second.as_mut()).is_pending());
        drop(leader);
        let Queued::Turn(next) = first.await else { panic!("nothing was made") };
        assert!(futures::poll!(second.as_mut()).is_pending(), "one, not all");
        // One who gives up waiting leaves nothing behind.
        drop(second);
        drop(next);
        assert_eq!(turns.len(), 0);
    }
}
