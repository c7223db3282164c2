use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{
    Page, Timestamp, UserId, WorkspaceId,
    governance::{User, UserStatus, Workspace},
};
use toolgate_engine::{NewUser, UserPatch};

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, page_of, parsed},
    path::Path,
    problem::ProblemDocument,
    session::current,
};

/// A person; never their password.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UserResponse {
    id: UserId,
    email: String,
    name: String,
    roles: Vec<String>,
    workspaces: Vec<WorkspaceId>,
    status: UserStatus,
    /// Can sign in with a password.
    has_password: bool,
    /// Signs in elsewhere.
    oidc_issuer: Option<String>,
    created_at: Timestamp,
}

impl From<User> for UserResponse {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            email: user.email,
            name: user.name,
            roles: user.roles,
            workspaces: user.workspaces,
            status: user.status,
            has_password: user.password_hash.is_some(),
            oidc_issuer: user.oidc.map(|oidc| oidc.issuer),
            created_at: user.created_at,
        }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListUsersParams {
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// List users
///
/// By address.
#[utoipa::path(
    get, path = "/api/users", tag = "people", operation_id = "list_users", params(ListUsersParams), security(("key" = ["people:read"])),
    responses((status = 200, description = "Done", body = Page<UserResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleRead>,
    Params(params): Params<ListUsersParams>,
) -> Result<Json<Page<UserResponse>>, Problem> {
    let users = state.engine.rules().users(&caller).await?;
    let page = page_of(users, |user| user.email.clone(), params.cursor, params.limit, &state)?;
    Ok(Json(page.map(Into::into)))
}

#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct CreateUserParams {
    email: String,
    name: String,
    /// `member` when it is not said.
    roles: Option<Vec<String>>,
    workspaces: Option<Vec<WorkspaceId>>,
    /// 12 to 200 characters; without it the person signs in elsewhere.
    password: Option<String>,
}

/// Make a user
///
/// Nobody gives a role that can do more than they can.
#[utoipa::path(
    post, path = "/api/users", tag = "people", operation_id = "create_user", request_body = CreateUserParams, security(("key" = ["people:write"])),
    responses((status = 201, description = "Made", body = UserResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    StrictJson(new): StrictJson<NewUser>,
) -> Result<(StatusCode, Json<UserResponse>), Problem> {
    Ok((StatusCode::CREATED, Json(state.engine.rules().create_user(&caller, new).await?.into())))
}

/// Get a user
#[utoipa::path(
    get, path = "/api/users/{id}", tag = "people", operation_id = "get_user", params(("id" = String, Path, description = "`usr_…`")), security(("key" = ["people:read"])),
    responses((status = 200, description = "Done", body = UserResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleRead>,
    Path(id): Path<String>,
) -> Result<Json<UserResponse>, Problem> {
    Ok(Json(state.engine.rules().user(&caller, parsed("id", &id)?).await?.into()))
}

#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the body to OpenAPI; the engine reads it")]
pub(crate) struct UpdateUserParams {
    name: Option<String>,
    roles: Option<Vec<String>>,
    workspaces: Option<Vec<WorkspaceId>>,
    /// A disabled person gets in no more, at once.
    status: Option<UserStatus>,
    /// 12 to 200 characters. Every session of the person ends, but the one that changes its own.
    password: Option<String>,
}

/// Change a user
#[utoipa::path(
    patch, path = "/api/users/{id}", tag = "people", operation_id = "update_user", params(("id" = String, Path, description = "`usr_…`")), request_body = UpdateUserParams, security(("key" = ["people:write"])),
    responses((status = 200, description = "Done", body = UserResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn update(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    headers: HeaderMap,
    Path(id): Path<String>,
    StrictJson(patch): StrictJson<UserPatch>,
) -> Result<Json<UserResponse>, Problem> {
    let (id, token) = (parsed("id", &id)?, current(&caller, &headers));
    Ok(Json(state.engine.rules().update_user(&caller, id, patch, token).await?.into()))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListWorkspacesResponse {
    items: Vec<Workspace>,
}

/// List workspaces
///
/// Those the caller belongs to.
#[utoipa::path(
    get, path = "/api/workspaces", tag = "people", operation_id = "list_workspaces", security(("key" = ["people:read"])),
    responses((status = 200, description = "Done", body = ListWorkspacesResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn workspaces(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleRead>,
) -> Result<Json<ListWorkspacesResponse>, Problem> {
    Ok(Json(ListWorkspacesResponse { items: state.engine.rules().workspaces(&caller).await? }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateWorkspaceParams {
    slug: String,
    name: String,
}

/// Make a workspace
#[utoipa::path(
    post, path = "/api/workspaces", tag = "people", operation_id = "create_workspace", request_body = CreateWorkspaceParams, security(("key" = ["people:write"])),
    responses((status = 201, description = "Made", body = Workspace), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create_workspace(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PeopleWrite>,
    StrictJson(params): StrictJson<CreateWorkspaceParams>,
) -> Result<(StatusCode, Json<Workspace>), Problem> {
    let made = state.engine.rules().create_workspace(&caller, &params.slug, &params.name).await?;
    Ok((StatusCode::CREATED, Json(made)))
}
