use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Caller, Scope, TenantId, UserId, governance::Workspace};
use toolgate_engine::csrf_of;

use super::sign_in::set_cookies;
use crate::{
    ApiCode, AppState, Json, Problem,
    auth::Auth,
    body::StrictJson,
    problem::ProblemDocument,
    session::{current, others, token, use_session},
};

/// Who asks, and what they may do.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MeResponse {
    principal: String,
    /// The person; absent for a key that is nobody's.
    user: Option<MeUser>,
    /// The slug of the tenant.
    tenant: String,
    tenant_name: String,
    /// The tenants that this browser is signed in to. `POST /api/auth/switch` goes from one to another.
    tenants: Vec<MeTenant>,
    /// The teams that the caller belongs to.
    workspaces: Vec<Workspace>,
    roles: Vec<String>,
    /// The scopes of a key; a person who signed in has none.
    scopes: Vec<String>,
    /// The scopes of everything that the caller may do, by key or by role.
    allowed_scopes: Vec<String>,
    /// Everything there is.
    everything: bool,
    permissions: Vec<String>,
    agent_id: Option<String>,
    /// For a browser's session: what to send as `x-csrf-token`.
    csrf_token: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MeUser {
    id: UserId,
    email: String,
    name: String,
    /// Can sign in with a password.
    has_password: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MeTenant {
    slug: String,
    name: String,
    /// The address that this browser is signed in with there.
    email: String,
    current: bool,
}

/// Who am I
#[utoipa::path(
    get, path = "/api/auth/me", tag = "sign-in", operation_id = "who_am_i", security(("key" = [])),
    responses((status = 200, description = "Done", body = MeResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn me(
    State(state): State<AppState>,
    Auth(caller): Auth,
    headers: HeaderMap,
) -> Result<Json<MeResponse>, Problem> {
    let session = current(&caller, &headers);
    let rules = state.engine.rules();
    let user = match caller.user_id() {
        Some(id) => Some(rules.user(&caller, id).await?),
        None => None,
    };
    let tenant_name = name_of(&state, caller.tenant_id).await?;
    let mut tenants = Vec::new();
    if let (Some(_), Some(user)) = (session, &user) {
        let (slug, name, email) = (caller.tenant_slug.to_string(), tenant_name.clone(), user.email.clone());
        tenants.push(MeTenant { slug, name, email, current: true });
        for other in others(&headers) {
            if let Some((there, user)) = rules.signed_in(other).await? {
                let name = name_of(&state, there.tenant_id).await?;
                let (slug, email) = (there.tenant_slug.to_string(), user.email);
                tenants.push(MeTenant { slug, name, email, current: false });
            }
        }
        tenants.sort_by(|a, b| a.slug.cmp(&b.slug));
    }
    Ok(Json(MeResponse {
        principal: caller.principal.to_string(),
        user: user.map(|user| MeUser {
            id: user.id,
            has_password: user.password_hash.is_some(),
            email: user.email,
            name: user.name,
        }),
        tenant: caller.tenant_slug.to_string(),
        tenant_name,
        tenants,
        workspaces: rules.workspaces(&caller).await?,
        roles: caller.roles.to_vec(),
        scopes: caller.scopes.iter().map(ToString::to_string).collect(),
        allowed_scopes: allowed_scopes(&caller),
        everything: caller.permissions.is_all(),
        permissions: caller.permissions.names().map(str::to_owned).collect(),
        agent_id: caller.agent_id.map(|id| id.to_string()),
        csrf_token: session.map(csrf_of),
    }))
}

fn allowed_scopes(caller: &Caller) -> Vec<String> {
    Scope::ALL.iter().filter(|scope| caller.may(**scope)).map(ToString::to_string).collect()
}

async fn name_of(state: &AppState, id: TenantId) -> Result<String, Problem> {
    let tenant = state.engine.stores().tenants.get(id).await?;
    Ok(tenant.map(|tenant| tenant.name).unwrap_or_default())
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwitchParams {
    /// The slug of a tenant that this browser is signed in to.
    tenant: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SwitchResponse {
    tenant: String,
    /// Another session has another one.
    csrf_token: String,
}

/// Switch to another tenant
///
/// To one that this browser has signed in to. A person has an account in each of their tenants, and nobody of one tenant vouches for
/// a person in another: the first time, sign in there.
#[utoipa::path(
    post, path = "/api/auth/switch", tag = "sign-in", operation_id = "switch_tenant", request_body = SwitchParams, security(("key" = [])),
    responses((status = 200, description = "Done", body = SwitchResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn switch(
    State(state): State<AppState>,
    Auth(_): Auth,
    headers: HeaderMap,
    StrictJson(params): StrictJson<SwitchParams>,
) -> Result<Response, Problem> {
    for session in token(&headers).into_iter().chain(others(&headers)) {
        let known = state.engine.rules().signed_in(session).await?;
        if known.is_some_and(|(there, _)| *there.tenant_slug == *params.tenant) {
            let response = SwitchResponse { tenant: params.tenant, csrf_token: csrf_of(session) };
            return Ok((set_cookies(use_session(session, &headers, &state)), Json(response)).into_response());
        }
    }
    let missing = format!("this browser is not signed in to `{}`: sign in there first", params.tenant);
    Err(Problem::new(ApiCode::NotFound, missing))
}
