//! Runs that wait, and go on after a restart.

use serde_json::json;
use toolgate_domain::{ErrorCode, Status, Surface, TenantId};
use toolgate_engine::{Answer, Approval, Call, Ruling};

use crate::common::{House, caller};

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
    let House { engine, directory } = house;
    drop(engine);
    let house = House::open(directory, SCRIPT).await;
    let stores = house.engine.stores();
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    assert_eq!(children.len(), 2);
    let asks = children.iter().find(|child| child.tool_name == "announce").unwrap();
    assert!(asks.agent_id.is_some() && asks.run_id.is_some());
    house.engine.decide(&caller(), asks.id, None, Ruling::Approve(Approval::default())).await.unwrap();
    let ended = house.ended(outer.id).await;
    assert_eq!(ended.outcome.output.unwrap()["response"], "announced");
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    assert_eq!(children.len(), 2, "every call was made once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waits_ends_by_its_deadline_and_so_does_what_it_waits_for() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let input = json!({"agent": "helper", "message": "announce it", "deadline_s": 1});
    let call = Call::new(caller(), Surface::Rest, "run_agent", input);
    let Answer::Parked(outer) = house.engine.invoke(call).await.unwrap() else { panic!("it must wait") };
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
