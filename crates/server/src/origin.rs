//! Against DNS rebinding: a page on another site must not reach `/mcp` through the browser of somebody on this machine.
//!
//! Such a page makes its own name point here. The browser then says so itself: `Host` has the page's name, and so has `Origin`.
//! Both must be names that are ours. A program that is no browser sends no `Origin`, and any of our names as `Host`.

use std::net::{IpAddr, SocketAddr, SocketAddrV4};

use axum::http::{HeaderMap, HeaderName, Uri, header, uri::Authority};
use url::{Host, Url};

use crate::{ApiCode, AppState, Problem};

/// The names that are ours.
#[derive(Debug, Default)]
pub(crate) struct Names {
    hosts: Vec<Name>,
    /// `scheme://host[:port]`, in the spelling that browsers use.
    origins: Vec<String>,
}

/// A host, and a port where one is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    host: Host<String>,
    port: Option<u16>,
}

impl Names {
    /// What cannot be read names nobody: then a request under that name is refused, and the refusal says which name it was.
    pub(crate) fn new(public_url: Option<&str>, hosts: &[String], origins: &[String]) -> Self {
        let public = public_url.and_then(|url| Url::parse(url).ok());
        let of_url = |url: &Url| Some(Name { host: without_last_dot(url.host()?.to_owned()), port: None });
        let hosts = hosts.iter().filter_map(|host| Name::of_setting(host));
        let origins = origins.iter().filter_map(|origin| spelled(origin));
        Self {
            hosts: public.iter().filter_map(of_url).chain(hosts).collect(),
            origins: public.iter().filter_map(|url| spelled(url.as_str())).chain(origins).collect(),
        }
    }

    /// Whether pages of this origin may call, wherever they come from.
    pub(crate) fn lists_origin(&self, origin: &str) -> bool {
        spelled(origin).is_some_and(|origin| self.origins.contains(&origin))
    }

    /// Whether a request under this name can have been meant for us.
    fn has_host(&self, name: &Name, listening: Option<SocketAddr>) -> bool {
        let is_bound = match (&name.host, listening.map(|at| at.ip())) {
            (Host::Ipv4(ip), Some(bound)) => IpAddr::V4(*ip) == bound,
            (Host::Ipv6(ip), Some(bound)) => IpAddr::V6(*ip) == bound,
            _ => false,
        };
        let fits = |ours: &Name| ours.host == name.host && (ours.port.is_none() || ours.port == name.port);
        is_loopback(&name.host) || is_bound || self.hosts.iter().any(fits)
    }
}

impl Name {
    /// An operator may write a name in its own letters; on the wire it never is.
    fn of_setting(text: &str) -> Option<Self> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if is_number(port) => (host, format!(":{port}")),
            _ => (text, String::new()),
        };
        Self::read(&format!("{}{port}", Host::parse(host).ok()?))
    }

    /// Reads `host` or `host:port`, and nothing that could be read in a second way.
    fn read(text: &str) -> Option<Self> {
        // Most requests name an address, which needs none of the rules by which browsers read a name.
        if let Ok(ip) = text.parse() {
            return Some(Self { host: Host::Ipv4(ip), port: None });
        }
        if let Ok(address) = text.parse::<SocketAddrV4>() {
            return Some(Self { host: Host::Ipv4(*address.ip()), port: Some(address.port()) });
        }
        // `Authority` takes a user's name, too, and `Url` would take it for a host of another spelling.
        let refused = |b: u8| !b.is_ascii_graphic() || matches!(b, b'@' | b'/' | b'\\' | b'?' | b'#' | b'%');
        if text.is_empty() || text.bytes().any(refused) {
            return None;
        }
        let authority: Authority = text.parse().ok()?;
        let port = match text.get(authority.host().len()..)? {
            "" => None,
            rest => Some(rest.strip_prefix(':').filter(|port| is_number(port))?.parse().ok()?),
        };
        Some(Self { host: without_last_dot(Host::parse(authority.host()).ok()?), port })
    }
}

/// Refuses a request that came under a foreign name, or from the page of a foreign site.
pub(crate) fn check(uri: &Uri, headers: &HeaderMap, state: &AppState) -> Result<(), Problem> {
    let listening = state.listening.get().copied();
    judge(uri, headers, &state.names, listening).map_err(|message| Problem::new(ApiCode::Forbidden, message))
}

/// Whether a page of another site asks. A program that is no browser sends neither header.
pub(crate) fn is_foreign_page(uri: &Uri, headers: &HeaderMap, names: &Names) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    if matches!(site, Some("cross-site" | "same-site")) {
        return true;
    }
    let (Ok(host), Ok(origin)) = (one(headers, &header::HOST), one(headers, &header::ORIGIN)) else {
        return true;
    };
    let Some(origin) = origin else {
        return false;
    };
    let named = uri.authority().map(Authority::as_str).or(host).and_then(Name::read);
    !named.is_some_and(|name| is_ours(origin, &name, names))
}

