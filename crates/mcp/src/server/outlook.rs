//! What each caller sees, in short, followed once for all their sessions: a list of ten thousand tools is not gone through a thousand times
//! because a thousand clients listen.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use futures::future::BoxFuture;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Semaphore, watch};
use toolgate_domain::{Caller, Surface};
use toolgate_engine::Engine;

use super::sessions::Owner;

/// Changes come in swarms: a pack brings many tools.
pub(super) const SETTLES_IN: Duration = Duration::from_millis(200);
/// Tools that are looked at between two breaths.
const AT_ONCE: usize = 500;
/// Lists that are gone through at a time: telling of changes must not keep calls waiting.
const LOOKS_AT_A_TIME: usize = 1;

/// A list in short; nothing when it cannot be read.
type Digest = Option<[u8; 32]>;
type Look = dyn Fn(Caller) -> BoxFuture<'static, Digest> + Send + Sync;

/// Everybody who is told of changes.
pub(super) struct Outlooks {
    changes: watch::Receiver<u64>,
    look: Box<Look>,
    followed: Mutex<HashMap<Owner, Weak<watch::Sender<Digest>>>>,
    turns: Semaphore,
}

impl Outlooks {
    pub(super) fn new(engine: Arc<Engine>) -> Arc<Self> {
        let changes = engine.changes();
        Self::looking(changes, Box::new(move |caller| Box::pin(look(Arc::clone(&engine), caller))))
    }

    fn looking(changes: watch::Receiver<u64>, look: Box<Look>) -> Arc<Self> {
        Arc::new(Self { changes, look, followed: Mutex::default(), turns: Semaphore::new(LOOKS_AT_A_TIME) })
    }

    /// From here on the receiver is told whenever the caller's list is another.
    pub(super) fn follow(self: &Arc<Self>, caller: Caller) -> watch::Receiver<Digest> {
        let owner = Owner::of(&caller);
        let mut followed = self.followed();
        if let Some(known) = followed.get(&owner).and_then(Weak::upgrade) {
            return known.subscribe();
        }
        let (sender, receiver) = watch::channel(None);
        let sender = Arc::new(sender);
        followed.insert(owner, Arc::downgrade(&sender));
        let changes = self.changes.clone();
        tokio::spawn(Arc::clone(self).watch(caller, sender, changes));
        receiver
    }

    /// Looks again after each swarm of changes, for as long as somebody wants to know.
    async fn watch(
        self: Arc<Self>,
        caller: Caller,
        told: Arc<watch::Sender<Digest>>,
        mut changes: watch::Receiver<u64>,
    ) {
        changes.mark_unchanged();
        let first = self.look_in_turn(&caller).await;
        // What changed during the first look may be in it, while a client was faster: better told twice than never.
        let already = changes.has_changed().unwrap_or(false);
        told.send_if_modified(|list| {
            *list = first;
            already
        });
        loop {
            tokio::select! {
                () = told.closed() => {
                    if self.let_go(&caller, &told) {
                        return;
                    }
                }
                more = changes.changed() => {
                    if more.is_err() {
                        return;
                    }
                    tokio::time::sleep(SETTLES_IN).await;
                    changes.mark_unchanged();
                    let now = self.look_in_turn(&caller).await;
                    told.send_if_modified(|list| std::mem::replace(list, now) != now);
                }
            }
        }
    }

    async fn look_in_turn(&self, caller: &Caller) -> Digest {
        let _turn = self.turns.acquire().await.ok()?;
        (self.look)(caller.clone()).await
    }

