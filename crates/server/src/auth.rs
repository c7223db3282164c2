//! Who is asking. Without a caller there is no data.

use std::marker::PhantomData;

use axum::{
    extract::{FromRequestParts, Request},
    http::{HeaderMap, header, request::Parts},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use toolgate_domain::{Caller, Scope};

use crate::{ApiCode, AppState, Problem, access, powers, session};

/// How a browser asks its user for a key.
pub(crate) const CHALLENGE: &str = "Basic realm=\"toolgate: any name, and a key as the password\"";

/// A verified caller, taken from the request's key, access token or session.
pub(crate) struct Auth(pub(crate) Caller);

impl Auth {
    pub(crate) fn require(self, scope: Scope) -> Result<Caller, Problem> {
        if self.0.may(scope) {
            return Ok(self.0);
        }
        Err(Problem::new(
            ApiCode::Forbidden,
            format!("this needs {scope}: use a key that has the scope, or ask for a role that grants it"),
        )
        .needing(scope))
    }
}

/// A caller who holds the scope `S`. As an extractor it comes before the body: who may not ask is not listened to.
pub(crate) struct Needs<S>(pub(crate) Caller, pub(crate) PhantomData<S>);

pub(crate) trait RequiredScope {
    const SCOPE: Scope;
}

macro_rules! required {
    ($($name:ident)*) => {$(
        pub(crate) struct $name;
        impl RequiredScope for $name {
            const SCOPE: Scope = Scope::$name;
        }
    )*};
}

required! {
    ToolsRead ToolsExecute ToolsWrite InvocationsRead ApprovalsDecide TasksWork MetricsRead AgentsRead AgentsWrite PoliciesRead
    PoliciesWrite PeopleRead PeopleWrite AuditRead WebhooksWrite Admin
}

impl<S: RequiredScope> FromRequestParts<AppState> for Needs<S> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let auth = Auth::from_request_parts(parts, state).await?;
        Ok(Self(auth.require(S::SCOPE)?, PhantomData))
    }
}

impl FromRequestParts<AppState> for Auth {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        if let Some(key) = bearer(&parts.headers) {
            let caller = authenticate(&key, state).await?;
            powers::refuse_agent(&caller, parts)?;
            return Ok(Self(caller));
        }
        match session::token(&parts.headers) {
            Some(token) => Ok(Self(Box::pin(session::caller(token, parts, state)).await?.0)),
            None => {
                let missing =
                    "send a key: `Authorization: Bearer tg_…` (the first start printed one), or sign in";
                Err(Problem::new(ApiCode::Unauthenticated, missing))
            }
        }
    }
}

/// Any caller, known by a bearer key or by the password of basic authentication, which is all that a browser can send.
/// For pages that only show: a browser sends that password on its own, so nothing that changes may accept it.
pub(crate) async fn reader(headers: &HeaderMap, state: &AppState) -> Result<Caller, Problem> {
    match bearer(headers).or_else(|| basic_password(headers)) {
        Some(key) => authenticate(&key, state).await,
        None => {
            Err(Problem::new(ApiCode::Unauthenticated, "send a key: any name, and the key as the password"))
        }
    }
}

/// The one behind a browser: signed in, or by key as [`reader`] takes it. The browser is told how it can ask its user for a key.
pub(crate) async fn browser(request: Request, state: &AppState) -> Result<Caller, Problem> {
    let (mut parts, _) = request.into_parts();
    let known = match basic_password(&parts.headers) {
        Some(key) => authenticate(&key, state).await,
        None => Auth::from_request_parts(&mut parts, state).await.map(|Auth(caller)| caller),
    };
    known.map_err(|problem| problem.with_challenge(CHALLENGE))
}

/// By a key of ours, or by the access token of an issuer that the operator trusts.
async fn authenticate(credential: &str, state: &AppState) -> Result<Caller, Problem> {
    if access::is_token(credential) {
        // In a box, so that the many who bring a key carry no room for it.
        return Box::pin(access::caller(credential, state)).await.map_err(Problem::of_credential);
    }
    let caller = state.engine.keys().authenticate(credential).await?;
    caller.ok_or_else(|| {
        Problem::new(ApiCode::Unauthenticated, "the key is not valid: it is unknown, expired or revoked")
            .of_credential()
    })
}

fn credentials<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let (given, credentials) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then(|| credentials.trim())
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    credentials(headers, "bearer").map(str::to_owned)
}

fn basic_password(headers: &HeaderMap) -> Option<String> {
    let decoded = String::from_utf8(BASE64_STANDARD.decode(credentials(headers, "basic")?).ok()?).ok()?;
    decoded.split_once(':').map(|(_, password)| password.to_owned())
}
