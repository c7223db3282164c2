//! Which headers an upstream's document may set.

use std::collections::BTreeMap;

use reqwest::header::HeaderName;

/// Headers that belong to the connection, or to the protocol itself.
const OURS: [&str; 19] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

pub(super) fn check_headers(headers: &BTreeMap<String, String>) -> Result<(), String> {
    for name in headers.keys() {
        let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        let parsed: HeaderName =
            name.parse().map_err(|_| format!("headers: `{shown}` is no name of a header"))?;
        if OURS.contains(&parsed.as_str()) {
            return Err(format!("headers: `{shown}` belongs to the connection and cannot be set"));
        }
    }
    Ok(())
}
