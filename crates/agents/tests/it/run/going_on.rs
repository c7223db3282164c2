//! Runs that wait, and go on after a restart.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::{Notify, mpsc};
use toolgate_agents::llm::{ChatRequest, Delta, LlmError, Provider, Scripted, Turn};
use toolgate_domain::{ErrorCode, Status, Surface, TenantId};
use toolgate_engine::{Answer, Approval, Call, Refused, Ruling};

use crate::run::common::{House, approver, caller};

const SCRIPT: &str = "turns:
  - tool_calls:
      - {name: calculate, arguments: {expression: 2+2}}
      - {name: announce, arguments: {ms: 1}}
  - {text: announced}
";

#[tokio::test(flavor = "multi_thread")]
async fn a_run_parked_on_an_approval_goes_on_after_a_restart_and_makes_each_call_once() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let Answer::Parked(outer) = house.start("helper", "announce it").await else { panic!("it must wait") };
    assert_eq!((outer.status(), outer.node_id), (Status::Running, None), "no process holds it");
    house.engine.stop().await;
    let House { engine, directory, .. } = house;
    drop(engine);
    let house = House::open(directory, SCRIPT).await;
    let stores = house.engine.stores();
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    assert_eq!(children.len(), 2);
    let asks = children.iter().find(|child| child.tool_name == "announce").unwrap();
    assert!(asks.agent_id.is_some() && asks.run_id.is_some());
    house.engine.decide(&approver(), asks.id, None, Ruling::Approve(Approval::default())).await.unwrap();
    let ended = house.ended(outer.id).await;
    assert_eq!(ended.outcome.output.unwrap()["response"], "announced");
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    assert_eq!(children.len(), 2, "every call was made once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waits_ends_by_its_deadline_and_so_does_what_it_waits_for() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let input = json!({"agent": "helper", "message": "announce it", "deadline_s": 60});
    let call = Call::new(caller(), Surface::Rest, "run_agent", input);
    let Answer::Parked(outer) = house.engine.invoke(call).await.unwrap() else { panic!("it must wait") };
    house.clock.put_forward_ms(60_000);
    let ended = house.ended(outer.id).await;
    let error = ended.outcome.error.unwrap();
    assert_eq!(
        (error.code, error.details.unwrap()["reason"].clone()),
        (ErrorCode::Timeout, json!("run_deadline"))
    );
    let stores = house.engine.stores();
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    let asks = children.iter().find(|child| child.tool_name == "announce").unwrap();
    house.ended(asks.id).await;
}

/// Answers the first question only when it may.
struct Slow {
    asked: Notify,
    may_answer: Notify,
}

#[async_trait]
impl Provider for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    async fn chat(&self, request: &ChatRequest, _: Option<mpsc::Sender<Delta>>) -> Result<Turn, LlmError> {
        self.asked.notify_one();
        self.may_answer.notified().await;
        Scripted::parse(SUM).unwrap().chat(request, None).await
    }
}

const SUM: &str = "turns:
  - tool_calls: [{name: calculate, arguments: {expression: 2+2}}]
  - {text: four}
";

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_puts_a_run_away_and_the_next_one_goes_on_with_it() {
    let slow = Arc::new(Slow { asked: Notify::new(), may_answer: Notify::new() });
    let house = House::with_provider(slow.clone()).await;
    house.agent("helper", &["calculate"]).await;
    let engine = house.engine.clone();
    let run = tokio::spawn(async move {
        let input = json!({"agent": "helper", "message": "go"});
        engine.invoke(Call::new(caller(), Surface::Rest, "run_agent", input)).await
    });
    slow.asked.notified().await;
    let stopping = tokio::spawn({
        let engine = house.engine.clone();
        async move { engine.stop().await }
    });
    let sum = || Call::new(caller(), Surface::Rest, "calculate", json!({"expression": "1"}));
    // The door is closed before the model answers.
    while !matches!(house.engine.invoke(sum()).await, Err(Refused::Stopping)) {}
    slow.may_answer.notify_one();
    let Ok(Answer::Parked(put_away)) = run.await.unwrap() else { panic!("it must be put away") };
    stopping.await.unwrap();
    let House { engine, directory, .. } = house;
    drop(engine);
    let house = House::open(directory, SUM).await;
    let ended = house.ended(put_away.id).await;
    assert_eq!(ended.outcome.output.unwrap()["response"], "four");
    let stores = house.engine.stores();
    let children = stores.suspensions.children(TenantId::DEFAULT, put_away.id, 10).await.unwrap();
    assert_eq!(children.len(), 1, "the call was made once");
}
