//! Wake-ups between processes, over LISTEN and NOTIFY.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use sqlx::{
    PgConnection, PgPool,
    postgres::{PgConnectOptions, PgListener, PgNotification, PgPoolOptions},
};
use tokio::{
    sync::{Notify, broadcast, watch},
    task::JoinHandle,
};
use toolgate_store::{Signal, Signals, StoreError};

use super::database::refused;
use crate::codec;

const LEDGER: &str = "toolgate_ledger";
const SIGNAL: &str = "toolgate_signal";

/// Between two attempts to listen again.
const RETRY: Duration = Duration::from_millis(500);

/// Who heard that the ledger grew looks again so much later: a process that writes much says so only now and then, and may have died before
/// its last word.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Those inside this process who wait for something to happen.
pub(super) struct Wakes {
    ledger: watch::Sender<u64>,
    changes: broadcast::Sender<Signal>,
    /// Another process wrote.
    heard: Notify,
    /// The server's process that our own writer speaks with.
    writer: AtomicU32,
}

impl Wakes {
    pub(super) fn ledger_grew(&self) {
        self.ledger.send_modify(|generation| *generation += 1);
    }

    pub(super) fn writes_as(&self, backend: i32) {
        self.writer.store(backend.cast_unsigned(), Ordering::Relaxed);
    }

    fn pass_on(&self, notification: &PgNotification) {
        match notification.channel() {
            // Our own commits have woken our followers already, before the news came around.
            LEDGER if notification.process_id() == self.writer.load(Ordering::Relaxed) => {}
            LEDGER => {
                self.ledger_grew();
                self.heard.notify_one();
            }
            _ => match codec::from_json(notification.payload()) {
                Ok(signal) => self.announce(signal),
                // A newer process may speak of things this one does not know.
                Err(error) => tracing::debug!(%error, "an unknown signal"),
            },
        }
    }

    fn announce(&self, signal: Signal) {
        // Nobody listening is no error.
        let _ = self.changes.send(signal);
    }

    async fn look_again(&self) {
        loop {
            self.heard.notified().await;
            tokio::time::sleep(LOOK_AGAIN).await;
            self.ledger_grew();
        }
    }

    /// Nobody knows what was said while nobody listened.
    fn assume_everything(&self) {
        self.ledger_grew();
        self.announce(Signal::Tools);
        self.announce(Signal::Keys);
        self.announce(Signal::Rules(None));
    }
}

pub(super) struct PostgresSignals {
    wakes: Arc<Wakes>,
    pool: PgPool,
    listening: JoinHandle<()>,
}

impl PostgresSignals {
    /// Listens before it returns, so that nothing said afterwards is missed.
    pub(super) async fn start(server: &PgConnectOptions, pool: PgPool) -> Result<Self, StoreError> {
        // A pool of its own: a listener occupies its connection for good.
        let own = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .acquire_timeout(Duration::from_secs(5))
            .connect_lazy_with(server.clone());
        let wakes = Arc::new(Wakes {
            ledger: watch::Sender::new(0),
            changes: broadcast::Sender::new(256),
            heard: Notify::new(),
            writer: AtomicU32::new(0),
        });
        let listener = listen(&own).await.map_err(refused)?;
        let heard = Arc::clone(&wakes);
        let listening = tokio::spawn(async move {
            tokio::join!(keep_listening(own, listener, &heard), heard.look_again());
        });
        Ok(Self { wakes, pool, listening })
    }

    pub(super) fn wakes(&self) -> &Arc<Wakes> {
        &self.wakes
    }
}

impl Drop for PostgresSignals {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Wakes those who follow the ledger in other processes.
pub(super) async fn tell_of_ledger(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_notify($1, '')").bind(LEDGER).execute(connection).await.map(drop)
}

async fn listen(pool: &PgPool) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen_all([LEDGER, SIGNAL]).await?;
    Ok(listener)
}

async fn keep_listening(pool: PgPool, mut listener: PgListener, wakes: &Wakes) {
    loop {
        match listener.try_recv().await {
            Ok(Some(notification)) => wakes.pass_on(&notification),
            // The connection was lost, and is there again.
            Ok(None) => wakes.assume_everything(),
            Err(error) => {
                tracing::warn!(%error, "no signals from PostgreSQL");
                drop(listener);
                listener = listen_again(&pool).await;
                wakes.assume_everything();
            }
        }
    }
}

async fn listen_again(pool: &PgPool) -> PgListener {
    loop {
        match listen(pool).await {
            Ok(listener) => return listener,
            Err(error) => tracing::debug!(%error, "PostgreSQL is still away"),
        }
        tokio::time::sleep(RETRY).await;
    }
}

#[async_trait]
impl Signals for PostgresSignals {
    fn ledger(&self) -> watch::Receiver<u64> {
        self.wakes.ledger.subscribe()
    }

    fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.wakes.changes.subscribe()
    }

    async fn publish(&self, signal: Signal) -> Result<(), StoreError> {
        sqlx::query("SELECT pg_notify($1, $2)")
            .bind(SIGNAL)
            .bind(codec::to_json(&signal))
            .execute(&self.pool)
            .await
            .map(drop)
            .map_err(refused)
    }
}
