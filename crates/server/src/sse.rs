//! Server-sent events: bounded in number, kept alive, ended when the server stops.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::FromRequestParts as _,
    http::{HeaderMap, Request},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::stream;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use toolgate_domain::Scope;

use crate::{ApiCode, AppState, Problem, auth::Auth};

/// How often somebody to whom nothing is told is asked for their credentials again.
const STILL_THERE: Duration = Duration::from_secs(15);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const QUEUE: usize = 64;

/// Who follows a log: with what they asked for it, they must still be let in when the next news come.
pub(crate) struct Listener {
    headers: HeaderMap,
    scope: Scope,
}

impl Listener {
    pub(crate) fn of(headers: &HeaderMap, scope: Scope) -> Self {
        Self { headers: headers.clone(), scope }
    }

    async fn is_let_in(&self, state: &AppState) -> bool {
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.headers.clone_from(&self.headers);
        let caller = Auth::from_request_parts(&mut parts, state).await;
        caller.and_then(|auth| auth.require(self.scope)).is_ok()
    }

    /// Waits until the ledger grows. `false` when the stream ends: nobody listens any more, may no longer listen, or the server stops.
    pub(crate) async fn hears_more(
        &self,
        ledger: &mut watch::Receiver<u64>,
        sender: &Sender,
        state: &AppState,
    ) -> bool {
        loop {
            tokio::select! {
                changed = ledger.changed() => return changed.is_ok() && self.is_let_in(state).await,
                () = tokio::time::sleep(STILL_THERE) => if !self.is_let_in(state).await { return false },
                () = sender.events.closed() => return false,
                () = state.stopping.cancelled() => return false,
            }
        }
    }
}

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