fn judge(
    uri: &Uri,
    headers: &HeaderMap,
    names: &Names,
    listening: Option<SocketAddr>,
) -> Result<(), &'static str> {
    let host = one(headers, &header::HOST)?;
    // A target in absolute form overrules `Host` (RFC 9112, 3.2.2). Nobody but a proxy writes both, and then they agree.
    let target = uri.authority().map(Authority::as_str);
    let named = target.or(host).ok_or("say in `Host` which server you mean")?;
    let name = Name::read(named).ok_or("`Host` is not a name, or a name and a port")?;
    if target.and(host).is_some_and(|host| Name::read(host).as_ref() != Some(&name)) {
        return Err("`Host` and the address of the request name different servers");
    }
    if !names.has_host(&name, listening) {
        return Err(
            "this server does not go by the name in `Host`: use its own, or add the name to mcp_allowed_hosts",
        );
    }
    match one(headers, &header::ORIGIN)? {
        Some(origin) if !is_ours(origin, &name, names) => {
            Err("pages of this `Origin` may not call here: if they should, add it to mcp_allowed_origins")
        }
        _ => Ok(()),
    }
}

/// A header that is there once or not at all: with two, we might look at one and somebody else at the other.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, &'static str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().map(|value| value.to_str()).transpose();
    match (first, all.next()) {
        (Ok(value), None) => Ok(value),
        _ => Err("`Host` and `Origin` may each be there once, in plain letters"),
    }
}

/// Our own page, as far as can be told behind a proxy that ends TLS: the scheme is not known, host and port are.
fn is_ours(origin: &str, name: &Name, names: &Names) -> bool {
    let Some(spelled) = spelled(origin) else {
        return false;
    };
    if names.origins.contains(&spelled) {
        return true;
    }
    let Ok(url) = Url::parse(&spelled) else {
        return false;
    };
    let same_host = url.host().is_some_and(|host| host.to_owned() == name.host);
    let same_port = match name.port {
        Some(port) => url.port_or_known_default() == Some(port),
        None => url.port().is_none(),
    };
    same_host && same_port
}

/// The one spelling of an origin. `null`, which anybody's page can have, has none.
fn spelled(origin: &str) -> Option<String> {
    let url = Url::parse(origin).ok()?;
    let (scheme, rest) = origin.split_once("://")?;
    let is_plain = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !is_plain || rest.is_empty() || rest.contains(['@', '\\', '?', '#']) || !url.has_host() {
        return None;
    }
    if !matches!(url.scheme(), "http" | "https") {
        // Extensions and applications have origins of their own schemes; they are compared as they stand.
        return Some(origin.trim_end_matches('/').to_ascii_lowercase());
    }
    let host = without_last_dot(url.host()?.to_owned());
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://{host}{port}", url.scheme()))
}

