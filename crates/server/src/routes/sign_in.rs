use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, StatusCode, header, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{Timestamp, UserId};
use toolgate_engine::{NewLogin, SignInSource};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::Auth,
    body::StrictJson,
    problem::ProblemDocument,
    session::{device, keep_device, others, refuse_other_sites, token, use_session, without_session},
    source::client,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInParams {
    pub(super) email: String,
    pub(super) password: String,
    /// The tenant's slug; without it the installation's own.
    pub(super) tenant: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SignInResponse {
    user_id: UserId,
    name: String,
    /// Send it as `x-csrf-token` with every request that changes something.
    csrf_token: String,
    expires_at: Timestamp,
}

/// The answer that begins a session, and its cookies.
pub(crate) fn begun(login: NewLogin, headers: &HeaderMap, state: &AppState) -> ([String; 2], SignInResponse) {
    let cookies = use_session(&login.token, headers, state);
    let response = SignInResponse {
        user_id: login.user.id,
        name: login.user.name,
        csrf_token: login.csrf,
        expires_at: login.expires_at,
    };
    (cookies, response)
}

pub(crate) fn set_cookies(cookies: [String; 2]) -> AppendHeaders<[(HeaderName, String); 2]> {
    AppendHeaders(cookies.map(|cookie| (header::SET_COOKIE, cookie)))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct WaysResponse {
    /// With an address and a password, at `/api/auth/login`.
    password: bool,
    /// Elsewhere, at `/api/auth/oidc/start`; absent where that is not set up.
    oidc: Option<OidcWay>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct OidcWay {
    /// Who vouches for people.
    issuer: String,
}

/// Which ways there are to sign in
///
/// For the page that asks; it needs no key.
#[utoipa::path(
    get, path = "/api/auth/ways", tag = "sign-in", operation_id = "ways_to_sign_in",
    responses((status = 200, description = "Done", body = WaysResponse))
)]
pub(crate) async fn ways(State(state): State<AppState>) -> Json<WaysResponse> {
    let elsewhere = state.options.elsewhere.as_ref();
    let oidc = elsewhere.map(|elsewhere| OidcWay { issuer: elsewhere.client.issuer().to_owned() });
    Json(WaysResponse { password: true, oidc })
}

/// Sign in with a password
///
/// The answer sets a cookie that no script can read, and a second by which this browser is known again where it signs in to the account.
/// Attempts are bounded: ten in five minutes to one account from one address, and more in all from one address and to one account. A
/// session in another tenant is kept beside it, to switch back to.
#[utoipa::path(
    post, path = "/api/auth/login", tag = "sign-in", operation_id = "sign_in", request_body = SignInParams,
    responses((status = 200, description = "Done", body = SignInResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn sign_in(
    State(state): State<AppState>,
    parts: Parts,
    StrictJson(params): StrictJson<SignInParams>,
) -> Result<Response, Problem> {
    refuse_other_sites(&parts, &state)?;
    let answer = by_password(&state, &parts, &params).await?;
    answer.ok_or_else(|| Problem::new(ApiCode::Unauthenticated, "the address or the password is not right"))
}

/// The answer that begins a session; nothing where the address or the password is not right.
pub(crate) async fn by_password(
    state: &AppState,
    parts: &Parts,
    params: &SignInParams,
) -> Result<Option<Response>, Problem> {
    let SignInParams { email, password, tenant } = params;
    let (tenant, kind) = (tenant.as_deref(), client(&parts.headers));
    let source = SignInSource {
        address: state.options.trusted_proxies.source(&parts.extensions, &parts.headers),
        device: device(&parts.headers, tenant, email),
        client: kind.as_deref(),
    };
    let Some(mut login) = state.engine.rules().sign_in(tenant, email, password, &source).await? else {
        return Ok(None);
    };
    let known = login.device.take().map(|mark| keep_device(&mark, state));
    let (cookies, response) = begun(login, &parts.headers, state);
    let known = known.map(|cookie| AppendHeaders([(header::SET_COOKIE, cookie)]));
    Ok(Some((set_cookies(cookies), known, Json(response)).into_response()))
}

/// Sign out
///
/// Ends the sessions of this browser, in every tenant. With a key there is nothing to end.
#[utoipa::path(
    post, path = "/api/auth/logout", tag = "sign-in", operation_id = "sign_out", security(("key" = [])),
    responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn sign_out(
    State(state): State<AppState>,
    Auth(caller): Auth,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let rules = state.engine.rules();
    if let Some(token) = token(&headers) {
        rules.sign_out(&caller, token).await?;
    }
    for other in others(&headers) {
        if let Some((person, _)) = rules.signed_in(other).await? {
            rules.sign_out(&person, other).await?;
        }
    }
    Ok((StatusCode::NO_CONTENT, set_cookies(without_session(&state))).into_response())
}
