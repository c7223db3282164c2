//! The governed durable call at 64 callers, against a bare server on the same SDK with the same tool.

use std::{path::Path, time::Duration};

use futures::future::try_join_all;

use super::wire::{Endpoint, Revision, TOOL};
use crate::{
    args::Plan,
    child::Running,
    engine::{Databases, Engine},
    load::{self, Target},
    output,
    report::{Bound, Report, Row, Unit},
    server::Server,
    stats::{Round, Rounds},
};

const SECTION: &str = "MCP, 64 callers";
const CALLERS: usize = 64;
const LEAST_OF_BARE: f64 = 0.5;

pub(super) async fn measure(
    binary: &Path,
    databases: &Databases,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let place = databases.fresh(Engine::Sqlite, "bare").await?;
    let bare = Running::start(&std::env::current_exe()?, &["bare"], &place.directory).await?;
    let mut governed = Vec::new();
    for engine in &databases.engines {
        let place = databases.fresh(*engine, "mcp").await?;
        governed.push(Server::start(binary, &place).await?);
    }
    for revision in Revision::ALL {
        compare(revision, &bare, &governed, plan, report).await?;
    }
    for server in governed {
        server.running.stop().await?;
    }
    Ok(())
}

/// One of those that are compared: the same call, by so many callers.
struct Subject<'a> {
    server: &'a Running,
    targets: Vec<Target>,
    rounds: Rounds,
}

impl<'a> Subject<'a> {
    async fn new(revision: Revision, server: &'a Running, key: &str) -> anyhow::Result<Self> {
        let endpoint = Endpoint { address: server.address, key: key.to_owned() };
        let targets = match revision {
            Revision::Stateless => vec![endpoint.call(TOOL, None)?; CALLERS],
            Revision::Session => {
                let sessions = try_join_all((0..CALLERS).map(|_| endpoint.open())).await?;
                let calls = sessions.iter().map(|id| endpoint.call(TOOL, Some(id)));
                calls.collect::<anyhow::Result<_>>()?
            }
        };
        Ok(Self { server, targets, rounds: Rounds::default() })
    }

    async fn round(&self, time: Duration) -> anyhow::Result<Round> {
        let before = self.server.processor_time()?;
        let round = load::run_each(&self.targets, time).await?;
        let processor = self.server.processor_time()?.saturating_sub(before);
        Ok(Round { processor, ..round })
    }
}

async fn compare(
    revision: Revision,
    bare: &Running,
    governed: &[Server],
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut subjects = vec![Subject::new(revision, bare, "nobody asks").await?];
    for server in governed {
        subjects.push(Subject::new(revision, &server.running, &server.key).await?);
    }
    for subject in &subjects {
        subject.round(plan.warm_up).await?;
    }
    for number in 1..=plan.rounds {
        output::progress(&format!("{SECTION}, {}: round {number} of {}", revision.name(), plan.rounds));
        for subject in &mut subjects {
            let round = subject.round(plan.round).await?;
            subject.rounds.0.push(round);
        }
    }
    let mut subjects = subjects.into_iter();
    let Some(Subject { rounds: floor, .. }) = subjects.next() else { return Ok(()) };
    report.add(Row::speed(SECTION, &format!("bare server on the SDK, {}", revision.name()), &floor));
    for (server, subject) in governed.iter().zip(subjects) {
        let engine = server.place.engine;
        // Promised for the embedded database; what a commit over a network takes is told, and not judged.
        let target = (engine == Engine::Sqlite).then_some(Bound::AtLeast(LEAST_OF_BARE));
        let what = format!("{} governed and durable, {}", engine.name(), revision.name());
        let ratio = subject.rounds.ratio_to(&floor);
        report.add(Row::speed(SECTION, &what, &subject.rounds).with("of bare", Unit::Share, ratio, target));
    }
    Ok(())
}
