//! Which of a session's streams a message goes to.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rmcp::{
    model::{
        ClientRequest, GetExtensions as _, GetMeta as _, JsonRpcRequest, ProgressToken, RequestId,
        ServerJsonRpcMessage, ServerNotification,
    },
    service::OriginatingRequestId,
    transport::streamable_http_server::session::ServerSseMessage,
};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::Instant,
};

use super::line::{Delayed, Line, read_place};

/// How long an answer is kept for a client that was away when it came, and how many.
const KEPT_FOR: Duration = Duration::from_secs(60);
const KEPT_ANSWERS: usize = 16;
/// Listeners beside the one who gets the session's own messages.
const MAX_SILENT: usize = 32;

/// The streams of one session.
pub(super) struct Streams(Mutex<Inner>);

struct Inner {
    last_number: u64,
    requests: HashMap<RequestId, Request>,
    /// What belongs to no request.
    common: Line,
    /// A second listener gets nothing, but is not sent away either: the two would come back in turns for ever.
    silent: Vec<Sender<ServerSseMessage>>,
    /// Lines that ended while their client was away.
    missed: VecDeque<(Instant, Line)>,
    used_at: Instant,
}

struct Request {
    token: Option<ProgressToken>,
    line: Line,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Inner {
            last_number: 0,
            requests: HashMap::new(),
            common: Line::unheard(None),
            silent: Vec::new(),
            missed: VecDeque::new(),
            used_at: Instant::now(),
        }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line on which a request will be answered, and its number.
    pub(super) fn open(&self, request: &JsonRpcRequest<ClientRequest>) -> (u64, Receiver<ServerSseMessage>) {
        let token = request.request.get_meta().get_progress_token();
        let mut inner = self.inner();
        inner.used_at = Instant::now();
        inner.last_number += 1;
        let number = inner.last_number;
        let (line, events) = Line::open(number);
        inner.requests.insert(request.id.clone(), Request { token, line });
        (number, events)
    }

    /// The client does not want the answer any more.
    pub(super) fn forget(&self, request: &RequestId) {
        self.inner().requests.remove(request);
    }

    pub(super) fn used(&self) {
        self.inner().used_at = Instant::now();
    }

    /// When it will have been idle for so long; nothing when it has been already. Nobody is idle who waits for an answer.
    pub(super) fn idle_at(&self, limit: Duration) -> Option<Instant> {
        let (inner, now) = (self.inner(), Instant::now());
        let since = if inner.requests.is_empty() { inner.used_at } else { now };
        Some(since + limit).filter(|at| *at > now)
    }

    /// Puts a message on its stream. What comes back must wait until there is room.
    pub(super) fn route(&self, message: ServerJsonRpcMessage) -> Option<Delayed> {
        let mut inner = self.inner();
        inner.used_at = Instant::now();
        match &message {
            ServerJsonRpcMessage::Response(response) => {
                let id = response.id.clone();
                inner.answer(&id, message)
            }
            ServerJsonRpcMessage::Error(error) => match error.id.clone() {
                Some(id) => inner.answer(&id, message),
                None => inner.common.tell(message),
            },
            ServerJsonRpcMessage::Request(request) => {
                let origin = request.request.extensions().get::<OriginatingRequestId>().cloned();
                inner.line_of(origin.map(|origin| origin.0).as_ref()).tell(message)
            }
            ServerJsonRpcMessage::Notification(notification) => match &notification.notification {
                ServerNotification::ProgressNotification(progress) => {
                    let token = progress.params.progress_token.clone();
                    inner.line_with(&token).tell(message)
                }
                ServerNotification::CancelledNotification(cancelled) => {
                    let request = cancelled.params.request_id.clone();
                    inner.line_of(request.as_ref()).tell(message)
                }
                _ => inner.common.tell(message),
            },
        }
    }

    /// What belongs to no request, for a client that listens.
    pub(super) fn listen(&self) -> Receiver<ServerSseMessage> {
        self.inner().listen(Line::listen)
    }

    /// Goes on where a client's connection broke; nothing where that is not known any more.
    pub(super) fn resume(&self, last_event_id: &str) -> Option<Receiver<ServerSseMessage>> {
        let (after, number) = read_place(last_event_id)?;
        let mut inner = self.inner();
        inner.used_at = Instant::now();
        let Some(number) = number else {
            return Some(inner.listen(|line| line.resume(after)));
        };
        let asked = |line: &Line| line.number() == Some(number);
        if let Some(request) = inner.requests.values_mut().find(|request| asked(&request.line)) {
            return Some(request.line.resume(after));
        }
        inner.forget_old();
        let (_, missed) = inner.missed.iter_mut().find(|(_, line)| asked(line))?;
        let events = missed.resume(after);
        missed.hang_up();
        Some(events)
    }

    /// Lets everybody go who listens or waits.
    pub(super) fn close(&self) {
        let mut inner = self.inner();
        inner.requests.clear();
        inner.missed.clear();
        inner.silent.clear();
        inner.common.hang_up();
    }
}

impl Inner {
    fn answer(&mut self, id: &RequestId, message: ServerJsonRpcMessage) -> Option<Delayed> {
        let Some(request) = self.requests.remove(id) else {
            // Whoever asked has taken it back.
            return None;
        };
        let (delayed, unheard) = request.line.end(message);
        if let Some(line) = unheard {
            self.forget_old();
            if self.missed.len() == KEPT_ANSWERS {
                self.missed.pop_front();
            }
            self.missed.push_back((Instant::now(), line));
        }
        delayed
    }

    fn forget_old(&mut self) {
        self.missed.retain(|(since, _)| since.elapsed() < KEPT_FOR);
    }

    /// The line of that request, while it is not answered.
    fn line_of(&mut self, id: Option<&RequestId>) -> &mut Line {
        match id.and_then(|id| self.requests.get_mut(id)) {
            Some(request) => &mut request.line,
            None => &mut self.common,
        }
    }

    /// The line of the request that gave this token.
    fn line_with(&mut self, token: &ProgressToken) -> &mut Line {
        match self.requests.values_mut().find(|request| request.token.as_ref() == Some(token)) {
            Some(request) => &mut request.line,
            None => &mut self.common,
        }
    }

    fn listen(
        &mut self,
        from: impl FnOnce(&mut Line) -> Receiver<ServerSseMessage>,
    ) -> Receiver<ServerSseMessage> {
        if !self.common.is_heard() {
            return from(&mut self.common);
        }
        self.silent.retain(|listener| !listener.is_closed());
        if self.silent.len() == MAX_SILENT {
            self.silent.remove(0);
        }
        let (listener, silence) = mpsc::channel(1);
        self.silent.push(listener);
        silence
    }
}
