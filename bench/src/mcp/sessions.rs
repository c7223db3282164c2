//! A thousand clients at once, each with a session and an open stream: that all are answered, what they weigh, and how soon they hear that
//! their list of tools changed.

use std::{sync::Arc, time::Instant};

use anyhow::{Context, ensure};
use futures::{StreamExt, TryStreamExt, future::try_join_all, stream};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

use super::wire::Endpoint;
use crate::{
    args::Plan,
    http::Connection,
    load::{self, Target},
    output,
    report::{Bound, Report, Row, Unit},
    rows::EXPRESSION,
    rules,
    server::Server,
    stats::Rounds,
};

const SECTION: &str = "MCP, sessions";
const SESSIONS: usize = 1_000;
/// Sessions that are opened at a time.
const AT_ONCE: usize = 50;
/// Each session listens on one connection and calls on another. Others have some too.
const FILES: u64 = 2 * SESSIONS as u64 + 500;
const KILOBYTES: f64 = 1_024.0;

struct Client {
    session: String,
    stream: Connection,
}

pub(super) async fn measure(server: &Server, plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    output::progress(&format!("{SECTION}: {SESSIONS} at once"));
    allow_files()?;
    let endpoint = Endpoint { address: server.running.address, key: server.key.clone() };
    let before = server.running.resident_mb()?;
    let began = Instant::now();
    let opened = (0..SESSIONS).map(|_| async {
        let session = endpoint.open().await?;
        let stream = endpoint.listen(&session).await?;
        anyhow::Ok(Client { session, stream })
    });
    let clients: Vec<Client> = stream::iter(opened).buffer_unordered(AT_ONCE).try_collect().await?;
    let opened = began.elapsed();
    let open_mb = server.running.resident_mb()? - before;
    let calls: Vec<Target> =
        clients.iter().map(|client| call(&endpoint, &client.session)).collect::<anyhow::Result<_>>()?;
    let round = load::run_each(&calls, plan.round).await?;
    ensure!(round.calls >= SESSIONS, "only {} calls were answered", round.calls);
    let called_mb = server.running.resident_mb()? - before;
    let rounds = Rounds(vec![round]);
    let row = |what: &str| Row::named(SECTION, &format!("{SESSIONS} sessions, each with its stream: {what}"));
    let a_second = SESSIONS as f64 / opened.as_secs_f64();
    report.add(row("opened").single("a second", Unit::Count, a_second, None));
    let kilobytes = |megabytes: f64| megabytes * KILOBYTES / SESSIONS as f64;
    report.add(row("memory of one").single("kB", Unit::Count, kilobytes(open_mb), None));
    report.add(row("memory of one after its calls").single("kB", Unit::Count, kilobytes(called_mb), None));
    let told = Row::speed(SECTION, &format!("{SESSIONS} sessions, all calling at once"), &rounds);
    // A call that is refused or lost ends the measurement.
    report.add(told.single("sessions answered", Unit::Count, SESSIONS as f64, Some(Bound::AtLeast(1_000.0))));
    let mut clients = clients;
    let heard_ms = change(server, &mut clients).await?;
    let what = format!("{SESSIONS} sessions, {} tools: one more tool, until all have heard", rules::TOOLS);
    report.add(Row::named(SECTION, &what).single("until the last", Unit::Milliseconds, heard_ms, None));
    let closed = clients.iter().map(|client| endpoint.close(&client.session));
    stream::iter(closed).buffer_unordered(AT_ONCE).try_collect().await.context("a session could not be ended")
}

fn call(endpoint: &Endpoint, session: &str) -> anyhow::Result<Target> {
    let params = json!({"name": "tool_00001", "arguments": {"expression": EXPRESSION}});
    let target = endpoint.ask("tools/call", params, Some(session))?;
    Ok(Target { holds: Arc::from(&b"toolgate/receipt"[..]), ..target })
}

/// Registers one more tool, and waits until every session was told that its list is another.
async fn change(server: &Server, clients: &mut [Client]) -> anyhow::Result<f64> {
    for client in clients.iter_mut() {
        client.stream.forget();
    }
    let began = Instant::now();
    server.post("/api/tools", &one_more()).await?;
    let heard = clients.iter_mut().map(|client| client.stream.hear(b"notifications/tools/list_changed"));
    try_join_all(heard).await?;
    Ok(began.elapsed().as_secs_f64() * 1e3)
}

fn one_more() -> Value {
    json!({
        "name": "one_more", "version": "1.0.0", "description": "Came while others were listening.",
        "input_schema": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
        "execution": {"kind": "builtin", "handler": "calculate"},
    })
}

/// Connections are files.
fn allow_files() -> anyhow::Result<()> {
    let now = getrlimit(Resource::Nofile);
    if now.current.is_none_or(|most| most >= FILES) {
        return Ok(());
    }
    ensure!(
        now.maximum.is_none_or(|most| most >= FILES),
        "this needs {FILES} open files: raise `ulimit -Hn`"
    );
    setrlimit(Resource::Nofile, Rlimit { current: Some(FILES), maximum: now.maximum })?;
    Ok(())
}
