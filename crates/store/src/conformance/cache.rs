//! What a cache of results promises, in one process and between many.

use std::time::Duration;

use bytes::Bytes;

use crate::{Generation, ResultCache};

const LONG: Duration = Duration::from_secs(3_600);
const SHORT: Duration = Duration::from_millis(30);

/// Every promise in turn, on a cache that is empty.
pub async fn a_cache_keeps_its_promises(cache: &dyn ResultCache) {
    values_come_back_by_scope_and_key(cache).await;
    values_end_with_their_time(cache).await;
    a_purge_forgets_one_scope(cache).await;
    a_result_made_before_a_purge_falls_to_it(cache).await;
    a_lease_has_one_holder(cache).await;
}

async fn value(cache: &dyn ResultCache, scope: &str, key: &str) -> Option<Bytes> {
    cache.get(scope, key).await.unwrap().value
}

async fn keep(
    cache: &dyn ResultCache,
    scope: &str,
    key: &str,
    text: &'static str,
    ttl: Option<Duration>,
) -> Generation {
    let generation = cache.get(scope, key).await.unwrap().generation;
    cache.put(scope, key, generation, Bytes::from_static(text.as_bytes()), ttl).await.unwrap();
    generation
}

async fn values_come_back_by_scope_and_key(cache: &dyn ResultCache) {
    assert_eq!(value(cache, "s", "a").await, None);
    keep(cache, "s", "a", "one", None).await;
    keep(cache, "s", "b", "two", Some(LONG)).await;
    keep(cache, "t", "a", "three", None).await;
    assert_eq!(value(cache, "s", "a").await.unwrap(), "one");
    assert_eq!(value(cache, "s", "b").await.unwrap(), "two");
    assert_eq!(value(cache, "t", "a").await.unwrap(), "three");
    assert_eq!(value(cache, "t", "b").await, None);
    keep(cache, "s", "a", "", None).await;
    assert_eq!(value(cache, "s", "a").await.unwrap(), "", "nothing is a value, too");
}

async fn values_end_with_their_time(cache: &dyn ResultCache) {
    keep(cache, "s", "a", "one", None).await;
    keep(cache, "s", "brief", "two", Some(SHORT)).await;
    // Time itself is the subject here, so the story waits for it: until the entry is gone, however long that takes.
    while value(cache, "s", "brief").await.is_some() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(value(cache, "s", "a").await.unwrap(), "one");
}

async fn a_purge_forgets_one_scope(cache: &dyn ResultCache) {
    keep(cache, "s", "a", "one", None).await;
    let before = keep(cache, "s", "b", "two", None).await;
    keep(cache, "t", "a", "three", None).await;
    cache.purge("s").await.unwrap();
    let looked = cache.get("s", "a").await.unwrap();
    assert_eq!(looked.value, None);
    assert_ne!(looked.generation, before);
    assert_eq!(value(cache, "s", "b").await, None);
    assert_eq!(value(cache, "t", "a").await.unwrap(), "three");
    assert_eq!(
        keep(cache, "s", "a", "four", None).await,
        looked.generation,
        "a generation lasts until the next purge"
    );
    assert_eq!(value(cache, "s", "a").await.unwrap(), "four");
}

async fn a_result_made_before_a_purge_falls_to_it(cache: &dyn ResultCache) {
    let before = cache.get("s", "late").await.unwrap().generation;
    cache.purge("s").await.unwrap();
    cache.put("s", "late", before, Bytes::from_static(b"stale"), None).await.unwrap();
    assert_eq!(value(cache, "s", "late").await, None);
}

async fn a_lease_has_one_holder(cache: &dyn ResultCache) {
    let first = cache.lease("l", LONG).await.unwrap().expect("nobody has it");
    assert_eq!(cache.lease("l", LONG).await.unwrap(), None);
    let other = cache.lease("m", LONG).await.unwrap().expect("another key, another lease");
    cache.release("l", other).await.unwrap();
    assert_eq!(cache.lease("l", LONG).await.unwrap(), None, "only the holder gives it back");
    cache.release("l", first).await.unwrap();
    let second = cache.lease("l", SHORT).await.unwrap().expect("it was given back");
    assert_ne!(second, first);
    // A holder that is gone: the lease ends by itself.
    let third = loop {
        match cache.lease("l", LONG).await.unwrap() {
            Some(lease) => break lease,
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    cache.release("l", second).await.unwrap();
    assert_eq!(cache.lease("l", LONG).await.unwrap(), None, "what passed to another cannot be given back");
    cache.release("l", third).await.unwrap();
}
