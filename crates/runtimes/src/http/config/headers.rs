//! Which headers a tool may set.

use reqwest::header::{HeaderName, HeaderValue};

const MAX_VALUE_BYTES: usize = 8 * 1024;

/// Headers that belong to the connection, or to the client itself.
const OURS: [&str; 14] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

pub(in crate::http) fn check_name(name: &str) -> Result<HeaderName, String> {
    let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    let parsed: HeaderName = name.parse().map_err(|_| format!("`{shown}` is no name of a header"))?;
    if OURS.contains(&parsed.as_str()) {
        return Err(format!("the header `{shown}` belongs to the connection and cannot be set"));
    }
    Ok(parsed)
}

/// Line breaks would begin a header of the caller's own.
pub(in crate::http) fn check_value(name: &HeaderName, value: &str) -> Result<HeaderValue, String> {
    if value.len() > MAX_VALUE_BYTES {
        return Err(format!("the header `{name}` has more than {MAX_VALUE_BYTES} bytes"));
    }
    HeaderValue::from_str(value).map_err(|_| {
        format!("the header `{name}` holds a line break or another character that headers cannot hold")
    })
}
