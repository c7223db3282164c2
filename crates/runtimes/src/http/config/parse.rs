//! From the execution block to a plan.

use reqwest::{
    Method,
    header::{CONTENT_TYPE, HeaderName},
};
use serde_json::{Map, Value};
use toolgate_domain::rate::RateLimit;

use super::{
    Mapping, MappingTarget, Plan, Preview, StatusRange, TextTemplate, UrlTemplate, auth, body,
    fields::Fields,
    headers::{check_name, check_value},
    pagination,
    plan::Query,
    retries,
};
use crate::http::{HttpLimits, wall::Wall};

const KEYS: &[&str] = &[
    "method",
    "url",
    "headers",
    "query",
    "body",
    "form",
    "auth",
    "pagination",
    "response",
    "retries",
    "timeout_ms",
    "max_response_bytes",
    "follow_redirects",
    "max_redirects",
    "response_headers",
    "per_host",
    "accept_status",
    "preview",
];
/// Headers of a response that tell about the content, and no more.
const DEFAULT_RESPONSE_HEADERS: [&str; 6] =
    ["content-type", "content-language", "etag", "last-modified", "location", "retry-after"];
/// Headers that would hand a caller what belongs to the tool.
const NEVER_SHOWN: [&str; 3] = ["set-cookie", "www-authenticate", "authorization"];
const MAX_LISTED: usize = 50;

/// Reads and checks an execution block.
pub(in crate::http) fn parse(
    config: &Map<String, Value>,
    limits: &HttpLimits,
    wall: &Wall,
) -> Result<Plan, String> {
    let fields = Fields::new("", config, KEYS)?;
    let method = method(&fields)?;
    let url = UrlTemplate::parse(fields.required_text("url")?).map_err(|e| fields.bad("url", e))?;
    wall.screen(url.origin().as_str()).map_err(|e| fields.bad("url", format!("cannot be used: {e}")))?;
    let headers = headers(&fields)?;
    let content_type =
        headers.iter().find(|(name, _)| *name == CONTENT_TYPE).and_then(|(_, value)| value.literal());
    let body = body::parse(&fields, content_type)?;
    if body.is_some() && [Method::GET, Method::HEAD].contains(&method) {
        return Err(fields.bad("body", format!("does not go with {method}")));
    }
    let pagination = pagination::parse(&fields, limits)?;
    if pagination.is_some() && method != Method::GET {
        return Err(fields.bad("pagination", "goes with GET only"));
    }
    let max_redirects =
        fields.number("max_redirects", 0, limits.max_redirects)?.unwrap_or(limits.max_redirects);
    let follows = fields.flag("follow_redirects")?.unwrap_or(true);
    Ok(Plan {
        query: body::pairs(&fields, "query")?.unwrap_or_default(),
        auth: auth::parse(&fields, wall)?,
        mapping: mapping(&fields)?,
        retries: retries::parse(&fields, &method, limits)?,
        timeout_ms: fields
            .number("timeout_ms", 1, limits.max_timeout_ms)?
            .unwrap_or(limits.default_timeout_ms.min(limits.max_timeout_ms)),
        max_response_bytes: fields
            .number("max_response_bytes", 1, limits.max_response_bytes)?
            .unwrap_or(limits.default_response_bytes.min(limits.max_response_bytes)),
        max_redirects: if follows { max_redirects } else { 0 },
        response_headers: response_headers(&fields)?,
        per_host: per_host(&fields)?,
        accept_status: accept_status(&fields)?,
        preview: preview(&fields)?,
        method,
        url,
        headers,
        body,
        pagination,
    })
}

fn method(fields: &Fields<'_>) -> Result<Method, String> {
    let choices = [
        Method::GET,
        Method::HEAD,
        Method::OPTIONS,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
    ];
    let text = fields.text("method")?.unwrap_or("GET").to_ascii_uppercase();
    choices
        .into_iter()
        .find(|method| method.as_str() == text)
        .ok_or_else(|| fields.bad("method", "is GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE"))
}

