//! Pages of other sites that the operator named may use `/mcp` from a browser (CORS). Pages of any other site are told nothing.

use axum::{
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::AppState;

/// What a page may read of an answer, beside what every page may.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after, x-request-id",
);
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
/// How long a browser need not ask again.
const MAX_AGE_S: HeaderValue = HeaderValue::from_static("600");

/// A page of a site that the operator named.
pub(crate) struct Page(HeaderValue);

impl Page {
    /// Nothing, where a program asks, or our own page, or one that was not named.
    pub(crate) fn of(headers: &HeaderMap, state: &AppState) -> Option<Self> {
        let origin = headers.get(header::ORIGIN)?;
        origin.to_str().is_ok_and(|origin| state.names.lists_origin(origin)).then(|| Self(origin.clone()))
    }

    /// Lets the page read an answer. No cookies come with it: whoever asks has a key or a token.
    pub(crate) fn reads(self, mut answer: Response) -> Response {
        let headers = answer.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.0);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        answer
    }

    /// Answers a browser that asks whether the page may ask, before it does.
    pub(crate) fn preflight(self, asked: &HeaderMap) -> Response {
        let mut answer = StatusCode::NO_CONTENT.into_response();
        let headers = answer.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_S);
        // The protocol has headers whose names depend on the tool; a page that may call may send any.
        if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
        }
        self.reads(answer)
    }
}

/// Whether a browser asks on behalf of a page.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}
