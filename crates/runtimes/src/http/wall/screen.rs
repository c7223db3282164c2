//! The part of the judgement that needs no name server: what the URL itself says.

use std::net::IpAddr;

use url::{Host, Url};

use super::{
    AllowHosts, Place,
    allow::bare,
    judge::{Refusal, Target},
    place,
};

const MAX_URL_BYTES: usize = 8 * 1024;

/// Names that lead inside whatever they resolve to.
const INSIDE_NAMES: [&str; 4] = ["localhost", "metadata", "metadata.google.internal", "instance-data"];
const INSIDE_SUFFIXES: [&str; 6] =
    [".localhost", ".internal", ".local", ".localdomain", ".home.arpa", ".in-addr.arpa"];

/// Parses a URL and judges what can be judged without resolving anything.
pub(super) fn screen(text: &str, allow: &AllowHosts) -> Result<(Url, Target), Refusal> {
    if text.len() > MAX_URL_BYTES {
        return Err(Refusal::Url(format!("the url has more than {MAX_URL_BYTES} bytes")));
    }
    // The parser would strip these in silence, and what was checked elsewhere would not be what is used.
    if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
        return Err(Refusal::Url("the url holds a space, a backslash or a control character".to_owned()));
    }
    // `http:host`, `http:/host` and `http:///host` are all mended by the parser, and read differently by others.
    if text.split_once("://").is_none_or(|(_, rest)| rest.starts_with('/')) {
        return Err(Refusal::Url("the url is written scheme://host/path".to_owned()));
    }
    let url =
        Url::parse(text).map_err(|error| Refusal::Url(format!("the url cannot be understood: {error}")))?;
    let target = target(&url, allow)?;
    Ok((url, target))
}

/// Judges a URL that is parsed already.
pub(super) fn target(url: &Url, allow: &AllowHosts) -> Result<Target, Refusal> {
    if !matches!(url.scheme(), "http" | "https") {
        let scheme: String = url.scheme().chars().take(20).collect();
        return Err(Refusal::Url(format!("only http and https are spoken, not `{scheme}`")));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::Url("the url carries credentials: use `auth` with a secret".to_owned()));
    }
    let port = url.port_or_known_default().filter(|port| *port != 0);
    let port = port.ok_or_else(|| Refusal::Url("the url names no port that can be reached".to_owned()))?;
    match url.host() {
        None => Err(Refusal::Url("the url names no host".to_owned())),
        Some(Host::Ipv4(ip)) => literal(IpAddr::V4(ip), port, allow),
        Some(Host::Ipv6(ip)) => literal(IpAddr::V6(ip), port, allow),
        Some(Host::Domain(name)) => {
            let host = bare(name).to_owned();
            if host.is_empty() || host.ends_with('.') {
                return Err(Refusal::Url("the url names no host".to_owned()));
            }
            let by_name = allow.allows_name(&host, port);
            if !by_name && is_inside(&host) {
                return Err(Refusal::Inside { host });
            }
            Ok(Target::Name { host, port, by_name })
        }
    }
}

fn literal(ip: IpAddr, port: u16, allow: &AllowHosts) -> Result<Target, Refusal> {
    match place(ip) {
        Place::Public => Ok(Target::Address),
        _ if allow.allows_address(ip, port) => Ok(Target::Address),
        place => Err(Refusal::Address { host: ip.to_string(), place }),
    }
}

fn is_inside(host: &str) -> bool {
    INSIDE_NAMES.contains(&host) || INSIDE_SUFFIXES.iter().any(|suffix| host.ends_with(suffix))
}
