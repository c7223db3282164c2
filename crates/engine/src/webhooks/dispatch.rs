//! The tasks that send what is due. Three of them, so that none waits for the work of another:
//!
//! - the **reader** takes in what is told of questions, and writes down the deliveries of each, tenant by tenant in turn;
//! - the **finder** looks around for what the reader was not told: what a crash kept back, and what other processes left behind;
//! - the **sender** has the agenda: it sends what is due to those whose turn it is.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::sync::mpsc;
use toolgate_domain::{Status, TenantId, Timestamp};
use toolgate_store::{InvocationFilter, Kind, RecordWrite, StoreError};

use super::{
    agenda::{Agenda, QueuedDelivery, SendOutcome},
    deliver::{OPEN, read_delivery},
    post::News,
    turns::NewsQueues,
};
use crate::Engine;

/// Deliveries that were found and wait for the sender to hear of them.
const FOUND_QUEUE: usize = 1_024;
const PAGE: usize = 200;
/// How far before the last look around the next one begins: clocks of processes differ.
const OVERLAP_MS: i64 = 60_000;
/// How long the fate of a delivery can be looked up.
const KEPT_MS: i64 = 7 * 24 * 3_600_000;
/// The sender is woken by whatever changes its agenda; without news it need not look.
const IDLE: Duration = Duration::from_secs(3_600);

type Found = mpsc::Sender<(Timestamp, QueuedDelivery)>;

pub(super) fn start(engine: &Arc<Engine>, inbox: mpsc::Receiver<News>) {
    let (found, finds) = mpsc::channel(FOUND_QUEUE);
    tokio::spawn(read(Arc::downgrade(engine), inbox, found.clone()));
    tokio::spawn(find(Arc::downgrade(engine), found));
    tokio::spawn(send(Arc::downgrade(engine), finds));
}

async fn read(engine: Weak<Engine>, mut inbox: mpsc::Receiver<News>, found: Found) {
    let Some(stop) = engine.upgrade().map(|engine| engine.post.stop.clone()) else { return };
    let mut queues = NewsQueues::default();
    loop {
        let news = match queues.pop() {
            Some(news) => news,
            None => tokio::select! {
                () = stop.cancelled() => return,
                news = inbox.recv() => match news {
                    Some(news) => news,
                    None => return,
                },
            },
        };
        let Some(engine) = engine.upgrade().filter(|_| !stop.is_cancelled()) else { return };
        match engine.hear(news).await {
            Ok(made) => {
                for delivery in made {
                    // Nobody listens any more: the next process finds it.
                    let _ = found.send(delivery).await;
                }
            }
            Err(error) => {
                tracing::error!(%error, tenant = %news.tenant(), "a question cannot be sent yet; it will be looked for");
            }
        }
        // Emptied each time: a queue that all share must not fill up with the news of one.
        while let Ok(news) = inbox.try_recv() {
            queues.push(news);
        }
    }
}

async fn find(engine: Weak<Engine>, found: Found) {
    let Some((stop, pause)) = engine
        .upgrade()
        .map(|engine| (engine.post.stop.clone(), Duration::from_millis(engine.limits.node_lease_ms.max(50))))
    else {
        return;
    };
    let mut looked = None;
    loop {
        let Some(engine) = engine.upgrade() else { return };
        let begun = engine.clock.now();
        let result = tokio::select! {
            () = stop.cancelled() => return,
            result = engine.look_around(looked, &found) => result,
        };
        match result {
            Ok(()) => looked = Some(begun.plus_ms(-OVERLAP_MS)),
            Err(error) => tracing::error!(%error, "deliveries cannot be looked for"),
        }
        drop(engine);
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// A place on the wire. It is given back however the send ends.
struct Place {
    item: QueuedDelivery,
    outcome: SendOutcome,
    ended: mpsc::Sender<(QueuedDelivery, SendOutcome)>,
}

impl Drop for Place {
    fn drop(&mut self) {
        // The queue holds as many as there are places, so it is full for nobody.
        let _ = self.ended.try_send((self.item, self.outcome));
    }
}

async fn send(engine: Weak<Engine>, mut finds: mpsc::Receiver<(Timestamp, QueuedDelivery)>) {
    let Some((stop, mut agenda)) =
        engine.upgrade().map(|engine| (engine.post.stop.clone(), Agenda::new(&engine.limits)))
    else {
        return;
    };
    let (ended, mut ends) = mpsc::channel(agenda.places());
    let mut wait = IDLE;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            find = finds.recv() => match find {
                Some((at, item)) => agenda.add(at, item),
                None => return,
            },
            Some((item, outcome)) = ends.recv() => agenda.end(item, outcome),
            () = tokio::time::sleep(wait) => {}
        }
        let Some(engine) = engine.upgrade() else { return };
        while let Some(item) = agenda.take(engine.clock.now()) {
            let place = Place { item, outcome: SendOutcome::default(), ended: ended.clone() };
            let (engine, working) = (Arc::clone(&engine), engine.hold());
            tokio::spawn(async move {
                // Moved in whole: a field alone would leave the place outside, given back at once.
                let (mut place, _held) = (place, working);
                match engine.attempt(item.tenant, item.delivery).await {
                    Ok(outcome) => place.outcome = outcome,
                    Err(error) => tracing::error!(
                        %error, tenant = %item.tenant, webhook = %item.webhook, delivery = %item.delivery,
                        "a delivery cannot be recorded; it will be looked for",
                    ),
                }
            });
        }
        let now = engine.clock.now();
        wait = agenda.next().map_or(IDLE, |at| Duration::from_millis(at.ms_since(now) + 1));
    }
}

