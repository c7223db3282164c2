//! Cancelling a run stops what it does: the model's stream, the tools that run, the questions that wait.

use serde_json::json;
use toolgate_agents::llm::{Api, Outside, ProviderConfig, open};
use toolgate_domain::{EventType, InvocationId, Status, Surface, TenantId};
use toolgate_engine::{Answer, Call};
use toolgate_store::EventFilter;

use crate::run::{
    common::{House, caller},
    host::{Host, OPEN_STREAM, Reply},
};

const DELTA: &[u8] =
    b"data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Once upon\"}}]}\n\n";

/// Waits until the log of the tenant has an event that fits; answers with its call.
async fn told(house: &House, fits: impl Fn(&toolgate_domain::Event) -> bool) -> InvocationId {
    let stores = house.engine.stores();
    let mut ledger = stores.signals.ledger();
    loop {
        ledger.mark_unchanged();
        let filter = EventFilter { session_id: None, after: 0, limit: 1_000 };
        let events = stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
        if let Some(event) = events.iter().find(|event| fits(event)) {
            return event.invocation_id;
        }
        ledger.changed().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_in_the_middle_of_a_stream_hangs_up_on_the_model() {
    let host = Host::start(|_| Reply::Hang([OPEN_STREAM, DELTA].concat())).await;
    let base_url = Some(format!("http://{}/v1", host.address));
    let config = ProviderConfig { base_url, ..ProviderConfig::new("local", Api::OpenAiChat) };
    let house = House::with_provider(open(&config, None, &Outside::real()).unwrap()).await;
    house.agent("helper", &["calculate"]).await;
    let engine = house.engine.clone();
    let run = tokio::spawn(async move {
        let input = json!({"agent": "helper", "message": "tell me a story"});
        engine.invoke(Call::new(caller(), Surface::Rest, "run_agent", input)).await.unwrap()
    });
    let id = told(&house, |event| event.kind == EventType::OutputAppended).await;
    let ended = house.engine.cancel(TenantId::DEFAULT, id).await.unwrap();
    assert_eq!(ended.status(), Status::Cancelled);
    host.hung_up.notified().await;
    let Answer::Done(envelope) = run.await.unwrap() else { panic!("the one who asked is told") };
    assert_eq!(envelope.error.unwrap().details.unwrap()["outcome"], "cancelled");
    let again = house.engine.cancel(TenantId::DEFAULT, id).await.unwrap();
    assert_eq!(again.completed_at, ended.completed_at, "a run that is over stays as it ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_stops_the_tool_that_runs() {
    let house = House::new("turns:\n  - tool_calls: [{name: wait, arguments: {ms: 25000}}]\n").await;
    house.agent("helper", &["wait"]).await;
    let engine = house.engine.clone();
    let run = tokio::spawn(async move {
        let input = json!({"agent": "helper", "message": "wait"});
        engine.invoke(Call::new(caller(), Surface::Rest, "run_agent", input)).await.unwrap()
    });
    let inner = told(&house, |event| event.data["name"] == "wait" && event.kind == EventType::Started).await;
    let outer = house.row(inner).await.parent_id.unwrap();
    house.engine.cancel(TenantId::DEFAULT, outer).await.unwrap();
    assert_eq!(house.ended(inner).await.status(), Status::Cancelled);
    assert_eq!(house.ended(outer).await.status(), Status::Cancelled);
    run.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_for_its_place_is_not_made_when_its_run_was_cancelled() {
    let house = House::new("turns:\n  - tool_calls: [{name: narrow, arguments: {ms: 0}}]\n").await;
    house
        .define(json!({
            "name": "narrow", "version": "1.0.0", "description": "one at a time",
            "rate_limit": {"limit": 1000, "window_s": 1, "concurrency": 1},
            "input_schema": {"type": "object", "properties": {"ms": {"type": "integer"}}},
            "execution": {"kind": "builtin", "handler": "wait"},
        }))
        .await;
    house.agent("helper", &["narrow"]).await;
    let call = |tool: &'static str, input: serde_json::Value| {
        let engine = house.engine.clone();
        tokio::spawn(
            async move { engine.invoke(Call::new(caller(), Surface::Rest, tool, input)).await.unwrap() },
        )
    };
    let first = call("narrow", json!({"ms": 25000}));
    let held = told(&house, |event| event.data["name"] == "narrow").await;
    let run = call("run_agent", json!({"agent": "helper", "message": "go"}));
    // Its turn is told, so its call queues behind the first.
    let outer = told(&house, |event| event.data["chunk"]["type"] == "turn").await;
    house.engine.cancel(TenantId::DEFAULT, outer).await.unwrap();
    run.await.unwrap();
    house.engine.cancel(TenantId::DEFAULT, held).await.unwrap();
    first.await.unwrap();
    // Behind whatever queued before it.
    let Answer::Done(last) = call("narrow", json!({"ms": 1})).await.unwrap() else { panic!("it must end") };
    assert_eq!(last.error, None);
    let stores = house.engine.stores();
    assert!(
        stores.suspensions.children(TenantId::DEFAULT, outer, 10).await.unwrap().is_empty(),
        "nobody wanted it"
    );
}
