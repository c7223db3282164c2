use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgate_domain::{Lifecycle, Tool};

use super::register::RegisterToolResponse;
use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, parsed},
    path::Path,
    problem::ProblemDocument,
};

/// What to change of a tool. Beside these, any key of a definition; `null` takes a key back.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; which keys there are depends on the tool")]
pub(crate) struct PatchToolParams {
    /// `active`, `deprecated` or `blocked`; alone.
    lifecycle: Option<Lifecycle>,
    /// Whether the tool is there; null for what it says itself.
    enabled: Option<bool>,
    description: Option<String>,
    /// Of a tool that ships with the program: fields of the input that a call may leave out.
    #[schema(value_type = Option<Object>)]
    defaults: Option<Map<String, Value>>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PatchToolResponse {
    /// The versions that changed, or the tool as it is now.
    items: Vec<Tool>,
    /// The change is a new version.
    created: bool,
    /// What differs: `{key, from, to}` each.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<Value>,
    warnings: Vec<String>,
}

/// Change a tool
///
/// Keys that are sent replace the tool's; `null` takes one back. A tenant's own tool gets its next patch version, or the one that
/// `version` names: what was published stays. Of a tool that ships with the program the tenant's override changes: `description`,
/// `enabled`, `defaults`, and what guards it (`requires_approval`, `permission_policy`, `risk`, `timeout_ms`, `rate_limit`,
/// `required_permission`), which can only be made stricter. In the installation's own tenant the override is everybody's.
///
/// `{"lifecycle": …}` alone moves one version (`name@1.2.0`), a range (`name@^1`), or all (`name`).
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
    StrictJson(patch): StrictJson<Map<String, Value>>,
) -> Result<Json<PatchToolResponse>, Problem> {
    let registry = state.engine.registry();
    if patch.is_empty() {
        return Err(Problem::new(ApiCode::Invalid, "say what to change, by its key"));
    }
    if let Some(lifecycle) = patch.get("lifecycle") {
        if patch.len() > 1 {
            return Err(Problem::new(
                ApiCode::Invalid,
                "send `lifecycle` alone, and other changes by themselves",
            ));
        }
        let lifecycle: Lifecycle = parsed("lifecycle", lifecycle.as_str().unwrap_or_default())?;
        if matches!(lifecycle, Lifecycle::Draft | Lifecycle::Archived) {
            let message = "lifecycle is active, deprecated or blocked; DELETE archives a tool";
            return Err(Problem::new(ApiCode::Invalid, message));
        }
        let changed = registry.set_lifecycle(&caller, &name, lifecycle).await?;
        let items = changed.iter().map(|tool| Tool::clone(tool)).collect();
        return Ok(Json(PatchToolResponse { items, created: false, changes: vec![], warnings: vec![] }));
    }
    let done = registry.patch(&caller, &name, patch).await?;
    Ok(Json(PatchToolResponse {
        items: vec![Tool::clone(&done.tool)],
        created: done.created,
        changes: done.changes,
        warnings: done.warnings,
    }))
}

/// Delete a tool
///
/// A tenant's own tool, or one version of it, becomes `archived`: nobody sees or calls it, its receipts stay, and it can be
/// restored. Of a tool that ships with the program, what the tenant changed is taken back.
#[utoipa::path(
    delete, path = "/api/tools/{name}", tag = "tools", operation_id = "delete_tool",
    params(("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`")),
    security(("key" = ["tools:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    state.engine.registry().delete(&caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DiffToolParams {
    /// The older version; the one before `to` when absent.
    from: Option<String>,
    /// The newer version; the newest when absent.
    to: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct DiffToolResponse {
    /// `name@version`.
    from: String,
    /// `name@version`.
    to: String,
    /// What differs: `{key, from, to}` each.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<Value>,
}

/// Compare two versions of a tool
#[utoipa::path(
    get, path = "/api/tools/{name}/diff", tag = "tools", operation_id = "diff_tool",
    params(("name" = String, Path, description = "The tool's name"), DiffToolParams),
    security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = DiffToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn diff(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
    Params(params): Params<DiffToolParams>,
) -> Result<Json<DiffToolResponse>, Problem> {
    let registry = state.engine.registry();
    let found = registry.diff(&caller, &name, params.from.as_deref(), params.to.as_deref()).await?;
    Ok(Json(DiffToolResponse { from: found.from.spec.id(), to: found.to.spec.id(), changes: found.changes }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RestoreToolParams {
    /// The version whose definition is wanted back.
    version: String,
}

/// Restore an old version of a tool
///
/// Publishes its definition as the next version; also of a tool that was deleted.
#[utoipa::path(
    post, path = "/api/tools/{name}/restore", tag = "tools", operation_id = "restore_tool",
    params(("name" = String, Path, description = "The tool's name")), request_body = RestoreToolParams,
    security(("key" = ["tools:write"])),
    responses((status = 201, description = "A new version", body = RegisterToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn restore(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<RestoreToolParams>,
) -> Result<(StatusCode, Json<RegisterToolResponse>), Problem> {
    let done = state.engine.registry().restore(&caller, &name, &params.version).await?;
    Ok((StatusCode::CREATED, Json(RegisterToolResponse::of(done, false))))
}
