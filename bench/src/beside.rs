//! Another build of the server beside this one, taking turns in one run: what a quicker build loses, or what a change costs.

use std::path::Path;

use serde_json::json;

use crate::{
    args::Plan,
    engine::{Databases, Engine},
    http::{Connection, request},
    load::{self, Target},
    output,
    report::{Report, Row, Unit},
    server::{NONE_TOOL, READ_ONLY_TOOL, Server},
    stats::{Rounds, Spread},
};

const SECTION: &str = "Builds";
const CALLERS: usize = 64;
const STARTS: usize = 5;
/// Scripts before the measured ones: the first waits for the self-test.
const FIRST_SCRIPTS: usize = 3;

/// The requests to both builds, and from how many connections at once.
const ASKED: [(&str, Question, usize); 4] = [
    ("none, 64 callers", Question::Tool(NONE_TOOL), CALLERS),
    ("read_only, 64 callers", Question::Tool(READ_ONLY_TOOL), CALLERS),
    ("none, 1 caller", Question::Tool(NONE_TOOL), 1),
    ("run_python, 1 caller", Question::Script, 1),
];

#[derive(Clone, Copy)]
enum Question {
    Tool(&'static str),
    Script,
}

impl Question {
    fn target(self, server: &Server) -> Target {
        match self {
            Self::Tool(tool) => server.invoke(tool),
            Self::Script => {
                let body = json!({"code": "1+1"}).to_string();
                let path = "/api/tools/run_python/invoke";
                Target::new(server.running.address, request("POST", path, &server.key, &body))
            }
        }
    }
}

/// One build: its program, a server of it on each engine, and what was seen of it.
struct Build<'a> {
    name: &'static str,
    program: &'a Path,
    servers: Vec<Server>,
    rounds: Vec<Rounds>,
    idle_mb: Vec<f64>,
    start_ms: Vec<f64>,
}

pub(crate) async fn measure(
    binary: &Path,
    other: &Path,
    databases: &Databases,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut builds = Vec::new();
    for (name, program) in [("this", binary), ("other", other)] {
        let mut servers = Vec::new();
        for engine in &databases.engines {
            let server = Server::start(program, &databases.fresh(*engine, "build").await?).await?;
            server.register_read_only_tool().await?;
            warm(&server).await?;
            servers.push(server);
        }
        let rounds = vec![Rounds::default(); ASKED.len() * servers.len()];
        builds.push(Build { name, program, servers, rounds, idle_mb: Vec::new(), start_ms: Vec::new() });
    }
    for number in 1..=plan.rounds {
        output::progress(&format!("{SECTION}: round {number} of {}", plan.rounds));
        for (index, (_, question, callers)) in ASKED.iter().enumerate() {
            for place in 0..databases.engines.len() {
                for build in &mut builds {
                    let target = question.target(&build.servers[place]);
                    let round = load::run(&target, *callers, plan.round).await?;
                    build.rounds[index * databases.engines.len() + place].0.push(round);
                }
            }
        }
    }
    for build in &mut builds {
        for server in build.servers.drain(..) {
            server.running.stop().await?;
        }
    }
    for _ in 0..STARTS {
        for build in &mut builds {
            start(build, databases).await?;
        }
    }
    tell(&builds, &databases.engines, report);
    Ok(())
}

async fn warm(server: &Server) -> anyhow::Result<()> {
    let mut connection = Connection::open(server.running.address).await?;
    for _ in 0..FIRST_SCRIPTS {
        connection.must(&Question::Script.target(server).request).await?;
    }
    Ok(())
}

/// From nothing to the first call, and what the server weighs then.
async fn start(build: &mut Build<'_>, databases: &Databases) -> anyhow::Result<()> {
    let place = databases.fresh(databases.engines[0], "start").await?;
    let began = std::time::Instant::now();
    let server = Server::start(build.program, &place).await?;
    let mut connection = Connection::open(server.running.address).await?;
    connection.must(&server.invoke(NONE_TOOL).request).await?;
    build.start_ms.push(began.elapsed().as_secs_f64() * 1_000.0);
    build.idle_mb.push(server.running.resident_mb()?);
    drop(connection);
    server.running.stop().await
}

fn tell(builds: &[Build<'_>], engines: &[Engine], report: &mut Report) {
    let [this, other] = builds else { return };
    for (index, (what, ..)) in ASKED.iter().enumerate() {
        for (place, engine) in engines.iter().enumerate() {
            let at = index * engines.len() + place;
            let named = |build: &Build<'_>| format!("{}: {} {what}", build.name, engine.name());
            report.add(Row::speed(SECTION, &named(this), &this.rounds[at]));
            report.add(Row::speed(SECTION, &named(other), &other.rounds[at]).with(
                "of this",
                Unit::Share,
                other.rounds[at].ratio_to(&this.rounds[at]),
                None,
            ));
        }
    }
    for build in builds {
        let row = |what: &str| Row::named(SECTION, &format!("{}: {what}", build.name));
        let spread = |values: &[f64]| Spread::of(values.iter().copied());
        report.add(row("first start to first answer").with(
            "",
            Unit::Milliseconds,
            spread(&build.start_ms),
            None,
        ));
        report.add(row("memory after the first call").with(
            "VmRSS",
            Unit::Megabytes,
            spread(&build.idle_mb),
            None,
        ));
        let bytes = std::fs::metadata(build.program).map_or(0, |file| file.len());
        report.add(row("the program").single("on disk", Unit::Megabytes, bytes as f64 / 1_048_576.0, None));
    }
}
