//! Tools that call tools: each call has its own receipt under the outer one's, waits when it must, and is made once.

use std::sync::{Arc, atomic::Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, Invocation, InvocationId, Limits, Status, Surface, TenantId, Tool, ToolError, json::parse,
    tool::Execution,
};
use toolgate_engine::{
    Answer, Call, Halt, Inner, Output, Ruling, RunContext, Runtime, Waiting, definition_from_json,
};
use toolgate_test_databases::stores_in;

use crate::{
    approvals::{approve, approver, ended},
    common::{House, caller, code, start},
    recovery::begun,
};

/// Runs tools of kind `chain`: makes the calls that its input lists, one after the other. `remember` says that it leaves its answers
/// behind when it waits, and goes on from them; otherwise it begins again.
pub struct Chain;

#[async_trait]
impl Runtime for Chain {
    fn kind(&self) -> &'static str {
        "chain"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    fn replays(&self, _execution: &Execution) -> bool {
        true
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let remember = tool.spec.execution.config.contains_key("remember");
        let state = context.resumed.as_ref().and_then(|resumed| resumed.state.clone());
        let mut got: Vec<Value> =
            state.map(|state| parse(&state, 10).unwrap().as_array().unwrap().clone()).unwrap_or_default();
        let calls = input["calls"].as_array().unwrap();
        for (place, call) in calls.iter().enumerate().skip(got.len()) {
            let name = call["tool"].as_str().unwrap();
            match context.invoker.call(place as u64, name, call["input"].clone()).await? {
                Inner::Done(envelope) => match (envelope.output, envelope.error) {
                    (Some(output), None) => got.push(output["got"].clone()),
                    (_, error) => {
                        return Err(error.unwrap_or_else(|| ToolError::new(ErrorCode::Unknown, "?")).into());
                    }
                },
                Inner::Waiting(_) => {
                    let state = remember.then(|| Bytes::from(json!(got).to_string()));
                    return Err(Halt::Waiting(Waiting { state, ..Waiting::default() }));
                }
            }
        }
        Ok(Output::from(json!({"got": got})))
    }
}

async fn chain(house: &House, name: &str, execution: Value) {
    let definition = json!({
        "name": name, "version": "1.0.0", "description": "a chain",
        "input_schema": {"type": "object"}, "execution": execution,
    });
    let spec = definition_from_json(definition).unwrap();
    house.engine.registry().register(&caller(), spec, false).await.unwrap();
}

fn calls(tools: &[(&str, Value)]) -> Value {
    json!({"calls": tools.iter().map(|(tool, input)| json!({"tool": tool, "input": input})).collect::<Vec<_>>()})
}

async fn children(house: &House, outer: InvocationId) -> Vec<Invocation> {
    house.stores.suspensions.children(TenantId::DEFAULT, outer, 100).await.unwrap()
}

/// The outer call, and the inner one that waits for a person.
async fn suspended(house: &House, outer: &str) -> (Invocation, Invocation) {
    house.tool("read", "echo", json!({"egress_class": "read_only"})).await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let input = calls(&[("read", json!({"n": 1})), ("push", json!({"n": 2})), ("read", json!({"n": 3}))]);
    let Answer::Parked(row) = house.call(outer, input).await else { panic!("it must wait") };
    let asked = children(house, row.id).await.into_iter().find(|child| child.status() == Status::Pending);
    (*row, asked.expect("a call that asks"))
}

#[tokio::test]
async fn an_inner_call_has_its_own_receipt_under_the_outer_one() {
    let house = House::new().await;
    chain(&house, "all", json!({"kind": "chain"})).await;
    house.tool("echo", "echo", json!({})).await;
    let envelope = house.done("all", calls(&[("echo", json!({"n": 1})), ("echo", json!({"n": 2}))])).await;
    assert_eq!(envelope.output, Some(json!({"got": [{"n": 1}, {"n": 2}]})));
    let inner = children(&house, envelope.invocation_id).await;
    assert_eq!(inner.len(), 2);
    for (place, row) in inner.iter().enumerate() {
        assert_eq!((row.parent_id, row.seq), (Some(envelope.invocation_id), place as u64));
        assert_eq!((row.status(), row.session_id), (Status::Completed, envelope.session_id));
    }
    assert_eq!(house.row(envelope.invocation_id).await.parent_id, None);
}

