//! The log's pages go into the database beside the writer. In its way, each move would hold up everybody who waits for a commit.

use std::{
    path::Path,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::JoinHandle,
};

use rusqlite::Connection;
use toolgate_store::StoreError;

use super::database::connect;

/// Jobs between two moves. Pages that changed often in between are moved once.
const EVERY_JOBS: usize = 4_000;

/// Moves pages when enough was written. Ends, and closes its connection, when it is dropped.
pub(super) struct Checkpoints {
    /// Room for one: who is at it already looks again afterwards.
    due: Option<SyncSender<()>>,
    mover: Option<JoinHandle<()>>,
    jobs: usize,
}

impl Checkpoints {
    pub(super) fn start(database: &Path) -> Result<Self, StoreError> {
        let connection = connect(database)?;
        let (due, asked) = sync_channel(1);
        let mover = std::thread::Builder::new()
            .name("checkpoints".to_owned())
            .spawn(move || move_pages(&connection, &asked))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self { due: Some(due), mover: Some(mover), jobs: 0 })
    }

    /// Told by the writer after each commit.
    pub(super) fn committed(&mut self, jobs: usize) {
        self.jobs += jobs;
        if self.jobs >= EVERY_JOBS {
            self.jobs = 0;
            let _ = self.due.as_ref().map(|due| due.try_send(()));
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        drop(self.due.take());
        if let Some(mover) = self.mover.take() {
            let _ = mover.join();
        }
    }
}

/// What is written meanwhile stays for the next time, and what readers still need for the one after that. Should the log become long all the
/// same, the writer moves the rest in one of its commits and begins it anew; see [`connect`].
fn move_pages(connection: &Connection, asked: &Receiver<()>) {
    while asked.recv().is_ok() {
        if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            tracing::warn!(%error, "pages of the log stay there until the next time");
        }
    }
}
