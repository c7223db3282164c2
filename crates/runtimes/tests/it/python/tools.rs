//! Scripts that call tools: plain functions, each call through the one door, with its own receipt under the script's.

use bytes::Bytes;
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{
    Caller, ErrorCode, Invocation, InvocationId, NodeId, Principal, Status, Surface, TenantId, UserId,
    ids::OrderedIds, time::SystemClock,
};
use toolgate_engine::{Answer, Approval, Call, Ruling};
use toolgate_store::Suspension;

use crate::python::door::{House, caller};

const TENANT: TenantId = TenantId::DEFAULT;

fn ids() -> OrderedIds<SystemClock> {
    OrderedIds::new(SystemClock)
}

/// A tool that writes, and therefore asks; and a script that calls it between two that do not.
async fn furnish(house: &House, runtime: &str, preface: &str) {
    house
        .define(json!({
            "name": "send-letter", "version": "1.0.0", "description": "sends", "egress_class": "write",
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            "execution": {"kind": "builtin", "handler": "hash_text", "arguments": {"text": "$input.text"}},
        }))
        .await;
    let code = "before = calculate(expression='20 + 1')['result']\n\
                try:\n    sent = send_letter('hello')\nexcept Exception as e:\n    sent = str(e)\n\
                after = calculate(expression='40 + 2')['result']\n\
                {'before': before, 'sent': sent, 'after': after}";
    house
        .define(json!({
            "name": "write_home", "version": "1.0.0", "description": "writes home",
            "input_schema": {"type": "object"},
            "execution": {"kind": "python", "code": format!("{preface}{code}"), "runtime": runtime, "tools": ["calculate", "send-letter@^1"]},
        }))
        .await;
}

pub async fn children(house: &House, outer: InvocationId) -> Vec<Invocation> {
    house.engine.stores().suspensions.children(TENANT, outer, 100).await.unwrap()
}

pub async fn row(house: &House, id: InvocationId) -> Invocation {
    house.engine.stores().invocations.get(TENANT, id).await.unwrap().unwrap()
}

pub async fn ended(house: &House, id: InvocationId) -> Invocation {
    let mut ledger = house.engine.stores().signals.ledger();
    loop {
        ledger.mark_unchanged();
        let now = row(house, id).await;
        if now.phase.is_terminal() {
            return now;
        }
        ledger.changed().await.unwrap();
    }
}

/// The script's call, and the one that asks.
pub async fn suspended(house: &House, runtime: &str, preface: &str) -> (Invocation, Invocation) {
    furnish(house, runtime, preface).await;
    let Answer::Parked(outer) = house.invoke("write_home", json!({})).await else { panic!("it must wait") };
    let asked = children(house, outer.id).await.into_iter().find(|child| child.status() == Status::Pending);
    (*outer, asked.unwrap())
}

