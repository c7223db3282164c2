//! The shared cache and rate accounts against a real Redis. Each test has a numbered database of its own there.

use crate::emptied::empty_database;
use toolgate_domain::{
    Timestamp,
    rate::{RateDecision, RateLimit},
};
use toolgate_store::{RateLimits, StoreError, conformance};
use toolgate_store_sql::redis::RedisShared;

#[tokio::test]
async fn a_cache_keeps_its_promises() {
    let shared = RedisShared::connect(&empty_database(1).await).await.unwrap();
    conformance::a_cache_keeps_its_promises(&shared).await;
}

#[tokio::test]
async fn rates_are_kept_per_account() {
    let shared = RedisShared::connect(&empty_database(2).await).await.unwrap();
    // Whatever this process believes the time to be.
    conformance::rates_are_kept_per_account(&shared, Timestamp::EPOCH).await;
}

#[tokio::test]
async fn processes_share_one_account() {
    let url = empty_database(3).await;
    let (one, two) = (RedisShared::connect(&url).await.unwrap(), RedisShared::connect(&url).await.unwrap());
    let rate = RateLimit { limit: 10, window_s: 3_600, concurrency: None };
    let checks = (0..15).flat_map(|_| {
        [one.check("shared", rate, Timestamp::EPOCH), two.check("shared", rate, Timestamp::EPOCH)]
    });
    let allowed = futures::future::join_all(checks)
        .await
        .into_iter()
        .filter(|check| matches!(check.as_ref().unwrap(), RateDecision::Allowed { .. }));
    assert_eq!(allowed.count(), 10);
}

#[tokio::test]
async fn an_account_is_forgotten_once_it_has_nothing_to_remember() {
    let url = empty_database(4).await;
    let shared = RedisShared::connect(&url).await.unwrap();
    let rate = RateLimit { limit: 1, window_s: 1, concurrency: None };
    assert!(matches!(shared.check("a", rate, Timestamp::EPOCH).await.unwrap(), RateDecision::Allowed { .. }));
    let client = redis::Client::open(url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let left_ms: i64 = redis::cmd("PTTL").arg("tg:rate:a").query_async(&mut connection).await.unwrap();
    assert!((1..=1_000).contains(&left_ms), "{left_ms}");
}

#[tokio::test]
async fn a_redis_that_is_not_there_is_unavailable() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refusal = RedisShared::connect(&format!("redis://127.0.0.1:{port}")).await.err();
    assert!(matches!(refusal, Some(StoreError::Unavailable(_))));
}
