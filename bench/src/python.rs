//! What a Python script costs: warm, cold, and many at once.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use futures::future::join_all;
use serde_json::{Value, json};
use toolgate_domain::{Caller, Limits, Surface, TenantId, ids::OrderedIds, time::SystemClock};
use toolgate_engine::{Answer, Call, Engine, EngineOptions, MasterKey};
use toolgate_runtimes::{
    builtin::BuiltinRuntime,
    python::{Offer, PoolOptions, PythonLimits, PythonRuntime, SnapshotSeal, WorkerProgram, WorkerSandbox},
};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    sqlite::{Sqlite, SqliteOptions},
};

use crate::{
    args::Plan,
    report::{Bound, Report, Row, Unit},
    stats::Spread,
};

const SECTION: &str = "python";
const CALLS: usize = 200;
const AT_ONCE: usize = 500;
/// Calls of another tool before each script: the time in which the next worker gets ready, on a server that has work to do.
const BETWEEN: usize = 8;

pub(crate) async fn measure(worker: &Path, plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let warm = start(worker, PoolOptions::default()).await?;
    let cold = start(worker, PoolOptions { min_idle: 0, ..PoolOptions::default() }).await?;
    // The first call waits for the self-test.
    for house in [&warm, &cold] {
        house.call(SCRIPT.tool, SCRIPT.input()).await?;
    }
    let (mut scripts, mut busy, mut sums, mut fresh) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        scripts.push(warm.median_ms(SCRIPT, BETWEEN).await?);
        busy.push(warm.median_ms(SCRIPT, 0).await?);
        sums.push(warm.median_ms(SUM, 0).await?);
        fresh.push(cold.median_ms(SCRIPT, 0).await?);
    }
    let row = |what: &str, rounds: Vec<f64>, target| {
        Row::named(SECTION, what).with(
            "median of a call",
            Unit::Milliseconds,
            Spread::of(rounds.into_iter()),
            target,
        )
    };
    report.add(row("`1+1` in a warm sandbox, through the engine", scripts, Some(Bound::AtMost(1.0))));
    report.add(row("the same without a pause, beside the start of the next worker", busy, None));
    report.add(row("`1+1` by the built-in `calculate`, through the same engine", sums, None));
    report.add(row("`1+1` in a worker that starts for it", fresh, Some(Bound::AtMost(10.0))));
    crowd(&warm, report).await?;
    warm.engine.stop().await;
    cold.engine.stop().await;
    Ok(())
}

/// Many scripts at once, and the most worker processes that stood at any moment.
async fn crowd(house: &House, report: &mut Report) -> anyhow::Result<()> {
    let began = Instant::now();
    let calls =
        join_all((0..AT_ONCE).map(|n| house.call("run_python", json!({"code": format!("sum(range({n}))")}))));
    let mut calls = std::pin::pin!(calls);
    let mut most = 0;
    let ended = loop {
        tokio::select! {
            ended = &mut calls => break ended,
            () = tokio::time::sleep(Duration::from_millis(5)) => most = most.max(workers()?),
        }
    };
    let elapsed = began.elapsed();
    for (n, answer) in ended.into_iter().enumerate() {
        ensure!(answer?["result"] == json!(n * n.saturating_sub(1) / 2), "script {n} was answered wrongly");
    }
    let bounds = PoolOptions::default();
    let target = Some(Bound::AtMost((bounds.max_running + 2 * bounds.min_idle) as f64));
    let what = format!("{AT_ONCE} scripts at once, all answered");
    let row = Row::named(SECTION, &what);
    report.add(row.single("worker processes at most", Unit::Count, most as f64, target));
    let row = Row::named(SECTION, &what);
    report.add(row.single("scripts a second", Unit::Count, AT_ONCE as f64 / elapsed.as_secs_f64(), None));
    Ok(())
}

/// Processes that this one started and that still run.
fn workers() -> anyhow::Result<usize> {
    let mut children = 0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let listed = std::fs::read_to_string(task?.path().join("children")).unwrap_or_default();
        children += listed.split_whitespace().count();
    }
    Ok(children)
}

struct House {
    engine: Arc<Engine>,
    _directory: tempfile::TempDir,
}

async fn start(worker: &Path, pool: PoolOptions) -> anyhow::Result<Arc<House>> {
    let directory = tempfile::tempdir().context("a directory for the database cannot be made")?;
    let (store, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("python.db")))?;
    let blobs = ObjectBlobs::local(&directory.path().join("blobs"))?;
    let stores =
        store.stores(Arc::new(blobs), Arc::new(MemoryCache::new(0)), Arc::new(MemoryLimits::default()));
    let ids = Arc::new(OrderedIds::new(SystemClock));
    let limits = PythonLimits::default();
    let sandbox = WorkerSandbox::default_runtime(WorkerProgram::new(worker), &limits, pool)?;
    let python = PythonRuntime::new(Offer::of(Arc::new(sandbox)), limits, SnapshotSeal::new([1; 32]));
    let builtin = BuiltinRuntime::new(Arc::new(SystemClock), ids.clone()).map_err(anyhow::Error::msg)?;
    let engine = Engine::start(EngineOptions {
        stores,
        clock: Arc::new(SystemClock),
        ids,
        limits: Limits::default(),
        code_tools: [python.specs(), builtin.specs()].concat(),
        runtimes: vec![Arc::new(python), Arc::new(builtin)],
        master_key: MasterKey::random_text().parse()?,
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: toolgate_engine::Ports::default(),
    })
    .await?;
    Ok(Arc::new(House { engine, _directory: directory }))
}

impl House {
    async fn call(&self, tool: &str, input: Value) -> anyhow::Result<Value> {
        let caller = Caller::system(TenantId::DEFAULT, "default");
        let answer = self.engine.invoke(Call::new(caller, Surface::Rest, tool, input)).await?;
        let Answer::Done(envelope) = answer else { anyhow::bail!("the call of {tool} did not end") };
        match (envelope.output, envelope.error) {
            (Some(output), None) => Ok(output),
            (_, error) => anyhow::bail!("the call of {tool} failed: {error:?}"),
        }
    }

    /// Calls on a task of the runtime, as the server does; `between` calls of another tool lie before each one that is timed.
    async fn median_ms(self: &Arc<Self>, timed: Timed, between: usize) -> anyhow::Result<f64> {
        let house = Arc::clone(self);
        let calls = tokio::spawn(async move {
            let mut took = Vec::with_capacity(CALLS);
            for _ in 0..CALLS {
                for _ in 0..between {
                    house.call(SUM.tool, SUM.input()).await?;
                }
                let (input, began) = (timed.input(), Instant::now());
                house.call(timed.tool, input).await?;
                took.push(began.elapsed().as_secs_f64() * 1e3);
            }
            anyhow::Ok(took)
        });
        Ok(Spread::of(calls.await??.into_iter()).median)
    }
}

/// A call that is made again and again.
#[derive(Clone, Copy)]
struct Timed {
    tool: &'static str,
    key: &'static str,
}

const SCRIPT: Timed = Timed { tool: "run_python", key: "code" };
const SUM: Timed = Timed { tool: "calculate", key: "expression" };

impl Timed {
    fn input(self) -> Value {
        json!({self.key: "1+1"})
    }
}
