//! Tools that ask a model.

use serde_json::{Value, json};
use toolgate_domain::{
    EgressClass, ErrorCode, EventType, TenantId, governance::PermissionStatus, usage::Dimension,
};
use toolgate_engine::{PermissionEntry, UsageGroup, UsageRequest};
use toolgate_store::EventFilter;

use crate::runtimes::common::{House, caller, code, composition, tool};

fn structured(name: &str, more: Value) -> Value {
    let mut definition = tool(name, json!({"kind": "prompt", "template": "Count {{ things }}."}));
    definition["execution"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    definition["output_schema"] = json!({
        "type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"], "additionalProperties": false,
    });
    definition
}

#[tokio::test]
async fn a_text_prompt_is_filled_in_and_streams_its_answer() {
    let house = House::with_model(json!([
        {"matches": "^Greet Ada!$", "system_contains": "Be Ada's friend.", "model": "small-1",
         "replies": [{"deltas": ["Hello", ", Ada"], "cost_estimate": 0.25}]},
    ]))
    .await;
    let greet = json!({
        "kind": "prompt", "template": "Greet {{ name }}!", "system": "Be {{ name }}'s friend.", "model": "small-1",
    });
    let saved = house.register(tool("greet", greet)).await;
    assert_eq!(saved.tool.spec.egress_class, EgressClass::ReadOnly, "what is asked leaves the house");
    let envelope = house.done("greet", json!({"name": "Ada"})).await;
    assert_eq!(envelope.output, Some(json!({"text": "Hello, Ada"})), "{:?}", envelope.error);
    assert_eq!(house.row(envelope.invocation_id).await.outcome.cost_estimate, Some(0.25));
    let filter = EventFilter { session_id: Some(envelope.session_id), after: 0, limit: 100 };
    let events = house.engine.stores().events.list(TenantId::DEFAULT, &filter).await.unwrap();
    let chunks: Vec<_> = events.iter().filter(|event| event.kind == EventType::OutputAppended).collect();
    assert_eq!(chunks.len(), 2, "every piece is in the log");

    let missing = house.done("greet", json!({})).await;
    assert_eq!(code(&missing), ErrorCode::ValidationError, "a value that the template names is missing");
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_again_with_what_is_wrong() {
    let house = House::with_model(json!([
        {"contains": "Count apples.", "system_contains": "JSON Schema", "replies": [{"text": "There are three.", "cost_estimate": 1.0}]},
        {"contains": "not JSON", "replies": [{"json": {"count": "three"}, "cost_estimate": 1.0}]},
        {"contains": "/count", "replies": [{"text": "```json\n{\"count\": 3}\n```", "cost_estimate": 1.0}]},
    ]))
    .await;
    house.register(structured("count", json!({}))).await;
    let envelope = house.done("count", json!({"things": "apples"})).await;
    assert_eq!(envelope.output, Some(json!({"count": 3})), "{:?}", envelope.error);
    assert_eq!(
        house.row(envelope.invocation_id).await.outcome.cost_estimate,
        Some(3.0),
        "all three are paid for"
    );
}

#[tokio::test]
async fn every_question_of_a_prompt_is_counted_and_so_is_one_without_an_answer() {
    let house = House::with_model(json!([{"replies": [
        {"text": "many", "cost_estimate": 1.0, "usage": {"input_tokens": 50, "cached_input_tokens": 30, "output_tokens": 3}},
        {"json": {"count": 3}, "cost_estimate": 0.5, "usage": {"input_tokens": 60}},
        {"error": {"code": "RATE_LIMIT", "message": "slow down"}},
    ]}]))
    .await;
    house.register(structured("count", json!({"model": "small-1"}))).await;
    assert!(house.done("count", json!({"things": "apples"})).await.error.is_none());
    assert_eq!(code(&house.done("count", json!({"things": "pears"})).await), ErrorCode::RateLimit);
    let request = UsageRequest { by: vec![Dimension::Tool], ..UsageRequest::default() };
    let report = house.engine.usage(&caller(), request).await.unwrap();
    let [count] = report.groups.as_slice() else { panic!("{report:?}") };
    assert_eq!(count.key.tool.as_deref(), Some("count"));
    assert_eq!((count.models.calls, count.models.errors, count.models.runs), (3, 1, 0));
    assert_eq!((count.models.input_tokens, count.models.cached_input_tokens), (110, 30));
    assert_eq!(count.cost(), 1.5, "the call's own estimate is the same money");
    assert_eq!(count.calls.map(|calls| (calls.calls, calls.errors)), Some((2, 1)));
    let request = UsageRequest { by: vec![Dimension::Model, Dimension::Provider], ..UsageRequest::default() };
    let by_model = house.engine.usage(&caller(), request).await.unwrap().groups;
    let asked = |group: &UsageGroup| (group.key.provider.clone(), group.key.model.clone());
    let scripted = || Some("scripted".to_owned());
    let expected = [(scripted(), scripted()), (scripted(), Some("small-1".to_owned()))];
    assert_eq!(by_model.iter().map(asked).collect::<Vec<_>>(), expected, "who answered, and who did not");
}

#[tokio::test]
async fn it_is_asked_again_only_so_often() {
    let house = House::with_model(json!([{"replies": [{"json": {"count": "many"}}]}])).await;
    house.register(structured("count", json!({"max_reasks": 1}))).await;
    let envelope = house.done("count", json!({"things": "stars"})).await;
    assert_eq!(code(&envelope), ErrorCode::ProviderError);
    let details = envelope.error.unwrap().details.unwrap();
    assert_eq!((&details["asked"], &details["errors"][0]["path"]), (&json!(2), &json!("/count")));
    let (at, _) = house.refusal(structured("more", json!({"max_reasks": 6}))).await;
    assert_eq!(at, "/execution/max_reasks");
}

#[tokio::test]
async fn without_a_model_a_prompt_tool_says_so() {
    let house = House::new().await;
    house.register(structured("count", json!({}))).await;
    let envelope = house.done("count", json!({"things": "x"})).await;
    assert_eq!(code(&envelope), ErrorCode::AuthRequired);
    assert_eq!(envelope.error.unwrap().details.unwrap()["reason"], "no_model");
}

#[tokio::test]
async fn what_the_provider_says_is_passed_on() {
    let slow = json!({"error": {"code": "RATE_LIMIT", "message": "slow down", "retry_after_s": 7}});
    let house = House::with_model(json!([{"contains": "apples", "replies": [slow]}])).await;
    house.register(structured("count", json!({}))).await;
    let error = house.done("count", json!({"things": "apples"})).await.error.unwrap();
    assert_eq!((error.code, error.retry_after_s), (ErrorCode::RateLimit, Some(7)));
    assert_eq!(code(&house.done("count", json!({"things": "pears"})).await), ErrorCode::ProviderError);
}

#[tokio::test]
async fn a_skill_is_run_against_an_agent() {
    let house = House::with_model(json!([
        {"system_contains": "You are Ada.\n\nSummarise in one word.", "model": "big-1", "contains": "\"text\": \"long\"",
         "replies": [{"json": {"word": "short"}}]},
    ]))
    .await;
    house.agent("ada", json!({"persona": "You are Ada.", "model": "big-1"})).await;
    let skill = json!({
        "name": "summary", "instructions": "Summarise in one word.",
        "output_schema": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    });
    let rules = house.engine.rules();
    let skill = rules.create_skill(&caller(), serde_json::from_value(skill).unwrap()).await.unwrap();
    house
        .register(tool(
            "sum_up",
            json!({"kind": "prompt", "mode": "skill", "skill": "summary", "agent": "ada"}),
        ))
        .await;
    let envelope = house.done("sum_up", json!({"text": "long"})).await;
    assert_eq!(envelope.output, Some(json!({"word": "short"})), "{:?}", envelope.error);

    rules.delete_skill(&caller(), skill.id).await.unwrap();
    let gone = house.done("sum_up", json!({"text": "long"})).await;
    assert_eq!(code(&gone), ErrorCode::PolicyDenied);
    assert!(gone.error.unwrap().message.contains("summary"));
}

#[tokio::test]
async fn work_goes_only_to_an_agent_that_is_active() {
    let house =
        House::with_model(json!([{"system_contains": "You are Ada.", "replies": [{"text": "done"}]}])).await;
    let ada = house.agent("ada", json!({"persona": "You are Ada."})).await;
    let ask = json!({"kind": "prompt", "mode": "agent", "agent": "ada", "template": "Please: {{ work }}"});
    house.register(tool("ask_ada", ask)).await;
    let envelope = house.done("ask_ada", json!({"work": "sweep"})).await;
    assert_eq!(envelope.output, Some(json!({"text": "done"})), "{:?}", envelope.error);
    let paused = json!({"status": "paused"}).as_object().unwrap().clone();
    house.engine.rules().update_agent(&caller(), ada.id, paused).await.unwrap();
    let refused = house.done("ask_ada", json!({"work": "sweep"})).await;
    assert_eq!(code(&refused), ErrorCode::PolicyDenied);
    assert!(refused.error.unwrap().message.contains("paused"));
}

#[tokio::test]
async fn work_is_handed_on_only_so_deep() {
    let house = House::with_model(json!([{"replies": [{"text": "done"}]}])).await;
    house.agent("ada", json!({})).await;
    let ask = json!({"kind": "prompt", "mode": "agent", "agent": "ada", "template": "work", "max_depth": 1});
    house.register(tool("ask_ada", ask)).await;
    house.register(composition("below", json!([{"id": "a", "tool": "ask_ada"}]))).await;
    assert_eq!(house.done("ask_ada", json!({})).await.error, None);
    let refused = house.done("below", json!({})).await;
    assert_eq!(code(&refused), ErrorCode::PolicyDenied);
    assert_eq!(refused.error.unwrap().details.unwrap()["cause"]["reason"], "agent_depth");
}

#[tokio::test]
async fn a_block_that_makes_no_sense_is_refused_at_its_place() {
    let house = House::new().await;
    for (execution, pointer) in [
        (json!({"kind": "prompt"}), "/execution/template"),
        (json!({"kind": "prompt", "template": "{% if %}"}), "/execution/template"),
        (json!({"kind": "prompt", "mode": "skill", "agent": "a"}), "/execution/skill"),
        (json!({"kind": "prompt", "mode": "agent"}), "/execution/agent"),
        (json!({"kind": "prompt", "template": "x", "agent": "a"}), "/execution/agent"),
        (json!({"kind": "prompt", "template": "x", "temperature": 3}), "/execution/temperature"),
        (json!({"kind": "prompt", "mode": "agent", "agent": "a", "model": "m"}), "/execution/model"),
        (json!({"kind": "prompt", "template": "x", "tempreature": 1}), "/execution"),
    ] {
        let (at, message) = house.refusal(tool("p", execution)).await;
        assert_eq!(at, pointer, "{message}");
    }
}

#[tokio::test]
async fn an_agent_does_the_work_with_its_own_tools_in_a_run_under_the_call() {
    let house = House::with_model(json!([
        {"after_tool": "calculate", "replies": [{"text": "42 apples"}]},
        {"contains": "Count apples.", "replies": [{"tool_calls": [{"name": "calculate", "arguments": {"expression": "6*7"}}]}]},
    ]))
    .await;
    let ada = house.agent("ada", json!({"custom_tools": ["calculate"]})).await;
    let allowed = PermissionEntry {
        tool_name: "calculate".to_owned(),
        permission_status: PermissionStatus::AlwaysAllow,
        provider_key: None,
    };
    house.engine.rules().set_permissions(&caller(), ada.id, vec![allowed]).await.unwrap();
    house
        .register(tool(
            "count",
            json!({"kind": "prompt", "mode": "agent", "agent": "ada", "template": "Count {{ what }}."}),
        ))
        .await;
    let envelope = house.done("count", json!({"what": "apples"})).await;
    assert_eq!(envelope.output, Some(json!({"text": "42 apples"})), "{:?}", envelope.error);
    let [run] = &house.children(envelope.invocation_id).await[..] else { panic!("one run") };
    assert_eq!(run.tool_name, "run_agent");
    let [sum] = &house.children(run.id).await[..] else { panic!("one call of the agent's") };
    assert_eq!((sum.tool_name.as_str(), sum.agent_id), ("calculate", Some(ada.id)));
}

#[tokio::test]
async fn a_prompt_waits_with_the_run_that_it_handed_its_work_to_and_goes_on_after_a_restart() {
    let house = House::with_model(json!([
        {"after_tool": "calculate", "replies": [{"json": {"count": "many"}}]},
        {"contains": "Count apples.", "replies": [{"tool_calls": [{"name": "calculate", "arguments": {"expression": "6*7"}}]}]},
        {"contains": "/count", "replies": [{"json": {"count": 42}}]},
    ]))
    .await;
    // Nobody allowed it for good, so a person is asked.
    house.agent("ada", json!({"custom_tools": ["calculate"]})).await;
    house.register(structured("count", json!({"mode": "agent", "agent": "ada"}))).await;
    let outer = house.waits("count", json!({"things": "apples"})).await;
    let house = house.restart().await;
    let [run] = &house.children(outer.id).await[..] else { panic!("one run") };
    let [asked] = &house.asked(run.id).await[..] else { panic!("one question") };
    house.approve(asked).await;
    let ended = house.ended(&outer).await;
    assert_eq!(ended.outcome.output, Some(json!({"count": 42})), "{:?}", ended.outcome.error);
    let runs = house.children(outer.id).await;
    assert_eq!(runs.len(), 2, "the first answer did not fit, and went back to the agent");
    assert_eq!(house.children(run.id).await.len(), 1, "the agent's call was made once");
}
