use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use toolgate_domain::governance::{PERMISSIONS, Role};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    path::Path,
    problem::ProblemDocument,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RoleResponse {
    name: String,
    built_in: bool,
    /// Every permission there is.
    everything: bool,
    permissions: Vec<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListRolesResponse {
    items: Vec<RoleResponse>,
}

/// List roles
///
/// The built-in ones, and the tenant's own.
#[utoipa::path(
    get, path = "/api/roles", tag = "people", operation_id = "list_roles", security(("key" = ["people:read"])),
    responses((status = 200, description = "Done", body = ListRolesResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleRead>,
) -> Result<Json<ListRolesResponse>, Problem> {
    let roles = state.engine.rules().roles(&caller).await?;
    let shown = |(name, permissions): (String, toolgate_domain::governance::PermissionSet)| RoleResponse {
        built_in: Role::built_in(&name).is_some(),
        everything: permissions.is_all(),
        permissions: permissions.names().map(str::to_owned).collect(),
        name,
    };
    Ok(Json(ListRolesResponse { items: roles.into_iter().map(shown).collect() }))
}

/// What a role can grant.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PermissionResponse {
    name: &'static str,
    description: &'static str,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListPermissionsResponse {
    items: Vec<PermissionResponse>,
}

/// List permissions
///
/// Those that Toolgate itself asks for. A tool may demand any other name, and a role may grant it.
#[utoipa::path(
    get, path = "/api/permissions", tag = "people", operation_id = "list_permissions", security(("key" = ["people:read"])),
    responses((status = 200, description = "Done", body = ListPermissionsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn permissions(_: Needs<auth::PeopleRead>) -> Json<ListPermissionsResponse> {
    let items = PERMISSIONS.iter().map(|&(name, description)| PermissionResponse { name, description });
    Json(ListPermissionsResponse { items: items.collect() })
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutRoleParams {
    /// Dotted names: `tools.tenant.create`, `entities.team.read`.
    permissions: Vec<String>,
}

/// Make or replace a role
///
/// Nobody grants what they do not have. The built-in roles stay as they are.
#[utoipa::path(
    put, path = "/api/roles/{name}", tag = "people", operation_id = "put_role", params(("name" = String, Path, description = "The role's name")), request_body = PutRoleParams, security(("key" = ["people:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn put(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    Path(name): Path<String>,
    StrictJson(params): StrictJson<PutRoleParams>,
) -> Result<StatusCode, Problem> {
    state.engine.rules().put_role(&caller, Role { name, permissions: params.permissions }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a role
///
/// One that somebody has stays.
#[utoipa::path(
    delete, path = "/api/roles/{name}", tag = "people", operation_id = "delete_role", params(("name" = String, Path, description = "The role's name")), security(("key" = ["people:write"])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    state.engine.rules().delete_role(&caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
