use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use toolgate_domain::{Lifecycle, Surface, Timestamp, ToolId, ToolSpec};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ToolVersion {
    id: ToolId,
    version: String,
    lifecycle: Lifecycle,
    description: String,
    /// SHA-256 of the canonical input schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema_hash: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// The whole definition.
    #[schema(value_type = ToolSpec)]
    definition: Arc<ToolSpec>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListVersionsResponse {
    /// Newest version first.
    items: Vec<ToolVersion>,
}

/// List the versions of a tool
///
/// Each with its whole definition; also those that were deleted, which are `archived`.
#[utoipa::path(
    get, path = "/api/tools/{name}/versions", tag = "tools", operation_id = "list_tool_versions",
    params(("name" = String, Path, description = "The tool's name")),
    security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ListVersionsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn versions(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
) -> Result<Json<ListVersionsResponse>, Problem> {
    let versions = state.engine.registry().versions(&caller, Surface::Rest, &name).await?;
    let items = versions
        .into_iter()
        .map(|(tool, schemas)| ToolVersion {
            id: tool.id,
            version: tool.spec.version.to_string(),
            lifecycle: tool.lifecycle,
            description: tool.spec.description.clone(),
            output_schema_hash: schemas.as_ref().and_then(|s| s.output_hash.clone()),
            input_schema_hash: schemas.map(|s| s.input_hash),
            created_at: tool.created_at,
            updated_at: tool.updated_at,
            definition: Arc::clone(&tool.spec),
        })
        .collect();
    Ok(Json(ListVersionsResponse { items }))
}
