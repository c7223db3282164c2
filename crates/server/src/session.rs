//! Browsers: a session in a cookie that no script can read, and a second token, in a header, for everything that changes.

use axum::http::{HeaderMap, Method, header, request::Parts};
use toolgate_domain::{Caller, governance::User};
use toolgate_engine::{DeviceMark, device_mark_name, is_csrf_of, tenant_of_login};

use crate::{ApiCode, AppState, Problem, origin::is_foreign_page};

pub(crate) const COOKIE: &str = "toolgate_session";
/// Sessions in other tenants, which a person can switch to.
const OTHERS_COOKIE: &str = "toolgate_sessions";
/// How the cookie begins that knows a browser again; the account follows.
const DEVICE_COOKIE: &str = "toolgate_device_";
const DEVICE_PATH: &str = "/api/auth/login";
/// Tenants that a browser can be signed in to beside the one in use.
const MAX_OTHERS: usize = 7;
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

/// The token of the session that asks; none where a key does, whose bearer may have a cookie as well.
pub(crate) fn current<'a>(caller: &Caller, headers: &'a HeaderMap) -> Option<&'a str> {
    // Only a browser's session has no scopes.
    if caller.scopes.is_empty() { token(headers) } else { None }
}

/// The person behind a session. A request that may change something must show that one of our own pages made it.
pub(crate) async fn caller(token: &str, parts: &Parts, state: &AppState) -> Result<(Caller, User), Problem> {
    let safe = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&parts.method);
    if !safe {
        refuse_other_sites(parts, state)?;
        let given = parts.headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !is_csrf_of(token, given) {
            let message = format!(
                "a browser's session needs the header `{CSRF_HEADER}` for changes; /api/auth/me tells its value"
            );
            return Err(Problem::new(ApiCode::Forbidden, message));
        }
    }
    let found = state.engine.rules().use_login(token).await?;
    found.ok_or_else(|| Problem::new(ApiCode::Unauthenticated, "the session is over: sign in again"))
}

/// Another site must not change anything for a person, nor sign one in as somebody else.
pub(crate) fn refuse_other_sites(parts: &Parts, state: &AppState) -> Result<(), Problem> {
    if is_foreign_page(&parts.uri, &parts.headers, &state.names) {
        let message =
            "only Toolgate's own pages may do this; behind a proxy, the public URL says which those are";
        return Err(Problem::new(ApiCode::Forbidden, message));
    }
    Ok(())
}

/// The sessions that the browser keeps beside the one in use, each in another tenant.
pub(crate) fn others(headers: &HeaderMap) -> Vec<&str> {
    let kept = cookie(headers, OTHERS_COOKIE).unwrap_or_default();
    kept.split('.').filter(|token| !token.is_empty()).take(MAX_OTHERS).collect()
}

/// The cookies of a browser that uses this session from now on. What it used before is kept, one session in a tenant.
pub(crate) fn use_session(token: &str, headers: &HeaderMap, state: &AppState) -> [String; 2] {
    let mut tenants = vec![tenant_of_login(token)];
    let mut kept = Vec::new();
    for other in self::token(headers).into_iter().chain(others(headers)) {
        let tenant = tenant_of_login(other);
        if tenant.is_some() && !tenants.contains(&tenant) && kept.len() < MAX_OTHERS {
            tenants.push(tenant);
            kept.push(other);
        }
    }
    let ttl_s = state.engine.limits().login_ttl_s;
    let set = |name, value: &str, ttl_s| set_cookie(name, value, ttl_s, "/", state.secure_cookies);
    let others = kept.join(".");
    [set(COOKIE, token, ttl_s), set(OTHERS_COOKIE, &others, if kept.is_empty() { 0 } else { ttl_s })]
}

/// The mark that a browser keeps of having signed in to an account before. It is sent where one signs in, and nowhere else.
pub(crate) fn device<'a>(headers: &'a HeaderMap, tenant: Option<&str>, email: &str) -> Option<&'a str> {
    cookie(headers, &format!("{DEVICE_COOKIE}{}", device_mark_name(tenant, email)))
}

pub(crate) fn keep_device(mark: &DeviceMark, state: &AppState) -> String {
    let (name, ttl_s) = (format!("{DEVICE_COOKIE}{}", mark.name), state.engine.limits().sign_in_device_s);
    set_cookie(&name, &mark.value, ttl_s, DEVICE_PATH, state.secure_cookies)
}

/// The cookies of a browser that has no session any more.
pub(crate) fn without_session(state: &AppState) -> [String; 2] {
    [COOKIE, OTHERS_COOKIE].map(|name| set_cookie(name, "", 0, "/", state.secure_cookies))
}

/// The cookie that begins or ends a session. `Secure` on anything but plain loopback HTTP, which browsers trust as well.
pub(crate) fn set_cookie(name: &str, value: &str, max_age_s: u64, path: &str, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={value}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={max_age_s}{secure}")
}
