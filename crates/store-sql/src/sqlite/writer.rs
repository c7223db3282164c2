//! Group commit: one thread writes. It takes every job that waits, runs them in one transaction, and answers each job
//! only after that transaction is on disk.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use toolgate_domain::AuditEvent;
use toolgate_store::StoreError;

use super::{
    chain, checkpoints::Checkpoints, database::refused, ledger::Statements, rhythm::Rhythm,
    signals::LocalSignals,
};
use crate::{answering::Answering, news::News};

/// What somebody wants written. It is dropped by the one who answers it, among those who made it: memory that one thread takes and another
/// gives back is dear to both.
trait Job: Send {
    fn run(&mut self, group: &Group<'_, '_>);
    /// Once the fate of its transaction is known.
    fn answer(&mut self, committed: Result<(), StoreError>);
}

struct Asked<W, T> {
    work: W,
    done: Option<Result<T, StoreError>>,
    waits: Option<oneshot::Sender<Result<T, StoreError>>>,
}

impl<W, T> Job for Asked<W, T>
where
    W: FnMut(&Group<'_, '_>) -> Result<T, StoreError> + Send,
    T: Send,
{
    fn run(&mut self, group: &Group<'_, '_>) {
        self.done = Some(if group.is_lost() { Err(broke_off()) } else { (self.work)(group) });
    }

    fn answer(&mut self, committed: Result<(), StoreError>) {
        if let (Some(done), Some(waits)) = (self.done.take(), self.waits.take()) {
            // The caller may have gone away; its rows stay.
            let _ = waits.send(committed.and(done));
        }
    }
}

/// The jobs that share a transaction.
pub(super) struct Group<'a, 'c> {
    pub(super) connection: &'a Connection,
    pub(super) ledger: &'a Statements<'c>,
    /// What the chains will be told with this commit.
    pub(super) news: RefCell<News>,
    /// Set when a job left half its work behind: then nothing of the group may stay.
    broken: Cell<bool>,
}

impl Group<'_, '_> {
    /// Whether nothing of the group may stay, or has: on a full disk SQLite gives up the whole transaction by itself, and what is
    /// written afterwards would be outside of any.
    fn is_lost(&self) -> bool {
        self.broken.get() || self.connection.is_autocommit()
    }
}

/// How a job that runs without a savepoint failed.
pub(super) enum Fault {
    /// Its first statement was refused; it wrote nothing.
    Refused(StoreError),
    /// It had written already.
    Broken(StoreError),
}

#[derive(Debug, thiserror::Error)]
pub(super) enum WriteError {
    #[error("the writer's queue is full")]
    Overloaded,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WriteError> for StoreError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Overloaded => Self::Unavailable("the writer's queue is full".to_owned()),
            WriteError::Store(error) => error,
        }
    }
}

#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Box<dyn Job>>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        max_queue: usize,
        max_batch: usize,
        signals: Arc<LocalSignals>,
        checkpoints: Checkpoints,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(max_queue);
        let answering = Answering::here();
        std::thread::Builder::new()
            .name("ledger".to_owned())
            .spawn(move || write_all(connection, jobs, max_batch, &signals, &answering, checkpoints))
            .map_err(|e| StoreError::Unavailable(e.to_string()))?;
        Ok(Self { queue })
    }

    /// Runs `work` in the next transaction. When it fails, its own changes are undone and its neighbours' stay.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, WriteError> {
        let mut work = Some(work);
        self.enqueue(move |group| in_savepoint(group.connection, &mut work)).await
    }

    /// The same, with the audit events that tell of it.
    pub(super) async fn run_audited<T: Send + 'static>(
        &self,
        audit: Vec<AuditEvent>,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, WriteError> {
        let mut work = Some(work);
        self.enqueue(move |group| {
            let mut told = work.take().map(|work| {
                |connection: &Connection| {
                    let done = work(connection)?;
                    chain::insert_events(connection, &audit)?;
                    Ok(done)
                }
            });
            let done = in_savepoint(group.connection, &mut told)?;
            for event in &audit {
                group.news.borrow_mut().add(event.tenant_id, [event.item()]);
            }
            Ok(done)
        })
        .await
    }

    /// The same without a savepoint, which costs a copy of every page that is touched: for work whose first statement is
    /// the one that can be refused. Should a later one fail, the whole group is rolled back.
    pub(super) async fn run_lean<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Group<'_, '_>) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, WriteError> {
        self.enqueue(move |group| {
            work(group).map_err(|fault| match fault {
                Fault::Refused(error) => error,
                Fault::Broken(error) => {
                    group.broken.set(true);
                    error
                }
            })
        })
        .await
    }

    async fn enqueue<T: Send + 'static>(
        &self,
        work: impl FnMut(&Group<'_, '_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, WriteError> {
        let (waits, wait) = oneshot::channel();
        let job = Asked { work, done: None, waits: Some(waits) };
        self.queue.try_send(Box::new(job)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => WriteError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => gone(),
        })?;
        Ok(wait.await.map_err(|_| gone())??)
    }
}

fn gone() -> WriteError {
    WriteError::Store(StoreError::Unavailable("the writer has stopped".to_owned()))
}

fn broke_off() -> StoreError {
    StoreError::Unavailable("a neighbour in the group broke off".to_owned())
}

