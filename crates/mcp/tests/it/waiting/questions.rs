//! Upstreams that ask in the middle of a call, old and new, and clients of every revision that are asked.

use std::time::Duration;

use rmcp::{
    model::{CallToolResponse, ErrorCode, InputResponses},
    service::ServiceError,
};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode as Code, Limits, Scope, Status, Surface, TenantId, governance::Task};
use toolgate_engine::{Answer, Call, Turn};

use crate::waiting::{
    house::{House, again, call, text},
    person::Person,
};

const NEWEST: &str = "2026-07-28";

fn answers(answers: Value) -> Option<InputResponses> {
    Some(serde_json::from_value(answers).unwrap())
}

fn ada() -> Value {
    json!({"action": "accept", "content": {"name": "Ada"}})
}

#[rstest]
#[case("old", "2025-06-18")]
#[case("old", "2025-11-25")]
#[case("old", NEWEST)]
#[case("new", "2025-06-18")]
#[case("new", "2025-11-25")]
#[case("new", NEWEST)]
#[tokio::test]
async fn what_an_upstream_asks_reaches_the_client_and_the_answer_comes_back(
    #[case] upstream: &str,
    #[case] revision: &str,
) {
    let house = House::patient(120).await;
    let person = Person::of(revision);
    let client = house.client(person.clone()).await;
    let said = async |tool: &str| {
        let result = client.call_tool(call(&format!("{upstream}_{tool}"), json!({}))).await.unwrap();
        text(&result).to_owned()
    };
    assert_eq!(said("greet").await, "hello \"Ada1\"");
    assert_eq!(said("twice").await, "second \"Ada2\" \"Ada3\"", "round after round");
    assert_eq!(said("sample").await, "it says \"Paris\"");
    assert_eq!(said("gather").await, "\"Ada4\" in \"file:///home/ada\"");
    let mut heard = person.heard();
    heard.sort_unstable();
    assert_eq!(heard, ["First?", "Second?", "Who?", "Who?", "model", "roots"]);
    assert_eq!(house.calls().await, 4, "one call each, however often it asks");
}

#[tokio::test]
async fn answers_that_are_missing_are_asked_for_again_and_bad_ones_are_refused() {
    let house = House::patient(120).await;
    let client = house.client(Person::of(NEWEST)).await;
    let params = call("new_gather", json!({}));
    let CallToolResponse::InputRequired(asked) = client.call_tool_once(params.clone()).await.unwrap() else {
        panic!("it asks")
    };
    let first = asked.request_state.clone();
    let mut partly = again(&params, &asked);
    partly.input_responses = answers(json!({"who": ada(), "extra": {"a": 1}}));
    let CallToolResponse::InputRequired(asked) = client.call_tool_once(partly).await.unwrap() else {
        panic!("something is missing")
    };
    assert_eq!(asked.input_requests.as_ref().unwrap().keys().collect::<Vec<_>>(), ["roots"]);
    assert_ne!(asked.request_state, first);
    let mut bad = again(&params, &asked);
    bad.input_responses = answers(json!({"roots": 12345}));
    let ServiceError::McpError(error) = client.call_tool_once(bad).await.unwrap_err() else {
        panic!("an error")
    };
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    let mut good = again(&params, &asked);
    good.input_responses = answers(json!({"roots": {"roots": [{"uri": "file:///a"}]}}));
    for _ in 0..2 {
        let CallToolResponse::Complete(result) = client.call_tool_once(good.clone()).await.unwrap() else {
            panic!("all is answered")
        };
        assert_eq!(text(&result), "\"Ada\" in \"file:///a\"", "sent again, it is the same result");
    }
    assert_eq!(house.calls().await, 1);
}

#[tokio::test]
async fn a_first_request_may_bring_its_answers() {
    let house = House::patient(120).await;
    let client = house.client(Person::of(NEWEST)).await;
    let mut params = call("new_greet", json!({}));
    params.input_responses = answers(json!({"who": ada(), "unknown": ada()}));
    let CallToolResponse::Complete(result) = client.call_tool_once(params.clone()).await.unwrap() else {
        panic!("all is answered")
    };
    assert_eq!(text(&result), "hello \"Ada\"");
    for bad in [json!({"who": 12345}), json!({"wrong": ada()})] {
        params.input_responses = answers(bad);
        let asked = client.call_tool_once(params.clone()).await.unwrap();
        assert!(matches!(asked, CallToolResponse::InputRequired(_)), "{asked:?}");
    }
}

