//! What goes wrong between an engine and its database, as a test plans it. The database is a real one.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use tokio::sync::{oneshot, watch};
use toolgate_domain::{
    Invocation, InvocationId, Limits, NodeId, Page, Phase, RunId, TenantId, Timestamp, ToolId,
    ids::OrderedIds, time::SystemClock,
};
use toolgate_engine::{Engine, EngineOptions, Ports, Runtime};
use toolgate_store::{
    Change, Entry, InvocationFilter, Invocations, Ledger, LedgerError, Nodes, RunTotals, StoreError, Stores,
    Suspension, Suspensions, Takeover, Usage,
};
use toolgate_test_databases::stores_in;

use crate::common::{House, master_key, start};

/// What the engine asks of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A new row that waits for a person.
    Park,
    /// A new row that runs.
    Start,
    /// A row that waited is approved.
    Approve,
    /// An approved row runs.
    Begin,
    Cancel,
    /// A row that ran is over, in another way.
    End,
    Suspend,
    Suspension,
    Children,
    Adopt,
    Orphans,
    Renew,
}

pub enum Fault {
    /// It goes well.
    None,
    /// It is not done.
    Fails,
    /// It is done, and the answer is lost.
    Unanswered,
    /// It is done once the test says so.
    Held(Gate),
    /// It is done, and is answered once the test says so.
    HeldAnswer(Gate),
}

pub struct Gate {
    reached: oneshot::Sender<()>,
    go_on: oneshot::Receiver<()>,
}

impl Gate {
    async fn pass(self) {
        self.reached.send(()).unwrap();
        self.go_on.await.unwrap();
    }
}

/// Something held, for the test: when it is reached, and the word to go on.
pub struct Holding {
    pub reached: oneshot::Receiver<()>,
    pub go_on: oneshot::Sender<()>,
}

pub fn held() -> (Gate, Holding) {
    let ((told, reached), (go_on, wait)) = (oneshot::channel(), oneshot::channel());
    (Gate { reached: told, go_on: wait }, Holding { reached, go_on })
}

/// A plan: each fault meets the first thing of its kind that is asked after the fault before it.
#[derive(Default)]
pub struct Faults {
    plan: Mutex<VecDeque<(Asks, Fault)>>,
    asked: watch::Sender<Vec<Asks>>,
}

impl Faults {
    /// Puts itself between whoever uses these stores from now on and the database.
    pub fn before(stores: &Stores) -> (Stores, Arc<Self>) {
        let faults = Arc::new(Self::default());
        let faulty = Arc::new(Faulty { faults: Arc::clone(&faults), real: stores.clone() });
        let stores = Stores {
            ledger: faulty.clone(),
            invocations: faulty.clone(),
            suspensions: faulty.clone(),
            nodes: faulty,
            ..stores.clone()
        };
        (stores, faults)
    }

    pub fn plan(&self, faults: impl IntoIterator<Item = (Asks, Fault)>) {
        self.plan.lock().unwrap().extend(faults);
    }

    /// Waits until something was asked so many times more.
    pub async fn asked(&self, what: Asks, times: usize) {
        let count = |asked: &Vec<Asks>| asked.iter().filter(|asks| **asks == what).count();
        let mut asked = self.asked.subscribe();
        let before = count(&asked.borrow());
        asked.wait_for(|asked| count(asked) >= before + times).await.unwrap();
    }

    async fn meet<T, E: From<StoreError>>(
        &self,
        asks: Option<Asks>,
        work: impl Future<Output = Result<T, E>> + Send,
    ) -> Result<T, E> {
        let Some(asks) = asks else { return work.await };
        self.asked.send_modify(|asked| asked.push(asks));
        let planned = {
            let mut plan = self.plan.lock().unwrap();
            if plan.front().is_some_and(|(planned, _)| *planned == asks) { plan.pop_front() } else { None }
        };
        let lost = || StoreError::Unavailable("the connection is lost".to_owned()).into();
        match planned.map_or(Fault::None, |(_, fault)| fault) {
            Fault::None => work.await,
            Fault::Fails => Err(lost()),
            Fault::Unanswered => work.await.and(Err(lost())),
            Fault::Held(gate) => {
                gate.pass().await;
                work.await
            }
            Fault::HeldAnswer(gate) => {
                let done = work.await;
                gate.pass().await;
                done
            }
        }
    }
}

/// The heart beats often.
fn quick() -> Limits {
    Limits { node_lease_ms: 150, ..Limits::default() }
}

/// An engine with other runtimes.
pub async fn start_with(stores: &Stores, runtimes: Vec<Arc<dyn Runtime>>) -> Arc<Engine> {
    Engine::start(EngineOptions {
        stores: stores.clone(),
        clock: Arc::new(SystemClock),
        ids: Arc::new(OrderedIds::new(SystemClock)),
        limits: quick(),
        runtimes,
        code_tools: vec![],
        master_key: master_key(1),
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: Ports::default(),
    })
    .await
    .unwrap()
}

