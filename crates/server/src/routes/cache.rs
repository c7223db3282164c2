use axum::{extract::State, http::StatusCode};

use crate::{
    AppState, Problem,
    auth::{self, Needs},
    path::Path,
    problem::ProblemDocument,
};

/// Forget the kept results of a tool
///
/// Of all its versions, for this tenant. Calls under way keep nothing either.
#[utoipa::path(
    delete, path = "/api/tools/{name}/cache", tag = "tools", operation_id = "purge_tool_cache",
    params(("name" = String, Path, description = "The tool's name")),
    security(("key" = ["tools:write"])),
    responses((status = 204, description = "Forgotten"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn purge(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    state.engine.purge_cache(&caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
