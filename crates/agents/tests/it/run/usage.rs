//! What runs and prompts take is counted once, whatever happens to them.

use serde_json::json;
use toolgate_domain::{Status, TenantId, usage::Dimension};
use toolgate_engine::{Answer, Approval, Ruling, UsageGroup, UsageRequest};

use crate::run::common::{House, approver, caller};

const TWO_TURNS: &str = "turns:
  - tool_calls:
      - {name: calculate, arguments: {expression: 2+2}}
      - {name: announce, arguments: {ms: 1}}
    usage: {input_tokens: 100, cached_input_tokens: 60, output_tokens: 20, reasoning_tokens: 5}
    cost_estimate: 0.25
  - {text: announced, usage: {input_tokens: 200, output_tokens: 10}, cost_estimate: 0.5}
";

async fn usage(house: &House, by: &[Dimension]) -> Vec<UsageGroup> {
    let request = UsageRequest { by: by.to_vec(), ..UsageRequest::default() };
    house.engine.usage(&caller(), request).await.unwrap().groups
}

#[tokio::test(flavor = "multi_thread")]
async fn the_turns_of_a_run_count_once_also_when_it_begins_again_after_a_restart() {
    let house = House::new(TWO_TURNS).await;
    house.announcing_agent().await;
    let Answer::Parked(outer) = house.start("helper", "announce it").await else { panic!("it must wait") };
    let parked = usage(&house, &[]).await;
    assert_eq!(parked[0].models.calls, 1, "a turn counts when it is kept, not when the run is over");
    house.engine.stop().await;
    let House { engine, directory, .. } = house;
    drop(engine);
    let house = House::open(directory, TWO_TURNS).await;
    let stores = house.engine.stores();
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    let asks = children.iter().find(|child| child.tool_name == "announce").unwrap();
    house.engine.decide(&approver(), asks.id, None, Ruling::Approve(Approval::default())).await.unwrap();
    let ended = house.ended(outer.id).await;
    assert_eq!((ended.status(), ended.outcome.cost_estimate), (Status::Completed, Some(0.75)));

    let all = usage(&house, &[]).await;
    let models = all[0].models;
    assert_eq!((models.calls, models.errors, models.runs, models.cache_hits), (2, 0, 1, 1));
    assert_eq!((models.input_tokens, models.cached_input_tokens), (300, 60));
    assert_eq!((models.output_tokens, models.reasoning_tokens), (30, 5));
    assert_eq!(all[0].cost(), 0.75, "the run's own estimate is the same money");
    assert_eq!(all[0].calls.unwrap().calls, 3, "the run, and the two calls that it made");

    let by = usage(&house, &[Dimension::Run, Dimension::Agent, Dimension::Tool]).await;
    let run = by.iter().find(|group| group.models.calls > 0).unwrap();
    assert_eq!(run.key.run_id.map(|run| run.uuid()), Some(outer.id.uuid()));
    assert_eq!((run.key.tool.as_deref(), run.key.agent_id), (Some("run_agent"), asks.agent_id));
    let by_model = usage(&house, &[Dimension::Provider, Dimension::Model]).await;
    assert_eq!(by_model.len(), 1);
    assert_eq!(by_model[0].key.model.as_deref(), Some("scripted"));
    assert_eq!(by_model[0].calls, None, "a call of a tool has no model");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_the_model_does_not_answer_counts_as_an_error() {
    let house = House::new("turns:\n  - error: {code: PROVIDER_ERROR, message: out of order}\n").await;
    house.agent("helper", &["calculate"]).await;
    assert!(house.run("helper", "hello?").await.error.is_some());
    let all = usage(&house, &[Dimension::Agent]).await;
    let agents = all.iter().find(|group| group.models.calls > 0).unwrap();
    assert!(agents.key.agent_id.is_some());
    assert_eq!((agents.models.calls, agents.models.errors, agents.cost()), (1, 1, 0.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_asks_for_its_own_usage_and_for_nobody_elses() {
    let house = House::new(
        "turns:
  - {tool_calls: [{name: getUsageStats, arguments: {by: [tool]}}], usage: {input_tokens: 80, cached_input_tokens: 60, output_tokens: 2}}
  - {tool_calls: [{name: getUsageStats, arguments: {agent: other}}]}
  - {text: enough}
",
    )
    .await;
    house.agent("other", &["getUsageStats"]).await;
    house.agent("helper", &["getUsageStats"]).await;
    house.run("other", "go").await;
    let output = house.run("helper", "go").await.output.unwrap();
    let receipt = |n: usize| output["tools_by_id"][output["tool_order"][n].as_str().unwrap()].clone();
    let told = &receipt(0)["output"];
    assert_eq!(told["totals"]["model_calls"], 1, "only its own: {told}");
    assert_eq!(told["prompt_caching"]["hit_ratio"], json!(0.75));
    assert_eq!(told["runtime"]["runs"], 1);
    assert_eq!(told["groups"][0]["tool"], "run_agent", "{told}");
    assert_eq!(receipt(1)["error"]["code"], "POLICY_DENIED", "{}", receipt(1));
}