/// A house with faults before its database.
pub async fn house() -> (House, Arc<Faults>) {
    house_with(quick()).await
}

pub async fn house_with(limits: Limits) -> (House, Arc<Faults>) {
    let directory = tempfile::tempdir().unwrap();
    let (stores, faults) = Faults::before(&stores_in(directory.path()).await);
    let (engine, probe) = start(&stores, limits).await;
    (House { engine, probe, stores, directory }, faults)
}

struct Faulty {
    faults: Arc<Faults>,
    real: Stores,
}

fn asks(entry: &Entry) -> Option<Asks> {
    match entry.change.as_ref()? {
        Change::Insert(row) => match row.phase {
            Phase::Running(_) => Some(Asks::Start),
            Phase::Pending => Some(Asks::Park),
            _ => None,
        },
        Change::Advance(change) => match change.to {
            Phase::Approved => Some(Asks::Approve),
            Phase::Running(_) => Some(Asks::Begin),
            Phase::Cancelled(_) => Some(Asks::Cancel),
            Phase::Completed(_) | Phase::Failed(_) => Some(Asks::End),
            _ => None,
        },
    }
}

#[async_trait]
impl Ledger for Faulty {
    async fn record(&self, entry: Entry) -> Result<(), LedgerError> {
        self.faults.meet(asks(&entry), self.real.ledger.record(entry)).await
    }
}

#[async_trait]
impl Nodes for Faulty {
    async fn renew(&self, node: NodeId, now: Timestamp, lease_ms: i64) -> Result<(), StoreError> {
        self.faults.meet(Some(Asks::Renew), self.real.nodes.renew(node, now, lease_ms)).await
    }

    async fn retire(&self, node: NodeId) -> Result<(), StoreError> {
        self.real.nodes.retire(node).await
    }
}

#[async_trait]
impl Suspensions for Faulty {
    async fn suspend(&self, suspension: &Suspension, node: NodeId) -> Result<bool, StoreError> {
        self.faults.meet(Some(Asks::Suspend), self.real.suspensions.suspend(suspension, node)).await
    }

    async fn suspension(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Suspension>, StoreError> {
        self.faults.meet(Some(Asks::Suspension), self.real.suspensions.suspension(tenant, id)).await
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        self.real.suspensions.ready(now, limit).await
    }

    async fn forget_suspension(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError> {
        self.real.suspensions.forget_suspension(tenant, id).await
    }

    async fn children(
        &self,
        tenant: TenantId,
        parent: InvocationId,
        limit: usize,
    ) -> Result<Vec<Invocation>, StoreError> {
        self.faults.meet(Some(Asks::Children), self.real.suspensions.children(tenant, parent, limit)).await
    }
}

#[async_trait]
impl Invocations for Faulty {
    async fn get(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Invocation>, StoreError> {
        self.real.invocations.get(tenant, id).await
    }

    async fn by_ids(&self, tenant: TenantId, ids: &[InvocationId]) -> Result<Vec<Invocation>, StoreError> {
        self.real.invocations.by_ids(tenant, ids).await
    }

    async fn by_idempotency_key(
        &self,
        tenant: TenantId,
        caller: &str,
        key: &str,
    ) -> Result<Option<Invocation>, StoreError> {
        self.real.invocations.by_idempotency_key(tenant, caller, key).await
    }

    async fn list(
        &self,
        tenant: TenantId,
        filter: &InvocationFilter,
    ) -> Result<Page<Invocation>, StoreError> {
        self.real.invocations.list(tenant, filter).await
    }

    async fn count_pending(&self, tenant: TenantId) -> Result<u64, StoreError> {
        self.real.invocations.count_pending(tenant).await
    }

    async fn run_totals(&self, tenant: TenantId, run: RunId) -> Result<RunTotals, StoreError> {
        self.real.invocations.run_totals(tenant, run).await
    }

    async fn usage(
        &self,
        tenant: TenantId,
        tools: &[ToolId],
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<Usage>, StoreError> {
        self.real.invocations.usage(tenant, tools, since, limit).await
    }

    async fn orphans(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        self.faults.meet(Some(Asks::Orphans), self.real.invocations.orphans(now, limit)).await
    }

    async fn decided(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        self.real.invocations.decided(now, limit).await
    }

    async fn adopt(&self, orphan: &Invocation, node: NodeId, takeover: Takeover) -> Result<bool, StoreError> {
        self.faults.meet(Some(Asks::Adopt), self.real.invocations.adopt(orphan, node, takeover)).await
    }
}
