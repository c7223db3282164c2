//! What a restart does with the calls that a dead process left behind.

use std::sync::Arc;

use crate::common::{House, caller, definition, start};
use serde_json::json;
use toolgate_domain::{
    EventType, Gate, Invocation, Limits, NewEvent, NodeId, Phase, TenantId, ids::OrderedIds,
    time::SystemClock,
};
use toolgate_engine::definition_from_json;
use toolgate_store::{Entry, Stores};
use toolgate_test_databases::stores_in;

/// Writes the started row of a call whose process is about to vanish.
pub async fn begun(stores: &Stores, like: &Invocation, attempt: u32) -> Invocation {
    let ids = OrderedIds::new(SystemClock);
    let mut row = like.clone();
    row.id = toolgate_domain::InvocationId::generate(&ids);
    row.session_id = toolgate_domain::SessionId::of_lone_call(row.id);
    row.phase = Phase::Running(Gate::NotRequired);
    row.node_id = Some(NodeId::generate(&ids));
    row.attempt = attempt;
    row.outcome = Default::default();
    row.completed_at = None;
    let started = NewEvent {
        session_id: row.session_id,
        kind: EventType::Started,
        invocation_id: row.id,
        data: None,
        created_at: row.created_at,
    };
    let entry = Entry { events: vec![started], ..Entry::inserting(Arc::new(row.clone())) };
    stores.ledger.record(entry).await.unwrap();
    row
}

#[tokio::test]
async fn idempotent_calls_run_again_and_of_the_others_the_end_is_unknown() {
    let house = House::new().await;
    house
        .tool("again", "echo", json!({"egress_class": "read_only", "annotations": {"idempotentHint": true}}))
        .await;
    house.tool("never", "echo", json!({"egress_class": "read_only"})).await;
    let mut templates = Vec::new();
    for name in ["again", "never"] {
        templates.push(house.row(house.done(name, json!({"a": 1})).await.invocation_id).await);
    }
    let retried = begun(&house.stores, &templates[0], 1).await;
    let worn_out = begun(&house.stores, &templates[0], 3).await;
    let given_up = begun(&house.stores, &templates[1], 1).await;

    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));
    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start(&stores, Limits::default()).await;

    let read = |id| {
        let stores = stores.clone();
        async move { stores.invocations.get(TenantId::DEFAULT, id).await.unwrap().unwrap() }
    };
    let mut ledger = stores.signals.ledger();
    while !read(retried.id).await.phase.is_terminal() {
        ledger.changed().await.unwrap();
    }
    let retried = read(retried.id).await;
    assert_eq!((retried.phase, retried.attempt), (Phase::Completed(Gate::NotRequired), 2));
    assert_eq!(retried.outcome.output, Some(json!({"got": {"a": 1}})));
    for lost in [worn_out.id, given_up.id] {
        let row = read(lost).await;
        assert_eq!(row.phase, Phase::Failed(Gate::NotRequired));
        assert_eq!(row.outcome.error.unwrap().details.unwrap()["outcome"], "unknown");
    }
    assert_eq!(probe.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert!(stores.invocations.orphans(engine.clock().now(), 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_published_version_keeps_what_callers_rely_on() {
    let house = House::new().await;
    house.tool("echo", "echo", json!({})).await;
    let register = |patch| {
        let spec = definition_from_json(definition("echo", "echo", patch)).unwrap();
        let engine = house.engine.clone();
        async move { engine.registry().register(&caller(), spec, false).await }
    };
    let frozen = register(json!({"input_schema": {"type": "object", "required": ["x"]}})).await.unwrap_err();
    assert!(frozen.to_string().contains("publish a new version"), "{frozen}");
    assert!(register(json!({"egress_class": "read_only"})).await.is_err());
    assert!(register(json!({})).await.unwrap().changes.is_empty());
    let edited = register(json!({"description": "said better"})).await.unwrap();
    assert_eq!(edited.changes[0]["key"], "description");
    assert_eq!(
        house
            .engine
            .registry()
            .get(&caller(), toolgate_domain::Surface::Rest, "echo")
            .await
            .unwrap()
            .spec
            .description,
        "said better"
    );
    let next = register(json!({"version": "1.1.0", "input_schema": {"type": "object", "required": ["x"]}}))
        .await
        .unwrap();
    assert!(next.created);
    let versions =
        house.engine.registry().versions(&caller(), toolgate_domain::Surface::Rest, "echo").await.unwrap();
    let hashes: Vec<_> = versions.iter().map(|(_, schemas)| schemas.clone().unwrap().input_hash).collect();
    assert_eq!(hashes.len(), 2);
    assert_ne!(hashes[0], hashes[1]);
}
