//! Who is asking. Without a caller there is no data.

use std::marker::PhantomData;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use toolgate_domain::{Caller, Scope};

use crate::{ApiCode, AppState, Problem};

/// A verified caller, taken from the request's key.
pub(crate) struct Auth(pub(crate) Caller);

impl Auth {
    pub(crate) fn require(self, scope: Scope) -> Result<Caller, Problem> {
        if self.0.may(scope) {
            return Ok(self.0);
        }
        Err(Problem::new(
            ApiCode::Forbidden,
            format!("this needs the scope {scope}: use a key that has it"),
        ))
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

required! { ToolsRead ToolsExecute ToolsWrite InvocationsRead MetricsRead Admin }

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
        let denied = |detail: &str| Problem::new(ApiCode::Unauthenticated, detail);
        let key = key_of(&parts.headers).ok_or_else(|| {
            denied("send a key: `Authorization: Bearer tg_…` (the first start printed one)")
        })?;
        match state.engine.keys().authenticate(&key).await? {
            Some(caller) => Ok(Self(caller)),
            None => Err(denied("the key is not valid: it is unknown, expired or revoked")),
        }
    }
}

/// The key of a bearer token, or the password of basic authentication: browsers can send only the latter.
fn key_of(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credentials) = value.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(credentials.trim().to_owned());
    }
    if scheme.eq_ignore_ascii_case("basic") {
        let decoded = String::from_utf8(BASE64_STANDARD.decode(credentials.trim()).ok()?).ok()?;
        return decoded.split_once(':').map(|(_, password)| password.to_owned());
    }
    None
}
