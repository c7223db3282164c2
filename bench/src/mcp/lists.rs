//! Ten thousand tools: the first page of the list, for one who may call them all and for an agent who may call some; and, beside them, a
//! thousand sessions.

use std::{path::Path, sync::Arc, time::Instant};

use anyhow::{Context, ensure};
use serde_json::json;
use toolgate_domain::{AgentId, ids::OrderedIds, time::SystemClock};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    sqlite::{Sqlite, SqliteOptions},
};

use super::{sessions, wire::Endpoint};
use crate::{
    args::Plan,
    engine::{Databases, Engine, Place},
    http::Connection,
    output,
    report::{Bound, Report, Row, Unit},
    rules,
    server::Server,
    stats::{Round, Rounds},
};

const SECTION: &str = "MCP, lists";
const REQUESTS: usize = 200;
const WARM_UP: usize = 20;
const MAX_PAGE_MS: f64 = 20.0;

pub(super) async fn measure(
    binary: &Path,
    databases: &Databases,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    output::progress(&format!("{SECTION}: {} tools are registered", rules::TOOLS));
    let place = databases.fresh(Engine::Sqlite, "lists").await?;
    fill(&place).await?;
    // Those that ship with the program come on top.
    let room = format!("max_tools={}", rules::TOOLS + 1_000);
    let server = Server::start_with(binary, &place, &["--limit", &room]).await?;
    let agent = json!({"name": "ada", "scopes": ["tools:read", "tools:execute"], "agent": "ada"});
    let made = server.post("/api/keys", &agent).await?;
    let agent_key = made["key"].as_str().context("a key that is not shown")?;
    let address = server.running.address;
    let everybody =
        [("a key that may call all of them", &*server.key), ("an agent with the last 1000", agent_key)];
    for (who, key) in everybody {
        let rounds = first_page(&Endpoint { address, key: key.to_owned() }).await?;
        let p99 = rounds.percentile_ms(99.0);
        let what = format!("first page of {} tools, {who}", rules::TOOLS);
        let bound = Some(Bound::AtMost(MAX_PAGE_MS));
        report.add(Row::speed(SECTION, &what, &rounds).single("p99", Unit::Milliseconds, p99, bound));
    }
    sessions::measure(&server, plan, report).await?;
    server.running.stop().await
}

/// A database that has the tools before the server starts.
async fn fill(place: &Place) -> anyhow::Result<()> {
    let (store, _) = Sqlite::open(&SqliteOptions::new(place.directory.join("toolgate.db")))?;
    let blobs = ObjectBlobs::local(&place.directory.join("blobs"))?;
    let stores =
        store.stores(Arc::new(blobs), Arc::new(MemoryCache::new(0)), Arc::new(MemoryLimits::default()));
    let ids = OrderedIds::new(SystemClock);
    // The last by name: whoever looks for them passes all others.
    let first = rules::TOOLS - rules::ASSIGNED;
    rules::fill(&stores, &ids, AgentId::generate(&ids), first).await
}

async fn first_page(endpoint: &Endpoint) -> anyhow::Result<Rounds> {
    let mut connection = Connection::open(endpoint.address).await?;
    let target = endpoint.ask("tools/list", json!({}), None)?;
    let mut round = Round::default();
    for number in 0..WARM_UP + REQUESTS {
        let began = Instant::now();
        let answer = connection.call(&target.request).await?;
        let took = began.elapsed();
        ensure!(answer.status == 200, "HTTP {}: {}", answer.status, answer.text());
        ensure!(answer.holds(b"nextCursor"), "a list of one page: {}", answer.text());
        if number >= WARM_UP {
            round.took.push(took);
            round.calls += 1;
            round.elapsed += took;
        }
    }
    Ok(Rounds(vec![round]))
}
