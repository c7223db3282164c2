use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response, sse},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Event, Scope, SessionId, TenantId};
use toolgate_store::EventFilter;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, page_size, parsed},
    path::Path,
    problem::ProblemDocument,
    run_stream::{last_event_id, wants_stream},
    sse::{Listener, Sender, open},
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListEventsParams {
    /// Events after the one with this id. A stream takes `Last-Event-ID` instead.
    after: Option<i64>,
    limit: Option<usize>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListEventsResponse {
    /// Oldest first.
    items: Vec<Event>,
    /// Pass this as `after` to go on.
    next_after: i64,
}

/// Read or follow the events of a session
///
/// A list; or, with `Accept: text/event-stream`, what was and then what comes, live. A broken stream goes on where it
/// broke by `Last-Event-ID`.
#[utoipa::path(
    get, path = "/api/sessions/{id}/events", tag = "receipts", operation_id = "list_session_events",
    params(("id" = String, Path, description = "`ses_…`"), ListEventsParams),
    security(("key" = ["invocations:read"])),
    responses(
        (status = 200, description = "Done", body = ListEventsResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn of_session(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
    Params(params): Params<ListEventsParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session: SessionId = parsed("id", &id)?;
    respond(state, caller.tenant_id, Some(session), &params, &headers).await
}

/// Read or follow all events of the tenant
///
/// As for one session. A stream without a starting point begins with the present.
#[utoipa::path(
    get, path = "/api/events", tag = "receipts", operation_id = "list_events", params(ListEventsParams),
    security(("key" = ["invocations:read"])),
    responses(
        (status = 200, description = "Done", body = ListEventsResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn of_tenant(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Params(params): Params<ListEventsParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    respond(state, caller.tenant_id, None, &params, &headers).await
}

async fn respond(
    state: AppState,
    tenant: TenantId,
    session_id: Option<SessionId>,
    params: &ListEventsParams,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let start = last_event_id(headers)?.or(params.after);
    let limit = page_size(params.limit, &state)?;
    if wants_stream(headers) {
        let after = match (start, session_id) {
            (Some(start), _) => start,
            (None, Some(_)) => 0,
            (None, None) => state.engine.stores().events.newest(tenant).await?,
        };
        let (sender, response) = open(&state)?;
        let filter = EventFilter { session_id, after, limit: 200 };
        let listener = Listener::of(headers, Scope::InvocationsRead);
        tokio::spawn(follow(state, tenant, filter, sender, listener));
        return Ok(response);
    }
    let filter = EventFilter { session_id, after: start.unwrap_or(0), limit };
    let items = state.engine.stores().events.list(tenant, &filter).await?;
    let next_after = items.last().map_or(filter.after, |event| event.id);
    Ok(Json(ListEventsResponse { items, next_after }).into_response())
}

async fn follow(
    state: AppState,
    tenant: TenantId,
    mut filter: EventFilter,
    sender: Sender,
    listener: Listener,
) {
    // An id without data tells the client where the stream begins, so that one that breaks before its first event
    // resumes there and not later.
    if !sender.send(sse::Event::default().id(filter.after.to_string())).await {
        return;
    }
    let mut ledger = state.engine.stores().signals.ledger();
    loop {
        ledger.mark_unchanged();
        let events = match state.engine.stores().events.list(tenant, &filter).await {
            Ok(events) => events,
            Err(error) => {
                // The client comes back with the last id it saw.
                tracing::warn!(%error, "an event stream ends: the log cannot be read");
                return;
            }
        };
        for event in &events {
            let data = serde_json::to_string(event).unwrap_or_default();
            let message =
                sse::Event::default().id(event.id.to_string()).event(event.kind.as_str()).data(data);
            if !sender.send(message).await {
                return;
            }
            filter.after = event.id;
        }
        if events.len() == filter.limit {
            continue;
        }
        if !listener.hears_more(&mut ledger, &sender, &state).await {
            return;
        }
    }
}