#[tokio::test]
async fn who_cannot_be_asked_is_told_what_it_lacks_and_the_call_is_taken_back() {
    let house = House::patient(120).await;
    let client = house.client(Person::who_can(NEWEST, json!({"roots": {}}))).await;
    let ServiceError::McpError(error) = client.call_tool(call("new_greet", json!({}))).await.unwrap_err()
    else {
        panic!("a protocol error")
    };
    assert_eq!(error.code, ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY);
    assert!(error.data.unwrap()["requiredCapabilities"]["elicitation"].is_object());
    assert_eq!(house.last().await.status(), Status::Cancelled);

    let older = house.client(Person::who_can("2025-06-18", json!({}))).await;
    let result = older.call_tool(call("new_greet", json!({}))).await.unwrap();
    assert!(text(&result).starts_with("VALIDATION_ERROR"), "{result:?}");
    let result = older.call_tool(call("old_greet", json!({}))).await.unwrap();
    assert!(text(&result).contains("no answer"), "an older upstream hears of it, and goes on: {result:?}");
}

/// A program over REST: nobody can be asked there, so people are.
#[rstest]
#[case("old_greet")]
#[case("new_greet")]
#[tokio::test]
async fn what_nobody_can_be_asked_waits_for_a_person(#[case] tool: &str) {
    let house = House::patient(120).await;
    let caller = crate::waiting::house::operator();
    let made = house.engine.invoke(Call::new(caller.clone(), Surface::Rest, tool, json!({}))).await.unwrap();
    let Answer::Parked(row) = made else { panic!("it asks: {made:?}") };
    let asking = house.engine.questions(&caller, row.id).await.unwrap().unwrap();
    let answers = asking.questions.keys().map(|name| (name.clone(), ada()));
    let answers = Value::Object(answers.collect());
    let person = toolgate_domain::Caller::with_scopes(
        TenantId::DEFAULT,
        "default",
        caller.principal,
        &[Scope::TasksWork],
    );
    house.engine.complete_task(&person, Task::id_of(row.id), Some(answers)).await.unwrap();
    let turn = house.engine.await_turn(row.tenant_id, row.id, Duration::from_secs(60)).await.unwrap();
    let Some(Turn::Ended(row)) = turn else { panic!("it goes on: {turn:?}") };
    assert_eq!(row.outcome.output.unwrap()["content"][0]["text"], "hello \"Ada\"");
}

#[rstest]
#[case::the_upstream_can_be_asked_again("new_greet", Status::Completed)]
#[case::the_upstream_waited_on_a_connection_that_is_gone("old_greet", Status::Failed)]
#[tokio::test]
async fn a_call_that_asks_meets_another_process(#[case] tool: &str, #[case] ends: Status) {
    let house = House::patient(120).await;
    let client = house.client(Person::of(NEWEST)).await;
    let params = call(tool, json!({}));
    let CallToolResponse::InputRequired(asked) = client.call_tool_once(params.clone()).await.unwrap() else {
        panic!("it asks")
    };
    drop(client);
    let house = house.restart().await;
    let client = house.client(Person::of(NEWEST)).await;
    let mut retry = again(&params, &asked);
    let name = asked.input_requests.unwrap().into_keys().next().unwrap();
    retry.input_responses = answers(json!({ name: ada() }));
    let CallToolResponse::Complete(result) = client.call_tool_once(retry).await.unwrap() else {
        panic!("it ends")
    };
    let row = house.last().await;
    assert_eq!(row.status(), ends, "{result:?}");
    if ends == Status::Failed {
        let details = row.outcome.error.unwrap().details.unwrap();
        assert_eq!(details, json!({"reason": "lost_while_asking", "outcome": "unknown"}));
    }
}

#[rstest]
#[case("old_greet")]
#[case("new_greet")]
#[tokio::test]
async fn a_question_that_nobody_answers_ends_its_call(#[case] tool: &str) {
    let house = House::with(Limits { mcp_ask_s: 1, ..Limits::default() }).await;
    let client = house.client(Person::of(NEWEST)).await;
    let asked = client.call_tool_once(call(tool, json!({}))).await.unwrap();
    assert!(matches!(asked, CallToolResponse::InputRequired(_)), "{asked:?}");
    let error = house.ended(house.last().await.id).await.outcome.error.unwrap();
    assert_eq!((error.code, &error.details.unwrap()["reason"]), (Code::Timeout, &json!("not_answered")));
}

#[rstest]
#[case("old_greet")]
#[case("new_greet")]
#[tokio::test]
async fn a_client_that_is_asked_and_says_nothing_has_not_answered(#[case] tool: &str) {
    let house = House::with(Limits { mcp_ask_s: 1, ..Limits::default() }).await;
    let client = house.client(Person { is_silent: true, ..Person::of("2025-11-25") }).await;
    let result = client.call_tool(call(tool, json!({}))).await.unwrap();
    assert!(text(&result).starts_with("TIMEOUT"), "{result:?}");
}
