//! Signing in elsewhere: the browser goes to the provider and comes back with a code.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::Deserialize;
use toolgate_domain::governance::OidcIdentity;

use crate::{
    ApiCode, AppState, Problem,
    oidc::{OidcError, Pending, ReturnTo, open, seal},
    page::Params,
    problem::ProblemDocument,
    routes::sign_in::begun,
    run_stream::accepts,
    session::{cookie, set_cookie},
    source::client,
    state::Elsewhere,
};

const PENDING_COOKIE: &str = "toolgate_sign_in";
const PATIENCE_S: u64 = 600;
const PATH: &str = "/api/auth/oidc";

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StartParams {
    /// The tenant's slug; without it the installation's own.
    tenant: Option<String>,
    /// The path to go to afterwards.
    return_to: Option<String>,
}

/// Sign in elsewhere
///
/// Sends the browser to the identity provider.
#[utoipa::path(
    get, path = "/api/auth/oidc/start", tag = "sign-in", operation_id = "start_oidc_sign_in", params(StartParams),
    responses((status = 303, description = "To the identity provider"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    Params(params): Params<StartParams>,
) -> Result<Response, Problem> {
    let elsewhere = elsewhere(&state)?;
    let return_to = match params.return_to {
        Some(path) => ReturnTo::try_from(path)
            .map_err(|e| Problem::new(ApiCode::Malformed, format!("return_to: {e}")))?,
        None => ReturnTo::default(),
    };
    let begun = elsewhere.client.begin().await.map_err(away)?;
    let pending = Pending {
        state: begun.state,
        nonce: begun.nonce,
        code_verifier: begun.code_verifier,
        return_to,
        tenant: params.tenant,
        expires_at: state.engine.clock().now().plus_ms(i64::try_from(PATIENCE_S * 1_000).unwrap_or(i64::MAX)),
    };
    let sealed = seal(&pending, &elsewhere.key).map_err(away)?;
    let kept = set_cookie(PENDING_COOKIE, &sealed, PATIENCE_S, PATH, state.secure_cookies);
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, begun.authorization_url), (header::SET_COOKIE, kept)])
        .into_response())
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CallbackParams {
    code: Option<String>,
    state: Option<String>,
    /// Why the provider did not sign the person in.
    error: Option<String>,
}

/// Come back from elsewhere
///
/// The identity provider sends the browser here. A person is known by issuer and subject; on the first visit by a verified address
/// that somebody entered as a user.
#[utoipa::path(
    get, path = "/api/auth/oidc/callback", tag = "sign-in", operation_id = "finish_oidc_sign_in", params(CallbackParams),
    responses((status = 303, description = "Signed in; to where the browser came from. A browser that is refused goes to the sign-in page, which says why"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn callback(
    State(state): State<AppState>,
    headers: HeaderMap,
    Params(params): Params<CallbackParams>,
) -> Result<Response, Problem> {
    match finish(&state, &headers, params).await {
        // A browser on its way says that it takes pages; a program does not.
        Err(failed) if accepts(&headers, "text/html") => {
            let page = format!("/sign-in?failed={}", failed.why);
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, page)]).into_response())
        }
        Err(failed) => Err(failed.problem),
        Ok(signed_in) => Ok(signed_in),
    }
}

/// Why somebody comes back and is not signed in.
struct Failed {
    /// One word for the sign-in page, which says it in the person's language.
    why: &'static str,
    problem: Problem,
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        Self { why: "unavailable", problem }
    }
}

async fn finish(state: &AppState, headers: &HeaderMap, params: CallbackParams) -> Result<Response, Failed> {
    let elsewhere = elsewhere(state)?;
    let begin_again = |why: &'static str, message: &str| Failed {
        why,
        problem: Problem::new(ApiCode::Malformed, format!("{message}: begin again at {PATH}/start")),
    };
    let sealed = cookie(headers, PENDING_COOKIE).unwrap_or_default();
    let pending = open(sealed, &elsewhere.key, state.engine.clock().now())
        .filter(|pending| pending.is_answered_by(params.state.as_deref().unwrap_or_default()))
        .ok_or_else(|| begin_again("stale", "this browser did not begin this sign-in, or too long ago"))?;
    if params.error.is_some() {
        return Err(begin_again("refused", "the identity provider did not sign you in"));
    }
    let code = params.code.ok_or_else(|| begin_again("refused", "the identity provider sent no code"))?;
    let identity =
        elsewhere.client.finish(&code, &pending.code_verifier, &pending.nonce).await.map_err(away)?;
    let email = identity.email.as_deref().filter(|_| identity.email_verified);
    let known = OidcIdentity { issuer: identity.issuer.clone(), subject: identity.subject.clone() };
    let (rules, kind) = (state.engine.rules(), client(headers));
    let login = rules.sign_in_elsewhere(pending.tenant.as_deref(), &known, email, kind.as_deref()).await;
    let login = login.map_err(Problem::from)?.ok_or_else(|| {
        let message = "nobody here knows this person: an admin can add them as a user, with the address that the provider verified";
        Failed { why: "unknown", problem: Problem::new(ApiCode::Unauthenticated, message) }
    })?;
    let ([session, others], _) = begun(login, headers, state);
    let over = set_cookie(PENDING_COOKIE, "", 0, PATH, state.secure_cookies);
    let cookies = AppendHeaders([session, others, over].map(|cookie| (header::SET_COOKIE, cookie)));
    let to = [(header::LOCATION, pending.return_to.as_str().to_owned())];
    Ok((StatusCode::SEE_OTHER, cookies, to).into_response())
}

fn elsewhere(state: &AppState) -> Result<&Elsewhere, Problem> {
    let missing =
        "signing in elsewhere is not set up: start the server with --oidc-issuer and --oidc-client-id";
    state.options.elsewhere.as_ref().ok_or_else(|| Problem::new(ApiCode::NotFound, missing))
}

/// What went wrong is for the log; the person learns that they can try again.
fn away(error: OidcError) -> Problem {
    tracing::error!(%error, "a person could not sign in elsewhere");
    Problem::new(
        ApiCode::Unavailable,
        "the identity provider could not sign you in: try again; the server's log says more",
    )
}
