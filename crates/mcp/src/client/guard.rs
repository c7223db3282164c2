//! Stands between the SDK and the wire. The SDK starts a task for each notification: here they are counted, those of a call are handed to
//! it in the order in which they came, and those that nobody wants go no further.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use rmcp::{
    RoleClient,
    model::{
        ClientJsonRpcMessage, ClientNotification, GetExtensions, GetMeta, NumberOrString, RequestId,
        ServerJsonRpcMessage, ServerNotification,
    },
    transport::Transport,
};
use toolgate_domain::{Clock, Timestamp};
use toolgate_engine::UpstreamList;

use super::{asks::Desk, failure::Fault, notices::Ear, watching::Watched};

/// What is known of a connection outside the task that serves it.
pub(super) struct Link {
    /// Why it was broken off here.
    fault: OnceLock<Fault>,
    /// The list of tools changed since it was last read.
    changed: AtomicBool,
    on_change: Box<dyn Fn() + Send + Sync>,
    /// Its prompts or resources changed.
    on_list: Box<dyn Fn(UpstreamList) + Send + Sync>,
    /// The resources that somebody watches.
    pub(super) watched: Watched,
    /// Who is asked what the upstream asks.
    pub(super) desk: Desk,
}

impl Link {
    pub(super) fn new(
        on_change: impl Fn() + Send + Sync + 'static,
        on_list: impl Fn(UpstreamList) + Send + Sync + 'static,
    ) -> Self {
        Self {
            fault: OnceLock::new(),
            changed: AtomicBool::new(false),
            on_change: Box::new(on_change),
            on_list: Box::new(on_list),
            watched: Watched::default(),
            desk: Desk::default(),
        }
    }

    /// The first reason counts.
    pub(super) fn break_off(&self, fault: Fault) {
        let _ = self.fault.set(fault);
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        self.fault.get().copied()
    }

    /// Told once until the list is read again, however often the upstream says so.
    pub(super) fn list_changed(&self) {
        if !self.changed.swap(true, Ordering::AcqRel) {
            (self.on_change)();
        }
    }

    /// Whether the upstream said so, and nobody has read it since.
    pub(super) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Acquire)
    }

    /// The list is about to be read: what changes from now on is news.
    pub(super) fn reading_list(&self) {
        self.changed.store(false, Ordering::Release);
    }
}

pub(super) struct Guarded<T> {
    inner: T,
    link: Arc<Link>,
    /// The calls under way: by the token of their progress, with the id of the request.
    calls: HashMap<NumberOrString, (RequestId, Ear)>,
    tokens: HashMap<RequestId, NumberOrString>,
    unasked: Unasked,
}

impl<T> Guarded<T> {
    pub(super) fn new(inner: T, link: Arc<Link>, clock: Arc<dyn Clock>, unasked_per_s: u64) -> Self {
        let unasked = Unasked { clock, most: unasked_per_s, since: Timestamp::EPOCH, seen: 0 };
        Self { inner, link, calls: HashMap::new(), tokens: HashMap::new(), unasked }
    }

    fn note_sent(&mut self, message: &ClientJsonRpcMessage) {
        match message {
            ClientJsonRpcMessage::Request(sent) => {
                let ear = sent.request.extensions().get::<Ear>().cloned();
                if let (Some(ear), Some(token)) = (ear, sent.request.get_meta().get_progress_token()) {
                    self.link.desk.begin(sent.id.clone(), ear.questions.clone());
                    self.tokens.insert(sent.id.clone(), token.0.clone());
                    self.calls.insert(token.0, (sent.id.clone(), ear));
                }
            }
            ClientJsonRpcMessage::Notification(sent) => {
                if let ClientNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.forget(id);
                }
            }
            _ => {}
        }
    }

    fn forget(&mut self, id: &RequestId) {
        let token = self.tokens.remove(id).or_else(|| {
            // Some answer `"1"` to 1; the SDK takes it.
            let NumberOrString::String(text) = id else { return None };
            self.tokens.remove(&RequestId::Number(text.parse().ok()?))
        });
        if let Some(token) = token
            && let Some((id, _)) = self.calls.remove(&token)
        {
            self.link.desk.end(&id);
        }
    }

    /// What the SDK is given of a message: nothing, where it ends here.
    fn admit(&mut self, message: ServerJsonRpcMessage) -> Option<ServerJsonRpcMessage> {
        match message {
            ServerJsonRpcMessage::Response(answer) => {
                self.forget(&answer.id);
                Some(ServerJsonRpcMessage::Response(answer))
            }
            ServerJsonRpcMessage::Error(answer) => {
                if let Some(id) = &answer.id {
                    self.forget(id);
                }
                Some(ServerJsonRpcMessage::Error(answer))
            }
            ServerJsonRpcMessage::Notification(mut told) => match told.notification {
                ServerNotification::ProgressNotification(progress) => {
                    if let Some((_, ear)) = self.calls.get(&progress.params.progress_token.0) {
                        ear.progress(progress.params);
                    }
                    None
                }
                ServerNotification::LoggingMessageNotification(log) => {
                    // Nothing says to which call a line belongs, unless there is only one.
                    let mut ears = self.calls.values();
                    if let (Some((_, ear)), None) = (ears.next(), ears.next()) {
                        ear.log(log.params);
                    }
                    None
                }
                ServerNotification::ToolListChangedNotification(changed) => {
                    self.link.list_changed();
                    // A subscription waits for it as well.
                    told.notification = ServerNotification::ToolListChangedNotification(changed);
                    let subscribed = told.notification.get_meta().subscription_id().is_some();
                    subscribed.then_some(ServerJsonRpcMessage::Notification(told))
                }
                // These end here, whoever subscribed to them.
                ServerNotification::PromptListChangedNotification(_) => {
                    (self.link.on_list)(UpstreamList::Prompts);
                    None
                }
                ServerNotification::ResourceListChangedNotification(_) => {
                    (self.link.on_list)(UpstreamList::Resources);
                    None
                }
                ServerNotification::ResourceUpdatedNotification(updated) => {
                    self.link.watched.updated(&updated.params.uri);
                    None
                }
                notification @ (ServerNotification::CancelledNotification(_)
                | ServerNotification::SubscriptionsAcknowledgedNotification(_)) => {
                    told.notification = notification;
                    Some(ServerJsonRpcMessage::Notification(told))
                }
                _ => None,
            },
            request => Some(request),
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Guarded<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.note_sent(&item);
        self.inner.send(item)
    }

    /// May be dropped at any await: nothing is held between receiving and answering.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            // Others run too while an upstream talks without end.
            tokio::task::coop::consume_budget().await;
            let message = self.inner.receive().await?;
            let answers =
                matches!(message, ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_));
            if !answers && self.unasked.is_flood() {
                self.link.break_off(Fault::Flood);
                return None;
            }
            if let Some(message) = self.admit(message) {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        // Whoever watches something over this connection hears that it is gone.
        self.link.watched.end_all();
    }
}

/// Counts, second by second, what an upstream says unasked.
struct Unasked {
    clock: Arc<dyn Clock>,
    most: u64,
    since: Timestamp,
    seen: u64,
}

impl Unasked {
    fn is_flood(&mut self) -> bool {
        let now = self.clock.now();
        if now.ms_since(self.since) >= 1_000 {
            (self.since, self.seen) = (now, 0);
        }
        self.seen += 1;
        self.seen > self.most
    }
}
