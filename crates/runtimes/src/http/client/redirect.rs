//! Where a redirect leads, and what of the request goes with it.

use reqwest::{
    Method, StatusCode,
    header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderMap, LOCATION, USER_AGENT},
};

use super::{Failure, Outgoing};

/// The request that a response asks for instead; `None` when it asks for none.
pub(super) fn next(
    sent: &Outgoing,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Outgoing>, Failure> {
    let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let Some(location) = headers.get(LOCATION).filter(|_| is_redirect) else {
        return Ok(None);
    };
    let refused = |message: &str| Failure::provider("redirect", message);
    let location = location.to_str().map_err(|_| refused("the host redirects to what is no url"))?;
    let mut url = sent.url.join(location).map_err(|_| refused("the host redirects to what is no url"))?;
    url.set_fragment(None);
    if sent.url.scheme() == "https" && url.scheme() != "https" {
        return Err(refused("the host redirects from https to what is not encrypted: that is not followed"));
    }
    let becomes_get = match status.as_u16() {
        303 => sent.method != Method::HEAD,
        301 | 302 => sent.method == Method::POST,
        _ => false,
    };
    let mut followed = Outgoing { url, ..sent.clone() };
    if becomes_get {
        followed.method = Method::GET;
        followed.body = None;
        followed.headers.remove(CONTENT_TYPE);
    }
    if sent.url.origin() != followed.url.origin() {
        let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&followed.method);
        if followed.body.is_some() || !reads {
            return Err(refused("the host redirects a change to another host: that is not followed"));
        }
        followed.headers = harmless(&sent.headers);
    }
    Ok(Some(followed))
}

/// What says nothing of who asks. Any other header may hold a secret, whatever it is called.
fn harmless(headers: &HeaderMap) -> HeaderMap {
    [ACCEPT, ACCEPT_LANGUAGE, USER_AGENT]
        .into_iter()
        .filter_map(|name| {
            headers.get(&name).filter(|value| !value.is_sensitive()).cloned().map(|value| (name, value))
        })
        .collect()
}
