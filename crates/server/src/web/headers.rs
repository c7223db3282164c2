//! What every answer says about itself, so that a browser does no more with it than it should.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, header};

/// Of the application's own pages: nothing from elsewhere, no script that is not a file of ours. Styles may stand in the page, because
/// dialogs and editors put some there while they are open.
pub(super) const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Of answers that are no pages: a browser that shows one loads nothing for it.
const DATA_POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What every answer says, unless it says something of its own.
const ALWAYS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (RESOURCE_POLICY, "same-origin"),
    // Data is nobody's to keep; files of the application say for how long they can be kept.
    (header::CACHE_CONTROL, "no-store"),
];

/// What a browser could show as a page says this as well.
const SHOWN: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, DATA_POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Not `no-referrer`: under it a form would be sent with the origin `null`, and be taken for somebody else's.
    (header::REFERRER_POLICY, "same-origin"),
    (PERMISSIONS_POLICY, "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (OPENER_POLICY, "same-origin"),
];

pub(crate) fn complete<B>(mut response: Response<B>) -> Response<B> {
    let headers = response.headers_mut();
    let shown = if is_data(headers) { &[][..] } else { &SHOWN };
    for (name, value) in ALWAYS.iter().chain(shown) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// JSON and streams of events run nothing and load nothing, wherever they are opened: each call spares what only pages need.
fn is_data(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.as_bytes();
        kind.starts_with(b"application/json") || kind.starts_with(b"text/event-stream")
    })
}
