//! Turns: whoever was served last comes last.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Bound,
};

use toolgate_domain::TenantId;

use super::post::News;

/// News of one tenant that wait to be read; a look around finds what the rest was about.
const MAX_NEWS: usize = 1_000;

/// The next that is ready, beginning after `last`, round and round.
pub(super) fn in_turn<K: Copy + Ord, V>(
    of: &BTreeMap<K, V>,
    last: Option<K>,
    is_ready: impl Fn(&V) -> bool,
) -> Option<K> {
    let begin = last.map_or(Bound::Unbounded, Bound::Excluded);
    let after = of.range((begin, Bound::Unbounded));
    let before = last.into_iter().flat_map(|last| of.range(..=last));
    after.chain(before).find(|(_, value)| is_ready(value)).map(|(key, _)| *key)
}

/// What was told of each tenant's questions. One question makes a delivery for each webhook, so reading in the order of arrival
/// would let one tenant's questions hold up those of all others.
#[derive(Default)]
pub(super) struct NewsQueues {
    of: BTreeMap<TenantId, VecDeque<News>>,
    served_last: Option<TenantId>,
}

impl NewsQueues {
    pub(super) fn push(&mut self, news: News) {
        let queue = self.of.entry(news.tenant()).or_default();
        if queue.len() < MAX_NEWS {
            queue.push_back(news);
        }
    }

    pub(super) fn pop(&mut self) -> Option<News> {
        let tenant = in_turn(&self.of, self.served_last, |_| true)?;
        self.served_last = Some(tenant);
        let queue = self.of.get_mut(&tenant)?;
        let news = queue.pop_front();
        if queue.is_empty() {
            self.of.remove(&tenant);
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::{InvocationId, ids::Uuid};

    use super::*;

    fn parked(tenant: u128) -> News {
        News::Parked(TenantId::from_uuid(Uuid::from_u128(tenant)), InvocationId::from_uuid(Uuid::nil()))
    }

    #[test]
    fn a_tenants_news_is_read_after_one_of_each_other_tenant() {
        let mut queues = NewsQueues::default();
        for _ in 0..3 {
            queues.push(parked(1));
        }
        queues.push(parked(2));
        queues.push(parked(3));
        let read: Vec<_> = std::iter::from_fn(|| queues.pop()).map(|news| news.tenant()).collect();
        let expected: Vec<_> = [1, 2, 3, 1, 1].map(|tenant| parked(tenant).tenant()).into();
        assert_eq!(read, expected);
    }

    #[test]
    fn a_tenant_that_tells_too_much_loses_its_own_news_and_nobody_elses() {
        let mut queues = NewsQueues::default();
        for _ in 0..MAX_NEWS + 10 {
            queues.push(parked(1));
        }
        queues.push(parked(2));
        let read: Vec<_> = std::iter::from_fn(|| queues.pop()).collect();
        assert_eq!(read.len(), MAX_NEWS + 1);
        assert_eq!(read[1].tenant(), parked(2).tenant());
    }
}