impl Engine {
    /// The deliveries that a piece of news makes, with the moment at which each is due.
    async fn hear(&self, news: News) -> Result<Vec<(Timestamp, QueuedDelivery)>, StoreError> {
        match news {
            News::Decided(tenant, id) => {
                self.cancel_deliveries(tenant, id).await?;
                Ok(Vec::new())
            }
            News::Parked(tenant, id) => {
                let hooks = self.rules.webhooks_of(tenant).await?;
                if hooks.is_empty() {
                    return Ok(Vec::new());
                }
                let Some(row) = self.stores.invocations.get(tenant, id).await? else { return Ok(Vec::new()) };
                let now = self.clock.now();
                Ok(self.enqueue(&row, &hooks).await?.into_iter().map(|item| (now, item)).collect())
            }
        }
    }

    /// Questions that were parked by a process which died before it could write their deliveries, and deliveries that nobody sends.
    async fn look_around(&self, since: Option<Timestamp>, found: &Found) -> Result<(), StoreError> {
        for tenant in self.stores.tenants.list().await? {
            let hooks = self.rules.webhooks_of(tenant.id).await?;
            if tenant.archived_at.is_some() || hooks.is_empty() {
                continue;
            }
            let mut filter = InvocationFilter {
                status: Some(Status::Pending),
                since,
                limit: PAGE,
                ..InvocationFilter::default()
            };
            loop {
                let page = self.stores.invocations.list(tenant.id, &filter).await?;
                for row in &page.items {
                    self.enqueue(row, &hooks).await?;
                }
                filter.before = page.items.last().map(|row| row.id);
                if page.next_cursor.is_none() {
                    break;
                }
            }
            for record in self.stores.records.named(tenant.id, Kind::Delivery, OPEN).await? {
                let delivery = read_delivery(&record)?;
                let item =
                    QueuedDelivery { tenant: tenant.id, webhook: delivery.webhook_id, delivery: delivery.id };
                // Nobody listens any more: the next process finds it.
                let _ = found.send((delivery.next_attempt_at, item)).await;
            }
            if since.is_none() {
                self.forget_old(tenant.id).await?;
            }
        }
        Ok(())
    }

    /// Once per process: what ended long ago, and links that were used and have expired since.
    async fn forget_old(&self, tenant: TenantId) -> Result<(), StoreError> {
        let ttl_ms = i64::try_from(self.limits.approval_ttl_s.saturating_mul(2_000)).unwrap_or(i64::MAX);
        let before = self.clock.now().plus_ms(-KEPT_MS.max(ttl_ms));
        for prefix in ["done/", "used/"] {
            for record in self.stores.records.named(tenant, Kind::Delivery, prefix).await? {
                if record.updated_at >= before {
                    continue;
                }
                let write =
                    RecordWrite::Delete { kind: Kind::Delivery, id: record.id, revision: record.revision };
                match self.stores.records.commit(tenant, vec![write], vec![]).await {
                    Ok(()) | Err(StoreError::Conflict(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}
