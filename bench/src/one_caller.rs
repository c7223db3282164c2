//! (a) One caller alone: what the call takes beyond the engine's own commit of the same rows, in the same directory.

use std::time::Duration;

use crate::{
    args::Plan,
    engine::Databases,
    floor::Floor,
    load, output,
    report::{Bound, Report, Row, Unit},
    rest::Servers,
    server::{NONE_TOOL, READ_ONLY_TOOL},
    stats::Rounds,
};

const SECTION: &str = "REST, 1 caller";
const MAX_ABOVE_MS: f64 = 3.0;

pub(crate) async fn latency(
    servers: &Servers,
    databases: &Databases,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    for server in &servers.governed {
        let engine = server.place.engine;
        let place = databases.fresh(engine, "one-commit").await?;
        let mut floor = Floor::open(&place).await?;
        let (none, read_only) = (server.invoke(NONE_TOOL), server.invoke(READ_ONLY_TOOL));
        let mut measured = [Rounds::default(), Rounds::default(), Rounds::default()];
        // The first round warms up, and is forgotten.
        for number in 0..=plan.rounds {
            output::progress(&format!("{SECTION}, {}: round {number} of {}", engine.name(), plan.rounds));
            let time = if number == 0 { plan.warm_up } else { half(plan.round) };
            let round = [
                floor.run(1, time).await?,
                load::run(&none, 1, time).await?,
                load::run(&read_only, 1, time).await?,
            ];
            if number > 0 {
                for (rounds, round) in measured.iter_mut().zip(round) {
                    rounds.0.push(round);
                }
            }
        }
        let [commit, none, read_only] = measured;
        let engine = engine.name();
        report.add(Row::speed(SECTION, &format!("{engine}'s own commit of 2 rows"), &commit));
        let above = none.p99_above(&commit);
        let bound = Some(Bound::AtMost(MAX_ABOVE_MS));
        report.add(Row::speed(SECTION, &format!("{engine} none"), &none).with(
            "p99 above the commit's",
            Unit::Milliseconds,
            above,
            bound,
        ));
        // It commits twice: what it takes beyond one commit is told, and not judged.
        let above = read_only.p99_above(&commit);
        report.add(Row::speed(SECTION, &format!("{engine} read_only"), &read_only).with(
            "p99 above one commit's",
            Unit::Milliseconds,
            above,
            None,
        ));
    }
    Ok(())
}

fn half(time: Duration) -> Duration {
    time / 2
}
