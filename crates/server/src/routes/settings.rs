use axum::extract::State;
use toolgate_domain::{
    Surface,
    governance::{TenantSettings, ToolSettings},
};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// Get the tenant's own limits
#[utoipa::path(
    get, path = "/api/settings", tag = "policies", operation_id = "get_settings", security(("key" = ["policies:read"])),
    responses((status = 200, description = "Done", body = TenantSettings), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PoliciesRead>,
) -> Result<Json<TenantSettings>, Problem> {
    Ok(Json(state.engine.rules().settings(&caller).await?))
}

/// Replace the tenant's own limits
///
/// Bounds of runs lower the server's and never raise them.
#[utoipa::path(
    put, path = "/api/settings", tag = "policies", operation_id = "put_settings", request_body = TenantSettings, security(("key" = ["policies:write"])),
    responses((status = 200, description = "Done", body = TenantSettings), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn put(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PoliciesWrite>,
    StrictJson(settings): StrictJson<TenantSettings>,
) -> Result<Json<TenantSettings>, Problem> {
    state.engine.rules().set_settings(&caller, settings).await?;
    Ok(Json(state.engine.rules().settings(&caller).await?))
}

/// Get what the tenant decided about a tool
#[utoipa::path(
    get, path = "/api/tools/{name}/settings", tag = "tools", operation_id = "get_tool_settings", params(("name" = String, Path, description = "The tool's name")), security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ToolSettings), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get_tool(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
) -> Result<Json<ToolSettings>, Problem> {
    state.engine.registry().exists(&caller, Surface::Rest, &name).await?;
    Ok(Json(state.engine.rules().tool_settings(&caller, &name).await?))
}

/// Switch a tool on or off, or say who must agree to its calls
///
/// A system tool is there when it is switched on; any other unless it is switched off. In the installation's own tenant, the switch is everybody's.
#[utoipa::path(
    put, path = "/api/tools/{name}/settings", tag = "tools", operation_id = "put_tool_settings", params(("name" = String, Path, description = "The tool's name")), request_body = ToolSettings, security(("key" = ["tools:write"])),
    responses((status = 200, description = "Done", body = ToolSettings), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn put_tool(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    StrictJson(settings): StrictJson<ToolSettings>,
) -> Result<Json<ToolSettings>, Problem> {
    state.engine.registry().exists(&caller, Surface::Rest, &name).await?;
    state.engine.rules().set_tool_settings(&caller, &name, settings).await?;
    Ok(Json(state.engine.rules().tool_settings(&caller, &name).await?))
}
