//! One session, between the requests of its client and the service that answers them.

use std::{convert::Infallible, iter, pin::Pin, sync::Arc, time::Duration};

use futures::{Stream, StreamExt as _, stream};
use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ClientNotification, ServerJsonRpcMessage},
    transport::{Transport, streamable_http_server::session::ServerSseMessage},
};
use tokio::{
    sync::mpsc,
    time::{Sleep, sleep, timeout},
};

use super::{line::Line, manager::SessionsError, streams::Streams};

/// Messages of the client that wait for the service.
const QUEUE: usize = 16;
/// A call that is answered by then is answered in one piece. Whoever waits longer is told how to come back if the connection breaks.
const ONE_PIECE: Duration = Duration::from_millis(100);

pub(super) struct Session {
    to_service: mpsc::Sender<ClientJsonRpcMessage>,
    streams: Arc<Streams>,
}

impl Session {
    /// The session, and the service's end of it. It is over when either is gone, or when it was idle for so long.
    pub(super) fn open(idle: Duration) -> (Self, SessionTransport) {
        let (to_service, from_client) = mpsc::channel(QUEUE);
        let streams = Arc::new(Streams::new());
        let timer = Box::pin(sleep(idle));
        let transport = SessionTransport { from_client, streams: Arc::clone(&streams), idle, timer };
        (Self { to_service, streams }, transport)
    }

    pub(super) fn streams(&self) -> &Streams {
        &self.streams
    }

    /// The first request, which has one answer.
    pub(super) async fn initialize(
        &self,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionsError> {
        let (_, mut events) = self.ask(message).await?;
        let answer = events.recv().await.and_then(|event| event.message);
        Ok(Arc::unwrap_or_clone(answer.ok_or(SessionsError::NotFound)?))
    }

    pub(super) async fn request(
        &self,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static + use<>, SessionsError> {
        let (number, mut events) = self.ask(message).await?;
        let first = timeout(ONE_PIECE, events.recv()).await.ok().flatten();
        Ok(stream::iter(iter::once(Line::first_event(number)).chain(first)).chain(stream_of(events)))
    }

    async fn ask(
        &self,
        message: ClientJsonRpcMessage,
    ) -> Result<(u64, mpsc::Receiver<ServerSseMessage>), SessionsError> {
        // Nothing waits between the line and the request: a client that hangs up leaves no line that nobody will end.
        let room = self.to_service.reserve().await.map_err(|_| SessionsError::NotFound)?;
        let ClientJsonRpcMessage::Request(request) = &message else {
            return Err(SessionsError::NotFound);
        };
        let opened = self.streams.open(request);
        room.send(message);
        Ok(opened)
    }

    pub(super) async fn accept(&self, message: ClientJsonRpcMessage) -> Result<(), SessionsError> {
        self.streams.used();
        if let ClientJsonRpcMessage::Notification(said) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &said.notification
            && let Some(request) = &cancelled.params.request_id
        {
            self.streams.forget(request);
        }
        self.to_service.send(message).await.map_err(|_| SessionsError::NotFound)
    }
}

pub(super) fn stream_of(
    mut events: mpsc::Receiver<ServerSseMessage>,
) -> impl Stream<Item = ServerSseMessage> + Send + Sync + 'static {
    stream::poll_fn(move |context| events.poll_recv(context))
}

/// What the service reads from and writes to.
pub(in crate::server) struct SessionTransport {
    from_client: mpsc::Receiver<ClientJsonRpcMessage>,
    streams: Arc<Streams>,
    idle: Duration,
    timer: Pin<Box<Sleep>>,
}

impl Transport<RoleServer> for SessionTransport {
    type Error = Infallible;

    /// Routed at once, so that messages keep their order; only one that has no room yet is waited for.
    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        let delayed = self.streams.route(message);
        async move {
            if let Some((to, event)) = delayed {
                // Should its client go away meanwhile, it finds the event kept.
                let _ = to.send(event).await;
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            tokio::select! {
                biased;
                message = self.from_client.recv() => return message,
                () = self.timer.as_mut() => {
                    let later = self.streams.idle_at(self.idle)?;
                    self.timer.as_mut().reset(later);
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        self.streams.close();
        Ok(())
    }
}

impl Drop for SessionTransport {
    fn drop(&mut self) {
        self.streams.close();
    }
}
