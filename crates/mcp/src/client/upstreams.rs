//! All connections to upstreams. One is shared by the calls of one tenant to one upstream with the same credentials, as long as the
//! upstream's document stays as it is. Different tenants, documents and credentials never meet in one.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use async_trait::async_trait;
use dashmap::DashMap;
use tokio::{
    sync::{Mutex, OwnedSemaphorePermit, Semaphore, broadcast, mpsc},
    time::Instant,
};
use toolgate_domain::{
    Clock, ErrorCode, TenantId, Timestamp, ToolError, UpstreamId,
    governance::{Upstream, UpstreamTransport},
};
use toolgate_engine::{
    ResourceWatch, UpstreamCatalog, UpstreamNews, UpstreamOffer, UpstreamSecrets, UpstreamSource,
};

use super::{
    ListChanged, UpstreamLimits, UpstreamOptions,
    breaker::Pass,
    catalog::{Catalogs, Teller},
    check::check_headers,
    connect::connect,
    failure,
    guard::Link,
    lane::{Credentials, Lane, Slot},
    session::Session,
};

/// Changes that wait for somebody to look at them; the rest is found when the upstream is asked next.
const CHANGES: usize = 256;
/// A list that changes all the time is read no more often than this.
const BETWEEN_CHANGES: Duration = Duration::from_millis(500);
const CHANGE_SETTLES_IN: Duration = Duration::from_millis(50);
/// Upstreams that are kept account of at a time.
const MAX_LANES: usize = 10_000;

/// Tenant, upstream, and the moment of its document.
type Key = (TenantId, UpstreamId, Timestamp);

pub struct Upstreams {
    pub(super) options: UpstreamOptions,
    lanes: DashMap<Key, Arc<Lane>>,
    places: Arc<Semaphore>,
    changes: mpsc::Sender<ListChanged>,
    pub(super) catalogs: Arc<Catalogs>,
    news: broadcast::Sender<UpstreamNews>,
    /// Digests of credentials are worth nothing outside this process.
    salt: [u8; 32],
}

/// A connection, for the length of one use.
pub(super) struct Lease {
    pub(super) session: Arc<Session>,
    pub(super) lane: Arc<Lane>,
    clock: Arc<dyn Clock>,
    turn: Option<OwnedSemaphorePermit>,
}

impl Lease {
    /// Others may have the turn while this one waits for an answer of ours.
    pub(super) fn give_way(&mut self) {
        self.turn = None;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.session.end_use(self.clock.now());
    }
}

impl Upstreams {
    /// Must be called inside a tokio runtime. The receiver hears which lists of tools have changed.
    pub fn new(options: UpstreamOptions) -> (Arc<Self>, mpsc::Receiver<ListChanged>) {
        let (changes, changed) = mpsc::channel(CHANGES);
        let places = Arc::new(Semaphore::new(options.limits.connections.min(Semaphore::MAX_PERMITS)));
        let upstreams = Arc::new(Self {
            options,
            lanes: DashMap::new(),
            places,
            changes,
            catalogs: Arc::default(),
            news: broadcast::channel(CHANGES).0,
            salt: rand::random(),
        });
        tokio::spawn(sweep_now_and_then(Arc::downgrade(&upstreams)));
        (upstreams, changed)
    }

    pub(super) fn limits(&self) -> &UpstreamLimits {
        &self.options.limits
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.options.clock.now().as_millis()
    }

    /// A connection to use, made now where there is none.
    pub(super) async fn lease(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Result<Lease, ToolError> {
        let lane = self.lane((tenant, upstream.id, upstream.updated_at));
        let pass = lane.breaker.enter(self.options.clock.now()).map_err(left_alone)?;
        let turn = lane.turn(self.limits()).await?;
        let slot = lane.slot(&self.credentials(upstream, secrets), self.limits())?;
        let session = match slot.session() {
            Some(session) => session,
            None => self.connected(tenant, upstream, secrets, (&lane, &pass), &slot).await?,
        };
        session.begin_use();
        drop(pass);
        Ok(Lease { session, lane, clock: Arc::clone(&self.options.clock), turn: Some(turn) })
    }

    async fn connected(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
        (lane, pass): (&Lane, &Pass<'_>),
        slot: &Slot,
    ) -> Result<Arc<Session>, ToolError> {
        let _connecting = slot.connecting.lock().await;
        if let Some(session) = slot.session() {
            return Ok(session);
        }
        // Whoever waited for one that failed hears of it, and does not try as long once more.
        if let Some(seconds) = lane.breaker.opened_meanwhile(pass, self.options.clock.now()) {
            return Err(left_alone(seconds));
        }
        let place = self.place()?;
        let (patience, greeting) = (self.limits().connect_timeout, lane.greeting());
        let link = || self.link(tenant, upstream.id);
        let made = tokio::time::timeout(
            patience,
            connect(&self.options, (tenant, upstream), secrets, greeting, link),
        )
        .await;
        let made =
            made.unwrap_or_else(|_| Err(failure::timeout("did not introduce itself", patience.as_millis())));
        match made {
            Ok(connected) => {
                lane.breaker.succeeded();
                lane.remember(connected.greeting);
                let session =
                    Session::new(connected.running, connected.link, place, self.options.clock.now());
                let session = Arc::new(session);
                slot.put(Arc::clone(&session));
                Ok(session)
            }
            Err(error) => {
                // Refused credentials say nothing about the connection, and others may have better ones.
                if is_connection(&error) {
                    self.broke(lane);
                }
                Err(error)
            }
        }
    }

    /// A connection broke, or could not be made.
    pub(super) fn broke(&self, lane: &Lane) {
        lane.breaker.failed(self.options.clock.now(), self.limits());
    }

    fn lane(&self, key: Key) -> Arc<Lane> {
        if let Some(lane) = self.lanes.get(&key) {
            return Arc::clone(&lane);
        }
        if self.lanes.len() >= MAX_LANES {
            self.sweep();
        }
        // Connections of the document as it was are closed when those who use them let go.
        self.lanes.retain(|(tenant, id, at), _| (*tenant, *id) != (key.0, key.1) || *at >= key.2);
        let lane = self.lanes.entry(key).or_insert_with(|| Arc::new(Lane::new(self.limits())));
        Arc::clone(&lane)
    }

    /// A place among all connections. Where none is free, the one that was unused the longest makes room.
    fn place(&self) -> Result<OwnedSemaphorePermit, ToolError> {
        loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                return Ok(place);
            }
            let oldest = self.lanes.iter().filter_map(|lane| lane.oldest()).min_by_key(|(since, _)| *since);
            if oldest.is_none_or(|(since, slot)| slot.take_unused(since).is_none()) {
                let message =
                    format!("{} connections to upstreams are open, each in use", self.limits().connections);
                return Err(ToolError::new(ErrorCode::RateLimit, message).retry_after(1));
            }
        }
    }

