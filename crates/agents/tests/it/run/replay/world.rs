//! Replays in which part of the world is as it is now.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_agents::{
    bundle::Bundle,
    replay::{Live, LiveTools},
};
use toolgate_domain::{Envelope, Surface, ToolError};
use toolgate_engine::{Answer, Approval, Call, Ruling};

use super::stage::{bundle_of, replayed};
use crate::run::common::{House, OneModel, approver, caller};

const SCRIPT: &str = "turns:
  - tool_calls:
      - {name: calculate, arguments: {expression: 2+2}}
      - {name: announce, arguments: {ms: 1}}
  - tool_calls: [{name: generate_ids, arguments: {}}]
  - {text: announced}
";

async fn recorded() -> (House, Bundle) {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    house.agent("clerk", &["calculate", "announce", "generate_ids"]).await;
    let Answer::Parked(outer) = house.start("clerk", "announce it").await else { panic!("it must wait") };
    let children = house.engine.stores().suspensions.children(outer.tenant_id, outer.id, 10).await.unwrap();
    let asks = children.iter().find(|child| child.tool_name == "announce").unwrap();
    house.engine.decide(&approver(), asks.id, None, Ruling::Approve(Approval::default())).await.unwrap();
    house.ended(outer.id).await;
    let bundle = bundle_of(&house, outer.id).await;
    (house, bundle)
}

/// Calls the tools of a house, and keeps their names.
struct Now<'a> {
    house: &'a House,
    called: Mutex<Vec<String>>,
}

#[async_trait]
impl LiveTools for Now<'static> {
    async fn call(&self, tool: &str, input: Value) -> Result<Envelope, ToolError> {
        self.called.lock().unwrap().push(tool.split('@').next().unwrap_or_default().to_owned());
        match self.house.engine.invoke(Call::new(caller(), Surface::Cli, tool, input)).await {
            Ok(Answer::Done(envelope)) => Ok(*envelope),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn live_tools_are_those_that_change_nothing_and_the_first_that_answers_otherwise_is_named() {
    let (house, bundle) = recorded().await;
    let house: &'static House = Box::leak(Box::new(house));
    let tools = Arc::new(Now { house, called: Mutex::default() });
    let live = Live { tools: Some(Arc::<Now<'static>>::clone(&tools)), ..Live::default() };
    let report = replayed(bundle, live).await;
    assert_eq!(*tools.called.lock().unwrap(), ["calculate", "generate_ids"], "what writes is not called");
    assert_eq!(report.differences.len(), 1, "{:?}", report.differences);
    let first = &report.differences[0];
    assert!(first.at.contains("turn 2") && first.at.contains("generate_ids@"), "{}", first.at);
    assert!(first.path.starts_with("/output/"), "{}", first.path);
    assert!(first.recorded.is_string() && first.recorded != first.now);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_model_that_asks_for_the_same_goes_through_and_one_that_does_not_is_stopped() {
    let (_house, bundle) = recorded().await;
    let live = |script: &str| Live { models: Some(Arc::new(OneModel::of(script))), ..Live::default() };
    let report = replayed(bundle.clone(), live(SCRIPT)).await;
    assert_eq!((report.differences, report.turns, report.calls), (vec![], 3, 3));
    let other =
        SCRIPT.replace("name: generate_ids, arguments: {}", "name: calculate, arguments: {expression: 1+1}");
    let report = replayed(bundle.clone(), live(&other)).await;
    assert_eq!(report.calls, 2, "what it asked for otherwise is not called");
    let first = &report.differences[0];
    assert_eq!((first.at.as_str(), first.path.as_str()), ("turn 2", "/tool_calls/0/name"));
    assert_eq!((&first.recorded, &first.now), (&json!("generate_ids"), &json!("calculate")));
    let report = replayed(bundle, live(&SCRIPT.replace("announced", "told everybody"))).await;
    assert_eq!(report.differences[0].path, "/response");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_not_over_is_exported_as_far_as_it_is_and_its_calls_come_out() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let Answer::Parked(outer) = house.start("helper", "announce it").await else { panic!("it must wait") };
    let bundle = bundle_of(&house, outer.id).await;
    assert_eq!((bundle.run.status.as_str(), bundle.turns.len()), ("running", 1));
    assert!(bundle.calls[1].envelope.is_none());
    assert_eq!(replayed(bundle, Live::default()).await.differences, []);
}
