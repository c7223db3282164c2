//! What a call takes longer that is handed on to another server: the same tool asked directly and through the door, call by call.

use std::{path::Path, time::Instant};

use serde_json::json;

use super::{
    direct::Piped,
    wire::{Endpoint, TOOL},
};
use crate::{
    args::Plan,
    child::Running,
    engine::{Databases, Engine},
    load::Asker,
    output,
    report::{Bound, Report, Row, Unit},
    server::Server,
    stats::{Round, Rounds, Spread},
};

const SECTION: &str = "MCP, handed on";
const CALLS_A_ROUND: usize = 400;
const MAX_ADDED_MS: f64 = 1.5;

pub(super) async fn measure(
    binary: &Path,
    databases: &Databases,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let program = std::env::current_exe()?;
    let place = databases.fresh(Engine::Sqlite, "upstream").await?;
    let bare = Running::start(&program, &["bare"], &place.directory).await?;
    for engine in &databases.engines {
        let place = databases.fresh(*engine, "proxy").await?;
        let (host, command) = (bare.address.to_string(), format!("{} bare-stdio", program.display()));
        let options = ["--allow-host", &host, "--mcp-stdio-command", &command];
        let server = Server::start_with(binary, &place, &options).await?;
        let url = format!("http://{host}/mcp");
        let ways = [
            ("http", json!({"kind": "http", "url": url})),
            ("stdio", json!({"kind": "stdio", "command": program, "args": ["bare-stdio"]})),
        ];
        for (name, transport) in ways {
            let upstream =
                json!({"name": name, "transport": transport, "egress_class": "read_only", "risk": "low"});
            server.post("/api/mcp/servers", &upstream).await?;
        }
        compare(&program, &bare, &server, plan, report).await?;
        server.running.stop().await?;
    }
    Ok(())
}

async fn compare(
    program: &Path,
    bare: &Running,
    server: &Server,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let there = Endpoint { address: bare.address, key: "nobody asks".to_owned() };
    let here = Endpoint { address: server.running.address, key: server.key.clone() };
    let mut http = Asker::open(there.call(TOOL, None)?).await?;
    let mut stdio = Piped::start(program).await?;
    let mut through_http = Asker::open(here.call(&format!("http_{TOOL}"), None)?).await?;
    let mut through_stdio = Asker::open(here.call(&format!("stdio_{TOOL}"), None)?).await?;
    let mut measured: [Rounds; 4] = Default::default();
    let engine = server.place.engine.name();
    let calls = if plan.quick { CALLS_A_ROUND / 4 } else { CALLS_A_ROUND };
    // The first round warms up, and is forgotten.
    for number in 0..=plan.rounds {
        output::progress(&format!("{SECTION}, {engine}: round {number} of {}", plan.rounds));
        let mut round: [Round; 4] = Default::default();
        for _ in 0..calls {
            timed(&mut round[0], http.ask()).await?;
            timed(&mut round[1], through_http.ask()).await?;
            timed(&mut round[2], stdio.call()).await?;
            timed(&mut round[3], through_stdio.ask()).await?;
        }
        if number > 0 {
            for (rounds, round) in measured.iter_mut().zip(round) {
                rounds.0.push(round);
            }
        }
    }
    let [http, through_http, stdio, through_stdio] = measured;
    for (way, direct, through) in [("HTTP", http, through_http), ("stdio", stdio, through_stdio)] {
        report.add(Row::speed(SECTION, &format!("{way}: the other server itself"), &direct));
        let added = Spread::of(
            through.0.iter().zip(&direct.0).map(|(a, b)| a.percentile_ms(50.0) - b.percentile_ms(50.0)),
        );
        let what = format!("{way}: the same through {engine}, recorded before and after");
        let target = (server.place.engine == Engine::Sqlite).then_some(Bound::AtMost(MAX_ADDED_MS));
        report.add(Row::speed(SECTION, &what, &through).with(
            "added at the median",
            Unit::Milliseconds,
            added,
            target,
        ));
    }
    Ok(())
}

async fn timed(round: &mut Round, call: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let began = Instant::now();
    call.await?;
    let took = began.elapsed();
    round.took.push(took);
    round.calls += 1;
    round.elapsed += took;
    Ok(())
}
