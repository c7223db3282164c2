//! The task that sends what is due. What it keeps in memory is only an agenda: the deliveries themselves are durable, and a look
//! around finds those that other processes left behind.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::{
    sync::{Semaphore, mpsc},
    time::Instant,
};
use toolgate_domain::{DeliveryId, Status, TenantId, Timestamp};
use toolgate_store::{InvocationFilter, Kind, RecordWrite, StoreError};

use super::{
    deliver::{OPEN, read_delivery},
    post::News,
};
use crate::Engine;

/// Letters that are on the wire at a time.
const MAX_SENDING: usize = 32;
/// Deliveries that one process keeps in mind; the rest wait for a later look around.
const MAX_AGENDA: usize = 10_000;
const PAGE: usize = 200;
/// How far before the last look around the next one begins: clocks of processes differ.
const OVERLAP_MS: i64 = 60_000;
/// How long the fate of a delivery can be looked up.
const KEPT_MS: i64 = 7 * 24 * 3_600_000;

#[derive(Default)]
struct Agenda {
    due: BTreeSet<(Timestamp, DeliveryId, TenantId)>,
    known: HashMap<DeliveryId, Timestamp>,
}

impl Agenda {
    fn add(&mut self, at: Timestamp, id: DeliveryId, tenant: TenantId) {
        match self.known.get(&id) {
            Some(earlier) if *earlier <= at => return,
            // While a letter is on the wire, a look around sees when its sender would count as dead: news of its fate comes first.
            Some(later) => {
                self.due.remove(&(*later, id, tenant));
            }
            None if self.due.len() >= MAX_AGENDA => return,
            None => {}
        }
        self.known.insert(id, at);
        self.due.insert((at, id, tenant));
    }

    fn next(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, _, _)| *at)
    }

    fn take(&mut self, now: Timestamp) -> Option<(DeliveryId, TenantId)> {
        if self.next()? > now {
            return None;
        }
        let (_, id, tenant) = self.due.pop_first()?;
        self.known.remove(&id);
        Some((id, tenant))
    }
}

pub(super) fn start(engine: &Arc<Engine>, inbox: mpsc::Receiver<News>) {
    tokio::spawn(run(Arc::downgrade(engine), inbox));
}

async fn run(engine: Weak<Engine>, mut inbox: mpsc::Receiver<News>) {
    let Some((stop, pause)) = engine
        .upgrade()
        .map(|engine| (engine.post.stop.clone(), Duration::from_millis(engine.limits.node_lease_ms.max(50))))
    else {
        return;
    };
    let places = Arc::new(Semaphore::new(MAX_SENDING));
    let (mut agenda, mut look_at, mut looked) = (Agenda::default(), Instant::now(), None);
    let mut wait = Duration::ZERO;
    loop {
        let news = tokio::select! {
            () = stop.cancelled() => return,
            news = inbox.recv() => news,
            () = tokio::time::sleep(wait) => None,
        };
        let Some(engine) = engine.upgrade() else { return };
        if let Some(news) = news
            && let Err(error) = engine.hear(news, &mut agenda).await
        {
            tracing::error!(%error, "a question cannot be sent yet; it will be looked for");
        }
        if look_at <= Instant::now() {
            let begun = engine.clock.now();
            match engine.look_around(looked, &mut agenda).await {
                Ok(()) => looked = Some(begun.plus_ms(-OVERLAP_MS)),
                Err(error) => tracing::error!(%error, "deliveries cannot be looked for"),
            }
            look_at = Instant::now() + pause;
        }
        while let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            let Some((id, tenant)) = agenda.take(engine.clock.now()) else {
                break;
            };
            let (engine, working) = (Arc::clone(&engine), engine.hold());
            tokio::spawn(async move {
                let _held = (place, working);
                match engine.attempt(tenant, id).await {
                    // Heard when the dispatcher has time; with the queue full, the next look around finds it.
                    Ok(Some(at)) => engine.post.tell(News::Again(tenant, id, at)),
                    Ok(None) => {}
                    Err(error) => tracing::error!(%error, delivery = %id, "a delivery cannot be recorded"),
                }
            });
        }
        let until_look = look_at.saturating_duration_since(Instant::now());
        let until_due = agenda.next().map(|at| Duration::from_millis(at.ms_since(engine.clock.now()) + 1));
        // With every place taken, what is due waits for a moment.
        let crowded = places.available_permits() == 0;
        wait = match until_due {
            Some(_) if crowded => until_look.min(Duration::from_millis(50)),
            Some(due) => until_look.min(due),
            None => until_look,
        };
    }
}

impl Engine {
    async fn hear(&self, news: News, agenda: &mut Agenda) -> Result<(), StoreError> {
        match news {
            News::Again(tenant, id, at) => agenda.add(at, id, tenant),
            News::Decided(tenant, id) => self.cancel_deliveries(tenant, id).await?,
            News::Parked(tenant, id) => {
                let hooks = self.rules.webhooks_of(tenant).await?;
                if hooks.is_empty() {
                    return Ok(());
                }
                if let Some(row) = self.stores.invocations.get(tenant, id).await? {
                    let now = self.clock.now();
                    for id in self.enqueue(&row, &hooks).await? {
                        agenda.add(now, id, tenant);
                    }
                }
            }
        }
        Ok(())
    }

    /// Questions that were parked by a process which died before it could write their deliveries, and deliveries that nobody sends.
    async fn look_around(&self, since: Option<Timestamp>, agenda: &mut Agenda) -> Result<(), StoreError> {
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
                agenda.add(delivery.next_attempt_at, delivery.id, tenant.id);
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
