//! Several processes on one database: an approved call is carried out by the one that began it, and by no other.

use std::sync::{Arc, atomic::Ordering};

use serde_json::json;
use toolgate_domain::{Invocation, Limits, Status};
use toolgate_engine::{DecideError, Engine};
use toolgate_store::Stores;

use crate::{
    approvals::{approve, approver, ended, parked},
    common::{House, Probe, start},
    faults::{Asks, Fault, Faults, Holding, held},
};

/// A process whose database stumbles as planned, and the database itself.
struct Office {
    house: House,
    faults: Arc<Faults>,
    database: Stores,
}

fn quick() -> Limits {
    Limits { node_lease_ms: 150, drain_ms: 2_000, ..Limits::default() }
}

impl Office {
    async fn new() -> Self {
        Self::with(quick()).await
    }

    async fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let database = toolgate_test_databases::stores_in(directory.path()).await;
        let (stores, faults) = Faults::before(&database);
        let (engine, probe) = start(&stores, limits).await;
        Self { house: House { engine, probe, stores, directory }, faults, database }
    }

    async fn another_process(&self) -> (Arc<Engine>, Arc<Probe>) {
        start(&self.database, quick()).await
    }

    /// Somebody agrees to the call, and the process stands still where the plan says.
    fn decide(&self, row: &Invocation) -> tokio::task::JoinHandle<Result<Invocation, DecideError>> {
        let (engine, id) = (Arc::clone(&self.house.engine), row.id);
        tokio::spawn(async move { engine.decide(&approver(), id, None, approve()).await })
    }

    /// The process pauses: it has begun the call, knows nothing of that yet, and does not renew its lease.
    async fn pause_after_beginning(&self, row: &Invocation) -> (Holding, Holding) {
        let ((renew, mut renewal), (begin, mut beginning)) = (held(), held());
        self.faults.plan([(Asks::Renew, Fault::Held(renew)), (Asks::Begin, Fault::HeldAnswer(begin))]);
        (&mut renewal.reached).await.unwrap();
        self.decide(row).await.unwrap().unwrap();
        (&mut beginning.reached).await.unwrap();
        (renewal, beginning)
    }

    /// The process goes on, and has done whatever it meant to do when this is over.
    async fn go_on(&self, (renewal, beginning): (Holding, Holding)) {
        renewal.go_on.send(()).unwrap();
        // The next renewal is asked for after this one was noted.
        self.faults.asked(Asks::Renew, 2).await;
        beginning.go_on.send(()).unwrap();
        self.house.engine.stop().await;
    }

    fn runs(&self) -> usize {
        self.house.runs()
    }
}

#[tokio::test]
async fn an_approved_call_that_another_process_began_is_not_begun_again() {
    // Its own heartbeat must not be the one that begins the call.
    let office = Office::with(Limits { node_lease_ms: 60_000, ..quick() }).await;
    let row = parked(&office.house, "gate").await;
    let (gate, holding) = held();
    office.faults.plan([(Asks::Approve, Fault::HeldAnswer(gate))]);
    let deciding = office.decide(&row);
    holding.reached.await.unwrap();
    let (other, probe) = office.another_process().await;
    probe.entered.notified().await;
    holding.go_on.send(()).unwrap();
    deciding.await.unwrap().unwrap();
    probe.go_on.notify_one();
    assert_eq!(ended(&other, &row).await.status(), Status::Completed);
    office.house.engine.stop().await;
    assert_eq!((office.runs(), probe.runs.load(Ordering::SeqCst)), (0, 1));
}

#[tokio::test]
async fn a_process_that_paused_does_not_run_a_call_that_another_one_settled() {
    let office = Office::new().await;
    let row = parked(&office.house, "echo").await;
    let paused = office.pause_after_beginning(&row).await;
    let (other, probe) = office.another_process().await;
    assert_eq!(ended(&other, &row).await.status(), Status::Failed);
    office.go_on(paused).await;
    assert_eq!((office.runs(), probe.runs.load(Ordering::SeqCst)), (0, 0));
}

#[tokio::test]
async fn a_process_that_paused_does_not_run_a_call_that_another_one_ran() {
    let office = Office::new().await;
    let again = json!({"egress_class": "write", "annotations": {"idempotentHint": true}});
    let row = crate::approvals::parked_with(&office.house, "echo", again).await;
    let paused = office.pause_after_beginning(&row).await;
    let (other, probe) = office.another_process().await;
    let done = ended(&other, &row).await;
    assert_eq!((done.status(), done.attempt), (Status::Completed, 2));
    office.go_on(paused).await;
    assert_eq!((office.runs(), probe.runs.load(Ordering::SeqCst)), (0, 1));
}

#[tokio::test]
async fn a_process_that_paused_runs_its_call_when_nobody_took_it() {
    let office = Office::new().await;
    let row = parked(&office.house, "echo").await;
    let paused = office.pause_after_beginning(&row).await;
    let invocations = &office.database.invocations;
    while invocations.orphans(office.house.engine.clock().now(), 1).await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    office.go_on(paused).await;
    let done = invocations.get(row.tenant_id, row.id).await.unwrap().unwrap();
    assert_eq!((done.status(), done.attempt, office.runs()), (Status::Completed, 2, 1));
}
