use std::collections::BTreeMap;

use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgate_domain::{
    EgressClass, ToolError,
    governance::{LockState, Upstream, UpstreamOauth, UpstreamToolRule, UpstreamTransport},
    tool::Risk,
};
use toolgate_engine::{Moved, Refreshed, UpstreamSpec};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::Params,
    path::Path,
    problem::ProblemDocument,
};

/// An MCP server of somebody else. Secrets are named, never written: `{$secret.NAME}` in the values of headers and variables.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct McpServerParams {
    /// `[a-z][a-z0-9_-]{0,31}`
    name: String,
    /// Its tools are called `<prefix>_<tool>`. The name, when it is left out; empty for none.
    prefix: Option<String>,
    transport: UpstreamTransport,
    oauth: Option<UpstreamOauth>,
    /// What its tools do to the world; `write` when it is left out.
    egress_class: Option<EgressClass>,
    risk: Option<Risk>,
    /// By the server's own name of a tool.
    tools: Option<BTreeMap<String, UpstreamToolRule>>,
    /// Milliseconds of one call.
    timeout_ms: Option<u64>,
    enabled: Option<bool>,
}

/// The keys that change; `null` takes one back. `tools` is changed tool by tool.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct UpdateMcpServerParams {
    transport: Option<UpstreamTransport>,
    oauth: Option<UpstreamOauth>,
    egress_class: Option<EgressClass>,
    risk: Option<Risk>,
    #[schema(value_type = Option<Object>)]
    tools: Option<BTreeMap<String, Option<UpstreamToolRule>>>,
    timeout_ms: Option<u64>,
    enabled: Option<bool>,
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportParams {
    /// Nothing is accepted with the first import: every tool waits to be looked at.
    #[serde(default)]
    review: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListMcpServersResponse {
    items: Vec<Upstream>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MovedToolResponse {
    /// By the server's own word.
    tool: String,
    /// What it is called here.
    name: String,
    /// Absent when it was not known before.
    from: Option<LockState>,
    to: LockState,
    /// Why it cannot be used.
    problem: Option<String>,
}

impl From<Moved> for MovedToolResponse {
    fn from(Moved { tool, name, from, to, problem }: Moved) -> Self {
        Self { tool, name, from, to, problem }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RefreshMcpServerResponse {
    server: Upstream,
    /// The tools whose state is another than before.
    moved: Vec<MovedToolResponse>,
    /// Why it could not be asked. What was imported stays.
    error: Option<ToolError>,
}

impl From<Refreshed> for RefreshMcpServerResponse {
    fn from(refreshed: Refreshed) -> Self {
        let moved = refreshed.moved.into_iter().map(Into::into).collect();
        Self { server: refreshed.upstream, moved, error: refreshed.error }
    }
}

/// List MCP servers
#[utoipa::path(
    get, path = "/api/mcp/servers", tag = "mcp", operation_id = "list_mcp_servers", security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ListMcpServersResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
) -> Result<Json<ListMcpServersResponse>, Problem> {
    Ok(Json(ListMcpServersResponse { items: state.engine.upstreams().list(&caller).await? }))
}

/// Add an MCP server
///
/// It is asked for its tools at once, and whoever adds it accepts what it offers, unless they want to review it. One that cannot be asked
/// is kept, with the reason.
#[utoipa::path(
    post, path = "/api/mcp/servers", tag = "mcp", operation_id = "create_mcp_server", params(ImportParams), request_body = McpServerParams,
    security(("key" = ["tools:write"])),
    responses((status = 201, description = "Added", body = RefreshMcpServerResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Params(params): Params<ImportParams>,
    StrictJson(spec): StrictJson<UpstreamSpec>,
) -> Result<(StatusCode, Json<RefreshMcpServerResponse>), Problem> {
    let added = state.engine.upstreams().create(&caller, spec, params.review).await?;
    Ok((StatusCode::CREATED, Json(added.into())))
}

/// Get an MCP server
#[utoipa::path(
    get, path = "/api/mcp/servers/{name}", tag = "mcp", operation_id = "get_mcp_server",
    params(("name" = String, Path, description = "A name, or `ups_…`")), security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = Upstream), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
) -> Result<Json<Upstream>, Problem> {
    Ok(Json(state.engine.upstreams().find(&caller, &name).await?))
}

/// Change an MCP server
///
/// Where the terms of its tools change, each gets its next version.
#[utoipa::path(
    patch, path = "/api/mcp/servers/{name}", tag = "mcp", operation_id = "update_mcp_server",
    params(("name" = String, Path, description = "A name, or `ups_…`")), request_body = UpdateMcpServerParams, security(("key" = ["tools:write"])),
    responses((status = 200, description = "Done", body = Upstream), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    StrictJson(patch): StrictJson<Map<String, Value>>,
) -> Result<Json<Upstream>, Problem> {
    Ok(Json(state.engine.upstreams().update(&caller, &name, patch).await?))
}

/// Remove an MCP server
///
/// Its tools do not exist any more; the receipts of their calls stay.
#[utoipa::path(
    delete, path = "/api/mcp/servers/{name}", tag = "mcp", operation_id = "delete_mcp_server",
    params(("name" = String, Path, description = "A name, or `ups_…`")), security(("key" = ["tools:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    state.engine.upstreams().delete(&caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ask an MCP server for its tools
///
/// What changed since it was accepted is quarantined: it can neither be listed nor called until a person accepts it.
#[utoipa::path(
    post, path = "/api/mcp/servers/{name}/refresh", tag = "mcp", operation_id = "refresh_mcp_server",
    params(("name" = String, Path, description = "A name, or `ups_…`"), ImportParams), security(("key" = ["tools:write"])),
    responses((status = 200, description = "Asked; `error` says when it did not answer", body = RefreshMcpServerResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn refresh(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path(name): Path<String>,
    Params(params): Params<ImportParams>,
) -> Result<Json<RefreshMcpServerResponse>, Problem> {
    Ok(Json(state.engine.upstreams().import(&caller, &name, params.review).await?.into()))
}
