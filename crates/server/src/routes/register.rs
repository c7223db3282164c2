use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{Tool, ToolSpec};
use toolgate_engine::{Registered, definition_from_json};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::Params,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RegisterToolParams {
    /// Check everything, change nothing.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RegisterToolResponse {
    tool: Tool,
    /// The version is new.
    created: bool,
    /// What differs from the published version: `{key, from, to}` each.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<Value>,
    warnings: Vec<String>,
    dry_run: bool,
}

impl RegisterToolResponse {
    pub(crate) fn of(done: Registered, dry_run: bool) -> Self {
        Self {
            tool: Tool::clone(&done.tool),
            created: done.created,
            changes: done.changes,
            warnings: done.warnings,
            dry_run,
        }
    }
}

/// Register a tool
///
/// Publishes a version. A published version keeps its schemas, egress class and execution for good; its description and
/// bounds may change. Sending the same definition again changes nothing.
#[utoipa::path(
    post, path = "/api/tools", tag = "tools", operation_id = "register_tool", params(RegisterToolParams), request_body = ToolSpec,
    security(("key" = ["tools:write"])),
    responses(
        (status = 201, description = "A new version", body = RegisterToolResponse),
        (status = 200, description = "An edit, no change, or a dry run", body = RegisterToolResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn register(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Params(params): Params<RegisterToolParams>,
    StrictJson(definition): StrictJson<Value>,
) -> Result<(StatusCode, Json<RegisterToolResponse>), Problem> {
    let spec = definition_from_json(definition)?;
    let done = state.engine.registry().register(&caller, spec, params.dry_run).await?;
    let status = if done.created && !params.dry_run { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(RegisterToolResponse::of(done, params.dry_run))))
}
