//! The writer's own connection, and a new one when it is lost.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};
use toolgate_store::{LedgerError, StoreError};

use super::{
    database::refused,
    handed_over::HandedOver,
    signals::{self, Wakes},
    statement::record,
};

/// From the wish to write until the commit is known; the wait for other processes' commits included.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection that rested this long is asked whether it still stands, before entries are entrusted to it.
const RESTED: Duration = Duration::from_secs(1);

/// Between two words to other processes that the ledger grew. One for every group would keep them, and the server, busy with hearing what
/// they know already.
const SILENCE: Duration = Duration::from_millis(10);

pub(super) struct Link {
    server: PgConnectOptions,
    wakes: Arc<Wakes>,
    /// When other processes were last told that the ledger grew.
    told_at: Option<Instant>,
    /// Whether it has grown since, or may have.
    owes_word: bool,
    /// With the moment of its last use.
    connection: Option<(PgConnection, Instant)>,
}

impl Link {
    pub(super) fn new(server: PgConnectOptions, wakes: Arc<Wakes>) -> Self {
        let server = server.options([
            // One statement, always the same: planned once. Its plan must suit the full table that the empty one becomes.
            ("plan_cache_mode", "force_generic_plan"),
            ("enable_seqscan", "off"),
            ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"),
            // A process that gave up must not hold the lock of all others.
            ("statement_timeout", "30s"),
        ]);
        Self { server, wakes, told_at: None, owes_word: false, connection: None }
    }

    /// When other processes must be told what they were not told with the groups themselves.
    pub(super) fn word_is_due(&self) -> Option<Instant> {
        self.owes_word.then(|| self.told_at.map_or_else(Instant::now, |told| told + SILENCE))
    }

    /// Tells them. What cannot be said is said with the next group.
    pub(super) async fn tell(&mut self) {
        self.owes_word = false;
        self.told_at = None;
        let said = tokio::time::timeout(WRITE_TIMEOUT, async {
            let mut connection = self.take_connection().await?;
            signals::tell_of_ledger(&mut connection).await?;
            self.connection = Some((connection, Instant::now()));
            Ok::<_, sqlx::Error>(())
        });
        match said.await {
            Ok(Ok(())) => self.told_at = Some(Instant::now()),
            Ok(Err(error)) => tracing::warn!(%error, "other processes were not told that the ledger grew"),
            Err(_) => tracing::warn!("other processes were not told in time that the ledger grew"),
        }
    }

    /// Writes all entries, which change different invocations, in one transaction, or nothing.
    pub(super) async fn write(&mut self, entries: &[HandedOver]) -> Result<(), LedgerError> {
        // Out of time, the connection is dropped with what runs on it.
        match tokio::time::timeout(WRITE_TIMEOUT, self.attempt(entries)).await {
            Ok(result) => result,
            Err(_) => {
                self.wakes.ledger_grew();
                Err(StoreError::Unavailable("PostgreSQL did not commit in time".to_owned()).into())
            }
        }
    }

    async fn attempt(&mut self, entries: &[HandedOver]) -> Result<(), LedgerError> {
        let mut connection = self.take_connection().await.map_err(refused)?;
        let told = self.told_at.is_none_or(|told| told.elapsed() >= SILENCE);
        // From now on: of a connection that is lost nobody knows whether it committed, and a word too many harms nobody.
        self.owes_word |= !told;
        let result = record(&mut connection, entries, told).await.map_err(lost_or_refused);
        let is_unknown = matches!(result, Err(LedgerError::Store(StoreError::Unavailable(_))));
        if !is_unknown {
            self.connection = Some((connection, Instant::now()));
        }
        // Of what is unknown, nobody else would tell our own followers: what we say ourselves is not heard here.
        if result.is_ok() || is_unknown {
            self.wakes.ledger_grew();
        }
        if result.is_ok() && told {
            self.owes_word = false;
            self.told_at = Some(Instant::now());
        }
        result
    }

    /// The connection leaves `self`, so that whoever gives up drops it.
    async fn take_connection(&mut self) -> Result<PgConnection, sqlx::Error> {
        if let Some((mut connection, used_at)) = self.connection.take() {
            if used_at.elapsed() < RESTED {
                return Ok(connection);
            }
            match connection.ping().await {
                Ok(()) => return Ok(connection),
                Err(error) => tracing::warn!(%error, "the ledger reconnects to PostgreSQL"),
            }
        }
        let mut connection = self.server.connect().await?;
        let backend: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut connection).await?;
        self.wakes.writes_as(backend);
        Ok(connection)
    }
}

/// An id or a key of a call that is taken, and a change that found its row elsewhere, which the statement says in the same words.
fn lost_or_refused(error: sqlx::Error) -> LedgerError {
    let another_came_first = error
        .as_database_error()
        .is_some_and(|refusal| refusal.is_unique_violation() && refusal.table() == Some("tool_invocations"));
    if another_came_first { LedgerError::Conflict } else { refused(error).into() }
}
