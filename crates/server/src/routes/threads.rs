//! Threads: conversations with agents.

use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use toolgate_domain::{Page, Thread};
use toolgate_engine::ThreadPatch;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateThreadParams {
    /// The agent, by handle or id.
    agent: String,
    title: Option<String>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpdateThreadParams {
    /// An empty one takes the title away.
    title: Option<String>,
    /// `false` opens an archived thread again.
    archived: Option<bool>,
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListThreadsParams {
    /// `true`: archived ones as well.
    archived: Option<bool>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// Begin a conversation with an agent
#[utoipa::path(
    post, path = "/api/threads", tag = "chat", operation_id = "create_thread", request_body = CreateThreadParams,
    security(("key" = ["tools:execute"])),
    responses((status = 201, description = "Made", body = Thread), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    StrictJson(params): StrictJson<CreateThreadParams>,
) -> Result<(StatusCode, Json<Thread>), Problem> {
    let thread = state.engine.create_thread(&caller, &params.agent, params.title).await?;
    Ok((StatusCode::CREATED, Json(thread)))
}

/// List one's own threads
///
/// Newest first.
#[utoipa::path(
    get, path = "/api/threads", tag = "chat", operation_id = "list_threads", params(ListThreadsParams),
    security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = Page<Thread>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Params(params): Params<ListThreadsParams>,
) -> Result<Json<Page<Thread>>, Problem> {
    let before = parsed_option("cursor", params.cursor.as_deref())?;
    let limit = page_size(params.limit, &state)?;
    Ok(Json(state.engine.threads(&caller, params.archived.unwrap_or(false), before, limit).await?))
}

/// Get a thread
///
/// One's own; or any, for those who may read all invocations.
#[utoipa::path(
    get, path = "/api/threads/{id}", tag = "chat", operation_id = "get_thread",
    params(("id" = String, Path, description = "`thr_…`")), security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = Thread), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
) -> Result<Json<Thread>, Problem> {
    Ok(Json(state.engine.thread(&caller, parsed("id", &id)?).await?))
}

/// Change a thread's title, or open it again
#[utoipa::path(
    patch, path = "/api/threads/{id}", tag = "chat", operation_id = "update_thread", request_body = UpdateThreadParams,
    params(("id" = String, Path, description = "`thr_…`")), security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = Thread), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
    StrictJson(params): StrictJson<UpdateThreadParams>,
) -> Result<Json<Thread>, Problem> {
    let patch = ThreadPatch { title: params.title, archived: params.archived };
    Ok(Json(state.engine.update_thread(&caller, parsed("id", &id)?, patch).await?))
}

/// Archive a thread
///
/// Nothing is deleted: it leaves the list, and takes no more messages until it is opened again.
#[utoipa::path(
    delete, path = "/api/threads/{id}", tag = "chat", operation_id = "archive_thread",
    params(("id" = String, Path, description = "`thr_…`")), security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = Thread), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn archive(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
) -> Result<Json<Thread>, Problem> {
    let patch = ThreadPatch { archived: Some(true), ..ThreadPatch::default() };
    Ok(Json(state.engine.update_thread(&caller, parsed("id", &id)?, patch).await?))
}
