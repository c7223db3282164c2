//! Server-sent events: bounded in number, kept alive, ended when the server stops.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::response::{
    IntoResponse, Response,
    sse::{Event, KeepAlive, Sse},
};
use futures::stream;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::{ApiCode, AppState, Problem};

const KEEP_ALIVE: Duration = Duration::from_secs(15);
const QUEUE: usize = 64;

/// The sending end of a stream. When the client is gone, sending fails and the sender ends.
pub(crate) struct Sender {
    events: mpsc::Sender<Event>,
    _place: OwnedSemaphorePermit,
}

impl Sender {
    /// `false` when nobody listens any more.
    pub(crate) async fn send(&self, event: Event) -> bool {
        self.events.send(event).await.is_ok()
    }

    pub(crate) async fn closed(&self) {
        self.events.closed().await;
    }
}

/// Opens a stream, and the end to send on.
pub(crate) fn open(state: &AppState) -> Result<(Sender, Response), Problem> {
    let Ok(place) = Arc::clone(&state.streams).try_acquire_owned() else {
        state.engine.metrics().shed.inc();
        return Err(Problem::new(
            ApiCode::Overloaded,
            "too many event streams are open: try again in a moment",
        ));
    };
    let (events, receiver) = mpsc::channel(QUEUE);
    let stream = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|event| (Ok::<_, Infallible>(event), receiver))
    });
    let response = Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    Ok((Sender { events, _place: place }, response))
}
