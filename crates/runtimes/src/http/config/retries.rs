//! When a request is sent again.

use reqwest::{Method, header::HeaderName};

use super::{fields::Fields, headers::check_name};
use crate::http::HttpLimits;

const DEFAULT_MAX: u64 = 2;
const DEFAULT_BACKOFF_MS: u64 = 200;

#[derive(Clone, Debug)]
pub(in crate::http) struct Retries {
    /// Attempts after the first.
    pub(in crate::http) max: u64,
    pub(in crate::http) backoff_ms: u64,
    /// A header that carries the call's id, the same in every attempt: a host that knows it acts once.
    pub(in crate::http) idempotency_header: Option<HeaderName>,
}

pub(super) fn parse(outer: &Fields<'_>, method: &Method, limits: &HttpLimits) -> Result<Retries, String> {
    let fields = outer.inner("retries", &["max", "backoff_ms", "idempotency_header"])?;
    let Some(fields) = fields else {
        let max = if is_idempotent(method) { DEFAULT_MAX.min(limits.max_retries) } else { 0 };
        return Ok(Retries { max, backoff_ms: DEFAULT_BACKOFF_MS, idempotency_header: None });
    };
    let idempotency_header = fields
        .text("idempotency_header")?
        .map(|name| check_name(name).map_err(|e| fields.bad("idempotency_header", e)))
        .transpose()?;
    let repeatable = is_idempotent(method) || idempotency_header.is_some();
    let max = fields.number("max", 0, limits.max_retries)?;
    if max.is_some_and(|max| max > 0) && !repeatable {
        return Err(fields.bad(
            "max",
            format!(
                "repeats a {method}, which may act twice: name an `idempotency_header` that the host knows"
            ),
        ));
    }
    Ok(Retries {
        max: max.unwrap_or(if repeatable { DEFAULT_MAX.min(limits.max_retries) } else { 0 }),
        backoff_ms: fields.number("backoff_ms", 1, 60_000)?.unwrap_or(DEFAULT_BACKOFF_MS),
        idempotency_header,
    })
}

fn is_idempotent(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS].contains(method)
}
