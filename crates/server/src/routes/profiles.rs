use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Serialize;
use toolgate_domain::{
    governance::{ApprovalTerms, Profile},
    rate::RateLimit,
};
use toolgate_engine::ProfileSpec;

use crate::{
    AppState, Problem,
    auth::{self, Needs},
    body::StrictJson,
    problem::ProblemDocument,
};

/// A bundle of overrides. It can only tighten what a tool demands.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct ProfileParams {
    name: String,
    description: Option<String>,
    /// `true` makes every call ask; `false` changes nothing.
    requires_approval: Option<bool>,
    approval: Option<ApprovalTerms>,
    /// The most that the agent may spend with the tool in a day.
    cost_limit: Option<f64>,
    rate_limit: Option<RateLimit>,
    timeout_ms: Option<u64>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListProfilesResponse {
    items: Vec<Profile>,
}

/// List profiles
#[utoipa::path(
    get, path = "/api/profiles", tag = "agents", operation_id = "list_profiles", security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = ListProfilesResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
) -> Result<Json<ListProfilesResponse>, Problem> {
    Ok(Json(ListProfilesResponse { items: state.engine.rules().profiles(&caller).await? }))
}

/// Make a profile
#[utoipa::path(
    post, path = "/api/profiles", tag = "agents", operation_id = "create_profile", request_body = ProfileParams, security(("key" = ["agents:write"])),
    responses((status = 201, description = "Made", body = Profile), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    StrictJson(spec): StrictJson<ProfileSpec>,
) -> Result<(StatusCode, Json<Profile>), Problem> {
    Ok((StatusCode::CREATED, Json(state.engine.rules().create_profile(&caller, spec).await?)))
}

/// Get a profile
#[utoipa::path(
    get, path = "/api/profiles/{id}", tag = "agents", operation_id = "get_profile", params(("id" = String, Path, description = "`prf_…` or a name")), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Profile), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
) -> Result<Json<Profile>, Problem> {
    Ok(Json(state.engine.rules().find_profile(&caller, &id).await?))
}

/// Replace a profile
#[utoipa::path(
    put, path = "/api/profiles/{id}", tag = "agents", operation_id = "update_profile", params(("id" = String, Path, description = "`prf_…` or a name")), request_body = ProfileParams, security(("key" = ["agents:write"])),
    responses((status = 200, description = "Done", body = Profile), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
    StrictJson(spec): StrictJson<ProfileSpec>,
) -> Result<Json<Profile>, Problem> {
    let id = state.engine.rules().find_profile(&caller, &id).await?.id;
    Ok(Json(state.engine.rules().update_profile(&caller, id, spec).await?))
}

/// Delete a profile
///
/// One that is in use stays.
#[utoipa::path(
    delete, path = "/api/profiles/{id}", tag = "agents", operation_id = "delete_profile", params(("id" = String, Path, description = "`prf_…` or a name")), security(("key" = ["agents:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsWrite>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let id = state.engine.rules().find_profile(&caller, &id).await?.id;
    state.engine.rules().delete_profile(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
