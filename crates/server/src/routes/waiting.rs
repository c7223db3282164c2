//! What waits for a person, as it changes. The session log is the only source: a second one could disagree with it.

use axum::{
    extract::State,
    http::HeaderMap,
    response::{Response, sse},
};
use serde::Serialize;
use serde_json::{Value, json};
use toolgate_domain::{Event, EventType, Phase, Scope, TenantId};
use toolgate_store::EventFilter;

use super::invocations::InvocationResponse;
use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    problem::ProblemDocument,
    run_stream::last_event_id,
    sse::{Listener, Sender, open},
};

/// Events that are read at a time.
const READ: usize = 200;

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct CountApprovalsResponse {
    /// Calls that wait for a person.
    pending: u64,
}

/// Count the calls that wait for a person
#[utoipa::path(
    get, path = "/api/approvals/count", tag = "approvals", operation_id = "count_approvals",
    security(("key" = ["approvals:decide"])),
    responses((status = 200, description = "Done", body = CountApprovalsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn count(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ApprovalsDecide>,
) -> Result<Json<CountApprovalsResponse>, Problem> {
    let pending = state.engine.stores().invocations.count_pending(caller.tenant_id).await?;
    Ok(Json(CountApprovalsResponse { pending }))
}

/// Follow the calls that come to wait for a person, and what is decided
///
/// Server-sent events: first `count` with `pending`, then `needs_approval` with the invocation, and `decided` with its `id`, the
/// `status` that was decided, and `by` whom. A broken stream goes on where it broke by `Last-Event-ID`.
#[utoipa::path(
    get, path = "/api/approvals/stream", tag = "approvals", operation_id = "follow_approvals",
    security(("key" = ["approvals:decide"])),
    responses(
        (status = 200, description = "Done", content_type = "text/event-stream", body = InvocationResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ApprovalsDecide>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let tenant = caller.tenant_id;
    let after = match last_event_id(&headers)? {
        Some(last) => last,
        None => state.engine.stores().events.newest(tenant).await?,
    };
    // Counted after the place in the log was taken: a call that comes in between is counted, and told of as well.
    let pending = state.engine.stores().invocations.count_pending(tenant).await?;
    let (sender, response) = open(&state)?;
    let listener = Listener::of(&headers, Scope::ApprovalsDecide);
    let count = message("count", &json!({"pending": pending})).id(after.to_string());
    tokio::spawn(async move {
        if sender.send(count).await
            && let Err(error) = follow(&state, tenant, after, &sender, &listener).await
        {
            // The client comes back with the last id it saw.
            tracing::warn!(problem = ?error, "a stream of approvals ends: the log cannot be read");
        }
    });
    Ok(response)
}

async fn follow(
    state: &AppState,
    tenant: TenantId,
    after: i64,
    sender: &Sender,
    listener: &Listener,
) -> Result<(), Problem> {
    let mut filter = EventFilter { session_id: None, after, limit: READ };
    let mut ledger = state.engine.stores().signals.ledger();
    loop {
        ledger.mark_unchanged();
        let events = state.engine.stores().events.list(tenant, &filter).await?;
        for event in &events {
            filter.after = event.id;
            let Some(message) = told(state, tenant, event).await? else {
                continue;
            };
            if !sender.send(message.id(event.id.to_string())).await {
                return Ok(());
            }
        }
        if events.len() == READ {
            continue;
        }
        if !listener.hears_more(&mut ledger, sender, state).await {
            return Ok(());
        }
    }
}

/// What an approver is told of an event; nothing of those that concern no question.
async fn told(state: &AppState, tenant: TenantId, event: &Event) -> Result<Option<sse::Event>, Problem> {
    use EventType::{Approved, Cancelled, Failed, NeedsApproval};
    if !matches!(event.kind, NeedsApproval | Approved | Failed | Cancelled) {
        return Ok(None);
    }
    let Some(row) = state.engine.stores().invocations.get(tenant, event.invocation_id).await? else {
        return Ok(None);
    };
    // A call that was approved goes on: its row may be further than the event.
    let status = match (event.kind, row.phase) {
        (NeedsApproval, _) => {
            let row = InvocationResponse::whole(row, state).await?;
            return Ok(Some(message("needs_approval", &json!(row))));
        }
        (Approved, _) => "approved",
        (Failed, Phase::Rejected) => "rejected",
        (Cancelled, Phase::Withdrawn) => "cancelled",
        _ => return Ok(None),
    };
    let decided = json!({"id": row.id, "status": status, "by": row.approval_decided_by});
    Ok(Some(message("decided", &decided)))
}

fn message(name: &str, data: &Value) -> sse::Event {
    sse::Event::default().event(name).data(data.to_string())
}
