//! Connecting: the pool for reads and small writes, the writer's own connection, the listener's own connection.

use std::{str::FromStr, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use toolgate_store::{Blobs, Limiter, ResultCache, Signals, StoreError, Stores};

use super::{
    link::Link,
    migrate,
    scope::{LEDGER_ROLE, ROLE},
    signals::PostgresSignals,
    writer::{Bounds, Writer},
};
use crate::{Applied, local::FullText};

/// How long a caller waits for a free connection, and a connection for the server.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// What the server says to a login that may not become a role.
const INSUFFICIENT_PRIVILEGE: &str = "42501";

#[derive(Clone, Debug)]
pub struct PostgresOptions {
    pub url: String,
    /// Connections of this process, the writer's and the listener's included.
    pub max_connections: u32,
    /// Entries that may wait for the writer.
    pub max_queue: usize,
    /// Entries that share one transaction.
    pub max_batch: usize,
    /// And their bytes. The server takes no message of a gigabyte, and a large one keeps everybody in it waiting.
    pub max_batch_bytes: usize,
}

impl PostgresOptions {
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            max_connections: 16,
            max_queue: 8_192,
            max_batch: 512,
            max_batch_bytes: 16 << 20,
        }
    }
}

/// The shared database. Clones share its connections.
#[derive(Clone)]
pub struct Postgres {
    pub(super) pool: PgPool,
    pub(super) writer: Writer,
    pub(super) signals: Arc<PostgresSignals>,
}

impl Postgres {
    /// Connects, brings the schema up to date (one process at a time), and starts to write and to listen.
    pub async fn connect(options: &PostgresOptions) -> Result<(Self, Vec<Applied>), StoreError> {
        // Large, and done once: whoever awaits it would carry the room for it.
        Box::pin(Self::open(options)).await
    }

    async fn open(options: &PostgresOptions) -> Result<(Self, Vec<Applied>), StoreError> {
        let server = PgConnectOptions::from_str(&options.url)
            .map_err(refused)?
            .application_name("toolgate")
            // Compiling a query takes longer than any of ours runs.
            .options([("jit", "off")]);
        let applied = migrate::migrate(&server).await?;
        // From here on without the owner's powers.
        let ledger = server.clone().options([("role", LEDGER_ROLE)]);
        let server = server.options([("role", ROLE)]);
        let pool = PgPoolOptions::new()
            .max_connections(options.max_connections.saturating_sub(2).max(1))
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(server.clone())
            .await
            .map_err(|error| not_admitted(error, ROLE, &server))?;
        works_as(ROLE, &mut *pool.acquire().await.map_err(refused)?).await?;
        // The writer connects later, on its own thread: who lacks its role must not learn that from the first who calls.
        let mut tried = ledger.connect().await.map_err(|error| not_admitted(error, LEDGER_ROLE, &ledger))?;
        works_as(LEDGER_ROLE, &mut tried).await?;
        tried.close().await.map_err(refused)?;
        let signals = Arc::new(PostgresSignals::start(&server, pool.clone()).await?);
        let link = Link::new(ledger, Arc::clone(signals.wakes()));
        let bounds =
            Bounds { queue: options.max_queue, entries: options.max_batch, bytes: options.max_batch_bytes };
        let writer = Writer::start(link, bounds)?;
        Ok((Self { pool, writer, signals }, applied))
    }

    /// Everything an engine stands on, with this database behind it.
    pub fn stores(
        self,
        blobs: Arc<dyn Blobs>,
        cache: Arc<dyn ResultCache>,
        limiter: Arc<dyn Limiter>,
    ) -> Stores {
        let signals: Arc<dyn Signals> = self.signals.clone();
        Stores::on(Arc::new(self), signals, blobs, cache, limiter, Arc::new(FullText))
    }
}

/// A login may not become every role.
fn not_admitted(error: sqlx::Error, role: &str, server: &PgConnectOptions) -> StoreError {
    match error.as_database_error() {
        Some(refusal) if refusal.code().as_deref() == Some(INSUFFICIENT_PRIVILEGE) => StoreError::Refused(
            format!("{error}; as a superuser, run: GRANT {role} TO {}", server.get_username()),
        ),
        _ => refused(error),
    }
}

/// A pooler between us and the server may drop what we ask for when we connect.
async fn works_as(role: &str, connection: &mut PgConnection) -> Result<(), StoreError> {
    let current: String =
        sqlx::query_scalar("SELECT current_user::text").fetch_one(connection).await.map_err(refused)?;
    if current == role {
        return Ok(());
    }
    Err(StoreError::Refused(format!(
        "PostgreSQL runs us as {current} and not as {role}: connect directly, or through a pooler that passes on `options`"
    )))
}

pub(super) fn refused(error: sqlx::Error) -> StoreError {
    let text = error.to_string();
    match &error {
        sqlx::Error::Database(refusal) => match refusal.code().as_deref().and_then(|code| code.get(..2)) {
            // Constraints, and our triggers, which speak as constraints.
            Some("23") => StoreError::Conflict(text),
            // Connection, deadlock, resources, an operator's intervention, the system below: not the row's fault.
            Some("08" | "40" | "53" | "57" | "58") => StoreError::Unavailable(text),
            _ => StoreError::Refused(text),
        },
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => StoreError::Unavailable(text),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_) | sqlx::Error::Decode(_) => {
            StoreError::Corrupt(text)
        }
        _ => StoreError::Refused(text),
    }
}
