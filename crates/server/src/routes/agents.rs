use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgate_domain::{
    AgentId, Page,
    governance::{Agent, AgentStatus},
};
use toolgate_engine::{AgentFilter, NewAgent};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, page_of, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListAgentsParams {
    /// A user's id.
    owner: Option<String>,
    /// With those that were archived.
    archived: Option<bool>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// List agents
///
/// By handle. Archived agents are left out unless asked for.
#[utoipa::path(
    get, path = "/api/agents", tag = "agents", operation_id = "list_agents", params(ListAgentsParams), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Page<Agent>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Params(params): Params<ListAgentsParams>,
) -> Result<Json<Page<Agent>>, Problem> {
    let filter = AgentFilter {
        owner: parsed_option("owner", params.owner.as_deref())?,
        with_archived: params.archived.unwrap_or(false),
    };
    let agents = state.engine.rules().agents(&caller, &filter).await?;
    Ok(Json(page_of(agents, |agent| agent.handle.clone(), params.cursor, params.limit, &state)?))
}

/// What a new agent is made of.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct CreateAgentParams {
    /// 1 to 64 lower-case letters, digits, `_`, `-` or `.`; unique.
    handle: String,
    /// 1 to 120 characters.
    display_name: String,
    /// A user's id; without it the person who asks.
    owner: Option<String>,
    workspace_id: Option<String>,
    model: Option<String>,
    persona: Option<String>,
    bio: Option<String>,
    /// A picture: an address that begins with `https://` or `http://`.
    avatar_url: Option<String>,
    /// Categories of tools that count as assigned.
    tool_groups: Option<Vec<String>>,
    /// Tools that count as assigned.
    custom_tools: Option<Vec<String>>,
    guard: Option<toolgate_domain::governance::Guard>,
    actions: Option<toolgate_domain::governance::ActionRules>,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Value>,
}

/// Make an agent
///
/// `CONFLICT` when the handle is taken.
#[utoipa::path(
    post, path = "/api/agents", tag = "agents", operation_id = "create_agent", request_body = CreateAgentParams, security(("key" = ["agents:write"])),
    responses((status = 201, description = "Made", body = Agent), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    StrictJson(new): StrictJson<NewAgent>,
) -> Result<(StatusCode, Json<Agent>), Problem> {
    Ok((StatusCode::CREATED, Json(state.engine.rules().create_agent(&caller, new).await?)))
}

/// Get an agent
///
/// By id or handle.
#[utoipa::path(
    get, path = "/api/agents/{id}", tag = "agents", operation_id = "get_agent", params(("id" = String, Path, description = "`agt_…` or a handle")), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Agent), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
) -> Result<Json<Agent>, Problem> {
    Ok(Json(state.engine.rules().find_agent(&caller, &id).await?))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UpdateAgentResponse {
    agent_id: AgentId,
    patched_keys: Vec<String>,
    agent: Agent,
}

/// Change an agent
///
/// Only some keys can change; any other is refused by name, and then nothing changes.
#[utoipa::path(
    patch, path = "/api/agents/{id}", tag = "agents", operation_id = "update_agent", params(("id" = String, Path, description = "`agt_…` or a handle")), request_body = Object, security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = UpdateAgentResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
    StrictJson(patch): StrictJson<Map<String, Value>>,
) -> Result<Json<UpdateAgentResponse>, Problem> {
    let id = state.engine.rules().find_agent(&caller, &id).await?.id;
    let (agent, patched_keys) = state.engine.rules().update_agent(&caller, id, patch).await?;
    Ok(Json(UpdateAgentResponse { agent_id: id, patched_keys, agent }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchiveAgentParams {
    /// Must be `true`.
    confirm: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ArchiveAgentResponse {
    agent_id: AgentId,
    status: AgentStatus,
}

/// Archive an agent
///
/// It is hidden from lists and cannot call or start anything; its history stays. It cannot be undone.
#[utoipa::path(
    post, path = "/api/agents/{id}/archive", tag = "agents", operation_id = "archive_agent", params(("id" = String, Path, description = "`agt_…` or a handle")), request_body = ArchiveAgentParams, security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = ArchiveAgentResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn archive(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
    StrictJson(params): StrictJson<ArchiveAgentParams>,
) -> Result<Json<ArchiveAgentResponse>, Problem> {
    if !params.confirm {
        return Err(Problem::new(ApiCode::Invalid, "archiving cannot be undone: send {\"confirm\": true}"));
    }
    let id = state.engine.rules().find_agent(&caller, &id).await?.id;
    let agent = state.engine.rules().archive_agent(&caller, id).await?;
    Ok(Json(ArchiveAgentResponse { agent_id: agent.id, status: agent.status }))
}