fn headers(fields: &Fields<'_>) -> Result<Vec<(HeaderName, TextTemplate)>, String> {
    let pairs = body::pairs(fields, "headers")?.unwrap_or_default();
    let header = |(name, template): (String, TextTemplate)| {
        let name = check_name(&name).map_err(|e| fields.bad("headers", format!("cannot be sent: {e}")))?;
        if let Some(literal) = template.literal() {
            check_value(&name, literal).map_err(|e| fields.bad("headers", format!("cannot be sent: {e}")))?;
        }
        Ok((name, template))
    };
    pairs.into_iter().map(header).collect()
}

fn mapping(fields: &Fields<'_>) -> Result<Option<Mapping>, String> {
    if let Some(Value::String(_)) = fields.get("response") {
        let query = Query::parse(fields, "response")?;
        return Ok(query.map(|query| Mapping { query, target: MappingTarget::Body }));
    }
    let Some(inner) = fields.inner("response", &["query", "as"])? else { return Ok(None) };
    let query = Query::parse(&inner, "query")?.ok_or_else(|| inner.bad("query", "is missing"))?;
    let target = inner.choice("as", &[("body", MappingTarget::Body), ("output", MappingTarget::Output)])?;
    Ok(Some(Mapping { query, target: target.unwrap_or(MappingTarget::Body) }))
}

fn response_headers(fields: &Fields<'_>) -> Result<Vec<HeaderName>, String> {
    if fields.get("response_headers").is_none() {
        return Ok(DEFAULT_RESPONSE_HEADERS.iter().filter_map(|name| name.parse().ok()).collect());
    }
    let listed = fields.list("response_headers", MAX_LISTED)?;
    let named = |value: &Value| {
        let name = value.as_str().and_then(|name| name.parse::<HeaderName>().ok());
        let name = name.ok_or_else(|| fields.bad("response_headers", "is a list of names of headers"))?;
        if NEVER_SHOWN.contains(&name.as_str()) {
            return Err(
                fields.bad("response_headers", format!("cannot show `{name}`, which is the tool's own"))
            );
        }
        Ok(name)
    };
    listed.iter().map(named).collect()
}

fn per_host(fields: &Fields<'_>) -> Result<Option<RateLimit>, String> {
    let Some(inner) = fields.inner("per_host", &["max_concurrent", "limit", "window_s"])? else {
        return Ok(None);
    };
    let small = |key: &str, max: u64| {
        inner.number(key, 1, max).map(|number| number.and_then(|number| u32::try_from(number).ok()))
    };
    let (limit, window_s) = (small("limit", 1_000_000)?, small("window_s", 86_400)?);
    if limit.is_some() != window_s.is_some() {
        return Err(fields.bad("per_host", "has `limit` and `window_s`, or neither"));
    }
    Ok(Some(RateLimit {
        limit: limit.unwrap_or(1_000_000),
        window_s: window_s.unwrap_or(1),
        concurrency: small("max_concurrent", 1_000)?,
    }))
}

/// `404`, or `"400-499"`.
fn accept_status(fields: &Fields<'_>) -> Result<Vec<StatusRange>, String> {
    let bad = || fields.bad("accept_status", "is a list of statuses such as 404 or \"400-499\"");
    let range = |value: &Value| {
        let (first, last) = match value {
            Value::Number(number) => {
                let status = number.as_u64().and_then(|status| u16::try_from(status).ok());
                (status, status)
            }
            Value::String(text) => {
                let (first, last) = text.split_once('-').unwrap_or((text, text));
                (first.trim().parse().ok(), last.trim().parse().ok())
            }
            _ => (None, None),
        };
        match (first, last) {
            (Some(first), Some(last)) if (100..=599).contains(&first) && first <= last && last <= 599 => {
                Ok(StatusRange { first, last })
            }
            _ => Err(bad()),
        }
    };
    fields.list("accept_status", MAX_LISTED)?.iter().map(range).collect()
}

fn preview(fields: &Fields<'_>) -> Result<Preview, String> {
    let choices = [
        ("auto", Preview::Auto),
        ("json", Preview::Json),
        ("text", Preview::Text),
        ("html", Preview::Html),
        ("csv", Preview::Csv),
        ("blob", Preview::Blob),
    ];
    Ok(fields.choice("preview", &choices)?.unwrap_or(Preview::Auto))
}
