//! Runs of agents: calls of `run_agent`, with what belongs to them.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::{Caller, Invocation, Page, RunId, Scope};
use toolgate_engine::{Answer, Call, CancelError, RUN_TOOL, Watched};
use toolgate_store::InvocationFilter;

use super::{
    invoke::{header_text, respond, surface_of},
    run::RunResponse,
};
use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    begin::{Begun, begin},
    body::StrictJson,
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::{ProblemDocument, status_of},
    run_stream::{Followed, stream, wants_stream},
    sse::Listener,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartRunParams {
    /// The agent, by handle or id.
    agent: String,
    /// What it is asked to do.
    message: String,
    /// What was said before, oldest first.
    #[serde(default)]
    history: Vec<Said>,
    /// Seconds until the run ends, whatever it waits for.
    deadline_s: Option<u64>,
    /// The session whose log gets the run's events.
    session_id: Option<String>,
    /// `false`: answer as soon as the run has begun.
    wait: Option<bool>,
}

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    /// `user` or `assistant`.
    role: String,
    content: String,
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListRunsParams {
    /// The agent, by handle or id.
    agent: Option<String>,
    /// `pending`, `approved`, `rejected`, `running`, `completed`, `failed` or `cancelled`.
    status: Option<String>,
    /// From this moment on (RFC 3339).
    since: Option<String>,
    /// Before this moment (RFC 3339).
    until: Option<String>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// Give an agent a message
///
/// A run is a call of the tool `run_agent`. 200 with the run when it is over; 202 when it waits for somebody, or with `wait: false` as
/// soon as it has begun. With `Accept: text/event-stream` the answer is the stream of the run's events. `Idempotency-Key` makes
/// repeating the request safe.
#[utoipa::path(
    post, path = "/api/runs", tag = "runs", operation_id = "start_run",
    params(("Idempotency-Key" = Option<String>, Header, description = "Names this run: the same key gets the same run")),
    request_body = StartRunParams, security(("key" = ["tools:execute"])),
    responses(
        (status = 200, description = "The run is over", body = RunResponse),
        (status = 202, description = "The run goes on", body = RunResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    headers: HeaderMap,
    StrictJson(params): StrictJson<StartRunParams>,
) -> Result<Response, Problem> {
    let wait = params.wait.unwrap_or(true);
    let mut input = json!({"agent": params.agent, "message": params.message});
    if !params.history.is_empty() {
        input["history"] = json!(params.history);
    }
    if let Some(deadline_s) = params.deadline_s {
        input["deadline_s"] = json!(deadline_s);
    }
    let live = wants_stream(&headers).then(|| Listener::of(&headers, Scope::ToolsExecute));
    let idempotency_key = header_text(&headers, "idempotency-key")?;
    if let (Some(key), true) = (&idempotency_key, live.is_some() || !wait)
        && let Some(row) = same_run(&state, &caller, key, &input).await?
    {
        return answer(&state, row, live, 0).await;
    }
    let call = Call {
        session_id: parsed_option("session_id", params.session_id.as_deref())?,
        idempotency_key,
        ..Call::new(caller.clone(), surface_of(&headers), RUN_TOOL, input)
    };
    let after = state.engine.stores().events.newest(caller.tenant_id).await?;
    if wait && live.is_none() {
        let answered = state.engine.invoke(call).await?;
        let row = row_of(&state, &caller, answered).await?;
        return row.into_response(&state, None, after).await;
    }
    let row = match begin(&state, call).await? {
        Begun::UnderWay(row) => Started::Row(row),
        Begun::Answered(answered) => row_of(&state, &caller, answered).await?,
    };
    row.into_response(&state, live, after).await
}

/// A run that was let in, or the answer to one that was not.
enum Started {
    Row(Box<Invocation>),
    Refused(Response),
}

impl Started {
    async fn into_response(
        self,
        state: &AppState,
        live: Option<Listener>,
        after: i64,
    ) -> Result<Response, Problem> {
        match self {
            Self::Row(row) => answer(state, *row, live, after).await,
            Self::Refused(response) => Ok(response),
        }
    }
}

async fn row_of(state: &AppState, caller: &Caller, answered: Answer) -> Result<Started, Problem> {
    let id = match &answered {
        Answer::Parked(row) => return Ok(Started::Row(row.clone())),
        Answer::Done(envelope)
            if envelope.error.as_ref().is_none_or(|error| status_of(error.code) == StatusCode::OK) =>
        {
            envelope.invocation_id
        }
        // A run that began and was stopped by a rule is a run; one that was turned away is a refusal.
        Answer::Done(envelope) => {
            let run = RunId::from_uuid(envelope.invocation_id.uuid());
            if state.engine.run_steps(caller.tenant_id, run).await?.is_empty() {
                return respond(state, answered, None).await.map(Started::Refused);
            }
            envelope.invocation_id
        }
        Answer::Unknown(_) => return respond(state, answered, None).await.map(Started::Refused),
    };
    match state.engine.stores().invocations.get(caller.tenant_id, id).await? {
        Some(row) => Ok(Started::Row(Box::new(row))),
        None => Err(Problem::new(ApiCode::Internal, "the run has no row")),
    }
}

/// The run as an answer, or its events.
async fn answer(
    state: &AppState,
    row: Invocation,
    live: Option<Listener>,
    after: i64,
) -> Result<Response, Problem> {
    if let Some(listener) = live {
        let run = RunId::from_uuid(row.id.uuid());
        let followed = Followed {
            tenant: row.tenant_id,
            session: row.session_id,
            watched: Watched::Run(run),
            until: Some(run),
        };
        return stream(state, followed, after, listener);
    }
    let status = if row.phase.is_terminal() { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok((status, Json(RunResponse::whole(row, state).await?)).into_response())
}

/// The run that this caller began under this key, if it is the same.
async fn same_run(
    state: &AppState,
    caller: &Caller,
    key: &str,
    input: &Value,
) -> Result<Option<Invocation>, Problem> {
    let principal = caller.principal.to_string();
    let earlier =
        state.engine.stores().invocations.by_idempotency_key(caller.tenant_id, &principal, key).await?;
    Ok(earlier.filter(|row| row.tool_name == RUN_TOOL && row.input == *input))
}

/// List runs
///
/// Newest first, without their outputs.
#[utoipa::path(
    get, path = "/api/runs", tag = "runs", operation_id = "list_runs", params(ListRunsParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Page<RunResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Params(params): Params<ListRunsParams>,
) -> Result<Json<Page<RunResponse>>, Problem> {
    let of_agents = match &params.agent {
        None => Vec::new(),
        Some(reference) => {
            let agent = state.engine.rules().find_agent(&caller, reference).await?;
            vec![agent.id.to_string(), agent.id.uuid().to_string(), agent.handle]
        }
    };
    let filter = InvocationFilter {
        tool: Some(RUN_TOOL.to_owned()),
        of_agents,
        status: parsed_option("status", params.status.as_deref())?,
        since: parsed_option("since", params.since.as_deref())?,
        until: parsed_option("until", params.until.as_deref())?,
        before: parsed_option::<RunId>("cursor", params.cursor.as_deref())?
            .map(|run| toolgate_domain::InvocationId::from_uuid(run.uuid())),
        limit: page_size(params.limit, &state)?,
        ..InvocationFilter::default()
    };
    let page = state.engine.stores().invocations.list(caller.tenant_id, &filter).await?;
    let next_cursor = page
        .next_cursor
        .and_then(|cursor| cursor.parse::<toolgate_domain::InvocationId>().ok())
        .map(|id| RunId::from_uuid(id.uuid()).to_string());
    let mut items = Vec::with_capacity(page.items.len());
    for row in page.items {
        items.push(RunResponse::brief(row, &state).await?);
    }
    Ok(Json(Page { items, next_cursor }))
}

/// Get a run
#[utoipa::path(
    get, path = "/api/runs/{id}", tag = "runs", operation_id = "get_run",
    params(("id" = String, Path, description = "`run_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = RunResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
) -> Result<Json<RunResponse>, Problem> {
    let row = find(&state, &caller, &id).await?;
    Ok(Json(RunResponse::whole(row, &state).await?))
}

/// Cancel a run
///
/// Stops the model, the calls that the run made and that have not ended, and takes back what they ask. A run that is over stays as it
/// ended: the answer shows it. A caller cancels the runs that they started, and those of their agents; runs of others take
/// `invocations:cancel` as well.
#[utoipa::path(
    post, path = "/api/runs/{id}/cancel", tag = "runs", operation_id = "cancel_run",
    params(("id" = String, Path, description = "`run_…`")),
    security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = RunResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn cancel(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
) -> Result<Json<RunResponse>, Problem> {
    let row = find(&state, &caller, &id).await?;
    let row = state.engine.cancel_for(&caller, row.id).await.map_err(|error| match error {
        // A run that may not be read answers as one that does not exist.
        CancelError::NotFound => no_run(RunId::from_uuid(row.id.uuid())),
        other => other.into(),
    })?;
    Ok(Json(RunResponse::whole(row, &state).await?))
}

pub(super) async fn find(state: &AppState, caller: &Caller, id: &str) -> Result<Invocation, Problem> {
    let id: RunId = parsed("id", id)?;
    let found = state.engine.run_row(caller.tenant_id, id).await?;
    found.ok_or_else(|| no_run(id))
}

fn no_run(id: RunId) -> Problem {
    Problem::new(ApiCode::NotFound, format!("there is no run {id}"))
}
