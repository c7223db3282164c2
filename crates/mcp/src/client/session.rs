//! One connection to an upstream. Its calls share it, each with an id of its own.

#![expect(deprecated, reason = "servers log until they have all moved on")]

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
};

use rmcp::{
    model::{
        CancelledNotification, CancelledNotificationParam, GetExtensions, InputResponses, LoggingLevel,
        PaginatedRequestParams, RequestMetaObject, ServerCapabilities, ServerResult, SubscriptionFilter,
        Tool,
    },
    service::{Peer, PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError},
};
use serde_json::Value;
use tokio::sync::{Mutex, OwnedSemaphorePermit, mpsc};
use toolgate_domain::{Timestamp, governance::Audience};

use super::{
    asks::{Asks, Inquiry, capabilities},
    guard::Link,
    notices::Ear,
    what::What,
};

/// Closed when the last holder lets go.
pub(super) struct Session {
    running: RunningService<RoleClient, Asks>,
    pub(super) link: Arc<Link>,
    in_use: AtomicUsize,
    last_used_ms: AtomicI64,
    /// The digests of its tools, as they were last read over this connection.
    offered: RwLock<HashMap<String, String>>,
    /// Held by whoever reads them.
    pub(super) reading: Mutex<()>,
    /// In the newest revision nothing is logged unless a call asks for it.
    asks_for_log: bool,
    /// Its place among all connections.
    _place: OwnedSemaphorePermit,
}

impl Session {
    pub(super) fn new(
        running: RunningService<RoleClient, Asks>,
        link: Arc<Link>,
        place: OwnedSemaphorePermit,
        now: Timestamp,
    ) -> Self {
        listen(&running, Arc::clone(&link));
        let last_used_ms = AtomicI64::new(now.as_millis());
        let asks_for_log = running.peer_info().is_some_and(|info| !info.protocol_version.has_initialize());
        Self {
            running,
            link,
            in_use: AtomicUsize::new(0),
            last_used_ms,
            offered: RwLock::default(),
            reading: Mutex::default(),
            asks_for_log,
            _place: place,
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        !self.running.is_transport_closed() && self.link.fault().is_none()
    }

    /// When it was last used; nothing, while somebody uses it.
    pub(super) fn idle_since(&self) -> Option<Timestamp> {
        let idle = self.in_use.load(Ordering::Acquire) == 0;
        idle.then(|| Timestamp::from_millis(self.last_used_ms.load(Ordering::Acquire)))
    }

    pub(super) fn begin_use(&self) {
        self.in_use.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn end_use(&self, now: Timestamp) {
        self.last_used_ms.store(now.as_millis(), Ordering::Release);
        self.in_use.fetch_sub(1, Ordering::AcqRel);
    }

    /// Name and version, and the revision of the protocol.
    pub(super) fn introduction(&self) -> (String, String) {
        let Some(info) = self.running.peer_info() else { return Default::default() };
        let server = info.server_info.as_ref().map(|server| format!("{} {}", server.name, server.version));
        (server.unwrap_or_default(), info.protocol_version.to_string())
    }

    pub(super) fn peer(&self) -> &Peer<RoleClient> {
        &self.running
    }

    /// What the upstream can do, by its own word.
    pub(super) fn abilities(&self) -> ServerCapabilities {
        self.running.peer_info().map(|info| info.capabilities.clone()).unwrap_or_default()
    }

    /// Whether it speaks the revision in which everybody says by themselves what they want to hear.
    pub(super) fn is_newest(&self) -> bool {
        self.asks_for_log
    }

    /// One page of its tools.
    pub(super) async fn tools(
        &self,
        cursor: Option<String>,
    ) -> Result<(Vec<Tool>, Option<String>), ServiceError> {
        let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let page = self.running.list_tools(params).await?;
        Ok((page.tools, page.next_cursor))
    }

    pub(super) fn note_offered(&self, digests: HashMap<String, String>) {
        *self.offered.write().unwrap_or_else(PoisonError::into_inner) = digests;
    }

    /// Whether the tool is offered so, as far as it was read.
    pub(super) fn offers(&self, tool: &str, digest: &str) -> bool {
        let offered = self.offered.read().unwrap_or_else(PoisonError::into_inner);
        !self.link.has_changed() && offered.get(tool).is_some_and(|known| known == digest)
    }

    /// Begins a call. What the upstream says of it meanwhile is heard at the receiver.
    pub(super) async fn call(
        &self,
        asked: Request,
        notice_bytes: usize,
    ) -> Result<(Calling, mpsc::Receiver<Value>, mpsc::Receiver<Inquiry>), ServiceError> {
        let (ear, heard, inquiries) = Ear::new(notice_bytes);
        let mut request = asked.what.request(asked.answers, asked.request_state);
        request.extensions_mut().insert(ear.clone());
        let mut meta = RequestMetaObject::new();
        meta.set_traceparent(asked.traceparent);
        if self.asks_for_log {
            meta.set_log_level(LoggingLevel::Info);
        }
        if self.is_newest() {
            meta.set_client_capabilities(capabilities(asked.audience));
        }
        let options = PeerRequestOptions::no_options().with_meta(meta);
        let handle = self.running.send_request_with_option(request, options).await?;
        Ok((Calling { handle: Some(handle), ear }, heard, inquiries))
    }
}

/// What an upstream is asked.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) what: What,
    /// The answers to what it asked, and what it wants back with them.
    pub(super) answers: Option<InputResponses>,
    pub(super) request_state: Option<String>,
    /// What the caller can be asked.
    pub(super) audience: Audience,
    /// The span of the call, for an upstream that tells of its part.
    pub(super) traceparent: String,
}

/// A call under way. One that is dropped before its answer is withdrawn.
pub(super) struct Calling {
    handle: Option<RequestHandle<RoleClient>>,
    ear: Ear,
}

impl Calling {
    /// Whether its answer was broken off because it is too large.
    pub(super) fn is_outgrown(&self) -> bool {
        self.ear.is_outgrown()
    }

    /// May be asked again until it has answered.
    pub(super) async fn answer(&mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = self.handle.as_mut() else { return Err(ServiceError::TransportClosed) };
        let answer = (&mut handle.rx).await.map_err(|_| ServiceError::TransportClosed);
        self.handle = None;
        answer?
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        let Some(handle) = self.handle.take() else { return };
        // Without a runtime the connection ends as well.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let why = Some("the caller gave up".to_owned());
        let withdrawn =
            CancelledNotification::new(CancelledNotificationParam::new(Some(handle.id.clone()), why));
        runtime.spawn(async move { handle.peer.send_notification(withdrawn.into()).await });
    }
}

/// In revisions without a session, changes are told to those who asked for them.
fn listen(peer: &Peer<RoleClient>, link: Arc<Link>) {
    let Some(info) = peer.peer_info() else { return };
    let every_list =
        SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resources_list_changed();
    let told = every_list.build().supported_by(&info.capabilities);
    if info.protocol_version.has_initialize() || told == SubscriptionFilter::new() {
        return;
    }
    let peer = peer.clone();
    tokio::spawn(async move {
        // The guard has heard each of them already; they are only taken out of the way here.
        if let Ok(mut changes) = peer.listen(told).await {
            while let Ok(Some(_)) = changes.next().await {}
        }
        drop(link);
    });
}