#[tokio::test]
async fn a_call_waits_while_its_inner_call_asks_and_goes_on_with_the_answer() {
    for execution in [json!({"kind": "chain"}), json!({"kind": "chain", "remember": true})] {
        let house = House::new().await;
        chain(&house, "all", execution).await;
        let (outer, asked) = suspended(&house, "all").await;
        assert_eq!((outer.status(), outer.node_id), (Status::Running, None), "no process holds it");
        house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
        let done = ended(&house.engine, &outer).await;
        assert_eq!(done.outcome.output, Some(json!({"got": [{"n": 1}, {"n": 2}, {"n": 3}]})));
        assert_eq!(house.runs(), 3, "every inner call ran once");
        let suspension = house.stores.suspensions.suspension(TenantId::DEFAULT, outer.id).await.unwrap();
        assert_eq!(suspension, None, "nothing is left behind");
    }
}

#[tokio::test]
async fn a_call_that_waits_survives_a_restart_and_every_inner_call_runs_once() {
    let house = House::new().await;
    chain(&house, "all", json!({"kind": "chain"})).await;
    let (outer, asked) = suspended(&house, "all").await;
    let ran = house.runs();
    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));

    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start(&stores, Limits::default()).await;
    let still = stores.invocations.get(TenantId::DEFAULT, outer.id).await.unwrap().unwrap();
    assert_eq!(still.status(), Status::Running);
    engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
    let done = ended(&engine, &outer).await;
    assert_eq!(done.outcome.output, Some(json!({"got": [{"n": 1}, {"n": 2}, {"n": 3}]})));
    assert_eq!(ran + probe.runs.load(Ordering::SeqCst), 3, "every inner call ran once");
}

#[tokio::test]
async fn a_call_whose_inner_call_ended_while_nobody_was_there_goes_on_at_the_next_start() {
    let house = House::new().await;
    chain(&house, "all", json!({"kind": "chain"})).await;
    let (outer, asked) = suspended(&house, "all").await;
    house.engine.stop().await;
    // As if the process had died between the end of the inner call and the waking of the outer one.
    let ruling = Ruling::Reject { reason: "not today".to_owned() };
    house.engine.decide(&approver(), asked.id, None, ruling).await.unwrap();
    assert_eq!(house.row(outer.id).await.status(), Status::Running);
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));

    let stores = stores_in(directory.path()).await;
    let (engine, _) = start(&stores, Limits::default()).await;
    let done = ended(&engine, &outer).await;
    assert_eq!(done.status(), Status::Failed);
    assert!(done.outcome.error.unwrap().message.contains("not today"));
}

#[tokio::test]
async fn a_call_that_was_interrupted_begins_again_and_repeats_nothing() {
    let house = House::new().await;
    chain(&house, "all", json!({"kind": "chain"})).await;
    house.tool("read", "echo", json!({"egress_class": "read_only"})).await;
    let input = calls(&[("read", json!({"n": 1})), ("read", json!({"n": 2}))]);
    let like = house.row(house.done("all", input).await.invocation_id).await;
    // Its process had made the first of its calls when it died.
    let outer = begun(&house.stores, &like, 1).await;
    let first = children(&house, like.id).await.remove(0);
    let mut made = first.clone();
    made.id =
        InvocationId::generate(&toolgate_domain::ids::OrderedIds::new(toolgate_domain::time::SystemClock));
    made.parent_id = Some(outer.id);
    made.idempotency_key = Some(format!("{}/0", outer.id));
    made.outcome.output = Some(json!({"got": "from the record"}));
    let entry = toolgate_store::Entry::inserting(Arc::new(made));
    house.stores.ledger.record(entry).await.unwrap();
    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));

    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start(&stores, Limits::default()).await;
    let done = ended(&engine, &outer).await;
    assert_eq!(done.outcome.output, Some(json!({"got": ["from the record", {"n": 2}]})));
    assert_eq!(probe.runs.load(Ordering::SeqCst), 1, "only the call that had not been made");
}