/// One dot at the end makes a name absolute; it is the same name.
fn without_last_dot(host: Host<String>) -> Host<String> {
    match host {
        Host::Domain(name) => Host::Domain(name.strip_suffix('.').unwrap_or(&name).to_owned()),
        address => address,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_loopback(host: &Host<String>) -> bool {
    match host {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    fn names() -> Names {
        let hosts = ["tools.internal".to_owned(), "10.0.0.7:8443".to_owned(), "bücher.example".to_owned()];
        let origins = [
            "https://studio.example".to_owned(),
            "http://localhost:6274/".to_owned(),
            "app-one://studio".to_owned(),
            "null".to_owned(),
        ];
        Names::new(Some("https://tools.example/gate"), &hosts, &origins)
    }

    fn asked(target: &str, host: &[&str], origin: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        let value = |text: &&str| HeaderValue::from_bytes(text.as_bytes()).unwrap();
        for text in host {
            headers.append(header::HOST, value(text));
        }
        for text in origin {
            headers.append(header::ORIGIN, value(text));
        }
        let listening = Some(SocketAddr::from(([192, 168, 1, 5], 7080)));
        judge(&target.parse().unwrap(), &headers, &names(), listening).is_ok()
    }

    #[rstest]
    #[case::loopback("127.0.0.1:7080", true)]
    #[case::all_of_loopback("127.9.9.9", true)]
    #[case::loopback_by_name("localhost:7080", true)]
    #[case::uppercase("LOCALHOST:7080", true)]
    #[case::absolute("localhost.:7080", true)]
    #[case::loopback_six("[::1]:7080", true)]
    #[case::loopback_six_in_full("[0:0:0:0:0:0:0:1]:7080", true)]
    #[case::the_bound_address("192.168.1.5:7080", true)]
    #[case::the_public_name("tools.example", true)]
    #[case::the_public_name_with_a_port("TOOLS.example:443", true)]
    #[case::an_allowed_name("tools.internal:9", true)]
    #[case::an_allowed_name_and_port("10.0.0.7:8443", true)]
    #[case::an_allowed_name_in_its_own_letters("xn--bcher-kva.example", true)]
    #[case::another_port_of_it("10.0.0.7:9", false)]
    #[case::a_foreign_name("rebound.example:7080", false)]
    #[case::a_neighbour("192.168.1.6:7080", false)]
    #[case::six_around_loopback("[::ffff:8.8.8.8]", false)]
    #[case::ours_at_the_front("localhost.rebound.example", false)]
    #[case::ours_at_the_end("rebound-localhost", false)]
    #[case::address_at_the_front("127.0.0.1.rebound.example", false)]
    #[case::a_user("localhost@rebound.example", false)]
    #[case::a_user_and_port("localhost:7080@rebound.example", false)]
    #[case::a_user_before_ours("rebound.example@localhost", false)]
    #[case::a_path("localhost/rebound.example", false)]
    #[case::a_backslash("localhost\\rebound.example", false)]
    #[case::two_dots_at_the_end("localhost..", false)]
    #[case::no_number("localhost:http", false)]
    #[case::a_signed_number("localhost:+80", false)]
    #[case::too_large_a_number("localhost:70800", false)]
    #[case::no_port_after_the_colon("localhost:", false)]
    #[case::a_list("localhost, rebound.example", false)]
    #[case::encoded("%6cocalhost", false)]
    #[case::letters_that_look_alike("l\u{043e}calhost", false)]
    #[case::any_address("0.0.0.0:7080", false)]
    #[case::empty("", false)]
    fn a_request_comes_under_a_name_of_ours(#[case] host: &str, #[case] accepted: bool) {
        assert_eq!(asked("/mcp", &[host], &[]), accepted);
    }

    #[test]
    fn a_name_is_said_once() {
        assert!(!asked("/mcp", &[], &[]), "a request without a name is nobody's");
        assert!(!asked("/mcp", &["localhost", "localhost"], &[]));
        assert!(!asked("/mcp", &["localhost", "rebound.example"], &[]));
        assert!(!asked("/mcp", &["localhost"], &["http://localhost", "http://rebound.example"]));
    }

    #[rstest]
    #[case("http://localhost:7080/mcp", "localhost:7080", true)]
    #[case("http://LOCALHOST:7080/mcp", "localhost:7080", true)]
    #[case("http://rebound.example/mcp", "localhost:7080", false)]
    #[case("http://localhost:7080/mcp", "rebound.example", false)]
    #[case("http://rebound.example/mcp", "rebound.example", false)]
    #[case("http://localhost:7080/mcp", "localhost:7081", false)]
    fn a_target_in_absolute_form_is_a_name_too(
        #[case] target: &str,
        #[case] host: &str,
        #[case] accepted: bool,
    ) {
        assert_eq!(asked(target, &[host], &[]), accepted);
    }

    #[rstest]
    #[case::our_own_page("localhost:7080", "http://localhost:7080", true)]
    #[case::uppercase("localhost:7080", "HTTP://LocalHost:7080", true)]
    #[case::behind_a_proxy_with_tls("tools.example", "https://tools.example", true)]
    #[case::the_public_page_under_another_name("127.0.0.1:7080", "https://tools.example", true)]
    #[case::with_the_port_of_the_scheme("tools.example:443", "https://tools.example", true)]
    #[case::six("[::1]:7080", "http://[::1]:7080", true)]
    #[case::an_allowed_site("localhost:7080", "https://studio.example", true)]
    #[case::an_allowed_site_on_this_machine("localhost:7080", "http://localhost:6274", true)]
    #[case::an_allowed_application("localhost:7080", "app-one://studio", true)]
    #[case::another_page_on_this_machine("localhost:7080", "http://localhost:3000", false)]
    #[case::another_name_of_this_machine("localhost:7080", "http://127.0.0.1:7080", false)]
    #[case::a_foreign_site("localhost:7080", "http://rebound.example", false)]
    #[case::a_foreign_site_with_our_port("localhost:7080", "http://rebound.example:7080", false)]
    #[case::the_allowed_site_without_tls("localhost:7080", "http://studio.example", false)]
    #[case::another_port_of_the_allowed_site("localhost:7080", "https://studio.example:8443", false)]
    #[case::allowed_at_the_front("localhost:7080", "https://studio.example.rebound.example", false)]
    #[case::allowed_at_the_end("localhost:7080", "https://rebound-studio.example", false)]
    #[case::allowed_as_a_user("localhost:7080", "https://studio.example@rebound.example", false)]
    #[case::foreign_as_a_user("localhost:7080", "https://rebound.example@studio.example", false)]
    #[case::another_application("localhost:7080", "app-two://studio", false)]
    #[case::nowhere("localhost:7080", "null", false)]
    #[case::a_file("localhost:7080", "file://", false)]
    #[case::no_scheme("localhost:7080", "localhost:7080", false)]
    #[case::slashes_that_lean("localhost:7080", "http:\\\\localhost:7080", false)]
    #[case::a_list("localhost:7080", "http://localhost:7080 http://rebound.example", false)]
    #[case::empty("localhost:7080", "", false)]
    fn a_page_that_calls_is_ours_or_allowed(
        #[case] host: &str,
        #[case] origin: &str,
        #[case] accepted: bool,
    ) {
        assert_eq!(asked("/mcp", &[host], &[origin]), accepted);
    }
}
