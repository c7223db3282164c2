use axum::{
    Json,
    extract::{Path, State},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Lifecycle, Tool};

use crate::{
    AppState, Problem,
    auth::{self, Needs},
    body::StrictJson,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchToolParams {
    lifecycle: Lifecycle,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PatchToolResponse {
    /// The versions that changed.
    items: Vec<Tool>,
}

/// Change a tool's lifecycle
///
/// `active`, `deprecated` or `blocked`: of one version (`name@1.2.0`), of a range (`name@^1`), or of all (`name`).
#[utoipa::path(
    patch, path = "/api/tools/{name}", tag = "tools", operation_id = "patch_tool",
    params(("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`")), request_body = PatchToolParams,
    security(("key" = ["tools:write"])),
    responses((status = 200, description = "Done", body = PatchToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn patch(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<PatchToolParams>,
) -> Result<Json<PatchToolResponse>, Problem> {
    let changed = state.engine.registry().set_lifecycle(&caller, &name, params.lifecycle).await?;
    Ok(Json(PatchToolResponse { items: changed.iter().map(|tool| Tool::clone(tool)).collect() }))
}
