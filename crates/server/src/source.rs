//! Where a request comes from: the address in the network, and the kind of client.

use std::net::{IpAddr, SocketAddr};

use axum::http::{Extensions, HeaderMap, HeaderName, header};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Characters of a client's name that are kept.
const CLIENT_CHARS: usize = 60;

/// The other end of the connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Proxies that tell the truth about whom they speak for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no proxy that can be trusted: write an address, or a network such as 10.0.0.0/8")]
pub struct NoProxy(String);

impl TrustedProxies {
    pub fn parse<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Self, NoProxy> {
        let network = |text: &str| {
            let text = text.trim();
            text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        };
        let all = texts.into_iter().map(|text| {
            network(text.as_ref()).map_err(|_| NoProxy(text.as_ref().chars().take(64).collect()))
        });
        all.collect::<Result<_, _>>().map(Self)
    }

    fn hold(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The address that a request comes from. The forwarded list is read from its end, which the proxy itself wrote: everything before
    /// the first address that is no trusted proxy's is the word of a stranger.
    pub(crate) fn source(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
        let mut source = extensions.get::<Peer>()?.0.to_canonical();
        let forwarded = headers.get_all(FORWARDED_FOR).iter().rev();
        let hops = forwarded.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        for hop in hops {
            if !self.hold(source) {
                break;
            }
            let Some(before) = address(hop.trim()) else { break };
            source = before.to_canonical();
        }
        Some(source)
    }
}

/// `192.0.2.7`, `192.0.2.7:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// The kind of client, in words that a person knows again: `Firefox on Linux`. The first that fits counts, because browsers name others.
pub(crate) fn client(headers: &HeaderMap) -> Option<String> {
    const BROWSERS: [(&str, &str); 7] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 7] = [
        ("Windows", "Windows"),
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iOS"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ];
    let told = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let named = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| told.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (Some(browser), None) => Some(browser.to_owned()),
        // A program of some other kind: `curl/8.5`.
        (None, _) => {
            let product = told.split_whitespace().next()?;
            Some(product.chars().take(CLIENT_CHARS).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    fn source(trusted: &[&str], peer: &str, forwarded: &[&'static str]) -> String {
        let (mut extensions, mut headers) = (Extensions::new(), HeaderMap::new());
        extensions.insert(Peer(peer.parse().unwrap()));
        for value in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_static(value));
        }
        let source = TrustedProxies::parse(trusted).unwrap().source(&extensions, &headers);
        source.unwrap().to_string()
    }

    #[rstest]
    #[case::nobody_is_trusted(&[], "192.0.2.1", &["203.0.113.9"], "192.0.2.1")]
    #[case::a_stranger_is_not_believed(&["10.0.0.0/8"], "192.0.2.1", &["203.0.113.9"], "192.0.2.1")]
    #[case::a_proxy_is(&["10.0.0.0/8"], "10.1.2.3", &["203.0.113.9"], "203.0.113.9")]
    #[case::what_the_client_wrote_is_not(&["10.0.0.1"], "10.0.0.1", &["198.51.100.1, 203.0.113.9"], "203.0.113.9")]
    #[case::nor_in_a_line_of_its_own(&["10.0.0.1"], "10.0.0.1", &["198.51.100.1", "203.0.113.9"], "203.0.113.9")]
    #[case::one_proxy_after_the_other(&["10.0.0.0/8"], "10.0.0.1", &["203.0.113.9, 10.0.0.2"], "203.0.113.9")]
    #[case::only_proxies(&["10.0.0.0/8"], "10.0.0.1", &["10.0.0.2"], "10.0.0.2")]
    #[case::a_port(&["10.0.0.1"], "10.0.0.1", &["203.0.113.9:4711"], "203.0.113.9")]
    #[case::another_family(&["::1"], "::1", &["[2001:db8::1]:4711"], "2001:db8::1")]
    #[case::mapped(&["127.0.0.1"], "::ffff:127.0.0.1", &["::ffff:203.0.113.9"], "203.0.113.9")]
    #[case::no_address(&["10.0.0.1"], "10.0.0.1", &["unknown"], "10.0.0.1")]
    #[case::nothing_said(&["10.0.0.1"], "10.0.0.1", &[], "10.0.0.1")]
    fn a_request_comes_from_the_last_address_that_no_trusted_proxy_has(
        #[case] trusted: &[&str],
        #[case] peer: &str,
        #[case] forwarded: &[&'static str],
        #[case] expected: &str,
    ) {
        assert_eq!(source(trusted, peer, forwarded), expected);
    }

    #[test]
    fn a_name_is_no_proxy() {
        let refused = TrustedProxies::parse(["10.0.0.1", "proxy.example"]).unwrap_err();
        assert!(refused.to_string().contains("`proxy.example`"), "{refused}");
    }

    #[rstest]
    #[case::firefox(
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        Some("Firefox on Linux")
    )]
    #[case::chrome(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
        Some("Chrome on Windows")
    )]
    #[case::edge(
        "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
        Some("Edge on Windows")
    )]
    #[case::phone(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
        Some("Safari on iOS")
    )]
    #[case::program("curl/8.5.0 (x86_64-pc-linux-gnu)", Some("curl/8.5.0"))]
    #[case::silent("", None)]
    fn a_client_is_named_as_a_person_knows_it(#[case] told: &'static str, #[case] name: Option<&str>) {
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, HeaderValue::from_static(told));
        assert_eq!(client(&headers).as_deref(), name);
    }

    #[test]
    fn a_long_name_of_a_client_is_cut() {
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, HeaderValue::from_str(&"x".repeat(5_000)).unwrap());
        assert_eq!(client(&headers).unwrap().len(), CLIENT_CHARS);
    }
}
