//! Cancelling a call in the moment in which it goes on.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::{sync::Notify, task::JoinHandle};
use toolgate_domain::{Invocation, Status, Tool, tool::Execution};
use toolgate_engine::{
    Answer, CancelError, Engine, Halt, Inner, Output, RunContext, Runtime, Waiting, definition_from_json,
};
use toolgate_store::{Signal, Stores};
use toolgate_test_databases::stores_in;

use crate::{
    approvals::{approve, approver, ended},
    common::{Probe, call, caller, definition},
    faults::{Asks, Fault, Faults, held, house, start_with},
    lost::{calls, chain, children},
};

/// Runs tools of kind `patient`: has something written, and stands still once that is done.
#[derive(Default)]
struct Patient {
    stands: Notify,
    left: Notify,
}

/// However a run is left.
struct Leaving<'a>(&'a Notify);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[async_trait]
impl Runtime for Patient {
    fn kind(&self) -> &'static str {
        "patient"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    async fn run(&self, _tool: Arc<Tool>, _input: Value, context: RunContext) -> Result<Output, Halt> {
        if let Inner::Waiting(_) = context.invoker.call(0, "push", json!({})).await? {
            return Err(Halt::Waiting(Waiting::default()));
        }
        let _leaving = Leaving(&self.left);
        self.stands.notify_one();
        std::future::pending().await
    }
}

async fn start(stores: &Stores, patient: Arc<Patient>) -> Arc<Engine> {
    let engine = start_with(stores, vec![patient, Arc::new(Probe::default())]).await;
    let stand = json!({
        "name": "stand", "version": "1.0.0", "description": "stands",
        "input_schema": {"type": "object"}, "execution": {"kind": "patient"},
    });
    for definition in [stand, definition("push", "echo", json!({"egress_class": "write"}))] {
        let spec = definition_from_json(definition).unwrap();
        engine.registry().register(&caller(), spec, false).await.unwrap();
    }
    engine
}

fn cancel(engine: &Arc<Engine>, row: &Invocation) -> JoinHandle<Result<Invocation, CancelError>> {
    let (engine, tenant, id) = (Arc::clone(engine), row.tenant_id, row.id);
    tokio::spawn(async move { engine.cancel(tenant, id).await })
}

async fn asked_by(engine: &Engine, outer: &Invocation) -> Invocation {
    engine.stores().suspensions.children(outer.tenant_id, outer.id, 10).await.unwrap().remove(0)
}

#[tokio::test]
async fn a_call_that_went_on_while_it_was_cancelled_goes_no_further() {
    let directory = tempfile::tempdir().unwrap();
    let (stores, faults) = Faults::before(&stores_in(directory.path()).await);
    let patient = Arc::new(Patient::default());
    let engine = start(&stores, Arc::clone(&patient)).await;
    let Ok(Answer::Parked(outer)) = engine.invoke(call("stand", json!({}))).await else {
        panic!("it must wait")
    };
    // It is read while it waits, and goes on before the cancellation is on record.
    let (gate, holding) = held();
    faults.plan([(Asks::Cancel, Fault::Held(gate))]);
    let cancelling = cancel(&engine, &outer);
    holding.reached.await.unwrap();
    let asked = asked_by(&engine, &outer).await;
    engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
    patient.stands.notified().await;
    holding.go_on.send(()).unwrap();
    assert_eq!(cancelling.await.unwrap().unwrap().status(), Status::Cancelled);
    patient.left.notified().await;
}

#[tokio::test]
async fn what_a_cancelled_call_asked_in_its_last_moment_is_not_done_for_it() {
    let (house, faults) = house().await;
    chain(&house, "all").await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let input = calls(&[("push", json!({"n": 1})), ("push", json!({"n": 2}))]);
    let Answer::Parked(outer) = house.call("all", input).await else { panic!("it must wait") };
    let ((late, cancelling), (later, parking)) = (held(), held());
    faults.plan([(Asks::Cancel, Fault::Held(late)), (Asks::Park, Fault::Held(later))]);
    let cancelled = cancel(&house.engine, &outer);
    cancelling.reached.await.unwrap();
    let first = children(&house, outer.id).await.remove(0);
    house.engine.decide(&approver(), first.id, None, approve()).await.unwrap();
    parking.reached.await.unwrap();
    cancelling.go_on.send(()).unwrap();
    assert_eq!(cancelled.await.unwrap().unwrap().status(), Status::Cancelled);
    let mut ledger = house.stores.signals.ledger();
    ledger.mark_unchanged();
    parking.go_on.send(()).unwrap();
    let second = loop {
        ledger.changed().await.unwrap();
        if let Some(second) = children(&house, outer.id).await.into_iter().find(|child| child.seq == 1) {
            break second;
        }
    };
    // Unless it was taken back already, somebody approves it.
    let _ = house.engine.decide(&approver(), second.id, None, approve()).await;
    assert_ne!(ended(&house.engine, &second).await.status(), Status::Completed);
    assert_eq!(house.runs(), 1, "only what was approved before");
}

#[tokio::test]
async fn a_call_that_is_about_to_go_on_hears_that_it_is_cancelled() {
    let (house, faults) = house().await;
    chain(&house, "all").await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    house.tool("stand", "hang", json!({})).await;
    let input = calls(&[("push", json!({"n": 1})), ("stand", json!({}))]);
    let Answer::Parked(outer) = house.call("all", input).await else { panic!("it must wait") };
    let asked = children(&house, outer.id).await.remove(0);
    // Its row is taken, and it does not run yet.
    let (gate, holding) = held();
    faults.plan([(Asks::Adopt, Fault::HeldAnswer(gate))]);
    house.engine.decide(&approver(), asked.id, None, approve()).await.unwrap();
    holding.reached.await.unwrap();
    let mut signals = house.stores.signals.subscribe();
    let cancelling = cancel(&house.engine, &outer);
    while signals.recv().await.unwrap() != Signal::Cancel(outer.id) {}
    holding.go_on.send(()).unwrap();
    assert_eq!(cancelling.await.unwrap().unwrap().status(), Status::Cancelled);
    assert_eq!(house.runs(), 1, "nothing that comes later");
}
