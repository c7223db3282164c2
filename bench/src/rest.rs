//! (a) The governed durable call over HTTP, against a bare echo of the same payload.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context;

use crate::{
    args::Plan,
    child::Running,
    engine::{Databases, Engine},
    load::{self, Target},
    output,
    report::{Bound, Report, Row, Unit},
    server::{NONE_TOOL, READ_ONLY_TOOL, Server, echo_target},
    stats::{Round, Rounds},
};

pub(crate) const SECTION: &str = "REST, 64 callers";
const CALLERS: usize = 64;
/// What PostgreSQL owes of SQLite's figures.
const POSTGRES_SHARE: f64 = 0.6;
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);

/// Everything that is measured over HTTP: all are up all the time, so that no side has the machine for itself.
pub(crate) struct Servers {
    echo: Running,
    pub(crate) governed: Vec<Server>,
    /// Megabytes of each governed server after its start.
    idle_mb: Vec<f64>,
}

impl Servers {
    pub(crate) async fn start(binary: &Path, databases: &Databases) -> anyhow::Result<Self> {
        let place = databases.fresh(Engine::Sqlite, "echo").await?;
        let this_program = std::env::current_exe()?;
        let echo = Running::start(&this_program, &["echo"], &place.directory).await?;
        let (mut governed, mut idle_mb) = (Vec::new(), Vec::new());
        for engine in &databases.engines {
            let place = databases.fresh(*engine, "rest").await?;
            let server = Server::start(binary, &place).await?;
            server.register_read_only_tool().await?;
            idle_mb.push(server.running.resident_mb()?);
            governed.push(server);
        }
        Ok(Self { echo, governed, idle_mb })
    }

    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        for server in self.governed {
            server.running.stop().await?;
        }
        Ok(())
    }
}

/// What is compared with the echo.
struct Subject<'a> {
    server: &'a Server,
    tool: &'static str,
    target: Target,
    rounds: Rounds,
    loaded_mb: f64,
}

pub(crate) async fn throughput(servers: &Servers, plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let first = servers.governed.first().context("no engine to measure")?;
    let echo = echo_target(&servers.echo, first);
    let mut subjects: Vec<_> = [NONE_TOOL, READ_ONLY_TOOL]
        .into_iter()
        .flat_map(|tool| servers.governed.iter().map(move |server| (tool, server)))
        .map(|(tool, server)| Subject {
            server,
            tool,
            target: server.invoke(tool),
            rounds: Rounds::default(),
            loaded_mb: 0.0,
        })
        .collect();
    let mut echoed = Rounds::default();
    watched(&echo, &servers.echo, plan.warm_up).await?;
    for subject in &mut subjects {
        subject.round(plan.warm_up).await?;
    }
    for number in 1..=plan.rounds {
        output::progress(&format!("{SECTION}: round {number} of {}", plan.rounds));
        echoed.0.push(watched(&echo, &servers.echo, plan.round).await?.0);
        for subject in &mut subjects {
            let round = subject.round(plan.round).await?;
            subject.rounds.0.push(round);
        }
    }
    tell(report, servers, &echoed, &subjects);
    Ok(())
}

impl Subject<'_> {
    async fn round(&mut self, time: Duration) -> anyhow::Result<Round> {
        let (round, megabytes) = watched(&self.target, &self.server.running, time).await?;
        self.loaded_mb = self.loaded_mb.max(megabytes);
        Ok(round)
    }
}

/// A round, with what it cost the server: processor time, and memory at its most.
async fn watched(target: &Target, server: &Running, time: Duration) -> anyhow::Result<(Round, f64)> {
    let before = server.processor_time()?;
    let (round, megabytes) = tokio::join!(load::run(target, CALLERS, time), most_memory(server, time));
    let processor = server.processor_time()?.saturating_sub(before);
    Ok((Round { processor, ..round? }, megabytes?))
}

async fn most_memory(server: &Running, time: Duration) -> anyhow::Result<f64> {
    let (began, mut most) = (Instant::now(), 0.0_f64);
    while began.elapsed() < time {
        tokio::time::sleep(MEMORY_INTERVAL.min(time)).await;
        most = most.max(server.resident_mb()?);
    }
    Ok(most)
}

fn tell(report: &mut Report, servers: &Servers, echoed: &Rounds, subjects: &[Subject<'_>]) {
    report.add(Row::speed(SECTION, "bare axum echo", echoed));
    for subject in subjects {
        let (engine, class) = (subject.server.place.engine, class_of(subject.tool));
        let of_sqlite = if subject.tool == NONE_TOOL { 0.25 } else { 0.12 };
        // PostgreSQL owes a share of what SQLite owes; the same share of what SQLite does is a row of its own.
        let target = match engine {
            Engine::Sqlite => of_sqlite,
            Engine::Postgres => of_sqlite * POSTGRES_SHARE,
        };
        let name = format!("{} {class}", engine.name());
        report.add(Row::speed(SECTION, &name, &subject.rounds).with(
            "of echo",
            Unit::Share,
            subject.rounds.ratio_to(echoed),
            Some(Bound::AtLeast(target)),
        ));
    }
    for postgres in subjects.iter().filter(|s| s.server.place.engine == Engine::Postgres) {
        let same_call = |s: &&Subject<'_>| s.tool == postgres.tool && s.server.place.engine == Engine::Sqlite;
        if let Some(sqlite) = subjects.iter().find(same_call) {
            let ratio = postgres.rounds.ratio_to(&sqlite.rounds);
            let name = format!("PostgreSQL {} to SQLite", class_of(postgres.tool));
            report.add(Row::named(SECTION, &name).with(
                "of SQLite",
                Unit::Share,
                ratio,
                Some(Bound::AtLeast(POSTGRES_SHARE)),
            ));
        }
    }
    for (server, idle_mb) in servers.governed.iter().zip(&servers.idle_mb) {
        let engine = server.place.engine.name();
        let loaded =
            subjects.iter().filter(|s| s.server.place.engine == server.place.engine).map(|s| s.loaded_mb);
        report.add(Row::named("Memory", &format!("{engine}, idle after start")).single(
            "VmRSS",
            Unit::Megabytes,
            *idle_mb,
            Some(Bound::AtMost(60.0)),
        ));
        report.add(Row::named("Memory", &format!("{engine}, most under load")).single(
            "VmRSS",
            Unit::Megabytes,
            loaded.fold(0.0, f64::max),
            None,
        ));
    }
}

fn class_of(tool: &str) -> &'static str {
    if tool == NONE_TOOL { "none (1 commit)" } else { "read_only (2 commits)" }
}
