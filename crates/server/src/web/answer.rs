//! Which file a request gets, how it is packed, and for how long a browser can keep it.

use std::borrow::Cow;

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use bytes::Bytes;

use super::{
    headers::PAGE_POLICY,
    site::{Built, File, Site},
};
use crate::{ApiCode, Problem};

const INDEX: &str = "index.html";
const UNBUILT: &str = include_str!("unbuilt.html");

/// The first part of paths that are not the application's. What is not found below them is an error, in the API's own words.
const RESERVED: [&str; 9] =
    ["api", "ai", "mcp", "docs", "openapi.json", "healthz", "readyz", "metrics", ".well-known"];

/// Files whose name changes with what is in them.
const HASHED: &str = "assets/";

/// How a file lies packed beside itself: the encoding, and the end of its name. The best first.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers whatever no route answers: with a file of the application, with its page (which finds its own way by the path), or not.
pub(crate) async fn app(request: Request) -> Response {
    respond(&Built, &request)
}

/// One of the built files.
pub(crate) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    found(&Built, path, headers)
}

fn respond(site: &impl Site, request: &Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || RESERVED.contains(&first) {
        return nothing();
    }
    if let Some(response) = found(site, path, request.headers()) {
        return response;
    }
    let is_page = path.is_empty() || wants_page(request.headers());
    if path.starts_with(HASHED) || !is_page {
        return nothing();
    }
    found(site, INDEX, request.headers()).unwrap_or_else(|| {
        let headers = [(header::CONTENT_SECURITY_POLICY, PAGE_POLICY), (header::CACHE_CONTROL, "no-cache")];
        (headers, Html(UNBUILT)).into_response()
    })
}

fn nothing() -> Response {
    Problem::new(ApiCode::NotFound, "there is nothing at this path; /docs lists what there is")
        .into_response()
}

/// A browser that goes somewhere asks for a page; a script, an image or a program asks for something else.
fn wants_page(headers: &HeaderMap) -> bool {
    listed(headers, &header::ACCEPT, "text/html")
}

fn found(site: &impl Site, path: &str, headers: &HeaderMap) -> Option<Response> {
    let file = site.file(path).filter(|_| is_public(path))?;
    let packed = PACKED
        .iter()
        .filter(|(encoding, _)| listed(headers, &header::ACCEPT_ENCODING, encoding))
        .find_map(|(encoding, end)| Some((*encoding, site.file(&format!("{path}{end}"))?)));
    let keep = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY)),
        (header::ETAG, tag(&file, packed.as_ref().map(|(encoding, _)| *encoding))?),
    ];
    if is_known(headers, &common[3].1) {
        return Some((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let kind = [(header::CONTENT_TYPE, kind_of(path))];
    Some(match packed {
        Some((encoding, packed)) => {
            (common, kind, [(header::CONTENT_ENCODING, encoding)], body(packed)).into_response()
        }
        None => (common, kind, body(file)).into_response(),
    })
}

/// Not what only lies there to be packed in, nor what begins with a dot.
fn is_public(path: &str) -> bool {
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    !hidden && !PACKED.iter().any(|(_, end)| path.ends_with(end))
}

/// What is in the file, and how it is packed: the same file packed in another way is another answer.
fn tag(file: &File, encoding: Option<&str>) -> Option<HeaderValue> {
    let hash: String = file.sha256.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::try_from(format!("\"{hash}{}\"", encoding.map(|e| format!("-{e}")).unwrap_or_default())).ok()
}

fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .any(|one| one.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
}

/// Whether the header lists the value, and does not refuse it.
fn listed(headers: &HeaderMap, name: &HeaderName, wanted: &str) -> bool {
    let lines = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts.next().is_some_and(|value| value.eq_ignore_ascii_case(wanted));
        let refused = |part: &str| {
            part.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).is_some_and(|weight| weight <= 0.0)
        };
        named && !parts.any(refused)
    })
}

fn body(file: File) -> Body {
    Body::from(match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    })
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
