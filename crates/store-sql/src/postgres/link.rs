//! The writer's own connection: one transaction at a time, and a new connection when the old one is lost.

use std::{collections::HashSet, sync::Arc, time::Duration};

use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};
use toolgate_store::{Entry, StoreError};

use super::{
    database::refused,
    signals::Wakes,
    statement::{changed_id, record},
};

/// From the wish to begin until the commit is known; the wait for other processes' commits included.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(30);

// The lock ("tgledger") makes commits of all processes follow each other, so that ids of events become visible in their own
// order: a follower that has seen id n has seen everything before n.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(8387792013732832626)";
const COMMIT: &str = "NOTIFY toolgate_ledger; COMMIT";

static T: std::sync::Mutex<Vec<(usize, Duration, Duration, Duration)>> = std::sync::Mutex::new(Vec::new());
pub(super) struct Link {
    server: PgConnectOptions,
    wakes: Arc<Wakes>,
    connection: Option<PgConnection>,
}

impl Link {
    pub(super) fn new(server: PgConnectOptions, wakes: Arc<Wakes>) -> Self {
        let server = server.options([
            // One statement, always the same: planned once. Its plan must suit the full table that the empty one becomes.
            ("plan_cache_mode", "force_generic_plan"),
            ("enable_seqscan", "off"),
            ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"),
            // A process that freezes in a transaction holds the lock of all others.
            ("statement_timeout", "30s"),
            ("idle_in_transaction_session_timeout", "30s"),
        ]);
        Self {
            server,
            wakes,
            connection: None,
        }
    }

    /// Writes all entries in one transaction, or nothing. Tells for each whether its change applied.
    pub(super) async fn write(&mut self, entries: &[&Entry]) -> Result<Vec<bool>, StoreError> {
        // Out of time, the connection is dropped with the transaction on it, and the server rolls back.
        match tokio::time::timeout(TRANSACTION_TIMEOUT, self.transaction(entries)).await {
            Ok(result) => result,
            Err(_) => Err(StoreError::Unavailable(
                "PostgreSQL did not commit in time".to_owned(),
            )),
        }
    }

    async fn transaction(&mut self, entries: &[&Entry]) -> Result<Vec<bool>, StoreError> {
        let t0 = std::time::Instant::now();
        let mut connection = self.begin().await.map_err(refused)?;
        let t1 = std::time::Instant::now();
        match record_in_order(&mut connection, entries).await {
            Ok(applied) => {
                let t2 = std::time::Instant::now();
                execute(&mut connection, COMMIT).await.map_err(refused)?;
                let t3 = std::time::Instant::now();
                T.lock().unwrap().push((entries.len(), t1 - t0, t2 - t1, t3 - t2));
                {
                    let mut v = T.lock().unwrap();
                    if v.len() == 500 {
                        let n: usize = v.iter().map(|x| x.0).sum();
                        let b: Duration = v.iter().map(|x| x.1).sum();
                        let r: Duration = v.iter().map(|x| x.2).sum();
                        let c: Duration = v.iter().map(|x| x.3).sum();
                        eprintln!(
                            "avg batch {} begin {:?} record {:?} commit {:?}",
                            n / 500,
                            b / 500,
                            r / 500,
                            c / 500
                        );
                        v.clear();
                    }
                }
                self.connection = Some(connection);
                self.wakes.ledger_grew();
                Ok(applied)
            }
            Err(error) => {
                let error = refused(error);
                if !matches!(error, StoreError::Unavailable(_))
                    && execute(&mut connection, "ROLLBACK").await.is_ok()
                {
                    self.connection = Some(connection);
                }
                Err(error)
            }
        }
    }

    /// A connection with a transaction on it. It leaves `self`, so that whoever gives up drops it.
    async fn begin(&mut self) -> Result<PgConnection, sqlx::Error> {
        if let Some(mut connection) = self.connection.take() {
            match execute(&mut connection, BEGIN).await {
                Ok(()) => return Ok(connection),
                // Nothing was written yet, so a new connection may try as if it were the first.
                Err(error) => tracing::warn!(%error, "the ledger reconnects to PostgreSQL"),
            }
        }
        let mut connection = self.server.connect().await?;
        let backend: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
            .fetch_one(&mut connection)
            .await?;
        self.wakes.writes_as(backend);
        execute(&mut connection, BEGIN).await?;
        Ok(connection)
    }
}

async fn execute(connection: &mut PgConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(sql).execute(connection).await.map(drop)
}

/// A statement sees none of its own changes, so entries for one invocation go in different ones, in their order.
async fn record_in_order(
    connection: &mut PgConnection,
    entries: &[&Entry],
) -> Result<Vec<bool>, sqlx::Error> {
    let mut applied = Vec::with_capacity(entries.len());
    let (mut start, mut changed) = (0, HashSet::with_capacity(entries.len()));
    for (end, entry) in entries.iter().enumerate() {
        if let Some(id) = changed_id(entry)
            && !changed.insert(id)
        {
            applied.extend(record(connection, &entries[start..end]).await?);
            changed.clear();
            changed.insert(id);
            start = end;
        }
    }
    applied.extend(record(connection, &entries[start..]).await?);
    Ok(applied)
}
