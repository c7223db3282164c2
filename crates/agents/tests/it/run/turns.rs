//! What a run does with the turns of its model.

use serde_json::json;
use toolgate_domain::{ErrorCode, Status};

use crate::run::{common::House, toolset::Recorder, toolset_search::told};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_calls_the_tools_it_is_asked_for_and_answers() {
    let house = House::new(
        "turns:
  - tool_calls:
      - {name: calculate, arguments: {expression: 6*7}}
      - {name: calculate, arguments: {expression: 1/0}}
  - {text: It is 42.}
",
    )
    .await;
    house.agent("helper", &["calculate"]).await;
    let envelope = house.run("helper", "what is six times seven?").await;
    let output = envelope.output.unwrap();
    assert_eq!(output["response"], "It is 42.");
    let order: Vec<&str> =
        output["tool_order"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    assert_eq!(order.len(), 2);
    assert_eq!(output["tools_by_id"][order[0]]["output"]["result"], "42");
    assert_eq!(output["tools_by_id"][order[1]]["error"]["code"], "VALIDATION_ERROR", "a failure is data");
    assert_eq!(output["last_tool"]["call_id"], order[0], "the last that went well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_the_agent_was_not_given_answers_as_an_invented_one_and_the_run_goes_on() {
    let model = Recorder::new(
        "turns:
  - tool_calls:
      - {name: hash_text, arguments: {text: x}}
      - {name: no_such_tool, arguments: {text: x}}
      - {name: hash_text@^9, arguments: {}}
      - {name: no_such_tool@^9, arguments: {}}
      - {name: calculate, arguments: {expression: 6*7}}
  - tool_calls:
      - {name: calculate, arguments: {expression: 1*8}}
      - {name: calculate, arguments: {expression: 2*8}}
      - {name: calculate, arguments: {expression: 3*8}}
      - {name: calculate, arguments: {expression: 4*8}}
      - {name: calculate, arguments: {expression: 5*8}}
  - {text: I cannot.}
",
    );
    let house = House::furnished(tempfile::tempdir().unwrap(), model.clone(), Vec::new()).await;
    house.guarded_agent("helper", &["calculate"], json!({"max_tool_calls": 5})).await;
    let output = house.run("helper", "hash it").await.output.unwrap();
    assert_eq!(output["response"], "I cannot.");
    let of_turn = |turn| told(&model, turn).into_iter().map(|(_, answer, _)| answer).collect::<Vec<_>>();
    let (told, after) = (of_turn(1), of_turn(2));
    let named = |n: usize| told[n].to_string().replace("hash_text", "NAME").replace("no_such_tool", "NAME");
    for (hidden, invented) in [(0, 1), (2, 3)] {
        assert_eq!(named(hidden), named(invented));
        let error = &told[hidden]["error"];
        assert_eq!(error["details"]["reason"], "unknown_tool", "{error}");
    }
    assert_eq!(told[4]["error"]["code"].as_str(), None, "{told:?}");
    let denied = after.iter().filter(|answer| answer["error"]["code"] == "POLICY_DENIED").count();
    assert!(denied >= 1, "a bound is told as one: {after:?}");

    let receipts = output["tools_by_id"].as_object().unwrap();
    let hidden = receipts.values().find(|receipt| receipt["name"] == "hash_text").unwrap();
    let row = house.row(hidden["invocation_id"].as_str().unwrap().parse().unwrap()).await;
    assert_eq!((row.status(), row.tool_id), (Status::Failed, None), "it is on record, as an invented one is");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_has_no_more_turns_than_it_may() {
    let again = "  - tool_calls: [{name: calculate, arguments: {expression: 1+1}}]\n";
    let house = House::new(&format!("turns:\n{}", again.repeat(5))).await;
    house.guarded_agent("helper", &["calculate"], json!({"max_iterations": 3})).await;
    let error = house.run("helper", "for ever").await.error.unwrap();
    assert_eq!(error.code, ErrorCode::PolicyDenied);
    assert_eq!(error.details.unwrap()["reason"], "guard.max_iterations");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_keeps_failing_is_not_made_again() {
    let again = "  - tool_calls: [{name: calculate, arguments: {expression: 1/0}}]\n";
    let house = House::new(&format!("turns:\n{}", again.repeat(5))).await;
    house.agent("helper", &["calculate"]).await;
    let error = house.run("helper", "divide").await.error.unwrap();
    assert_eq!(error.details.unwrap()["reason"], "repeated_failure");
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_not_json_are_a_receipt_and_not_a_crash() {
    let house = House::new(
        "turns:
  - tool_calls: [{name: calculate, arguments: '{\"expression\": '}]
  - {text: sorry}
",
    )
    .await;
    house.agent("helper", &["calculate"]).await;
    let output = house.run("helper", "go").await.output.unwrap();
    let id = output["tool_order"][0].as_str().unwrap();
    assert_eq!(output["tools_by_id"][id]["error"]["code"], "VALIDATION_ERROR");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_inside_runs_stand_only_so_deep_and_the_outermost_answers() {
    let house = House::new(
        "rules:
  - {after_tool: run_agent, replies: [{text: enough}]}
  - {replies: [{tool_calls: [{name: run_agent, arguments: {agent: helper, message: go on}}]}]}
",
    )
    .await;
    house.agent("helper", &["run_agent"]).await;
    let envelope = house.run("helper", "begin").await;
    let output = envelope.output.unwrap();
    assert_eq!(output["response"], "enough");
    let (mut depth, mut receipt) = (1, output["last_tool"].clone());
    // Ends: the receipts are finite.
    while let Some(inner) = receipt["output"].get("last_tool").filter(|inner| inner.is_object()) {
        (depth, receipt) = (depth + 1, inner.clone());
    }
    // The deepest may not call, and fails; the one above it is told so, and goes on.
    assert_eq!(depth, toolgate_domain::Limits::default().max_call_depth - 1);
}

#[rstest::rstest]
#[case("refused", "refused to answer")]
#[case("length", "used up its tokens")]
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_says_nothing_has_not_answered(#[case] stop: &str, #[case] why: &str) {
    let house = House::new(&format!("turns: [{{text: '', stop: {stop}}}]")).await;
    house.agent("helper", &["calculate"]).await;
    let error = house.run("helper", "go").await.error.unwrap();
    assert_eq!(error.code, ErrorCode::ProviderError);
    assert!(error.message.contains(why), "{error:?}");
}
