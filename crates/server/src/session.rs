//! Browsers: a session in a cookie that no script can read, and a second token, in a header, for everything that changes.

use axum::http::{HeaderMap, Method, header, request::Parts};
use toolgate_domain::{Caller, governance::User};
use toolgate_engine::is_csrf_of;

use crate::{ApiCode, AppState, Problem};

pub(crate) const COOKIE: &str = "toolgate_session";
pub(crate) const CSRF_HEADER: &str = "x-csrf-token";

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

pub(crate) fn token(headers: &HeaderMap) -> Option<&str> {
    cookie(headers, COOKIE)
}

/// The person behind a session. A request that may change something must show that one of our own pages made it.
pub(crate) async fn caller(token: &str, parts: &Parts, state: &AppState) -> Result<(Caller, User), Problem> {
    let safe = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&parts.method);
    if !safe {
        let given = parts.headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !is_csrf_of(token, given) {
            let message = format!(
                "a browser's session needs the header `{CSRF_HEADER}` for changes; /api/auth/me tells its value"
            );
            return Err(Problem::new(ApiCode::Forbidden, message));
        }
    }
    let found = state.engine.rules().signed_in(token).await?;
    found.ok_or_else(|| Problem::new(ApiCode::Unauthenticated, "the session is over: sign in again"))
}

/// The cookie that begins or ends a session. `Secure` on anything but plain loopback HTTP, which browsers trust as well.
pub(crate) fn set_cookie(name: &str, value: &str, max_age_s: u64, path: &str, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={value}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={max_age_s}{secure}")
}