    /// Whether nobody listens any more. Somebody may have come at the last moment.
    fn let_go(&self, caller: &Caller, told: &Arc<watch::Sender<Digest>>) -> bool {
        let mut followed = self.followed();
        if told.receiver_count() > 0 {
            return false;
        }
        followed.remove(&Owner::of(caller));
        true
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<Owner, Weak<watch::Sender<Digest>>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn look(engine: Arc<Engine>, caller: Caller) -> Digest {
    let caller = engine.caller_now(&caller).await.ok()??;
    let (mut digest, mut after) = (Sha256::new(), None);
    loop {
        let page = engine.tools_at_hand(&caller, Surface::Mcp, after.as_ref(), AT_ONCE).await.ok()?;
        for tool in &page.items {
            digest.update(tool.id.uuid().as_bytes());
            digest.update(tool.spec.description.as_bytes());
        }
        after = page.items.last().map(|tool| tool.spec.name.clone());
        if page.next_cursor.is_none() {
            return Some(digest.finalize().into());
        }
        tokio::task::yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use toolgate_domain::{Principal, Scope, TenantId, UserId, ids::Uuid};

    use super::*;

    /// A world with one list, which counts how often it is looked at.
    struct World {
        change: watch::Sender<u64>,
        list: Arc<AtomicU8>,
        looks: watch::Sender<usize>,
        outlooks: Arc<Outlooks>,
    }

    impl World {
        fn new() -> Self {
            let (change, changes) = watch::channel(0);
            let (list, looks) = (Arc::new(AtomicU8::new(1)), watch::Sender::new(0));
            let (seen, counted) = (Arc::clone(&list), looks.clone());
            let outlooks = Outlooks::looking(
                changes,
                Box::new(move |_| {
                    let (seen, counted) = (Arc::clone(&seen), counted.clone());
                    Box::pin(async move {
                        counted.send_modify(|looks| *looks += 1);
                        Some([seen.load(Ordering::SeqCst); 32])
                    })
                }),
            );
            Self { change, list, looks, outlooks }
        }

        /// One who follows, and whose first look was made.
        async fn follower(&self, user: u128) -> watch::Receiver<Digest> {
            let follower = self.outlooks.follow(caller(user));
            while follower.borrow().is_none() {
                tokio::task::yield_now().await;
            }
            follower
        }

        fn becomes(&self, list: u8) {
            self.list.store(list, Ordering::SeqCst);
            self.change.send_modify(|count| *count += 1);
        }

        fn looks(&self) -> usize {
            *self.looks.borrow()
        }

        async fn looked(&self, times: usize) {
            self.looks.subscribe().wait_for(|looks| *looks >= times).await.unwrap();
        }
    }

    fn caller(user: u128) -> Caller {
        let principal = Principal::User(UserId::from_uuid(Uuid::from_u128(user)));
        Caller::with_scopes(TenantId::DEFAULT, "t", principal, &[Scope::ToolsRead])
    }

    #[tokio::test]
    async fn a_thousand_sessions_of_one_caller_are_told_after_one_look() {
        let world = World::new();
        let first = world.follower(1).await;
        let mut all = vec![first];
        all.extend((0..999).map(|_| world.outlooks.follow(caller(1))));
        assert_eq!(world.looks(), 1, "one look for whoever comes");
        // A swarm: one more look, not a hundred.
        for _ in 0..100 {
            world.becomes(2);
        }
        for session in &mut all {
            session.changed().await.unwrap();
            assert_eq!(*session.borrow(), Some([2; 32]));
        }
        assert_eq!(world.looks(), 2);
    }

    #[tokio::test]
    async fn a_change_that_leaves_the_list_as_it_was_is_not_told() {
        let world = World::new();
        let mut follower = world.follower(1).await;
        world.becomes(1);
        world.looked(2).await;
        world.becomes(3);
        follower.changed().await.unwrap();
        assert_eq!(*follower.borrow_and_update(), Some([3; 32]));
        assert!(!follower.has_changed().unwrap());
    }

    #[tokio::test]
    async fn each_caller_has_a_list_of_their_own_and_nobody_is_followed_in_vain() {
        let world = World::new();
        let (mut one, two) = (world.follower(1).await, world.follower(2).await);
        assert_eq!(world.outlooks.followed().len(), 2);
        assert_eq!(world.looks(), 2);
        drop(two);
        while world.outlooks.followed().len() > 1 {
            tokio::task::yield_now().await;
        }
        world.becomes(2);
        one.changed().await.unwrap();
        assert_eq!(world.looks(), 3, "nobody looks for one who has gone");
        // Whoever comes back is followed anew.
        let mut again = world.follower(2).await;
        world.becomes(3);
        again.changed().await.unwrap();
        assert_eq!(*again.borrow(), Some([3; 32]));
    }
}
