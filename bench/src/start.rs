//! From nothing to the first answer, on a data directory that is there already.

use std::{path::Path, time::Instant};

use crate::{
    engine::{Databases, Place},
    http::{Connection, request},
    output,
    report::{Bound, Report, Row, Unit},
    server::{NONE_TOOL, Server},
    stats::Spread,
};

const SECTION: &str = "Cold start";
const STARTS: usize = 5;
const MAX_START_MS: f64 = 300.0;
/// Calls on record before the measured starts.
const EARLIER_CALLS: usize = 200;

pub(crate) async fn measure(binary: &Path, databases: &Databases, report: &mut Report) -> anyhow::Result<()> {
    for engine in &databases.engines {
        output::progress(&format!("{SECTION}, {}", engine.name()));
        let place = databases.fresh(*engine, "start").await?;
        fill(binary, &place).await?;
        let (mut healthy_ms, mut called_ms, mut idle_mb) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..STARTS {
            let began = Instant::now();
            let server = Server::start(binary, &place).await?;
            let mut connection = Connection::open(server.running.address).await?;
            connection.must(&request("GET", "/healthz", "", "")).await?;
            healthy_ms.push(began.elapsed().as_secs_f64() * 1_000.0);
            connection.must(&server.invoke(NONE_TOOL).request).await?;
            called_ms.push(began.elapsed().as_secs_f64() * 1_000.0);
            idle_mb.push(server.running.resident_mb()?);
            server.running.stop().await?;
        }
        let bound = Some(Bound::AtMost(MAX_START_MS));
        for (what, values) in
            [("first answer (GET /healthz)", healthy_ms), ("first call answered", called_ms)]
        {
            report.add(Row::named(SECTION, &format!("{}, {what}", engine.name())).with(
                "after spawn",
                Unit::Milliseconds,
                Spread::of(values.into_iter()),
                bound,
            ));
        }
        report.add(Row::named(SECTION, &format!("{}, after the first call", engine.name())).with(
            "VmRSS",
            Unit::Megabytes,
            Spread::of(idle_mb.into_iter()),
            Some(Bound::AtMost(60.0)),
        ));
    }
    Ok(())
}

async fn fill(binary: &Path, place: &Place) -> anyhow::Result<()> {
    let server = Server::start(binary, place).await?;
    let call = server.invoke(NONE_TOOL);
    let mut connection = Connection::open(server.running.address).await?;
    for _ in 0..EARLIER_CALLS {
        connection.must(&call.request).await?;
    }
    drop(connection);
    server.running.stop().await
}
