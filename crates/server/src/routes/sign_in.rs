use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Caller, Timestamp, UserId};
use toolgate_engine::{NewLogin, csrf_of};

use crate::{
    ApiCode, AppState, Problem,
    auth::Auth,
    body::StrictJson,
    problem::ProblemDocument,
    session::{COOKIE, set_cookie, token},
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInParams {
    email: String,
    password: String,
    /// The tenant's slug; without it the installation's own.
    tenant: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SignInResponse {
    user_id: UserId,
    name: String,
    /// Send it as `x-csrf-token` with every request that changes something.
    csrf_token: String,
    expires_at: Timestamp,
}

/// The answer that begins a session.
pub(crate) fn begun(login: NewLogin, state: &AppState) -> (String, SignInResponse) {
    let cookie =
        set_cookie(COOKIE, &login.token, state.engine.limits().login_ttl_s, "/", state.secure_cookies);
    let response = SignInResponse {
        user_id: login.user.id,
        name: login.user.name,
        csrf_token: login.csrf,
        expires_at: login.expires_at,
    };
    (cookie, response)
}

/// Sign in with a password
///
/// The answer sets a cookie that no script can read. Ten attempts in five minutes per account.
#[utoipa::path(
    post, path = "/api/auth/login", tag = "sign-in", operation_id = "sign_in", request_body = SignInParams,
    responses((status = 200, description = "Done", body = SignInResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn sign_in(
    State(state): State<AppState>,
    headers: HeaderMap,
    StrictJson(params): StrictJson<SignInParams>,
) -> Result<Response, Problem> {
    refuse_other_sites(&headers)?;
    let login =
        state.engine.rules().sign_in(params.tenant.as_deref(), &params.email, &params.password).await?;
    let login = login
        .ok_or_else(|| Problem::new(ApiCode::Unauthenticated, "the address or the password is not right"))?;
    let (cookie, response) = begun(login, &state);
    Ok(([(header::SET_COOKIE, cookie)], Json(response)).into_response())
}

/// Another site must not sign a person in as somebody else.
fn refuse_other_sites(headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    if matches!(site, Some("cross-site" | "same-site")) {
        return Err(Problem::new(ApiCode::Forbidden, "sign in from Toolgate's own pages"));
    }
    Ok(())
}

/// Sign out
///
/// Ends the session of this browser. With a key there is nothing to end.
#[utoipa::path(
    post, path = "/api/auth/logout", tag = "sign-in", operation_id = "sign_out", security(("key" = [])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn sign_out(
    State(state): State<AppState>,
    Auth(caller): Auth,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if let Some(token) = token(&headers) {
        state.engine.rules().sign_out(&caller, token).await?;
    }
    let gone = set_cookie(COOKIE, "", 0, "/", state.secure_cookies);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response())
}

/// Who asks, and what they may do.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MeResponse {
    principal: String,
    tenant: String,
    roles: Vec<String>,
    scopes: Vec<String>,
    /// Everything there is.
    everything: bool,
    permissions: Vec<String>,
    agent_id: Option<String>,
    /// For a browser's session: what to send as `x-csrf-token`.
    csrf_token: Option<String>,
}

/// Who am I
#[utoipa::path(
    get, path = "/api/auth/me", tag = "sign-in", operation_id = "who_am_i", security(("key" = [])),
    responses((status = 200, description = "Done", body = MeResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn me(Auth(caller): Auth, parts: Parts) -> Json<MeResponse> {
    // Only a browser's session has none.
    let csrf_token = if caller.scopes.is_empty() { token(&parts.headers).map(csrf_of) } else { None };
    Json(describe(&caller, csrf_token))
}

fn describe(caller: &Caller, csrf_token: Option<String>) -> MeResponse {
    MeResponse {
        principal: caller.principal.to_string(),
        tenant: caller.tenant_slug.to_string(),
        roles: caller.roles.to_vec(),
        scopes: caller.scopes.iter().map(ToString::to_string).collect(),
        everything: caller.permissions.is_all(),
        permissions: caller.permissions.names().map(str::to_owned).collect(),
        agent_id: caller.agent_id.map(|id| id.to_string()),
        csrf_token,
    }
}
