//! A call that a person must agree to, in every revision.

use rmcp::{
    ErrorData,
    model::{CallToolResponse, InputRequiredResult},
    service::ServiceError,
};
use rstest::rstest;
use serde_json::json;
use toolgate_domain::{InvocationId, Limits, Status};
use toolgate_engine::Ruling;

use crate::waiting::{
    house::{Client, House, again, call, text},
    person::Person,
};

const NEWEST: &str = "2026-07-28";

fn pending(meta: Option<&rmcp::model::MetaObject>) -> InvocationId {
    meta.unwrap().0["toolgate/pending"]["invocation_id"].as_str().unwrap().parse().unwrap()
}

async fn told_to_come_back(
    client: &Client,
    params: rmcp::model::CallToolRequestParams,
) -> InputRequiredResult {
    match client.call_tool_once(params).await.unwrap() {
        CallToolResponse::InputRequired(told) => told,
        other => panic!("{other:?}"),
    }
}

async fn refused(client: &Client, params: rmcp::model::CallToolRequestParams) -> ErrorData {
    match client.call_tool_once(params).await.unwrap_err() {
        ServiceError::McpError(error) => error,
        other => panic!("{other}"),
    }
}

#[rstest]
#[case("2024-11-05")]
#[case("2025-03-26")]
#[case("2025-06-18")]
#[case("2025-11-25")]
#[case(NEWEST)]
#[tokio::test]
async fn a_client_that_waits_gets_the_result_when_a_person_agrees(#[case] revision: &str) {
    let house = House::patient(120).await;
    let person = Person::of(revision);
    let client = house.client(person.clone()).await;
    let calling =
        tokio::spawn(async move { client.call_tool(call("new_push", json!({"text": "it"}))).await });
    let row = house.parked().await;
    house.approve(row.id).await;
    let result = calling.await.unwrap().unwrap();
    assert_eq!((text(&result), result.is_error), ("pushed \"it\"", Some(false)));
    assert_eq!(person.heard(), Vec::<String>::new(), "who calls is not asked whether it may");
    assert_eq!(house.calls().await, 1);
}

#[tokio::test]
async fn an_older_client_that_waited_enough_is_told_that_the_call_is_kept() {
    let house = House::patient(0).await;
    let client = house.client(Person::of("2025-11-25")).await;
    let result = client.call_tool(call("new_push", json!({"text": "it"}))).await.unwrap();
    assert!(text(&result).starts_with("PENDING"), "{result:?}");
    let id = pending(result.meta.as_ref());
    house.approve(id).await;
    let turn = house.engine.await_turn(house.row(id).await.tenant_id, id, std::time::Duration::from_secs(60));
    turn.await.unwrap().unwrap();
    assert_eq!(house.row(id).await.status(), Status::Completed);
}

#[tokio::test]
async fn the_newest_revision_comes_back_with_a_state_over_a_restart_and_never_calls_twice() {
    let house = House::patient(0).await;
    let client = house.client(Person::of(NEWEST)).await;
    let params = call("new_push", json!({"text": "it"}));
    let told = told_to_come_back(&client, params.clone()).await;
    assert!(told.input_requests.is_none() && told.request_state.is_some());
    let id = pending(told.meta.as_ref());
    let told = told_to_come_back(&client, again(&params, &told)).await;
    assert_eq!(pending(told.meta.as_ref()), id, "it is the same call");
    drop(client);
    let house = house.restart().await;
    house.approve(id).await;
    let turn = house.engine.await_turn(house.row(id).await.tenant_id, id, std::time::Duration::from_secs(60));
    turn.await.unwrap().unwrap();
    let client = house.client(Person::of(NEWEST)).await;
    for _ in 0..2 {
        let CallToolResponse::Complete(result) = client.call_tool_once(again(&params, &told)).await.unwrap()
        else {
            panic!("it is over")
        };
        assert_eq!(text(&result), "pushed \"it\"", "a state that is sent again gives the same result");
    }
    assert_eq!(house.calls().await, 1);
}

