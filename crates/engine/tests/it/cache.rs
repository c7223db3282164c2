//! Equal calls that come at once make one result; a purge forgets; nothing crosses a wall.

use std::sync::{Arc, atomic::Ordering};

use futures::future::join_all;
use serde_json::json;
use tokio::task::JoinHandle;
use toolgate_domain::{Caller, Envelope, ErrorCode, Limits, Surface, TenantId};
use toolgate_engine::{Answer, Call, Engine, Progress, RegistryError, definition_from_json};
use toolgate_store_sql::{local::MemoryLimits, objects::ObjectBlobs, redis::RedisShared, sqlite::Sqlite};
use toolgate_test_databases::migrated;

use crate::common::{House, call, caller, code, definition, start};

fn begin(engine: &Arc<Engine>, call: Call) -> JoinHandle<Envelope> {
    let engine = Arc::clone(engine);
    tokio::spawn(async move {
        match engine.invoke(call).await.unwrap() {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    })
}

/// Lets everybody who can go on go on. On one thread that needs no time, only turns.
async fn settle() {
    for _ in 0..500 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_stampede_of_equal_calls_runs_once() {
    let house = House::new().await;
    house.tool("slow", "gate", json!({"cache": "ttl", "cache_ttl_s": 60})).await;
    let calls: Vec<_> = (0..64).map(|_| begin(&house.engine, call("slow", json!({"a": 1})))).collect();
    house.probe.entered.notified().await;
    settle().await;
    assert_eq!(house.runs(), 1, "the others wait");
    house.probe.go_on.notify_one();
    let receipts: Vec<_> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(house.runs(), 1);
    assert_eq!(receipts.iter().filter(|receipt| !receipt.cached).count(), 1);
    for receipt in &receipts {
        assert_eq!(receipt.output, Some(json!({"got": {"a": 1}})));
        assert_eq!(
            &house.row(receipt.invocation_id).await.envelope().unwrap(),
            receipt,
            "each has its own row"
        );
    }
    let ids: std::collections::HashSet<_> = receipts.iter().map(|receipt| receipt.invocation_id).collect();
    assert_eq!(ids.len(), 64);
}

#[tokio::test]
async fn other_inputs_and_tools_without_a_cache_wait_for_nobody() {
    let house = House::new().await;
    house.tool("slow", "gate", json!({"cache": "forever"})).await;
    house.tool("plain", "gate", json!({})).await;
    let calls: Vec<_> = [("slow", 1), ("slow", 2), ("plain", 1), ("plain", 1)]
        .map(|(tool, n)| begin(&house.engine, call(tool, json!({"a": n}))))
        .into();
    // Each enters though none has left.
    while house.runs() < 4 {
        tokio::task::yield_now().await;
    }
    house.probe.go_on.notify_waiters();
    assert!(join_all(calls).await.into_iter().all(|receipt| !receipt.unwrap().cached));
}

#[tokio::test]
async fn when_the_first_fails_the_others_try_one_after_the_other() {
    let house = House::new().await;
    house.tool("fails", "fail", json!({"cache": "forever"})).await;
    let calls: Vec<_> = (0..8).map(|_| begin(&house.engine, call("fails", json!({})))).collect();
    for receipt in join_all(calls).await {
        let receipt = receipt.unwrap();
        assert_eq!((code(&receipt), receipt.cached), (ErrorCode::NetworkError, false));
    }
    assert_eq!(house.runs(), 8, "a failure is nobody else's answer");
    assert_eq!(house.probe.most_at_once.load(Ordering::SeqCst), 1, "one of them at a time");
}

#[tokio::test]
async fn when_the_first_is_cancelled_one_of_the_others_goes_on() {
    let house = House::new().await;
    house.tool("slow", "gate", json!({"cache": "forever"})).await;
    let mut first = call("slow", json!({}));
    let (watch, mut progress) = tokio::sync::mpsc::channel(8);
    first.progress = Some(watch);
    let first = begin(&house.engine, first);
    let Some(Progress::Started { invocation_id, .. }) = progress.recv().await else { panic!("it starts") };
    let others: Vec<_> = (0..4).map(|_| begin(&house.engine, call("slow", json!({})))).collect();
    settle().await;
    house.engine.cancel(TenantId::DEFAULT, invocation_id).await.unwrap();
    assert_eq!(first.await.unwrap().error.unwrap().details.unwrap()["outcome"], "cancelled");
    settle().await;
    house.probe.go_on.notify_one();
    let cached =
        join_all(others).await.into_iter().filter(|receipt| receipt.as_ref().unwrap().cached).count();
    assert_eq!((house.runs(), cached), (2, 3), "one ran in its place");
}

#[tokio::test]
async fn whoever_waits_waits_no_longer_than_it_might_run() {
    let house = House::new().await;
    house.tool("slow", "hang", json!({"cache": "forever", "timeout_ms": 50})).await;
    let calls = (0..2).map(|_| begin(&house.engine, call("slow", json!({}))));
    for receipt in join_all(calls).await {
        assert_eq!(code(&receipt.unwrap()), ErrorCode::Timeout);
    }
}

#[tokio::test]
async fn failures_are_kept_where_the_tool_says_so_and_only_those_that_last() {
    let house = House::new().await;
    house.tool("fails", "fail", json!({"cache": "forever", "cache_errors_s": 60})).await;
    house.tool("slow", "hang", json!({"cache": "forever", "cache_errors_s": 60, "timeout_ms": 5})).await;
    let (first, second) = (house.done("fails", json!({})).await, house.done("fails", json!({})).await);
    assert_eq!((first.cached, second.cached, house.runs()), (false, true, 1));
    assert_eq!(second.error, first.error);
    let row = house.row(second.invocation_id).await;
    assert_eq!(row.status().as_str(), "failed");
    for _ in 0..2 {
        let receipt = house.done("slow", json!({})).await;
        assert_eq!((code(&receipt), receipt.cached), (ErrorCode::Timeout, false));
    }
    for wrong in [json!({"cache_errors_s": 60}), json!({"cache": "forever", "cache_errors_s": 0})] {
        let spec = definition_from_json(definition("wrong", "fail", wrong)).unwrap();
        let error = house.engine.registry().register(&caller(), spec, true).await.unwrap_err();
        assert!(error.to_string().contains("/cache_errors_s"), "{error}");
    }
}

#[tokio::test]
async fn a_purge_forgets_one_tool_of_one_tenant_and_is_audited() {
    let house = House::new().await;
    let other = house.engine.rules().create_tenant(&caller(), "other", "Other").await.unwrap();
    let stranger = Caller::system(other.id, "other");
    for name in ["one", "two"] {
        house.tool(name, "echo", json!({"cache": "forever"})).await;
        let spec = definition_from_json(definition(name, "echo", json!({"cache": "forever"}))).unwrap();
        house.engine.registry().register(&stranger, spec, false).await.unwrap();
    }
    let cached = async |who: &Caller, tool: &str| {
        let call = Call::new(who.clone(), Surface::Rest, tool, json!({}));
        begin(&house.engine, call).await.unwrap().cached
    };
    for who in [&caller(), &stranger] {
        assert!(!cached(who, "one").await && !cached(who, "two").await, "nobody else's result");
    }
    house.engine.purge_cache(&stranger, "one").await.unwrap();
    assert!(cached(&caller(), "one").await, "another tenant's purge is its own");
    assert!(!cached(&stranger, "one").await && cached(&stranger, "two").await);
    assert!(cached(&stranger, "one").await, "and it is kept again");
    assert!(matches!(house.engine.purge_cache(&stranger, "none").await, Err(RegistryError::NotFound(_))));
    let filter =
        toolgate_store::AuditFilter { action: Some("tool.purge".into()), limit: 10, ..Default::default() };
    let trail = house.stores.audit.events(other.id, &filter).await.unwrap();
    assert_eq!(trail.len(), 1);
}

#[tokio::test]
async fn a_result_under_way_does_not_outlive_a_purge() {
    let house = House::new().await;
    house.tool("slow", "gate", json!({"cache": "forever"})).await;
    let first = begin(&house.engine, call("slow", json!({})));
    house.probe.entered.notified().await;
    house.engine.purge_cache(&caller(), "slow").await.unwrap();
    let second = begin(&house.engine, call("slow", json!({})));
    house.probe.entered.notified().await;
    house.probe.go_on.notify_waiters();
    assert!(!first.await.unwrap().cached && !second.await.unwrap().cached, "made after the purge");
}

#[tokio::test]
async fn a_test_run_neither_reads_nor_fills_the_cache() {
    let house = House::new().await;
    house.tool("kept", "echo", json!({"cache": "forever"})).await;
    let tried = || begin(&house.engine, Call { is_test: true, ..call("kept", json!({})) });
    assert!(!tried().await.unwrap().cached);
    assert!(!house.done("kept", json!({})).await.cached, "the test left nothing");
    assert!(!tried().await.unwrap().cached, "and takes nothing");
    assert_eq!(house.runs(), 3);
}

#[tokio::test]
async fn processes_that_share_a_cache_run_once_between_them() {
    let url = std::env::var("TOOLGATE_TEST_REDIS_URL").expect("run through scripts/with-services");
    let directory = tempfile::tempdir().unwrap();
    let (sqlite, _) = Sqlite::open(&migrated(directory.path().join("t.db"))).unwrap();
    let blobs = Arc::new(ObjectBlobs::local(&directory.path().join("blobs")).unwrap());
    let redis = Arc::new(RedisShared::connect(&url).await.unwrap());
    let stores = sqlite.stores(blobs, redis, Arc::new(MemoryLimits::default()));
    let (one, probe) = start(&stores, Limits::default()).await;
    let name = format!("slow{}", std::process::id());
    let spec =
        definition_from_json(definition(&name, "gate", json!({"cache": "ttl", "cache_ttl_s": 60}))).unwrap();
    one.registry().register(&caller(), spec, false).await.unwrap();
    let (two, other_probe) = start(&stores, Limits::default()).await;

    let first = begin(&one, call(&name, json!({})));
    probe.entered.notified().await;
    let others: Vec<_> = (0..8).map(|n| begin([&one, &two][n % 2], call(&name, json!({})))).collect();
    probe.go_on.notify_one();
    assert!(!first.await.unwrap().cached);
    assert!(join_all(others).await.into_iter().all(|receipt| receipt.unwrap().cached));
    assert_eq!((probe.runs.load(Ordering::SeqCst), other_probe.runs.load(Ordering::SeqCst)), (1, 0));
}