fn in_savepoint<T>(
    connection: &Connection,
    work: &mut Option<impl FnOnce(&Connection) -> Result<T, StoreError>>,
) -> Result<T, StoreError> {
    // No job runs twice.
    let work = work.take().ok_or_else(broke_off)?;
    execute(connection, "SAVEPOINT job")?;
    let result = work(connection);
    if result.is_err() {
        execute(connection, "ROLLBACK TO job")?;
    }
    execute(connection, "RELEASE job")?;
    result
}

fn execute(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map(drop).map_err(refused)
}

fn write_all(
    connection: Connection,
    mut jobs: mpsc::Receiver<Box<dyn Job>>,
    max_batch: usize,
    signals: &LocalSignals,
    answering: &Answering,
    mut checkpoints: Checkpoints,
) {
    let ledger = match Statements::prepare(&connection) {
        Ok(statements) => statements,
        Err(error) => return tracing::error!(%error, "the ledger's statements do not fit the database"),
    };
    let mut batch = Vec::with_capacity(max_batch);
    let mut done = Vec::with_capacity(max_batch);
    let mut rhythm = Rhythm::new(max_batch);
    while jobs.blocking_recv_many(&mut batch, max_batch) > 0 {
        if let Err(error) = execute(&connection, "BEGIN IMMEDIATE") {
            // Dropping the jobs unrun answers each with "the writer has stopped"; tell the log why.
            tracing::error!(%error, "the ledger cannot begin a transaction");
            batch.clear();
            continue;
        }
        let group = Group {
            connection: &connection,
            ledger: &ledger,
            news: RefCell::default(),
            broken: Cell::new(false),
        };
        // Whoever comes while the others' rows are written shares their commit.
        let gathering = rhythm.begin();
        loop {
            done.extend(batch.drain(..).map(|mut job| {
                job.run(&group);
                job
            }));
            while done.len() + batch.len() < gathering.enough()
                && let Ok(job) = jobs.try_recv()
            {
                batch.push(job);
            }
            if batch.is_empty() && !gathering.waits(done.len(), answering) {
                break;
            }
        }
        let jobs_done = done.len();
        let ended = if group.is_lost() {
            Err(broke_off())
        } else {
            chain::append(&connection, &mut group.news.borrow_mut())
                .and_then(|()| execute(&connection, "COMMIT"))
        };
        let committed = ended.map_err(|error| {
            tracing::error!(%error, "the ledger cannot commit");
            let _ = execute(&connection, "ROLLBACK");
            error.to_string()
        });
        // Before anybody is answered: whoever then asks again came after the commit, not during it.
        rhythm.committed(&gathering, jobs_done, !jobs.is_empty());
        let answered = std::mem::replace(&mut done, Vec::with_capacity(max_batch));
        answering.run(move || {
            for mut job in answered {
                job.answer(committed.clone().map_err(StoreError::Unavailable));
            }
        });
        signals.ledger_grew();
        checkpoints.committed(jobs_done);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc as gate;

    use super::*;
    use crate::sqlite::{Sqlite, SqliteOptions};

    async fn fill(writer: &Writer, bytes: u32) -> Result<(), WriteError> {
        let insert = move |group: &Group<'_, '_>| {
            group.connection.execute("INSERT INTO filling VALUES (zeroblob(?1))", [bytes]).map(drop)
        };
        writer.run_lean(move |group| insert(group).map_err(|error| Fault::Refused(refused(error)))).await
    }

    async fn set_most_pages(writer: &Writer, more: i64) {
        let set = move |connection: &Connection| {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            connection.pragma_update_and_check(None, "max_page_count", pages + more, |_| Ok(()))
        };
        writer.run(move |connection| set(connection).map_err(refused)).await.unwrap();
    }

    #[tokio::test]
    async fn where_the_disk_is_full_nobody_of_the_group_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let (sqlite, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("toolgate.db"))).unwrap();
        let writer = &sqlite.writer;
        let make = |connection: &Connection| {
            connection.execute_batch("CREATE TABLE filling (body BLOB)").map_err(refused)
        };
        writer.run(make).await.unwrap();
        set_most_pages(writer, 0).await;

        // The three come while the ledger is held up, so they share a group.
        let (open, opened) = gate::channel();
        let (enter, mut entered) = mpsc::channel(1);
        let held_up = writer.run_lean(move |_| {
            enter.try_send(()).unwrap();
            opened.recv().unwrap();
            Ok(())
        });
        let others = async {
            entered.recv().await.unwrap();
            let let_go = async { open.send(()).unwrap() };
            tokio::join!(fill(writer, 1), fill(writer, 1 << 20), fill(writer, 1), let_go)
        };
        let (_, (before, too_much, after, ())) = tokio::join!(held_up, others);
        for refused in [before, too_much, after] {
            assert!(matches!(refused, Err(WriteError::Store(StoreError::Unavailable(_)))), "{refused:?}");
        }
        let count = |connection: &Connection| {
            let rows = connection.query_row("SELECT count(*) FROM filling", [], |row| row.get::<_, i64>(0));
            rows.map_err(refused)
        };
        assert_eq!(writer.run(count).await.unwrap(), 0);

        set_most_pages(writer, 1_000).await;
        fill(writer, 1 << 20).await.unwrap();
        assert_eq!(writer.run(count).await.unwrap(), 1);
    }
}
