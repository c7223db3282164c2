use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Serialize;
use toolgate_domain::governance::Skill;
use toolgate_engine::SkillSpec;

use crate::{
    AppState, Problem,
    auth::{self, Needs},
    body::StrictJson,
    problem::ProblemDocument,
};

/// Instructions that a prompt tool runs against an agent.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct SkillParams {
    name: String,
    description: Option<String>,
    /// What the agent is told to do with the input.
    instructions: String,
    /// The shape of the answer, where the tool itself does not give one.
    #[schema(value_type = Option<Object>)]
    output_schema: Option<serde_json::Value>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListSkillsResponse {
    items: Vec<Skill>,
}

/// List skills
#[utoipa::path(
    get, path = "/api/skills", tag = "agents", operation_id = "list_skills", security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = ListSkillsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
) -> Result<Json<ListSkillsResponse>, Problem> {
    Ok(Json(ListSkillsResponse { items: state.engine.rules().skills(&caller).await? }))
}

/// Make a skill
#[utoipa::path(
    post, path = "/api/skills", tag = "agents", operation_id = "create_skill", request_body = SkillParams, security(("key" = ["agents:write"])),
    responses((status = 201, description = "Made", body = Skill), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    StrictJson(spec): StrictJson<SkillSpec>,
) -> Result<(StatusCode, Json<Skill>), Problem> {
    Ok((StatusCode::CREATED, Json(state.engine.rules().create_skill(&caller, spec).await?)))
}

/// Get a skill
#[utoipa::path(
    get, path = "/api/skills/{id}", tag = "agents", operation_id = "get_skill", params(("id" = String, Path, description = "`skl_…` or a name")), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Skill), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
) -> Result<Json<Skill>, Problem> {
    Ok(Json(state.engine.rules().find_skill(&caller, &id).await?))
}

/// Replace a skill
#[utoipa::path(
    put, path = "/api/skills/{id}", tag = "agents", operation_id = "update_skill", params(("id" = String, Path, description = "`skl_…` or a name")), request_body = SkillParams, security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = Skill), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
    StrictJson(spec): StrictJson<SkillSpec>,
) -> Result<Json<Skill>, Problem> {
    let id = state.engine.rules().find_skill(&caller, &id).await?.id;
    Ok(Json(state.engine.rules().update_skill(&caller, id, spec).await?))
}

/// Delete a skill
///
/// Tools that name it fail from then on, and say so.
#[utoipa::path(
    delete, path = "/api/skills/{id}", tag = "agents", operation_id = "delete_skill", params(("id" = String, Path, description = "`skl_…` or a name")), security(("key" = ["agents:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let id = state.engine.rules().find_skill(&caller, &id).await?.id;
    state.engine.rules().delete_skill(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
