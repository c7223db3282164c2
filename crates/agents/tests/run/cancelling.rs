//! Cancelling a run stops what it does: the model's stream, the tools that run, the questions that wait.

use serde_json::json;
use toolgate_agents::llm::{Api, Outside, ProviderConfig, open};
use toolgate_domain::{EventType, InvocationId, Status, Surface, TenantId};
use toolgate_engine::{Answer, Call};
use toolgate_store::EventFilter;

use crate::{
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
    let house = House::with_provider(open(&config, None, &Outside::real().unwrap()).unwrap()).await;
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
