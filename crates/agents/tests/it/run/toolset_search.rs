//! Runs with more tools than a model can be shown.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_agents::llm::Message;
use toolgate_domain::{Lifecycle, RunId, StepKind, TenantId};
use toolgate_engine::{Answer, Approval, NewAgent, Ruling};

use crate::run::{
    common::{House, approver, caller},
    toolset::{Recorder, tool},
};

/// So many tools of one group, and an agent that has the group.
async fn crowded(model: &Arc<Recorder>, count: usize) -> House {
    let house = House::furnished(tempfile::tempdir().unwrap(), model.clone(), Vec::new()).await;
    for number in 3..count {
        house.define(tool(&format!("crm_{number}"), json!({}))).await;
    }
    let fields = json!({"type": "object", "properties": {
        "ms": {"type": "integer"}, "recipient": {"type": "string", "description": "who shall read it"},
    }});
    house.define(tool("send_letter", json!({"input_schema": fields, "egress_class": "write"}))).await;
    house.define(tool("count_sheep", json!({"description": "Helps to fall asleep."}))).await;
    house.define(tool("secret_letter", json!({"description": "a letter that nobody may send"}))).await;
    let new: NewAgent = serde_json::from_value(json!({
        "handle": "helper", "display_name": "Helper", "tool_groups": ["crm"],
    }))
    .unwrap();
    let rules = house.engine.rules();
    let agent = rules.create_agent(&caller(), new).await.unwrap();
    let entry = |name: &str, status: &str| {
        serde_json::from_value(json!({"toolName": name, "permissionStatus": status})).unwrap()
    };
    let entries = vec![
        entry("count_sheep", "always_allow"),
        entry("crm_3", "always_allow"),
        entry("secret_letter", "blocked"),
    ];
    rules.set_permissions(&caller(), agent.id, entries).await.unwrap();
    house
}

/// What the model was told of its calls, up to its question `number`.
pub fn told(model: &Recorder, number: usize) -> Vec<(String, Value, bool)> {
    let tool = |message: &Message| match message {
        Message::Tool { name, content, is_error, .. } => {
            Some((name.clone(), serde_json::from_str(content).unwrap(), *is_error))
        }
        _ => None,
    };
    model.asked()[number].messages.iter().filter_map(tool).collect()
}

