//! What the operator allows beyond the public internet: `host`, `host:port`, `10.0.0.0/8`.

use std::{
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

use ipnet::IpNet;
use url::{Host, Url};

use super::place;

/// More entries than this are a mistake.
const MAX_ENTRIES: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllowError {
    #[error("`{0}` is no host that can be allowed: write `host`, `host:port`, an address, or `10.0.0.0/8`")]
    Entry(String),
    #[error("more than {MAX_ENTRIES} hosts are allowed: name networks instead")]
    TooMany,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Name { name: String, port: Option<u16> },
    Net { net: IpNet, port: Option<u16> },
}

/// The operator's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowHosts {
    entries: Vec<Entry>,
    inside: bool,
}

impl AllowHosts {
    pub fn parse<I: IntoIterator<Item = S>, S: AsRef<str>>(texts: I) -> Result<Self, AllowError> {
        let entries: Vec<Entry> =
            texts.into_iter().map(|text| text.as_ref().parse()).collect::<Result<_, _>>()?;
        if entries.len() > MAX_ENTRIES {
            return Err(AllowError::TooMany);
        }
        Ok(Self { entries, inside: false })
    }

    /// The same list, and besides whatever is inside; addresses that need a word of their own still do.
    #[must_use]
    pub fn and_inside(self) -> Self {
        Self { inside: true, ..self }
    }

    /// Allows the host of a URL, at the URL's port.
    pub(super) fn add(&mut self, url: &Url) {
        let port = url.port_or_known_default();
        self.entries.extend(match url.host() {
            None => None,
            Some(Host::Domain(name)) => Some(Entry::Name { name: bare(name).to_owned(), port }),
            Some(Host::Ipv4(ip)) => Some(Entry::Net { net: IpNet::from(IpAddr::V4(ip)), port }),
            Some(Host::Ipv6(ip)) => {
                Some(Entry::Net { net: IpNet::from(IpAddr::V6(ip).to_canonical()), port })
            }
        });
    }

    /// Whether the host may be reached at this port by the name it has.
    pub(super) fn allows_name(&self, host: &str, at: u16) -> bool {
        self.inside
            || self.entries.iter().any(|entry| match entry {
                Entry::Name { name, port } => name == host && port.is_none_or(|port| port == at),
                Entry::Net { .. } => false,
            })
    }

    /// Whether this very address may be reached at this port.
    pub(super) fn allows_address(&self, ip: IpAddr, at: u16) -> bool {
        let ip = ip.to_canonical();
        let is_inside = self.inside && !place(ip).needs_own_word();
        is_inside
            || self.entries.iter().any(|entry| match entry {
                Entry::Net { net, port } => net.contains(&ip) && port.is_none_or(|port| port == at),
                Entry::Name { .. } => false,
            })
    }
}

impl FromStr for Entry {
    type Err = AllowError;

    fn from_str(text: &str) -> Result<Self, AllowError> {
        let text = text.trim();
        let bad = || AllowError::Entry(text.chars().take(80).collect());
        if let Ok(net) = text.parse::<IpNet>() {
            return Ok(Self::Net { net: net.trunc(), port: None });
        }
        if let Ok(ip) = text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            return Ok(Self::Net { net: IpNet::from(ip.to_canonical()), port: None });
        }
        if let Ok(address) = text.parse::<SocketAddr>() {
            let net = IpNet::from(address.ip().to_canonical());
            return Ok(Self::Net { net, port: Some(address.port()) });
        }
        let (name, port) = match text.split_once(':') {
            None => (text, None),
            Some((name, port)) => (name, Some(port.parse().map_err(|_| bad())?)),
        };
        // As a URL would spell it, so that both sides of the comparison are alike.
        match Host::parse(name) {
            Ok(Host::Domain(name)) if !name.is_empty() && !name.contains('*') => {
                Ok(Self::Name { name: bare(&name).to_owned(), port })
            }
            Ok(Host::Ipv4(ip)) => Ok(Self::Net { net: IpNet::from(IpAddr::V4(ip)), port }),
            _ => Err(bad()),
        }
    }
}

/// A name without the dot that ends it when it is written in full.
pub(super) fn bare(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("wiki.corp", "wiki.corp", 80, true)]
    #[case("WIKI.corp.", "wiki.corp", 443, true)]
    #[case("wiki.corp:8080", "wiki.corp", 8080, true)]
    #[case("wiki.corp:8080", "wiki.corp", 80, false)]
    #[case("wiki.corp", "evil.wiki.corp", 80, false)]
    #[case("10.0.0.0/8", "wiki.corp", 80, false)]
    fn names(#[case] entry: &str, #[case] host: &str, #[case] port: u16, #[case] allowed: bool) {
        assert_eq!(AllowHosts::parse([entry]).unwrap().allows_name(host, port), allowed);
    }

    #[rstest]
    #[case("10.0.0.0/8", "10.9.8.7", 80, true)]
    #[case("10.0.0.0/8", "::ffff:10.9.8.7", 80, true)]
    #[case("10.0.0.0/8", "11.0.0.1", 80, false)]
    #[case("127.0.0.1", "127.0.0.1", 1, true)]
    #[case("127.0.0.1:8080", "127.0.0.1", 8080, true)]
    #[case("127.0.0.1:8080", "127.0.0.1", 8081, false)]
    #[case("[::1]:8080", "::1", 8080, true)]
    #[case("::1", "::1", 80, true)]
    #[case("fd00::/8", "fd12::1", 80, true)]
    fn addresses(#[case] entry: &str, #[case] ip: IpAddr, #[case] port: u16, #[case] allowed: bool) {
        assert_eq!(AllowHosts::parse([entry]).unwrap().allows_address(ip, port), allowed);
    }

    #[rstest]
    #[case("127.0.0.1", true)]
    #[case("10.0.0.1", true)]
    #[case("169.254.1.1", true)]
    #[case("fd00::1", true)]
    #[case("169.254.169.254", false)]
    #[case("0.0.0.0", false)]
    fn whatever_is_inside_can_be_allowed_at_once(#[case] ip: IpAddr, #[case] allowed: bool) {
        let hosts = AllowHosts::default();
        assert!(!hosts.allows_address(ip, 80) && !hosts.allows_name("localhost", 80));
        let hosts = hosts.and_inside();
        assert_eq!((hosts.allows_address(ip, 80), hosts.allows_name("localhost", 80)), (allowed, true));
    }

    #[rstest]
    #[case("")]
    #[case("*.corp")]
    #[case("http://wiki.corp")]
    #[case("wiki.corp:x")]
    #[case("10.0.0.0/99")]
    fn what_is_no_host_is_refused(#[case] entry: &str) {
        assert!(AllowHosts::parse([entry]).is_err());
    }
}
