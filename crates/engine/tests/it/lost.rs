//! What a process does with calls that it would hold for ever: answers of the database that were lost, and moments in which it could not
//! be asked.

use std::sync::{Arc, atomic::Ordering};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, Invocation, InvocationId, Limits, Status, TenantId, Tool, ToolError, tool::Execution,
};
use toolgate_engine::{
    Answer, Call, Halt, Inner, NOT_MADE, Output, Refused, RunContext, Runtime, Waiting, definition_from_json,
};
use toolgate_store::InvocationFilter;
use toolgate_test_databases::stores_in;

use crate::{
    approvals::{approve, approver, ended},
    common::{House, Probe, call, caller, code, definition},
    faults::{Asks, Fault, Faults, house, house_with, start_with},
};

/// A tool that makes the calls which its input lists.
pub async fn chain(house: &House, name: &str) {
    let definition = json!({
        "name": name, "version": "1.0.0", "description": "a chain",
        "input_schema": {"type": "object"}, "execution": {"kind": "chain", "remember": true},
    });
    let spec = definition_from_json(definition).unwrap();
    house.engine.registry().register(&caller(), spec, false).await.unwrap();
}

pub fn calls(tools: &[(&str, Value)]) -> Value {
    json!({"calls": tools.iter().map(|(tool, input)| json!({"tool": tool, "input": input})).collect::<Vec<_>>()})
}

pub async fn children(house: &House, outer: InvocationId) -> Vec<Invocation> {
    house.stores.suspensions.children(TenantId::DEFAULT, outer, 100).await.unwrap()
}

/// A call that waits for a person to agree to what it calls, and that call.
async fn waiting(house: &House) -> (Invocation, Invocation) {
    chain(house, "all").await;
    house.tool("read", "echo", json!({"egress_class": "read_only"})).await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let input = calls(&[("read", json!({"n": 1})), ("push", json!({"n": 2})), ("read", json!({"n": 3}))]);
    let Answer::Parked(outer) = house.call("all", input).await else { panic!("it must wait") };
    let asked = children(house, outer.id).await.into_iter().find(|child| child.status() == Status::Pending);
    (*outer, asked.expect("a call that asks"))
}

async fn the_only_row(house: &House) -> Invocation {
    let filter = InvocationFilter { limit: 10, ..InvocationFilter::default() };
    let mut rows = house.stores.invocations.list(TenantId::DEFAULT, &filter).await.unwrap().items;
    assert_eq!(rows.len(), 1);
    rows.remove(0)
}

