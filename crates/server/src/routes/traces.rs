use axum::{
    extract::{Request, State},
    http::header,
    response::{Html, IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Map, Value};
use toolgate_domain::{
    Caller, InvocationId, RunId, Scope, Span, SpanId, SpanKind, SpanRef, Timestamp, TraceId,
};
use toolgate_engine::Trace;

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Auth, Needs, browser},
    page::parsed,
    path::Path,
    problem::ProblemDocument,
    trace_page,
};

/// What a run did, and how long each part took.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct TraceResponse {
    run_id: RunId,
    trace_id: TraceId,
    /// In the order in which they began.
    spans: Vec<SpanResponse>,
    /// There are more spans than are shown.
    truncated: bool,
}

/// One part of a run. What was asked and answered is in the invocation that it names.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SpanResponse {
    span_id: SpanId,
    parent_span_id: Option<SpanId>,
    name: String,
    kind: SpanKind,
    started_at: Timestamp,
    /// Nothing while it goes on.
    ended_at: Option<Timestamp>,
    duration_ms: Option<f64>,
    status: SpanStatus,
    /// What went wrong, as a code.
    error: Option<String>,
    /// By the names of OpenTelemetry's conventions for generative AI, and `toolgate.…`.
    #[schema(value_type = Object)]
    attributes: Map<String, Value>,
    /// Spans of other traces that it has to do with.
    links: Vec<SpanRef>,
    invocation_id: Option<InvocationId>,
}

#[derive(Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SpanStatus {
    Running,
    Ok,
    Error,
}

impl From<Span> for SpanResponse {
    fn from(span: Span) -> Self {
        let micros = span.ended_at.map(|at| (at.as_micros() - span.started_at.as_micros()).max(0));
        Self {
            status: match (&span.error, span.ended_at) {
                (Some(_), _) => SpanStatus::Error,
                (None, Some(_)) => SpanStatus::Ok,
                (None, None) => SpanStatus::Running,
            },
            duration_ms: micros.map(|micros| micros as f64 / 1_000.0),
            span_id: span.span_id,
            parent_span_id: span.parent_span_id,
            name: span.name,
            kind: span.kind,
            started_at: span.started_at,
            ended_at: span.ended_at,
            error: span.error,
            attributes: span.attributes,
            links: span.links,
            invocation_id: span.invocation_id,
        }
    }
}

/// Get the trace of a run
///
/// Spans for the run, each guard, each question to the model, and each call of a tool. A run that goes on shows what there is.
#[utoipa::path(
    get, path = "/api/runs/{id}/trace", tag = "receipts", operation_id = "get_run_trace",
    params(("id" = String, Path, description = "`run_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = TraceResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
) -> Result<Json<TraceResponse>, Problem> {
    let Trace { run_id, spans, truncated } = find(&state, &caller, &id).await?;
    let spans = spans.into_iter().map(SpanResponse::from).collect();
    Ok(Json(TraceResponse { run_id, trace_id: TraceId::of(run_id.uuid()), spans, truncated }))
}

/// The trace of a run as a page
///
/// `traces_url` leads here. A browser that is not signed in asks for a name and a password: any name, and a key as the password.
#[utoipa::path(
    get, path = "/runs/{id}/trace", tag = "receipts", operation_id = "show_run_trace",
    params(("id" = String, Path, description = "`run_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", content_type = "text/html", body = String), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let caller = Auth(browser(request, &state).await?).require(Scope::InvocationsRead)?;
    let trace = find(&state, &caller, &id).await?;
    let page = trace_page::render(&trace, state.engine.clock().now());
    let headers = [
        (header::CONTENT_SECURITY_POLICY, trace_page::policy()),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    Ok((headers, Html(page)).into_response())
}

async fn find(state: &AppState, caller: &Caller, id: &str) -> Result<Trace, Problem> {
    let run: RunId = parsed("id", id)?;
    let found = state.engine.trace(caller.tenant_id, run).await?;
    found.ok_or_else(|| Problem::new(ApiCode::NotFound, format!("there is no trace of {run}")))
}