fn found(answer: &Value) -> Vec<&str> {
    answer["found"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_with_too_many_tools_searches_and_calls_what_it_found() {
    let model = Recorder::new(
        "turns:
  - tool_calls:
      - {name: search_tools, arguments: {query: recipient}}
      - {name: search_tools, arguments: {query: how to fall asleep, limit: 1}}
      - {name: search_tools, arguments: {query: nobody}}
  - tool_calls: [{name: call_tool, arguments: {name: count_sheep, arguments: {ms: 1}}}]
  - {text: good night}
",
    );
    let house = crowded(&model, 300).await;
    let output = house.run("helper", "I cannot sleep").await.output.unwrap();
    assert_eq!(output["response"], "good night");
    assert_eq!(model.shown(), ["call_tool", "search_tools"]);

    let answers = told(&model, 1);
    assert_eq!(found(&answers[0].1), ["send_letter"], "by the name of a parameter");
    assert_eq!(answers[0].1["found"][0]["input_schema"]["properties"]["recipient"]["type"], "string");
    assert_eq!(found(&answers[1].1), ["count_sheep"], "by a word of the description");
    assert!(found(&answers[2].1).is_empty(), "what the agent may not call is not found");

    let (said, answer, is_error) = told(&model, 2).pop().unwrap();
    assert_eq!((said.as_str(), is_error), ("call_tool", false), "providers want their own word back");
    assert_eq!((&answer["tool"], answer["output"].is_object()), (&json!("count_sheep@1.0.0"), true));

    let receipts = output["tools_by_id"].as_object().unwrap();
    assert_eq!(receipts.len(), 1, "a search is no call");
    assert_eq!(output["last_tool"]["name"], "count_sheep");
    assert_eq!(output["last_tool"]["input"], json!({"ms": 1}));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_schemas_are_not_written_into_a_step() {
    let model = Recorder::new("turns: [{text: done}]\n");
    let house = crowded(&model, 70).await;
    let Answer::Done(envelope) = house.start("helper", "hello").await else { panic!("it must end") };
    let run = RunId::from_uuid(envelope.invocation_id.uuid());
    let steps = house.engine.stores().steps.steps(TenantId::DEFAULT, run, 0, 10).await.unwrap();
    assert_eq!(steps[0].body["tools"].as_array().unwrap().len(), 69);
    assert_eq!(steps[0].body["tools"][0], json!({"name": "count_sheep", "version": "1.0.0"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrapped_call_asks_for_the_real_tool_and_goes_on_after_a_restart_with_what_was_found() {
    let script = "turns:
  - tool_calls: [{name: search_tools, arguments: {query: asleep letter}}]
  - tool_calls:
      - {name: search_tools, arguments: {query: sheep}}
      - {name: call_tool, arguments: {name: send_letter, arguments: {ms: 1}}}
  - {text: sent}
";
    let model = Recorder::new(script);
    let house = crowded(&model, 70).await;
    let Answer::Parked(outer) = house.start("helper", "write to grace").await else { panic!("it must wait") };
    let before = told(&model, 1);
    house.engine.stop().await;
    let House { engine, directory, .. } = house;
    drop(engine);

    let model = Recorder::new(script);
    let house = House::furnished(directory, model.clone(), Vec::new()).await;
    // What the search found is not there any more.
    house.engine.registry().set_lifecycle(&caller(), "count_sheep", Lifecycle::Blocked).await.unwrap();
    let stores = house.engine.stores();
    let children = stores.suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    let [asks] = children.as_slice() else { panic!("one call: {children:?}") };
    assert_eq!((asks.tool_name.as_str(), &asks.input), ("send_letter", &json!({"ms": 1})));
    house.engine.decide(&approver(), asks.id, None, Ruling::Approve(Approval::default())).await.unwrap();
    let ended = house.ended(outer.id).await;
    let output = ended.outcome.output.unwrap();
    assert_eq!((&output["response"], &output["last_tool"]["name"]), (&json!("sent"), &json!("send_letter")));

    let after = told(&model, 0);
    assert_eq!(after[..1], before[..1], "the search was not made again");
    assert_eq!(found(&after[1].1), ["count_sheep"], "nor was the one of the turn that waited");
    let run = RunId::from_uuid(outer.id.uuid());
    let steps = stores.steps.steps(TenantId::DEFAULT, run, 0, 10).await.unwrap();
    let steps: Vec<_> = steps.iter().map(|step| (step.kind, step.title.as_str())).collect();
    assert_eq!(
        steps,
        [
            (StepKind::Begin, "helper begins"),
            (StepKind::Turn, "calls search_tools"),
            (StepKind::Search, "searches for asleep letter"),
            (StepKind::Turn, "calls search_tools, send_letter"),
            (StepKind::Search, "searches for sheep"),
            (StepKind::Turn, "answers"),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_meant_is_told_to_the_model_as_data() {
    let model = Recorder::new(
        "turns:
  - tool_calls:
      - {name: call_tool, arguments: {arguments: {ms: 1}}}
      - {name: call_tool, arguments: '{\"name\": '}
      - {name: search_tools, arguments: {}}
  - tool_calls:
      - {name: call_tool, arguments: {name: countSheep, arguments: {}}}
      - {name: call_tool, arguments: {name: count_sheep, arguments: 'not json'}}
      - {name: call_tool, arguments: {name: count_sheep, arguments: '{\"ms\": 1}'}}
      - {name: crm_3, arguments: {ms: 1}}
  - {text: sorry}
",
    );
    let house = crowded(&model, 70).await;
    let output = house.run("helper", "go").await.output.unwrap();
    assert_eq!(output["response"], "sorry");
    let answers = told(&model, 2);
    for (_, answer, is_error) in &answers[..3] {
        assert!(is_error);
        assert_eq!(answer["error"]["code"], "VALIDATION_ERROR");
    }
    let [.., unknown, malformed, written_twice, direct] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(unknown.1["error"]["details"]["reason"], "unknown_tool");
    assert_eq!(unknown.1["did_you_mean"][0], "count_sheep");
    assert_eq!(
        (&malformed.1["error"]["code"], &malformed.1["tool"]),
        (&json!("VALIDATION_ERROR"), &json!("count_sheep@1.0.0"))
    );
    assert_eq!((written_twice.2, direct.2), (false, false), "{written_twice:?} {direct:?}");
    let receipts = output["tools_by_id"].as_object().unwrap();
    assert!(receipts.values().all(|receipt| receipt["name"] != "call_tool"));
    assert_eq!(receipts.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrapped_call_that_keeps_failing_is_not_made_again() {
    let again =
        "  - tool_calls: [{name: call_tool, arguments: {name: count_sheep, arguments: {ms: many}}}]\n";
    let model = Recorder::new(&format!("turns:\n{}", again.repeat(5)));
    let house = crowded(&model, 70).await;
    let error = house.run("helper", "count").await.error.unwrap();
    assert_eq!(error.details.unwrap()["reason"], "repeated_failure");
    assert!(error.message.starts_with("count_sheep "), "{}", error.message);
}
