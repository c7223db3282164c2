use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::{AgentId, Page, Surface, governance::Assignment};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, page_of},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListAssignmentsParams {
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// List the assignments of all agents
#[utoipa::path(
    get, path = "/api/assignments", tag = "agents", operation_id = "list_assignments", params(ListAssignmentsParams), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Page<Assignment>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Params(params): Params<ListAssignmentsParams>,
) -> Result<Json<Page<Assignment>>, Problem> {
    let all = state.engine.rules().assignments(&caller, None).await?;
    Ok(Json(page_of(
        all,
        |one| format!("{} {}", one.agent_id, one.tool),
        params.cursor,
        params.limit,
        &state,
    )?))
}

/// List an agent's assignments
///
/// By the tool's name.
#[utoipa::path(
    get, path = "/api/agents/{id}/assignments", tag = "agents", operation_id = "list_agent_assignments", params(("id" = String, Path, description = "`agt_…` or a handle"), ListAssignmentsParams), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Page<Assignment>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn of_agent(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
    Params(params): Params<ListAssignmentsParams>,
) -> Result<Json<Page<Assignment>>, Problem> {
    let agent = state.engine.rules().find_agent(&caller, &id).await?;
    let all = state.engine.rules().assignments(&caller, Some(agent.id)).await?;
    Ok(Json(page_of(all, |one| one.tool.clone(), params.cursor, params.limit, &state)?))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssignParams {
    /// The tool's name.
    tool: String,
    /// A profile's id or name.
    profile: Option<String>,
    /// `false` registers the tool as known and denied.
    #[serde(default = "yes")]
    allowed: bool,
}

fn yes() -> bool {
    true
}

/// Assign a tool to an agent
///
/// With a profile, which tightens. What was assigned before under this name is replaced.
#[utoipa::path(
    post, path = "/api/agents/{id}/assignments", tag = "agents", operation_id = "assign_agent_tool", params(("id" = String, Path, description = "`agt_…` or a handle")), request_body = AssignParams, security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = Assignment), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn assign(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
    StrictJson(params): StrictJson<AssignParams>,
) -> Result<Json<Assignment>, Problem> {
    let rules = state.engine.rules();
    let agent = rules.find_agent(&caller, &id).await?;
    let tool = state.engine.registry().get(&caller, Surface::Rest, &params.tool).await?;
    let profile = match &params.profile {
        Some(reference) => Some(rules.find_profile(&caller, reference).await?.id),
        None => None,
    };
    Ok(Json(rules.assign(&caller, agent.id, tool.spec.name.as_str(), profile, params.allowed).await?))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RevokeResponse {
    agent_id: AgentId,
    tool: String,
    revoked: bool,
}

/// Take a tool from an agent
///
/// Calls of it that run end with a permission error.
#[utoipa::path(
    delete, path = "/api/agents/{id}/assignments/{tool}", tag = "agents", operation_id = "revoke_agent_tool", params(("id" = String, Path, description = "`agt_…` or a handle"), ("tool" = String, Path, description = "The tool's name")), security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = RevokeResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn revoke(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path((id, tool)): Path<(String, String)>,
) -> Result<Json<RevokeResponse>, Problem> {
    let agent = state.engine.rules().find_agent(&caller, &id).await?;
    state.engine.rules().revoke_assignment(&caller, agent.id, &tool).await?;
    Ok(Json(RevokeResponse { agent_id: agent.id, tool, revoked: true }))
}
