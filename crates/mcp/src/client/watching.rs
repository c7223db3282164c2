//! Resources of upstreams that somebody watches. Those who watch the same one over the same connection share one subscription, which ends
//! with the last of them.

#![expect(
    deprecated,
    reason = "servers of the revisions up to 2025-11-25 are subscribed to one resource at a time"
)]

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rmcp::{
    model::{SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams},
    service::ServiceError,
};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};
use toolgate_domain::{ErrorCode, TenantId, ToolError, governance::Upstream};
use toolgate_engine::{ResourceWatch, UpstreamSecrets};

use super::{Upstreams, failure, session::Session, upstreams::Lease};

/// Resources of one connection that are watched at a time.
pub(super) const MAX_WATCHED: usize = 32;

/// The resources of one connection that somebody watches.
#[derive(Default)]
pub(super) struct Watched {
    all: Mutex<HashMap<String, Watching>>,
    subscriptions: AtomicU64,
}

struct Watching {
    /// Which subscription this is: one that ended must not end the next.
    id: u64,
    updates: watch::Sender<u64>,
    watchers: usize,
    /// Ends the subscription that stands behind it.
    _over: DropGuard,
}

impl Watched {
    /// The upstream says that a resource is another now.
    pub(super) fn updated(&self, uri: &str) {
        if let Some(watching) = self.lock().get(uri) {
            watching.updates.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// Joins those who watch it. The first one gets what ends when nobody does any more.
    fn join(&self, uri: &str) -> Result<(u64, watch::Receiver<u64>, Option<CancellationToken>), ToolError> {
        let mut all = self.lock();
        if let Some(watching) = all.get_mut(uri) {
            watching.watchers += 1;
            return Ok((watching.id, watching.updates.subscribe(), None));
        }
        if all.len() >= MAX_WATCHED {
            let message = format!("{MAX_WATCHED} resources of the upstream are watched already");
            return Err(ToolError::new(ErrorCode::RateLimit, message));
        }
        let over = CancellationToken::new();
        let (updates, heard) = watch::channel(0);
        let id = self.subscriptions.fetch_add(1, Ordering::Relaxed);
        let watching = Watching { id, updates, watchers: 1, _over: over.clone().drop_guard() };
        all.insert(uri.to_owned(), watching);
        Ok((id, heard, Some(over)))
    }

    fn leave(&self, uri: &str, id: u64) {
        let mut all = self.lock();
        if let Some(watching) = all.get_mut(uri).filter(|watching| watching.id == id) {
            watching.watchers = watching.watchers.saturating_sub(1);
            if watching.watchers == 0 {
                all.remove(uri);
            }
        }
    }

    /// Nothing more will be heard of it.
    fn end(&self, uri: &str, id: u64) {
        let mut all = self.lock();
        if all.get(uri).is_some_and(|watching| watching.id == id) {
            all.remove(uri);
        }
    }

    /// The connection is gone.
    pub(super) fn end_all(&self) {
        self.lock().clear();
    }

    fn has(&self, uri: &str) -> bool {
        self.lock().contains_key(uri)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Watching>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One who watches; the connection stays open for them.
struct Watcher {
    lease: Lease,
    uri: String,
    id: u64,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.lease.session.link.watched.leave(&self.uri, self.id);
    }
}

impl Upstreams {
    pub(super) async fn watch(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
        uri: &str,
    ) -> Result<Option<ResourceWatch>, ToolError> {
        let mut lease = Box::pin(self.lease(tenant, upstream, secrets)).await?;
        if lease.session.abilities().resources.and_then(|can| can.subscribe) != Some(true) {
            return Ok(None);
        }
        let (id, updates, first) = lease.session.link.watched.join(uri)?;
        lease.give_way();
        let session = Arc::clone(&lease.session);
        // Whatever happens from here on, whoever joined leaves.
        let watcher = Watcher { lease, uri: uri.to_owned(), id };
        if let Some(over) = first {
            let patience = self.limits().catalog_timeout;
            let subscribed = tokio::time::timeout(patience, subscribe(&session, uri, id, over)).await;
            let late =
                || failure::timeout("did not say whether the resource can be watched", patience.as_millis());
            match subscribed.map_err(|_| late()).and_then(|subscribed| {
                subscribed
                    .map_err(|error| failure::of_request(error, session.link.fault(), self.now_ms()).error)
            }) {
                Ok(true) => {}
                unheard => {
                    // Those who joined meanwhile hear that it is over.
                    session.link.watched.end(uri, id);
                    return unheard.map(|_| None);
                }
            }
        }
        Ok(Some(ResourceWatch { updates, held: Box::new(watcher) }))
    }
}

/// Subscribes until it is over. `false` where the upstream does not want to tell of this one.
async fn subscribe(
    session: &Session,
    uri: &str,
    id: u64,
    over: CancellationToken,
) -> Result<bool, ServiceError> {
    let (peer, link, uri) = (session.peer().clone(), Arc::clone(&session.link), uri.to_owned());
    if session.is_newest() {
        let mut filter = SubscriptionFilter::new();
        filter.resource_subscriptions = Some(vec![uri.clone()]);
        let mut subscription = peer.listen(filter).await?;
        let told = subscription.acknowledged().resource_subscriptions.as_ref();
        if !told.is_some_and(|told| told.contains(&uri)) {
            return Ok(false);
        }
        tokio::spawn(async move {
            // The guard hears the updates; what is waited for here is the end.
            let ended = async { while let Ok(Some(_)) = subscription.next().await {} };
            tokio::select! {
                () = over.cancelled() => {}
                () = ended => link.watched.end(&uri, id),
            }
        });
        return Ok(true);
    }
    peer.subscribe(SubscribeRequestParams::new(uri.clone())).await?;
    tokio::spawn(async move {
        over.cancelled().await;
        // Somebody may have begun to watch it again.
        if link.watched.has(&uri) {
            return;
        }
        // One that is gone needs no word.
        let _ = peer.unsubscribe(UnsubscribeRequestParams::new(uri)).await;
    });
    Ok(true)
}
