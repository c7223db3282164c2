//! What goes out and what comes back.

use bytes::Bytes;
use reqwest::{
    Method, StatusCode,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use tokio::time::Instant;
use url::Url;

/// One request, ready to be sent.
#[derive(Clone)]
pub(in crate::http) struct Outgoing {
    pub(in crate::http) method: Method,
    pub(in crate::http) url: Url,
    pub(in crate::http) headers: HeaderMap,
    pub(in crate::http) body: Option<Bytes>,
}

impl Outgoing {
    /// Sets a header that tells who asks; it is not shown in traces of the client.
    pub(in crate::http) fn set_sensitive(&mut self, name: HeaderName, mut value: HeaderValue) {
        value.set_sensitive(true);
        self.headers.insert(name, value);
    }
}

/// How far one request may go.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct Bounds {
    pub(in crate::http) deadline: Instant,
    /// What the deadline was made of, for the message.
    pub(in crate::http) timeout_ms: u64,
    pub(in crate::http) max_redirects: u64,
    pub(in crate::http) max_response_bytes: u64,
}

/// A response whose body was read, as far as it may be.
#[derive(Debug)]
pub(in crate::http) struct Response {
    pub(in crate::http) status: StatusCode,
    pub(in crate::http) headers: HeaderMap,
    /// Unpacked.
    pub(in crate::http) body: Bytes,
    /// Whether there was more of the body.
    pub(in crate::http) truncated: bool,
    /// Where the last hop went.
    pub(in crate::http) url: Url,
}
