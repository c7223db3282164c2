//! (b) Rows per second through our ledger, against the same rows through the engine alone.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures::future::try_join_all;
use toolgate_store::Ledger;

use crate::{
    args::Plan,
    engine::Databases,
    floor::Floor,
    output,
    report::{Bound, Report, Row, Unit},
    rows::{ROWS_PER_CALL, Rows},
    stats::{Round, Rounds},
    store::{self, MAX_BATCH},
};

const SECTION: &str = "Ledger, rows";
/// As many as fit in one commit, so that both sides commit groups of the same size.
const TASKS: usize = MAX_BATCH;
const LEAST_SHARE: f64 = 0.6;

pub(crate) async fn measure(databases: &Databases, plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    for engine in &databases.engines {
        let rows = Arc::new(Rows::new()?);
        let ledger = store::open(&databases.fresh(*engine, "ledger").await?, &rows).await?;
        let mut floor = Floor::open(&databases.fresh(*engine, "floor").await?).await?;
        let (mut ours, mut raw) = (Rounds::default(), Rounds::default());
        run(&ledger, &rows, plan.warm_up).await?;
        floor.run(MAX_BATCH, plan.warm_up).await?;
        for number in 1..=plan.rounds {
            output::progress(&format!("{SECTION}, {}: round {number} of {}", engine.name(), plan.rounds));
            ours.0.push(run(&ledger, &rows, plan.round).await?);
            raw.0.push(floor.run(MAX_BATCH, plan.round).await?);
        }
        let name = format!("{} alone, groups of {MAX_BATCH} calls", engine.name());
        report.add(Row::speed(SECTION, &name, &raw).times(ROWS_PER_CALL));
        let name = format!("our ledger on {}, {TASKS} callers", engine.name());
        report.add(Row::speed(SECTION, &name, &ours).times(ROWS_PER_CALL).with(
            "of the engine alone",
            Unit::Share,
            ours.ratio_to(&raw),
            Some(Bound::AtLeast(LEAST_SHARE)),
        ));
    }
    Ok(())
}

async fn run(ledger: &Arc<dyn Ledger>, rows: &Arc<Rows>, time: Duration) -> anyhow::Result<Round> {
    let began = Instant::now();
    let tasks =
        (0..TASKS).map(|_| tokio::spawn(record_until(Arc::clone(ledger), Arc::clone(rows), began, time)));
    let mut took = Vec::new();
    for task in try_join_all(tasks).await? {
        took.extend(task?);
    }
    Ok(Round { calls: took.len(), took, elapsed: began.elapsed(), ..Round::default() })
}

async fn record_until(
    ledger: Arc<dyn Ledger>,
    rows: Arc<Rows>,
    began: Instant,
    time: Duration,
) -> anyhow::Result<Vec<Duration>> {
    let mut took = Vec::with_capacity(512);
    let mut now = Instant::now();
    while now - began < time {
        ledger.record(rows.entry()).await?;
        let after = Instant::now();
        took.push(after - now);
        now = after;
    }
    Ok(took)
}