    pub(super) fn credentials(&self, upstream: &Upstream, secrets: &UpstreamSecrets) -> Credentials {
        let mut hasher = blake3::Hasher::new_keyed(&self.salt);
        for name in upstream.secrets() {
            let value = secrets.get(&name).map(|value| value.expose()).unwrap_or_default();
            for part in [name.as_str(), value] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
        }
        *hasher.finalize().as_bytes()
    }

    fn link(&self, tenant_id: TenantId, upstream_id: UpstreamId) -> Arc<Link> {
        let changes = self.changes.clone();
        let change = ListChanged { tenant_id, upstream_id };
        let told = Arc::new(Mutex::new(None::<Instant>));
        let on_change = move || {
            let (changes, told) = (changes.clone(), Arc::clone(&told));
            tokio::spawn(async move {
                let mut told = told.lock().await;
                // What changes several times in a row is read once, and what never stops changing now and then.
                let next = told.map_or_else(Instant::now, |last| last + BETWEEN_CHANGES);
                tokio::time::sleep_until(next.max(Instant::now() + CHANGE_SETTLES_IN)).await;
                *told = Some(Instant::now());
                let _ = changes.try_send(change);
            });
        };
        let teller = Teller::new(tenant_id, upstream_id, &self.catalogs, &self.news);
        Arc::new(Link::new(on_change, move |list| teller.tell(list)))
    }

    /// Closes connections that nobody used for a while.
    pub fn sweep(&self) {
        let idle_ms = i64::try_from(self.limits().idle.as_millis()).unwrap_or(i64::MAX);
        let since = self.options.clock.now().plus_ms(idle_ms.saturating_neg());
        self.catalogs.sweep(self.options.clock.now());
        self.lanes
            .retain(|_, lane| lane.sweep(since) || Arc::strong_count(lane) > 1 || !lane.breaker.is_at_rest());
    }
}

#[async_trait]
impl UpstreamSource for Upstreams {
    fn check(&self, upstream: &Upstream) -> Result<(), String> {
        match &upstream.transport {
            UpstreamTransport::Stdio { .. } => self.options.commands.check(&upstream.transport),
            UpstreamTransport::Http { url, headers } => {
                check_headers(headers)?;
                let outlet =
                    self.options.outlet.as_ref().ok_or("this server reaches no upstreams over HTTP")?;
                outlet.check(url).map_err(|why| format!("url: {why}"))
            }
        }
    }

    async fn offers(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Result<UpstreamOffer, ToolError> {
        let told = |error| failure::with_login(error, upstream);
        let lease = Box::pin(self.lease(tenant, upstream, secrets)).await.map_err(told)?;
        let tools = self.tools_of(&lease, secrets).await.map_err(told)?;
        let (server, revision) = lease.session.introduction();
        Ok(UpstreamOffer { server: failure::quote(&server), revision, tools })
    }

    async fn catalog(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Result<Arc<UpstreamCatalog>, ToolError> {
        self.catalog_of(tenant, upstream, secrets).await
    }

    async fn watch_resource(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
        uri: &str,
    ) -> Result<Option<ResourceWatch>, ToolError> {
        self.watch(tenant, upstream, secrets, uri).await
    }

    fn news(&self) -> Option<broadcast::Receiver<UpstreamNews>> {
        Some(self.news.subscribe())
    }
}

/// Whether it tells of the connection, and not of what was asked over it.
fn is_connection(error: &ToolError) -> bool {
    matches!(error.code, ErrorCode::NetworkError | ErrorCode::Timeout | ErrorCode::ProviderError)
}

fn left_alone(seconds: u64) -> ToolError {
    failure::network("open", "the upstream failed so often that nobody asks it for a while")
        .retry_after(seconds)
}

async fn sweep_now_and_then(upstreams: Weak<Upstreams>) {
    loop {
        let Some(pause) = upstreams.upgrade().map(|upstreams| upstreams.limits().idle / 4) else { return };
        tokio::time::sleep(pause.max(Duration::from_secs(1))).await;
        match upstreams.upgrade() {
            Some(upstreams) => upstreams.sweep(),
            None => return,
        }
    }
}