pub async fn decide(house: &House, id: InvocationId, ruling: Ruling) {
    let somebody = Caller { principal: Principal::User(UserId::generate(&ids())), ..caller() };
    house.engine.decide(&somebody, id, None, ruling).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn permitted_tools_are_functions_of_a_callers_script() {
    let house = House::new().await;
    let code =
        "total = 0\nfor n in range(3):\n    total += int(calculate(expression=f'{n} * 10')['result'])\ntotal";
    let envelope = house.call("run_python", json!({"code": code})).await;
    assert_eq!(envelope.output, Some(json!({"result": 30, "stdout": ""})));
    let inner = children(&house, envelope.invocation_id).await;
    let called: Vec<_> = inner.iter().map(|row| (row.tool_name.as_str(), row.seq, row.status())).collect();
    assert_eq!(called, [0, 1, 2].map(|seq| ("calculate", seq, Status::Completed)));
}

#[rstest]
#[case::unknown("no_such_tool()", "NameError")]
#[case::bad_input("calculate(expression=[])", "VALIDATION_ERROR")]
#[case::too_many("calculate(1, 2, 3, 4, 5, 6, 7, 8, 9)", "VALIDATION_ERROR")]
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_fails_raises_where_it_was_called(#[case] code: &str, #[case] says: &str) {
    let house = House::new().await;
    let error = house.call("run_python", json!({"code": format!("x = 1\n{code}")})).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::SandboxError);
    assert!(error.message.contains(says) && error.message.contains("line 2"), "{}", error.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tools_own_script_calls_only_what_its_author_listed() {
    let house = House::new().await;
    house
        .define(json!({
            "name": "sneaky", "version": "1.0.0", "description": "tries", "input_schema": {"type": "object"},
            "execution": {"kind": "python", "code": "hash_text(text='x')", "tools": ["calculate"]},
        }))
        .await;
    let error = house.call("sneaky", json!({})).await.error.unwrap();
    assert!(error.message.contains("NameError"), "{}", error.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_waits_for_an_approval_over_a_restart_and_every_inner_call_ran_once() {
    let house = House::new().await;
    let (outer, asked) = suspended(&house, "auto", "").await;
    assert_eq!((outer.status(), outer.node_id), (Status::Running, None));
    assert_eq!(asked.input, json!({"text": "hello"}));
    house.engine.stop().await;
    let House { engine, directory } = house;
    drop(engine);

    let house = House::open(directory).await;
    assert_eq!(row(&house, outer.id).await.status(), Status::Running, "it still waits");
    decide(&house, asked.id, Ruling::Approve(Approval::default())).await;
    let done = ended(&house, outer.id).await;
    let output = done.outcome.output.unwrap();
    assert_eq!((&output["before"], &output["after"]), (&json!("21"), &json!("42")));
    assert!(output["sent"]["digest"].is_string(), "{output}");
    let inner = children(&house, outer.id).await;
    let ran: Vec<_> = inner.iter().map(|row| (row.tool_name.as_str(), row.status(), row.attempt)).collect();
    let once = |tool| (tool, Status::Completed, 1);
    assert_eq!(ran, [once("calculate"), once("send-letter"), once("calculate")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_is_an_exception_that_the_script_may_catch() {
    let house = House::new().await;
    let (outer, asked) = suspended(&house, "auto", "").await;
    decide(&house, asked.id, Ruling::Reject { reason: "not today".to_owned() }).await;
    let done = ended(&house, outer.id).await;
    let output = done.outcome.output.unwrap();
    let sent = output["sent"].as_str().unwrap();
    assert!(sent.starts_with("POLICY_DENIED: ") && sent.contains("not today"), "{sent}");
    assert_eq!(output["after"], "42", "and it went on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_somebody_changed_is_not_run() {
    let house = House::new().await;
    let (outer, asked) = suspended(&house, "auto", "").await;
    let stores = house.engine.stores();
    let kept = stores.suspensions.suspension(TENANT, outer.id).await.unwrap().unwrap();
    let mut state = kept.state.clone().unwrap().to_vec();
    *state.last_mut().unwrap() ^= 1;
    let node = NodeId::generate(&ids());
    assert!(
        stores
            .invocations
            .adopt(&row(&house, outer.id).await, node, toolgate_store::Takeover::Run)
            .await
            .unwrap()
    );
    let changed = Suspension { state: Some(Bytes::from(state)), ..kept };
    assert!(stores.suspensions.suspend(&changed, node).await.unwrap());
    decide(&house, asked.id, Ruling::Approve(Approval::default())).await;
    let done = ended(&house, outer.id).await;
    let error = done.outcome.error.unwrap();
    assert_eq!(error.code, ErrorCode::SandboxError);
    assert!(error.message.contains("not one of this run"), "{}", error.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_of_a_script_marks_what_it_calls_as_a_test() {
    let house = House::new().await;
    let call = toolgate_engine::Call {
        is_test: true,
        ..toolgate_engine::Call::new(
            caller(),
            toolgate_domain::Surface::Rest,
            "run_python",
            json!({"code": "calculate(expression='1')['result']"}),
        )
    };
    let Answer::Done(envelope) = house.engine.invoke(call).await.unwrap() else { panic!("not done") };
    assert_eq!(envelope.output.unwrap()["result"], Value::from("1"));
    assert!(children(&house, envelope.invocation_id).await.iter().all(|row| row.is_test));
}

/// What is a function is what the call could reach: the surface of the script is that of its calls.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_has_the_functions_of_its_own_surface() {
    let house = House::new().await;
    house
        .define(json!({
            "name": "cellar", "version": "1.0.0", "description": "inside", "visibility": "internal",
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            "execution": {"kind": "builtin", "handler": "hash_text", "arguments": {"text": "$input.text"}},
        }))
        .await;
    let run = |surface| {
        Call::new(caller(), surface, "run_python", json!({"code": "'algorithm' in cellar('wine')"}))
    };
    let inside = house.engine.invoke(run(Surface::Internal)).await.unwrap();
    assert_eq!(inside.envelope().unwrap().output, Some(json!({"result": true, "stdout": ""})));
    let outside = house.engine.invoke(run(Surface::Rest)).await.unwrap();
    let error = outside.envelope().unwrap().error.clone().unwrap();
    assert!(error.message.contains("NameError"), "{}", error.message);
}
