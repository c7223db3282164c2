//! The process renews its lease, looks for orphans, signs where the chains end, and listens for what other processes changed.

use std::{
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use tokio::sync::broadcast::error::RecvError;
use toolgate_domain::TenantId;
use toolgate_store::{Signal, StoreError};

use crate::Engine;

impl Engine {
    pub(super) async fn renew_lease(&self) -> Result<(), StoreError> {
        let asked_at = Instant::now();
        let lease_ms = i64::try_from(self.limits.node_lease_ms).unwrap_or(i64::MAX);
        self.stores.nodes.renew(self.node_id, self.clock.now(), lease_ms).await?;
        self.lease.renewed(asked_at, self.limits.node_lease_ms);
        Ok(())
    }

    /// Takes the lease, and from now on renews it: whatever else takes its time, this process lives.
    pub(crate) async fn keep_lease(self: &Arc<Self>) -> Result<(), StoreError> {
        self.renew_lease().await?;
        let renewing = tokio::spawn(renew(Arc::downgrade(self), self.pause()));
        *self.lease.renewing.lock().await = Some(renewing);
        Ok(())
    }

    /// Nothing renews the lease any more once it is given back.
    pub(crate) async fn give_lease_back(&self) -> Result<(), StoreError> {
        if let Some(renewing) = self.lease.renewing.lock().await.take() {
            renewing.abort();
            // It ends because we want it to.
            let _ = renewing.await;
        }
        self.stores.nodes.retire(self.node_id).await
    }

    fn pause(&self) -> Duration {
        Duration::from_millis((self.limits.node_lease_ms / 3).max(50))
    }

    /// Starts the tasks that live as long as the engine does.
    pub(crate) fn keep_watch(self: &Arc<Self>) {
        tokio::spawn(beat(Arc::downgrade(self), self.pause()));
        tokio::spawn(listen(Arc::downgrade(self)));
    }
}

async fn renew(engine: Weak<Engine>, pause: Duration) {
    loop {
        tokio::time::sleep(pause).await;
        // While it stops as well: calls still run.
        let Some(engine) = engine.upgrade() else { return };
        if let Err(error) = engine.renew_lease().await {
            tracing::error!(%error, "the lease of this process cannot be renewed");
        }
    }
}

async fn beat(engine: Weak<Engine>, pause: Duration) {
    loop {
        tokio::time::sleep(pause).await;
        let Some(engine) = engine.upgrade().filter(|engine| !engine.is_stopping()) else { return };
        // What is begun here ends before the engine says that it has stopped.
        let _held = engine.hold();
        match engine.settle_lost().await {
            Ok(0) => {}
            Ok(count) => tracing::warn!(count, "took up calls that were lost on the way"),
            Err(error) => tracing::error!(%error, "calls that were lost on the way cannot be taken up"),
        }
        match engine.recover().await {
            Ok(0) => {}
            Ok(count) => tracing::warn!(count, "settled calls of dead processes"),
            Err(error) => tracing::error!(%error, "calls of dead processes cannot be settled"),
        }
        if let Err(error) = engine.settle_decided().await {
            tracing::error!(%error, "calls that were decided cannot be settled");
        }
        // News of a change may have come while the rules could not be read.
        if let Err(error) = engine.end_forbidden(None).await {
            tracing::error!(%error, "running calls cannot be held against the rules");
        }
        if let Err(error) = engine.wake_ready().await {
            tracing::error!(%error, "calls that waited cannot go on");
        }
        if let Err(error) = engine.seal_owed().await {
            tracing::error!(%error, "what clients in the database did cannot be sealed");
        }
        if let Err(error) = engine.sign_heads().await {
            tracing::error!(%error, "the ends of the audit chains cannot be signed");
        }
    }
}

async fn listen(engine: Weak<Engine>) {
    let Some(mut signals) = engine.upgrade().map(|engine| engine.stores.signals.subscribe()) else {
        return;
    };
    loop {
        let signal = signals.recv().await;
        // While it stops as well: a call that still runs can be cancelled.
        let Some(engine) = engine.upgrade() else { return };
        let _held = engine.hold();
        match signal {
            Ok(Signal::Cancel(id)) => {
                engine.stop_here(id);
                continue;
            }
            Ok(Signal::Keys) => engine.keys.forget(),
            Ok(Signal::Rules(tenant)) => obey(&engine, tenant).await,
            Ok(Signal::Tools) => reload(&engine).await,
            // Too many to keep: anything may have changed.
            Err(RecvError::Lagged(_)) => {
                engine.keys.forget();
                reload(&engine).await;
                obey(&engine, None).await;
            }
            Err(RecvError::Closed) => return,
        }
        engine.changes.send_modify(|count| *count = count.wrapping_add(1));
    }
}

async fn reload(engine: &Engine) {
    if let Err(error) = engine.registry.reload().await {
        tracing::error!(%error, "the tools cannot be read again; the next use tries");
    }
}

/// The rules changed: they are read again, and calls that they no longer allow are ended.
async fn obey(engine: &Engine, tenant: Option<TenantId>) {
    if let Err(error) = engine.rules.reload(tenant).await {
        tracing::error!(%error, "the rules cannot be read again; the next use tries");
    }
    if let Err(error) = engine.end_forbidden(tenant).await {
        tracing::error!(%error, "running calls cannot be held against the new rules");
    }
}
