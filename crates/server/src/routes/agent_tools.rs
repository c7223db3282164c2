use std::collections::BTreeMap;

use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{AgentId, EgressClass, InvocationId, Surface, Timestamp, governance::PermissionStatus};
use toolgate_engine::{PermissionEntry, ToolFilter};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

/// The permission of one tool. A tool that is not listed needs approval.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ToolPermissionEntry {
    tool_name: String,
    permission_status: PermissionStatus,
    provider_key: Option<String>,
}

/// A person approved the tool for good.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OverrideEntry {
    tool_name: String,
    approved_by: String,
    approved_at: Timestamp,
    invocation_id: InvocationId,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentToolsResponse {
    agent_id: AgentId,
    tools: Vec<ToolPermissionEntry>,
    overrides: Vec<OverrideEntry>,
}

async fn read(
    state: &AppState,
    caller: &toolgate_domain::Caller,
    id: &str,
) -> Result<AgentToolsResponse, Problem> {
    let agent = state.engine.rules().find_agent(caller, id).await?;
    let (entries, overrides) = state.engine.rules().permissions(caller, agent.id).await?;
    let tools = entries
        .into_iter()
        .map(|entry| ToolPermissionEntry {
            tool_name: entry.tool_name,
            permission_status: entry.permission_status,
            provider_key: entry.provider_key,
        })
        .collect();
    let overrides = overrides
        .into_iter()
        .map(|(tool_name, given)| OverrideEntry {
            tool_name,
            approved_by: given.by,
            approved_at: given.at,
            invocation_id: given.invocation_id,
        })
        .collect();
    Ok(AgentToolsResponse { agent_id: agent.id, tools, overrides })
}

/// Get an agent's permissions
///
/// What is configured per tool, and what people approved for good. Also at `/ai/agents/{id}/tools`.
#[utoipa::path(
    get, path = "/api/agents/{id}/tools", tag = "agents", operation_id = "get_agent_tools", params(("id" = String, Path, description = "`agt_…` or a handle")), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = AgentToolsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
) -> Result<Json<AgentToolsResponse>, Problem> {
    Ok(Json(read(&state, &caller, &id).await?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutAgentToolsParams {
    tools: Vec<ToolPermissionEntry>,
}

/// Replace an agent's permissions
///
/// The whole configuration is replaced. Also at `/ai/agents/{id}/tools`.
#[utoipa::path(
    put, path = "/api/agents/{id}/tools", tag = "agents", operation_id = "put_agent_tools", params(("id" = String, Path, description = "`agt_…` or a handle")), request_body = PutAgentToolsParams, security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = AgentToolsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn put(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
    StrictJson(body): StrictJson<Value>,
) -> Result<Json<AgentToolsResponse>, Problem> {
    if body.get("enabledTools").is_some() {
        let message = "`enabledTools` is not understood any more: send {\"tools\": [{\"toolName\": …, \"permissionStatus\": \"always_allow|needs_approval|blocked\", \"providerKey\": …}]}";
        return Err(Problem::new(ApiCode::Malformed, message));
    }
    let params: PutAgentToolsParams =
        serde_json::from_value(body).map_err(|e| Problem::new(ApiCode::Invalid, e.to_string()))?;
    let agent = state.engine.rules().find_agent(&caller, &id).await?;
    let mut entries = Vec::with_capacity(params.tools.len());
    for entry in params.tools {
        let tool = state.engine.registry().get(&caller, Surface::Rest, &entry.tool_name).await?;
        if entry.permission_status == PermissionStatus::AlwaysAllow
            && tool.spec.egress_class == EgressClass::Write
        {
            let message = format!(
                "{} writes outside Toolgate, which always asks: it cannot be always_allow",
                entry.tool_name
            );
            return Err(Problem::new(ApiCode::Invalid, message));
        }
        entries.push(PermissionEntry {
            tool_name: tool.spec.name.to_string(),
            permission_status: entry.permission_status,
            provider_key: entry.provider_key,
        });
    }
    state.engine.rules().set_permissions(&caller, agent.id, entries).await?;
    Ok(Json(read(&state, &caller, &id).await?))
}

/// A tool that could be configured.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CatalogEntry {
    tool_name: String,
    description: String,
    provider_key: String,
    category: String,
    egress_class: EgressClass,
    requires_approval: bool,
    #[schema(value_type = Object)]
    input_schema: Value,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct CatalogResponse {
    tools: Vec<CatalogEntry>,
}

/// List the tools that an agent could be given
///
/// By name, without permissions. `providerKey` is where the tool comes from. Also at `/ai/agents/{id}/tools/catalog`.
#[utoipa::path(
    get, path = "/api/agents/{id}/tools/catalog", tag = "agents", operation_id = "get_agent_tool_catalog", params(("id" = String, Path, description = "`agt_…` or a handle")), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = CatalogResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn catalog(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
) -> Result<Json<CatalogResponse>, Problem> {
    state.engine.rules().find_agent(&caller, &id).await?;
    let everything = ToolFilter { limit: usize::MAX - 1, ..ToolFilter::default() };
    let tools = state.engine.registry().list(&caller, Surface::Rest, &everything).await?;
    let entry = |tool: std::sync::Arc<toolgate_domain::Tool>| CatalogEntry {
        tool_name: tool.spec.name.to_string(),
        description: tool.spec.description.clone(),
        provider_key: tool.origin.as_str().to_owned(),
        category: tool.spec.category.clone(),
        egress_class: tool.spec.egress_class,
        requires_approval: tool.spec.requires_approval,
        input_schema: tool.spec.input_schema.clone(),
    };
    Ok(Json(CatalogResponse { tools: tools.items.into_iter().map(entry).collect() }))
}

/// Take back what was approved for good
///
/// From now on the agent asks again.
#[utoipa::path(
    delete, path = "/api/agents/{id}/overrides/{tool}", tag = "agents", operation_id = "revoke_agent_override", params(("id" = String, Path, description = "`agt_…` or a handle"), ("tool" = String, Path, description = "The tool's name")), security(("key" = ["agents:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn revoke_override(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(path): Path<BTreeMap<String, String>>,
) -> Result<StatusCode, Problem> {
    let of = |key: &str| path.get(key).map(String::as_str).unwrap_or_default();
    let agent = state.engine.rules().find_agent(&caller, of("id")).await?;
    state.engine.rules().revoke_override(&caller, agent.id, of("tool")).await?;
    Ok(StatusCode::NO_CONTENT)
}
