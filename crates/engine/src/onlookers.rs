//! Those in this process who wait for news of a call, and what is known of those who made one. Nothing here is needed to go on: who waits
//! also looks by itself now and then, and what a caller can be asked is only a hint.

use std::sync::Arc;

use dashmap::DashMap;
use tokio::sync::{Notify, futures::OwnedNotified};
use toolgate_domain::{Invocation, InvocationId, governance::Audience};

use crate::Engine;

/// Calls whose caller is remembered; what is asked in others finds out when it is asked.
const MAX_AUDIENCES: usize = 50_000;

#[derive(Default)]
pub(crate) struct Onlookers {
    waiting: DashMap<InvocationId, Arc<Notify>>,
    audiences: DashMap<InvocationId, Audience>,
}

impl Onlookers {
    pub(crate) fn wait_for(&self, id: InvocationId) -> Onlooker<'_> {
        let news = Arc::clone(&self.waiting.entry(id).or_default());
        Onlooker { all: self, id, news: Some(news) }
    }

    /// Something happened to the call.
    pub(crate) fn tell(&self, id: InvocationId) {
        if let Some(news) = self.waiting.get(&id) {
            news.notify_waiters();
        }
    }

    /// The call is over.
    pub(crate) fn tell_end(&self, id: InvocationId) {
        self.audiences.remove(&id);
        self.tell(id);
    }

    pub(crate) fn audience(&self, id: InvocationId) -> Option<Audience> {
        self.audiences.get(&id).map(|audience| *audience)
    }

    /// For a call that is left for a while.
    pub(crate) fn remember(&self, id: InvocationId, audience: Option<Audience>) {
        if let Some(audience) = audience
            && self.audiences.len() < MAX_AUDIENCES
        {
            self.audiences.insert(id, audience);
        }
    }
}

impl Engine {
    /// A call waits from now on, and may ask something: those above it may want to know as well.
    pub(crate) async fn tell_waiting(&self, row: &Invocation) {
        self.onlookers.tell(row.id);
        let mut above = row.parent_id;
        for _ in 0..self.limits.max_call_depth {
            let Some(id) = above.filter(|_| !self.onlookers.waiting.is_empty()) else { return };
            self.onlookers.tell(id);
            let parent = self.stores.invocations.get(row.tenant_id, id).await;
            above = parent.ok().flatten().and_then(|parent| parent.parent_id);
        }
    }
}

/// One who waits.
pub(crate) struct Onlooker<'a> {
    all: &'a Onlookers,
    id: InvocationId,
    news: Option<Arc<Notify>>,
}

impl Onlooker<'_> {
    /// Hears of what happens from the moment it is enabled.
    pub(crate) fn news(&self) -> OwnedNotified {
        self.news.clone().unwrap_or_default().notified_owned()
    }
}

impl Drop for Onlooker<'_> {
    fn drop(&mut self) {
        self.news = None;
        // The map's own is the last one.
        self.all.waiting.remove_if(&self.id, |_, news| Arc::strong_count(news) == 1);
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::Uuid;

    use super::*;

    #[tokio::test]
    async fn all_who_wait_hear_of_their_call_and_nothing_is_kept_after() {
        let onlookers = Onlookers::default();
        let call = |n| InvocationId::from_uuid(Uuid::from_u128(n));
        let (first, second, other) =
            (onlookers.wait_for(call(1)), onlookers.wait_for(call(1)), onlookers.wait_for(call(2)));
        let mut heard = [&first, &second, &other].map(|one| Box::pin(one.news()));
        for news in &mut heard {
            assert!(!news.as_mut().enable(), "nothing happened yet");
        }
        onlookers.tell(call(1));
        let [one, two, three] = heard;
        one.await;
        two.await;
        assert_eq!(futures::FutureExt::now_or_never(three), None, "it waits for another call");
        drop((first, other));
        assert_eq!(onlookers.waiting.len(), 1);
        drop(second);
        assert!(onlookers.waiting.is_empty());
    }
}
