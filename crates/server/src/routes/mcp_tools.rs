use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::{
    EgressClass,
    governance::{AcceptedTool, LockState, PendingTool, ToolLock, Upstream, UpstreamChange},
    tool::Risk,
};
use toolgate_engine::Reviewed;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// A tool of an MCP server: what was accepted, what waits, and what differs.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct McpToolResponse {
    /// By the server's own word.
    tool: String,
    /// What it is called here.
    name: String,
    /// The version that is called.
    version: Option<String>,
    state: LockState,
    egress_class: EgressClass,
    /// The class promises less than the tool says of itself. It stays marked after a person accepted it.
    class_below_hints: bool,
    risk: Risk,
    enabled: bool,
    /// What waits to be accepted, by its digest.
    digest: Option<String>,
    accepted: Option<AcceptedTool>,
    pending: Option<PendingTool>,
    /// Why what the server offers now cannot be used.
    problem: Option<String>,
    /// What changed since it was accepted, the strictest first. Of a tool that nobody accepted yet: what a reader would not see.
    changes: Vec<UpstreamChange>,
}

impl McpToolResponse {
    fn of(upstream: &Upstream, Reviewed { lock, changes, class_below_hints }: Reviewed) -> Self {
        let ToolLock { tool, name, version, state, accepted, pending, problem, .. } = lock;
        let (egress_class, risk, enabled) = upstream.rule(&tool);
        let digest = pending.as_ref().map(|pending| pending.digest.clone());
        Self {
            tool,
            name,
            version,
            state,
            egress_class,
            class_below_hints,
            risk,
            enabled,
            digest,
            accepted,
            pending,
            problem,
            changes,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListMcpToolsResponse {
    items: Vec<McpToolResponse>,
}

/// What somebody looked at.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewParams {
    /// The digest of the definition that was shown. When it is another by now, nothing happens.
    digest: String,
}

/// List the tools of an MCP server
#[utoipa::path(
    get, path = "/api/mcp/servers/{name}/tools", tag = "mcp", operation_id = "list_mcp_server_tools",
    params(("name" = String, Path, description = "A name, or `ups_…`")), security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ListMcpToolsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    Path(name): Path<String>,
) -> Result<Json<ListMcpToolsResponse>, Problem> {
    let (upstream, tools) = state.engine.upstreams().tools(&caller, &name).await?;
    let items = tools.into_iter().map(|reviewed| McpToolResponse::of(&upstream, reviewed)).collect();
    Ok(Json(ListMcpToolsResponse { items }))
}

/// Accept a tool of an MCP server
///
/// It can be called as it was shown, and gets its next version. A person accepts, never an agent.
#[utoipa::path(
    post, path = "/api/mcp/servers/{name}/tools/{tool}/accept", tag = "mcp", operation_id = "accept_mcp_tool",
    params(("name" = String, Path, description = "A name, or `ups_…`"), ("tool" = String, Path, description = "The server's own name of the tool, or what it is called here")),
    request_body = ReviewParams, security(("key" = ["tools:write"])),
    responses((status = 200, description = "Accepted", body = McpToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn accept(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path((name, tool)): Path<(String, String)>,
    StrictJson(params): StrictJson<ReviewParams>,
) -> Result<Json<McpToolResponse>, Problem> {
    let upstreams = state.engine.upstreams();
    let reviewed = upstreams.accept(&caller, &name, &tool, &params.digest).await?;
    let upstream = upstreams.find(&caller, &name).await?;
    Ok(Json(McpToolResponse::of(&upstream, reviewed)))
}

/// Reject a tool of an MCP server
///
/// It stays shut until the server offers something else.
#[utoipa::path(
    post, path = "/api/mcp/servers/{name}/tools/{tool}/reject", tag = "mcp", operation_id = "reject_mcp_tool",
    params(("name" = String, Path, description = "A name, or `ups_…`"), ("tool" = String, Path, description = "The server's own name of the tool, or what it is called here")),
    request_body = ReviewParams, security(("key" = ["tools:write"])),
    responses((status = 200, description = "Rejected", body = McpToolResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn reject(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsWrite>,
    Path((name, tool)): Path<(String, String)>,
    StrictJson(params): StrictJson<ReviewParams>,
) -> Result<Json<McpToolResponse>, Problem> {
    let upstreams = state.engine.upstreams();
    let reviewed = upstreams.reject(&caller, &name, &tool, &params.digest).await?;
    let upstream = upstreams.find(&caller, &name).await?;
    Ok(Json(McpToolResponse::of(&upstream, reviewed)))
}
