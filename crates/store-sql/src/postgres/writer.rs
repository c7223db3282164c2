//! Group commit: one thread writes. It takes every entry that waits, writes them in one transaction, and answers each caller only
//! after that transaction is durable. While a group is written, the callers of the one before make the next.

use std::{collections::HashSet, ops::Range};

use tokio::{
    runtime,
    sync::{mpsc, oneshot},
    time::timeout_at,
};
use toolgate_store::{Entry, LedgerError, StoreError};

use super::{handed_over::HandedOver, link::Link};
use crate::answering::Answering;

type Answer = Result<(), LedgerError>;

struct Job {
    entry: HandedOver,
    answer: oneshot::Sender<Answer>,
}

/// What the writer takes at most.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Entries that wait.
    pub(super) queue: usize,
    /// Entries of one transaction, and their bytes.
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    /// The thread ends when the last clone of the writer is gone and the queue is empty. It is the writer's own: as a task among others
    /// it would find out that a group is durable when they let it, and the database would have nothing to do meanwhile.
    pub(super) fn start(link: Link, bounds: Bounds) -> Result<Self, StoreError> {
        let unavailable = |error: std::io::Error| StoreError::Unavailable(error.to_string());
        let (queue, jobs) = mpsc::channel(bounds.queue);
        let answering = Answering::here();
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(unavailable)?;
        std::thread::Builder::new()
            .name("ledger".to_owned())
            .spawn(move || runtime.block_on(write_all(link, jobs, bounds, answering)))
            .map_err(unavailable)?;
        Ok(Self { queue })
    }

    pub(super) async fn record(&self, entry: Entry) -> Answer {
        // A place first: who is turned away has not worked for nothing.
        let place = self.queue.try_reserve().map_err(|error| match error {
            mpsc::error::TrySendError::Full(()) => LedgerError::Overloaded,
            mpsc::error::TrySendError::Closed(()) => gone(),
        })?;
        let (answer, wait) = oneshot::channel();
        place.send(Job { entry: HandedOver::of(entry)?, answer });
        wait.await.unwrap_or_else(|_| Err(gone()))
    }
}

fn gone() -> LedgerError {
    StoreError::Unavailable("the writer has stopped".to_owned()).into()
}

async fn write_all(mut link: Link, mut jobs: mpsc::Receiver<Job>, bounds: Bounds, answering: Answering) {
    let mut batch = Vec::with_capacity(bounds.entries);
    while come(&mut link, &mut jobs, &mut batch, bounds.entries).await > 0 {
        let (entries, waiting): (Vec<_>, Vec<_>) = batch.drain(..).map(|job| (job.entry, job.answer)).unzip();
        let answers = write_batch(&mut link, &entries, bounds.bytes).await;
        answering.run(move || {
            for (answer, wait) in answers.into_iter().zip(waiting) {
                // The caller may have gone away; its rows stay.
                let _ = wait.send(answer);
            }
            drop(entries);
        });
    }
}

/// Waits for entries; none come any more when the writer is gone. Where none come for a moment, other processes are told of the last ones.
async fn come(
    link: &mut Link,
    jobs: &mut mpsc::Receiver<Job>,
    batch: &mut Vec<Job>,
    max_batch: usize,
) -> usize {
    if let Some(due) = link.word_is_due() {
        match timeout_at(due.into(), jobs.recv_many(batch, max_batch)).await {
            Ok(came) if came > 0 => return came,
            Ok(_) | Err(_) => link.tell().await,
        }
    }
    jobs.recv_many(batch, max_batch).await
}

/// Writes a batch. Where an entry is refused, its group is halved until the refused ones stand alone, and all others are written.
async fn write_batch(link: &mut Link, entries: &[HandedOver], max_bytes: usize) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(entries.len());
    let mut parts = groups(entries, max_bytes);
    parts.reverse();
    while let Some(part) = parts.pop() {
        match link.write(&entries[part.clone()]).await {
            Ok(()) => answers.extend(part.map(|_| Ok(()))),
            Err(LedgerError::Store(StoreError::Unavailable(why))) => {
                tracing::error!(why, entries = part.len(), "the ledger cannot write");
                answers.extend(part.map(|_| Err(StoreError::Unavailable(why.clone()).into())));
            }
            Err(error) if part.len() == 1 => answers.push(Err(error)),
            Err(_) => {
                let middle = part.start + part.len() / 2;
                parts.push(middle..part.end);
                parts.push(part.start..middle);
            }
        }
    }
    answers
}

/// A statement sees none of its own changes, so entries for one invocation go in different ones, in their order; and what would make a
/// group too large begins the next.
fn groups(entries: &[HandedOver], max_bytes: usize) -> Vec<Range<usize>> {
    let (mut groups, mut start, mut bytes) = (Vec::new(), 0, 0_usize);
    let mut changed = HashSet::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        let is_again = entry.invocation.is_some_and(|id| !changed.insert(id));
        bytes = bytes.saturating_add(entry.bytes());
        if is_again || bytes > max_bytes && place > start {
            groups.push(start..place);
            (start, bytes) = (place, entry.bytes());
            changed.clear();
            changed.extend(entry.invocation);
        }
    }
    groups.push(start..entries.len());
    groups
}

#[cfg(test)]
mod tests {
    use toolgate_domain::{TenantId, ids::Uuid};

    use super::*;

    fn entry(invocation: u128, bytes: usize) -> HandedOver {
        HandedOver {
            tenant_id: TenantId::DEFAULT,
            invocation: Some(Uuid::from_u128(invocation)),
            row: Some(vec![0; bytes]),
            change: None,
            events: vec![],
            items: vec![],
            blobs: vec![],
            audit: vec![],
        }
    }

    #[test]
    fn a_group_ends_before_the_same_call_comes_again_and_before_it_is_too_large() {
        let sizes = |sizes: &[(u128, usize)]| {
            let entries: Vec<_> = sizes.iter().map(|(id, bytes)| entry(*id, *bytes)).collect();
            groups(&entries, 100)
        };
        assert_eq!(sizes(&[(1, 40), (2, 60), (3, 1)]), [0..2, 2..3]);
        assert_eq!(sizes(&[(1, 1), (2, 1), (1, 1), (2, 1)]), [0..2, 2..4]);
        assert_eq!(sizes(&[(1, 500), (2, 500), (3, 1)]), [0..1, 1..2, 2..3], "each goes, however large");
        assert_eq!(sizes(&[(1, 1), (1, 100), (2, 1)]), [0..1, 1..2, 2..3]);
    }
}
