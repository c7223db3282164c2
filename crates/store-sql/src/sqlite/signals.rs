//! Wake-ups inside one process.

use async_trait::async_trait;
use tokio::sync::{broadcast, watch};
use toolgate_store::{Signal, Signals, StoreError};

pub(super) struct LocalSignals {
    ledger: watch::Sender<u64>,
    changes: broadcast::Sender<Signal>,
}

impl LocalSignals {
    pub(super) fn new() -> Self {
        Self { ledger: watch::Sender::new(0), changes: broadcast::Sender::new(256) }
    }

    pub(super) fn ledger_grew(&self) {
        self.ledger.send_modify(|generation| *generation += 1);
    }
}

#[async_trait]
impl Signals for LocalSignals {
    fn ledger(&self) -> watch::Receiver<u64> {
        self.ledger.subscribe()
    }

    fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.changes.subscribe()
    }

    async fn publish(&self, signal: Signal) -> Result<(), StoreError> {
        // Nobody listening is no error.
        let _ = self.changes.send(signal);
        Ok(())
    }
}
