//! Callers that ask again as soon as they are answered, for a given time.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use futures::future::try_join_all;
use tokio::sync::Barrier;

use crate::{http::Connection, stats::Round};

/// How much longer than planned a round may take before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// One kind of request to one server.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    pub(crate) request: Arc<[u8]>,
}

/// Calls `target` from `callers` connections at once, each with one request under way at a time.
pub(crate) async fn run(target: &Target, callers: usize, time: Duration) -> anyhow::Result<Round> {
    let ready = Arc::new(Barrier::new(callers));
    let tasks = (0..callers).map(|_| tokio::spawn(call_until(target.clone(), Arc::clone(&ready), time)));
    let ended = tokio::time::timeout(time + PATIENCE, try_join_all(tasks))
        .await
        .context("a round does not end")??;
    let mut round = Round::default();
    for caller in ended {
        let (took, elapsed) = caller?;
        round.calls += took.len();
        round.took.extend(took);
        round.elapsed = round.elapsed.max(elapsed);
    }
    Ok(round)
}

async fn call_until(
    target: Target,
    ready: Arc<Barrier>,
    time: Duration,
) -> anyhow::Result<(Vec<Duration>, Duration)> {
    let connection = Connection::open(target.address).await;
    // Also who failed is waited for: the others would wait for ever.
    ready.wait().await;
    let mut connection = connection?;
    let mut took = Vec::with_capacity(4_096);
    let began = Instant::now();
    let mut now = began;
    while now - began < time {
        connection.must(&target.request).await?;
        let after = Instant::now();
        took.push(after - now);
        now = after;
    }
    Ok((took, now - began))
}
