use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use toolgate_domain::{Page, governance::Task};
use toolgate_engine::TaskFilter;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListTasksParams {
    /// `open`, `in_progress`, `completed` or `cancelled`; without it, those that are not over.
    status: Option<String>,
    /// `me`, `nobody`, the id of a user or an agent, or a role's name.
    assignee: Option<String>,
    /// Only those that should be done by now.
    overdue: Option<bool>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompleteTaskParams {
    /// What came of it. Where a call waits for the task, it must fit what the call's tool answers.
    #[schema(value_type = Option<Object>)]
    result: Option<Value>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelTaskParams {
    /// The call that waits for the task is told.
    reason: Option<String>,
}

/// List tasks
///
/// Newest first.
#[utoipa::path(
    get, path = "/api/tasks", tag = "tasks", operation_id = "list_tasks", params(ListTasksParams), security(("key" = ["tasks:work"])),
    responses((status = 200, description = "Done", body = Page<Task>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::TasksWork>,
    Params(params): Params<ListTasksParams>,
) -> Result<Json<Page<Task>>, Problem> {
    let filter = TaskFilter {
        status: parsed_option("status", params.status.as_deref())?,
        assignee: params.assignee,
        overdue: params.overdue.unwrap_or(false),
        before: parsed_option("cursor", params.cursor.as_deref())?,
        limit: page_size(params.limit, &state)?,
    };
    Ok(Json(state.engine.tasks(&caller, &filter).await?))
}

/// Get a task
#[utoipa::path(
    get, path = "/api/tasks/{id}", tag = "tasks", operation_id = "get_task", params(("id" = String, Path, description = "`tsk_…`")), security(("key" = ["tasks:work"])),
    responses((status = 200, description = "Done", body = Task), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::TasksWork>,
    Path(id): Path<String>,
) -> Result<Json<Task>, Problem> {
    Ok(Json(state.engine.task(&caller, parsed("id", &id)?).await?))
}

/// Start a task
///
/// Says that you work on it.
#[utoipa::path(
    post, path = "/api/tasks/{id}/start", tag = "tasks", operation_id = "start_task", params(("id" = String, Path, description = "`tsk_…`")), security(("key" = ["tasks:work"])),
    responses((status = 200, description = "Done", body = Task), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::TasksWork>,
    Path(id): Path<String>,
) -> Result<Json<Task>, Problem> {
    Ok(Json(state.engine.start_task(&caller, parsed("id", &id)?).await?))
}

/// Complete a task
///
/// The call that waits for it goes on.
#[utoipa::path(
    post, path = "/api/tasks/{id}/complete", tag = "tasks", operation_id = "complete_task", params(("id" = String, Path, description = "`tsk_…`")), request_body = CompleteTaskParams, security(("key" = ["tasks:work"])),
    responses((status = 200, description = "Done", body = Task), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn complete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::TasksWork>,
    Path(id): Path<String>,
    StrictJson(params): StrictJson<CompleteTaskParams>,
) -> Result<Json<Task>, Problem> {
    Ok(Json(state.engine.complete_task(&caller, parsed("id", &id)?, params.result).await?))
}

/// Cancel a task
///
/// The call that waits for it fails.
#[utoipa::path(
    post, path = "/api/tasks/{id}/cancel", tag = "tasks", operation_id = "cancel_task", params(("id" = String, Path, description = "`tsk_…`")), request_body = CancelTaskParams, security(("key" = ["tasks:work"])),
    responses((status = 200, description = "Done", body = Task), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn cancel(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::TasksWork>,
    Path(id): Path<String>,
    StrictJson(params): StrictJson<CancelTaskParams>,
) -> Result<Json<Task>, Problem> {
    Ok(Json(state.engine.cancel_task(&caller, parsed("id", &id)?, params.reason).await?))
}
