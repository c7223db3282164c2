//! What a run is made of: its steps, its calls, its events.

use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{Page, RunId, RunStep, Scope, StepId, StepKind, Timestamp};
use toolgate_engine::{RunEvent, Watched};

use super::{invocations::InvocationResponse, runs::find};
use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, page_size},
    path::Path,
    problem::ProblemDocument,
    run_stream::{self, Followed, last_event_id, wants_stream},
    sse::Listener,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListStepsParams {
    /// With the answers of the models' providers word for word, and the schemas of the tools.
    raw: Option<bool>,
}

/// One thing that a run did.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct StepResponse {
    id: StepId,
    seq: u64,
    kind: StepKind,
    title: String,
    /// What the run was given, or a turn of its model: text, tool calls, usage, cost.
    #[schema(value_type = Object)]
    body: Value,
    created_at: Timestamp,
}

impl StepResponse {
    fn new(mut step: RunStep, raw: bool) -> Self {
        if !raw {
            if let Some(turn) = step.body.get_mut("turn").and_then(Value::as_object_mut) {
                turn.remove("raw");
            }
            for tool in step.body.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(tool) = tool.as_object_mut() {
                    tool.remove("input_schema");
                }
            }
        }
        let RunStep { id, seq, kind, title, body, created_at, .. } = step;
        Self { id, seq, kind, title, body, created_at }
    }
}

/// List the steps of a run
///
/// In their order: what the run was given, then each turn of its model.
#[utoipa::path(
    get, path = "/api/runs/{id}/steps", tag = "runs", operation_id = "list_run_steps",
    params(("id" = String, Path, description = "`run_…`"), ListStepsParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Page<StepResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn steps(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
    Params(params): Params<ListStepsParams>,
) -> Result<Json<Page<StepResponse>>, Problem> {
    let row = find(&state, &caller, &id).await?;
    let steps = state.engine.run_steps(row.tenant_id, RunId::from_uuid(row.id.uuid())).await?;
    let raw = params.raw.unwrap_or(false);
    let items = steps.into_iter().map(|step| StepResponse::new(step, raw)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// List the calls of a run
///
/// The invocations that the run made, in their order.
#[utoipa::path(
    get, path = "/api/runs/{id}/calls", tag = "runs", operation_id = "list_run_calls",
    params(("id" = String, Path, description = "`run_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Page<InvocationResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn calls(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
) -> Result<Json<Page<InvocationResponse>>, Problem> {
    let row = find(&state, &caller, &id).await?;
    let most = usize::try_from(state.engine.limits().max_inner_calls).unwrap_or(usize::MAX);
    let mut items = state.engine.stores().suspensions.children(row.tenant_id, row.id, most).await?;
    items.sort_by_key(|call| call.seq);
    Ok(Json(InvocationResponse::page(Page { items, next_cursor: None }, &state).await?))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListRunEventsParams {
    /// Events after the one with this id. A stream takes `Last-Event-ID` instead.
    pub(super) after: Option<i64>,
    pub(super) limit: Option<usize>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RunEventResponse {
    /// The place in the log.
    id: i64,
    /// `run.started`, `text.delta`, `tool.started`, `tool.needs_approval`, `tool.approved`, `tool.output`, `tool.completed`,
    /// `tool.failed`, `usage`, `run.output`, `run.waiting` or `run.finished`.
    #[serde(rename = "type")]
    kind: &'static str,
    run_id: RunId,
    #[schema(value_type = Object)]
    data: Value,
    created_at: Timestamp,
}

impl From<RunEvent> for RunEventResponse {
    fn from(RunEvent { id, kind, run_id, data, created_at }: RunEvent) -> Self {
        Self { id, kind, run_id, data, created_at }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListRunEventsResponse {
    /// Oldest first.
    items: Vec<RunEventResponse>,
    /// Pass this as `after` to go on.
    next_after: i64,
}

/// Read or follow the events of a run
///
/// A list; or, with `Accept: text/event-stream`, what was and then what comes, live, until `run.finished`. A broken stream goes on
/// where it broke by `Last-Event-ID`.
#[utoipa::path(
    get, path = "/api/runs/{id}/events", tag = "runs", operation_id = "list_run_events",
    params(("id" = String, Path, description = "`run_…`"), ListRunEventsParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = ListRunEventsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn events(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
    Params(params): Params<ListRunEventsParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let row = find(&state, &caller, &id).await?;
    let run = RunId::from_uuid(row.id.uuid());
    let followed = Followed {
        tenant: row.tenant_id,
        session: row.session_id,
        watched: Watched::Run(run),
        until: Some(run),
    };
    told(&state, followed, &params, (&headers, Scope::InvocationsRead)).await
}

/// A list or a stream, as the client asks.
pub(super) async fn told(
    state: &AppState,
    followed: Followed,
    params: &ListRunEventsParams,
    (headers, scope): (&HeaderMap, Scope),
) -> Result<Response, Problem> {
    let after = last_event_id(headers)?.or(params.after).unwrap_or(0);
    if wants_stream(headers) {
        return run_stream::stream(state, followed, after, Listener::of(headers, scope));
    }
    let limit = page_size(params.limit, state)?;
    let (items, next_after) = run_stream::page(state, followed, after, limit).await?;
    let items = items.into_iter().map(RunEventResponse::from).collect();
    Ok(Json(ListRunEventsResponse { items, next_after }).into_response())
}