#[tokio::test]
async fn a_state_is_good_for_one_caller_one_tool_one_input_and_for_a_while() {
    let house = House::with(Limits { mcp_wait_s: 0, mcp_state_s: 0, ..Limits::default() }).await;
    let client = house.client(Person::of(NEWEST)).await;
    let params = call("new_push", json!({"text": "it"}));
    let old = told_to_come_back(&client, params.clone()).await;
    let expired = refused(&client, again(&params, &old)).await;
    assert_eq!((expired.code.0, &expired.data.unwrap()["reason"]), (-32602, &json!("expired_state")));

    let house = House::patient(0).await;
    let (ada, bob) = (house.client(Person::of(NEWEST)).await, house.client_of(1, Person::of(NEWEST)).await);
    let told = told_to_come_back(&ada, params.clone()).await;
    let mut tampered = again(&params, &told);
    tampered.request_state.as_mut().unwrap().push_str("-TAMPERED");
    let attempts = [
        (&ada, tampered),
        (&bob, again(&params, &told)),
        (&ada, again(&call("old_push", json!({"text": "it"})), &told)),
        (&ada, again(&call("new_push", json!({"text": "that"})), &told)),
    ];
    for (client, params) in attempts {
        let error = refused(client, params).await;
        assert_eq!((error.code.0, &error.data.unwrap()["reason"]), (-32602, &json!("foreign_state")));
    }
    assert_eq!(house.calls().await, 1, "none of them began another call");
}

#[rstest]
#[case("2025-06-18")]
#[case(NEWEST)]
#[tokio::test]
async fn a_rejected_call_is_a_result_that_says_so(#[case] revision: &str) {
    let house = House::patient(120).await;
    let client = house.client(Person::of(revision)).await;
    let calling =
        tokio::spawn(async move { client.call_tool(call("new_push", json!({"text": "it"}))).await });
    let row = house.parked().await;
    house.decide(row.id, Ruling::Reject { reason: "not today".to_owned() }).await;
    let result = calling.await.unwrap().unwrap();
    assert_eq!(result.is_error, Some(true));
    assert!(text(&result).starts_with("POLICY_DENIED") && text(&result).contains("not today"), "{result:?}");
}

#[tokio::test]
async fn a_client_that_would_give_up_is_answered_before_it_does() {
    let house = House::with(Limits { mcp_wait_s: 0, mcp_wait_rounds: 2, ..Limits::default() }).await;
    let client = house.client(Person::of(NEWEST)).await;
    let result = client.call_tool(call("new_push", json!({"text": "it"}))).await.unwrap();
    assert!(text(&result).starts_with("PENDING"), "{result:?}");
    assert_eq!(house.calls().await, 1);
}

fn hurried(mcp_wait_s: u64) -> Limits {
    Limits { mcp_wait_s, approval_ttl_s: 1, node_lease_ms: 150, ..Limits::default() }
}

#[rstest]
#[case("2024-11-05")]
#[case("2025-03-26")]
#[case("2025-06-18")]
#[case("2025-11-25")]
#[case(NEWEST)]
#[tokio::test]
async fn a_question_that_expires_while_the_client_waits_is_a_result_that_says_so(#[case] revision: &str) {
    let house = House::with(hurried(120)).await;
    let client = house.client(Person::of(revision)).await;
    let result = client.call_tool(call("new_push", json!({"text": "it"}))).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    assert!(text(&result).starts_with("POLICY_DENIED"), "{result:?}");
    assert!(text(&result).contains("nobody decided in time"), "{result:?}");
    assert_eq!(house.last().await.status(), Status::Rejected);
}

#[tokio::test]
async fn who_comes_back_after_the_question_expired_is_told_so() {
    let house = House::with(hurried(0)).await;
    let client = house.client(Person::of(NEWEST)).await;
    let params = call("new_push", json!({"text": "it"}));
    let told = told_to_come_back(&client, params.clone()).await;
    house.ended(pending(told.meta.as_ref())).await;
    let CallToolResponse::Complete(result) = client.call_tool_once(again(&params, &told)).await.unwrap()
    else {
        panic!("it is over")
    };
    assert!(text(&result).contains("nobody decided in time"), "{result:?}");
    assert_eq!((result.is_error, house.calls().await), (Some(true), 1));
}
