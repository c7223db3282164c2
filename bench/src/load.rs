//! Callers that ask again as soon as they are answered, for a given time.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
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
    /// Where the request holds a number that no two requests of a caller may share.
    pub(crate) number_at: Option<std::ops::Range<usize>>,
    /// What a good answer holds, beside its status.
    pub(crate) holds: Arc<[u8]>,
}

impl Target {
    /// Any answer with 200 is good.
    pub(crate) fn new(address: SocketAddr, request: Vec<u8>) -> Self {
        Self { address, request: request.into(), number_at: None, holds: Arc::new([]) }
    }
}

/// Sends the requests of one target, each as a new one.
pub(crate) struct Asker {
    connection: Connection,
    target: Target,
    request: Vec<u8>,
}

impl Asker {
    pub(crate) async fn open(target: Target) -> anyhow::Result<Self> {
        let connection = Connection::open(target.address).await?;
        Ok(Self { connection, request: target.request.to_vec(), target })
    }

    pub(crate) async fn ask(&mut self) -> anyhow::Result<()> {
        if let Some(digits) = &self.target.number_at {
            count_up(&mut self.request[digits.clone()]);
        }
        let answer = self.connection.call(&self.request).await?;
        if answer.status != 200 || !answer.holds(&self.target.holds) {
            bail!("HTTP {}: {}", answer.status, answer.text());
        }
        Ok(())
    }
}

/// The next number, in as many digits.
fn count_up(digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
}

/// Calls `target` from `callers` connections at once, each with one request under way at a time.
pub(crate) async fn run(target: &Target, callers: usize, time: Duration) -> anyhow::Result<Round> {
    run_each(&vec![target.clone(); callers], time).await
}

/// The same with a request of its own for each caller.
pub(crate) async fn run_each(targets: &[Target], time: Duration) -> anyhow::Result<Round> {
    let ready = Arc::new(Barrier::new(targets.len()));
    let tasks =
        targets.iter().map(|target| tokio::spawn(call_until(target.clone(), Arc::clone(&ready), time)));
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
    let asker = Asker::open(target).await;
    // Also who failed is waited for: the others would wait for ever.
    ready.wait().await;
    let mut asker = asker?;
    let mut took = Vec::with_capacity(4_096);
    let began = Instant::now();
    let mut now = began;
    while now - began < time {
        asker.ask().await?;
        let after = Instant::now();
        took.push(after - now);
        now = after;
    }
    Ok((took, now - began))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_of_a_caller_has_a_number_of_its_own() {
        let mut digits = *b"0098";
        count_up(&mut digits);
        assert_eq!(&digits, b"0099");
        count_up(&mut digits);
        assert_eq!(&digits, b"0100");
    }
}
