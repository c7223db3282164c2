use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::{Timestamp, Tool, ToolName};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::parsed_option,
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenameToolParams {
    /// The new name.
    name: ToolName,
    /// Until when the old name works; 90 days when absent.
    #[schema(value_type = Option<String>, format = DateTime)]
    remove_by: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RenameToolResponse {
    tool: Tool,
    /// The old name.
    alias: ToolName,
    remove_by: Timestamp,
}

/// Rename a tool
///
/// Publishes its newest version under the new name, blocks the versions under the old one, and lets calls by the old name reach it
/// until `remove_by`. Assignments and permissions name tools: they stay with the old name.
#[utoipa::path(
    post, path = "/api/tools/{name}/rename", tag = "tools", operation_id = "rename_tool",
    params(("name" = String, Path, description = "The tool's name")), request_body = RenameToolParams,
    security(("key" = ["tools:write"])),
    responses((status = 200, description = "Done", body = RenameToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn rename(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<RenameToolParams>,
) -> Result<Json<RenameToolResponse>, Problem> {
    let remove_by = parsed_option("remove_by", params.remove_by.as_deref())?;
    let (tool, alias) = state.engine.registry().rename(&caller, &name, params.name, remove_by).await?;
    Ok(Json(RenameToolResponse { tool: Tool::clone(&tool), alias: alias.alias, remove_by: alias.remove_by }))
}
