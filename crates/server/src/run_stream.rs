//! Following runs: the session's log, told as what happens in a run. Every event bears the id of the log, so that a stream goes on where
//! it broke, in any process.

use axum::{
    http::{HeaderMap, header},
    response::{Response, sse},
};
use toolgate_domain::{InvocationId, RunId, SessionId, TenantId};
use toolgate_engine::{RunEvent, RunWatch, Watched};
use toolgate_store::{EventFilter, StoreError};

use crate::{
    AppState, Problem,
    page::parsed,
    sse::{Listener, Sender, open},
};

/// Events that are read at a time.
const READ: usize = 200;

/// What is followed, and from where.
#[derive(Clone, Copy)]
pub(crate) struct Followed {
    pub(crate) tenant: TenantId,
    pub(crate) session: SessionId,
    pub(crate) watched: Watched,
    /// The stream ends with this run.
    pub(crate) until: Option<RunId>,
}

/// Whether the client wants a stream.
pub(crate) fn wants_stream(headers: &HeaderMap) -> bool {
    accepts(headers, "text/event-stream")
}

/// Whether the client names this kind of content among those that it takes.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains(kind))
}

pub(crate) fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    let id = headers.get("last-event-id");
    id.map(|value| parsed("Last-Event-ID", value.to_str().unwrap_or_default())).transpose()
}

/// A page of what was; and the place in the log where the next begins.
pub(crate) async fn page(
    state: &AppState,
    followed: Followed,
    after: i64,
    limit: usize,
) -> Result<(Vec<RunEvent>, i64), Problem> {
    let mut watch = RunWatch::new(state.engine.clone(), followed.tenant, followed.watched);
    let mut filter = EventFilter { session_id: Some(followed.session), after, limit: READ };
    let mut told = Vec::new();
    loop {
        let events = state.engine.stores().events.list(followed.tenant, &filter).await?;
        for event in &events {
            filter.after = event.id;
            told.extend(watch.read(event).await?);
            if told.len() == limit {
                return Ok((told, filter.after));
            }
        }
        if events.len() < READ {
            return Ok((told, filter.after));
        }
    }
}

/// What was after this place in the log, and then what comes.
pub(crate) fn stream(
    state: &AppState,
    followed: Followed,
    after: i64,
    listener: Listener,
) -> Result<Response, Problem> {
    let (sender, response) = open(state)?;
    let state = state.clone();
    tokio::spawn(async move {
        if let Err(error) = follow(&state, followed, after, &sender, &listener).await {
            // The client comes back with the last id it saw.
            tracing::warn!(%error, "a stream of a run ends: the log cannot be read");
        }
    });
    Ok(response)
}

async fn follow(
    state: &AppState,
    followed: Followed,
    after: i64,
    sender: &Sender,
    listener: &Listener,
) -> Result<(), StoreError> {
    // An id without data: a stream that breaks before its first event begins here again.
    if !sender.send(sse::Event::default().id(after.to_string())).await {
        return Ok(());
    }
    let Followed { tenant, session, watched, until } = followed;
    let stores = state.engine.stores();
    let mut watch = RunWatch::new(state.engine.clone(), tenant, watched);
    let mut filter = EventFilter { session_id: Some(session), after, limit: READ };
    let mut ledger = stores.signals.ledger();
    loop {
        ledger.mark_unchanged();
        // Asked before the log is read: a run that was over by then has no event after those.
        let is_over = match until {
            Some(run) => is_over(state, tenant, run).await?,
            None => false,
        };
        let events = stores.events.list(tenant, &filter).await?;
        for event in &events {
            filter.after = event.id;
            let Some(told) = watch.read(event).await? else {
                continue;
            };
            let is_last = told.kind == "run.finished" && until == Some(told.run_id);
            if !sender.send(message(&told)).await || is_last {
                return Ok(());
            }
        }
        if events.len() == READ {
            continue;
        }
        if is_over {
            return Ok(());
        }
        if !listener.hears_more(&mut ledger, sender, state).await {
            return Ok(());
        }
    }
}

async fn is_over(state: &AppState, tenant: TenantId, run: RunId) -> Result<bool, StoreError> {
    let row = state.engine.stores().invocations.get(tenant, InvocationId::from_uuid(run.uuid())).await?;
    Ok(row.is_some_and(|row| row.phase.is_terminal()))
}

fn message(told: &RunEvent) -> sse::Event {
    let data = serde_json::to_string(told).unwrap_or_default();
    sse::Event::default().id(told.id.to_string()).event(told.kind).data(data)
}