#[tokio::test]
async fn whoever_cancels_a_call_that_waits_withdraws_what_it_asked() {
    let house = House::new().await;
    chain(&house, "all", json!({"kind": "chain"})).await;
    let (outer, asked) = suspended(&house, "all").await;
    let cancelled = house.engine.cancel(TenantId::DEFAULT, outer.id).await.unwrap();
    assert_eq!(cancelled.status(), Status::Cancelled);
    assert_eq!(house.row(asked.id).await.status(), Status::Cancelled);
    house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap_err();
    assert_eq!(house.runs(), 1, "only what ran before the question");
}

#[tokio::test]
async fn outer_calls_of_outer_calls_wait_and_go_on_together() {
    let house = House::new().await;
    chain(&house, "inner", json!({"kind": "chain"})).await;
    chain(&house, "outer", json!({"kind": "chain"})).await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let input = calls(&[("inner", calls(&[("push", json!({"n": 1}))]))]);
    let Answer::Parked(outer) = house.call("outer", input).await else { panic!("it must wait") };
    let middle = children(&house, outer.id).await.remove(0);
    let asked = children(&house, middle.id).await.remove(0);
    house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
    let done = ended(&house.engine, &outer).await;
    assert_eq!(done.outcome.output, Some(json!({"got": [[{"n": 1}]]})));
    assert_eq!(house.runs(), 1);
}

#[tokio::test]
async fn calls_of_calls_stand_only_so_deep_and_are_only_so_many() {
    let house = House::with(Limits { max_call_depth: 3, max_inner_calls: 2, ..Limits::default() }).await;
    chain(&house, "all", json!({"kind": "chain"})).await;
    house.tool("echo", "echo", json!({})).await;
    let nested =
        |levels: usize| (0..levels).fold(calls(&[("echo", json!({}))]), |inner, _| calls(&[("all", inner)]));
    assert_eq!(house.done("all", nested(2)).await.error, None);
    let refused = house.done("all", nested(3)).await;
    assert_eq!(code(&refused), ErrorCode::PolicyDenied);
    let echo = ("echo", json!({}));
    let refused = house.done("all", calls(&[echo.clone(), echo.clone(), echo])).await;
    assert_eq!(refused.error.unwrap().details.unwrap()["reason"], "inner_calls");
}

#[tokio::test]
async fn a_key_of_an_inner_call_cannot_be_taken_from_outside() {
    let house = House::new().await;
    house.tool("echo", "echo", json!({})).await;
    let key = Some(format!("{}/0", InvocationId::from_uuid(toolgate_domain::ids::Uuid::nil())));
    let call = Call { idempotency_key: key, ..crate::common::call("echo", json!({})) };
    let Answer::Done(envelope) = house.engine.invoke(call).await.unwrap() else { panic!("not done") };
    assert_eq!(code(&envelope), ErrorCode::ValidationError);
}

#[tokio::test]
async fn a_runtime_sees_the_tools_that_its_call_could_reach_and_no_others() {
    let house = House::new().await;
    house.tool("cellar", "echo", json!({"visibility": "internal"})).await;
    house.tool("window", "see", json!({})).await;
    let look = |surface| Call::new(caller(), surface, "window", json!({"tool": "cellar"}));
    let outside = house.engine.invoke(look(Surface::Rest)).await.unwrap();
    let outside = outside.envelope().unwrap().output.clone().unwrap();
    assert_eq!(outside["got"], json!({"seen": false, "listed": ["window"]}));
    let inside = house.engine.invoke(look(Surface::Internal)).await.unwrap();
    let inside = inside.envelope().unwrap().output.clone().unwrap();
    assert_eq!(inside["got"], json!({"seen": true, "listed": ["cellar", "window"]}));
}
