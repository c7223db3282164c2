//! Runs that wait, and go on after a restart.

use serde_json::json;
use toolgate_domain::{Status, TenantId};
use toolgate_engine::{Answer, Approval, Ruling};

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
    house
        .define(json!({
            "name": "announce", "version": "1.0.0", "description": "tells the world", "egress_class": "write",
            "requires_approval": true,
            "input_schema": {"type": "object", "properties": {"ms": {"type": "integer"}}},
            "execution": {"kind": "builtin", "handler": "wait"},
        }))
        .await;
    house.agent("helper", &["calculate", "announce"]).await;
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
    let ended = loop {
        let row = house.row(outer.id).await;
        if row.phase.is_terminal() {
            break row;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(ended.outcome.output.unwrap()["response"], "announced");
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    assert_eq!(children.len(), 2, "every call was made once");
}