#[tokio::test]
async fn a_call_whose_start_nobody_confirmed_is_not_made_and_says_so() {
    let (house, faults) = house().await;
    // Of a tool that is run again after a crash: this call was refused, and may have been made again meanwhile.
    let again = json!({"egress_class": "read_only", "annotations": {"idempotentHint": true}});
    house.tool("reads", "echo", again).await;
    faults.plan([(Asks::Start, Fault::Unanswered)]);
    let keyed = Call { idempotency_key: Some("k".to_owned()), ..call("reads", json!({})) };
    let Ok(Answer::Done(receipt)) = house.engine.invoke(keyed).await else {
        panic!("whoever gives it a key is told how it ended")
    };
    assert_eq!(receipt.error.unwrap().details.unwrap()["outcome"], "not_made");
    let row = the_only_row(&house).await;
    assert_eq!((row.id, row.status()), (receipt.invocation_id, Status::Failed));
    assert_eq!(house.events(row.session_id).await, ["tool.started", "tool.failed"]);
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn whoever_gave_no_key_is_refused_and_the_row_ends_all_the_same() {
    let (house, faults) = house().await;
    house.tool("reads", "echo", json!({"egress_class": "read_only"})).await;
    faults.plan([(Asks::Start, Fault::Unanswered)]);
    let refused = house.engine.invoke(call("reads", json!({}))).await;
    assert!(matches!(refused, Err(Refused::Unavailable(_))), "{refused:?}");
    let end = ended(&house.engine, &the_only_row(&house).await).await;
    assert_eq!(end.outcome.error.unwrap().details.unwrap()["outcome"], "not_made");
    assert_eq!(house.runs(), 0);
}

/// Runs tools of kind `insistent`: makes a call again in its place where it was not made.
struct Insistent;

#[async_trait]
impl Runtime for Insistent {
    fn kind(&self) -> &'static str {
        "insistent"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    async fn run(&self, _tool: Arc<Tool>, _input: Value, context: RunContext) -> Result<Output, Halt> {
        let mut refused = Vec::new();
        for _ in 0..3 {
            match context.invoker.call(0, "reads", json!({})).await {
                Ok(Inner::Done(envelope)) => return Ok(json!({"refused": refused, "got": envelope}).into()),
                Ok(Inner::Waiting(_)) => return Err(Halt::Waiting(Waiting::default())),
                Err(error) => refused.push(error.details.unwrap()["reason"].clone()),
            }
        }
        Err(ToolError::new(ErrorCode::Unknown, "it is never made").into())
    }
}

#[tokio::test]
async fn who_makes_a_call_again_whose_start_nobody_confirmed_is_answered_from_the_record() {
    let directory = tempfile::tempdir().unwrap();
    let (stores, faults) = Faults::before(&stores_in(directory.path()).await);
    let probe = Arc::new(Probe::default());
    let engine = start_with(&stores, vec![Arc::new(Insistent), probe.clone()]).await;
    let outer = json!({
        "name": "insist", "version": "1.0.0", "description": "insists",
        "input_schema": {"type": "object"}, "execution": {"kind": "insistent"},
    });
    for definition in [outer, definition("reads", "echo", json!({"egress_class": "read_only"}))] {
        let spec = definition_from_json(definition).unwrap();
        engine.registry().register(&caller(), spec, false).await.unwrap();
    }
    // First the outer call, which must be on record before it makes another.
    faults.plan([(Asks::Start, Fault::None), (Asks::Start, Fault::Unanswered)]);
    let Ok(Answer::Done(receipt)) = engine.invoke(call("insist", json!({}))).await else {
        panic!("not done")
    };
    let output = receipt.output.unwrap();
    assert_eq!(output["refused"], json!([NOT_MADE]));
    assert_eq!(output["got"]["error"]["details"]["outcome"], "not_made");
    assert_eq!(probe.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_running_call_whose_start_nobody_confirmed_is_stopped_and_ends_on_record() {
    let (house, faults) = house().await;
    house.tool("slow", "hang", json!({})).await;
    faults.plan([(Asks::Start, Fault::Unanswered)]);
    let receipt = house.done("slow", json!({})).await;
    assert_eq!(code(&receipt), ErrorCode::Unknown);
    assert_eq!(house.row(receipt.invocation_id).await.envelope().unwrap(), receipt);
    assert_eq!(house.events(receipt.session_id).await, ["tool.started", "tool.failed"]);
}

#[tokio::test]
async fn an_end_that_is_on_record_counts_although_nobody_confirmed_it() {
    let (house, faults) = house().await;
    house.tool("reads", "echo", json!({"egress_class": "read_only"})).await;
    faults.plan([(Asks::End, Fault::Unanswered)]);
    let receipt = house.done("reads", json!({"a": 1})).await;
    assert_eq!(receipt.output, Some(json!({"got": {"a": 1}})));
    assert_eq!(house.events(receipt.session_id).await, ["tool.started", "tool.completed"]);
}

#[tokio::test]
async fn a_call_that_waits_is_let_go_although_the_database_stumbles() {
    for fault in [Fault::Fails, Fault::Unanswered] {
        let (house, faults) = house().await;
        faults.plan([(Asks::Suspend, fault)]);
        let (outer, asked) = waiting(&house).await;
        assert_eq!(house.row(outer.id).await.node_id, None, "no process holds it");
        house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
        let done = ended(&house.engine, &outer).await;
        assert_eq!(done.outcome.output, Some(json!({"got": [{"n": 1}, {"n": 2}, {"n": 3}]})));
        assert_eq!(house.runs(), 3, "every inner call ran once");
    }
}

#[tokio::test]
async fn a_call_that_was_taken_and_could_not_go_on_goes_on_later() {
    let unanswered = vec![(Asks::Adopt, Fault::Unanswered)];
    // What it goes on from cannot be read once its row is taken.
    let unread = vec![(Asks::Adopt, Fault::None), (Asks::Suspension, Fault::Fails)];
    for plan in [unanswered, unread] {
        let (house, faults) = house().await;
        let (outer, asked) = waiting(&house).await;
        faults.plan(plan);
        house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
        let done = ended(&house.engine, &outer).await;
        assert_eq!(done.outcome.output, Some(json!({"got": [{"n": 1}, {"n": 2}, {"n": 3}]})));
        assert_eq!((house.runs(), done.attempt), (3, 1), "every inner call ran once");
    }
}

#[tokio::test]
async fn an_approved_call_whose_start_nobody_confirmed_runs_once() {
    let (house, faults) = house().await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let Answer::Parked(asked) = house.call("push", json!({"a": 1})).await else { panic!("it must ask") };
    faults.plan([(Asks::Begin, Fault::Unanswered)]);
    house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
    let done = ended(&house.engine, &asked).await;
    assert_eq!(done.outcome.output, Some(json!({"got": {"a": 1}})));
    assert_eq!(house.runs(), 1);
}

#[tokio::test]
async fn a_process_that_is_late_with_its_lease_does_not_take_its_own_calls_for_orphans() {
    let (house, faults) = house_with(Limits { node_lease_ms: 0, ..Limits::default() }).await;
    let again = json!({"egress_class": "read_only", "annotations": {"idempotentHint": true}});
    house.tool("slow", "gate", again).await;
    let engine = Arc::clone(&house.engine);
    let running = tokio::spawn(async move { engine.invoke(call("slow", json!({}))).await });
    house.probe.entered.notified().await;
    faults.asked(Asks::Orphans, 3).await;
    house.probe.go_on.notify_one();
    let Ok(Answer::Done(receipt)) = running.await.unwrap() else { panic!("not done") };
    // Its lease was over when the call began, so it claimed the call once more.
    assert_eq!((house.runs(), house.row(receipt.invocation_id).await.attempt), (1, 2));
}
