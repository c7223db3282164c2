//! The judgement: screen the URL, resolve the name, judge every address.

use std::{net::IpAddr, sync::Arc, time::Duration};

use url::Url;

use super::{
    AllowHosts, Place, Resolver, place,
    screen::{screen, target},
};

/// A name with more addresses than this is not looked at further.
const MAX_ADDRESSES: usize = 64;
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Why nothing is sent there. The message says nothing of what a name resolved to: that is the inside's own business.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{0}")]
    Url(String),
    #[error("{host} is a {} address, which tools may not reach unless the operator allows it (--allow-host)", .place.as_str())]
    Address { host: String, place: Place },
    #[error("{host} leads inside, where tools may not reach unless the operator allows it (--allow-host)")]
    Inside { host: String },
    #[error("{host} cannot be resolved{}", if *.in_time { "" } else { " in time" })]
    Unresolved { host: String, in_time: bool },
}

pub(super) enum Target {
    /// An address that stands in the URL and passed.
    Address,
    Name {
        host: String,
        port: u16,
        by_name: bool,
    },
}

/// A URL that may be connected to, at these addresses and no others.
#[derive(Clone, Debug)]
pub struct Admitted {
    pub url: Url,
    /// Empty where the host is an address itself.
    pub addresses: Vec<IpAddr>,
}

/// Stands between what a caller names and what is connected to.
#[derive(Clone)]
pub struct Wall {
    allow: AllowHosts,
    resolver: Arc<dyn Resolver>,
}

impl Wall {
    pub fn new(allow: AllowHosts, resolver: Arc<dyn Resolver>) -> Self {
        Self { allow, resolver }
    }

    /// The same wall, with a way through to the host of this URL: the operator named it.
    pub fn opened_for(&self, url: &Url) -> Self {
        let mut wall = self.clone();
        wall.allow.add(url);
        wall
    }

    /// Judges what can be judged without a name server, as when a definition is saved.
    pub fn screen(&self, url: &str) -> Result<Url, Refusal> {
        screen(url, &self.allow).map(|(url, _)| url)
    }

    /// Resolves the host, once, and refuses when any address that it has may not be reached.
    pub async fn admit(&self, url: &Url) -> Result<Admitted, Refusal> {
        let addresses = match target(url, &self.allow)? {
            Target::Address => Vec::new(),
            Target::Name { host, port, by_name } => self.resolve(host, port, by_name).await?,
        };
        Ok(Admitted { url: url.clone(), addresses })
    }

    async fn resolve(&self, host: String, port: u16, by_name: bool) -> Result<Vec<IpAddr>, Refusal> {
        let found = match tokio::time::timeout(RESOLVE_TIMEOUT, self.resolver.resolve(&host)).await {
            Err(_) => return Err(Refusal::Unresolved { host, in_time: false }),
            Ok(Err(_)) => return Err(Refusal::Unresolved { host, in_time: true }),
            Ok(Ok(found)) => found,
        };
        if found.is_empty() {
            return Err(Refusal::Unresolved { host, in_time: true });
        }
        let may_reach = |ip: &IpAddr| match place(*ip) {
            Place::Public => true,
            _ if self.allow.allows_address(*ip, port) => true,
            place => by_name && !place.needs_own_word(),
        };
        if found.len() > MAX_ADDRESSES || !found.iter().all(may_reach) {
            return Err(Refusal::Inside { host });
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, io};

    use async_trait::async_trait;
    use rstest::rstest;

    use super::*;

    /// Names as a test gives them.
    struct Names(BTreeMap<&'static str, Vec<&'static str>>);

    #[async_trait]
    impl Resolver for Names {
        async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
            let found = self.0.get(host).ok_or(io::ErrorKind::NotFound)?;
            Ok(found.iter().map(|ip| ip.parse().unwrap()).collect())
        }
    }

    fn wall(allow: &[&str]) -> Wall {
        let names = BTreeMap::from([
            ("good.example", vec!["93.184.216.34"]),
            ("both.example", vec!["93.184.216.34", "10.0.0.1"]),
            ("inner.example", vec!["10.0.0.1"]),
            ("meta.example", vec!["169.254.169.254"]),
            ("mapped.example", vec!["::ffff:127.0.0.1"]),
            ("nobody.example", vec![]),
            ("localhost", vec!["127.0.0.1"]),
        ]);
        Wall::new(AllowHosts::parse(allow).unwrap(), Arc::new(Names(names)))
    }

    async fn admits(wall: &Wall, url: &str) -> bool {
        match wall.screen(url) {
            Ok(url) => wall.admit(&url).await.is_ok(),
            Err(_) => false,
        }
    }

    #[rstest]
    #[case::public_name("https://good.example/x", true)]
    #[case::public_name_in_full("https://good.example./x", true)]
    #[case::public_address("http://93.184.216.34/", true)]
    #[case::one_of_two("https://both.example/", false)]
    #[case::private_name("https://inner.example/", false)]
    #[case::metadata_name("http://meta.example/", false)]
    #[case::mapped_name("http://mapped.example/", false)]
    #[case::no_address("http://nobody.example/", false)]
    #[case::unknown("http://unknown.example/", false)]
    #[case::decimal("http://2130706433/", false)]
    #[case::octal("http://0177.0.0.1/", false)]
    #[case::hex("http://0x7f.0.0.1/", false)]
    #[case::hex_whole("http://0x7f000001/", false)]
    #[case::short("http://127.1/", false)]
    #[case::zero("http://0/", false)]
    #[case::ideographic_dots("http://127。0。0。1/", false)]
    #[case::full_width("http://１２７.0.0.1/", false)]
    #[case::escaped("http://%31%32%37.0.0.1/", false)]
    #[case::trailing_dot("http://127.0.0.1./", false)]
    #[case::v6("http://[::1]/", false)]
    #[case::v6_long("http://[0:0:0:0:0:0:0:1]/", false)]
    #[case::v6_mapped("http://[::ffff:127.0.0.1]/", false)]
    #[case::v6_mapped_hex("http://[::ffff:7f00:1]/", false)]
    #[case::v6_compatible("http://[::7f00:1]/", false)]
    #[case::nat64("http://[64:ff9b::7f00:1]/", false)]
    #[case::six_to_four("http://[2002:7f00:1::]/", false)]
    #[case::localhost("http://localhost/", false)]
    #[case::localhost_in_full("http://LOCALHOST./", false)]
    #[case::sub_localhost("http://a.localhost/", false)]
    #[case::internal("http://metadata.google.internal/", false)]
    #[case::any_internal("http://db.internal/", false)]
    #[case::userinfo("http://good.example@127.0.0.1/", false)]
    #[case::userinfo_of_good("http://user@good.example/", false)]
    #[case::password("http://user:word@good.example/", false)]
    #[case::fragment("http://127.0.0.1#@good.example/", false)]
    #[case::backslash("http://127.0.0.1\\@good.example/", false)]
    #[case::tab("http://127.0.0.1\t/", false)]
    #[case::newline("http://good.example/\r\nHost: x", false)]
    #[case::ftp("ftp://good.example/", false)]
    #[case::file("file:///etc/passwd", false)]
    #[case::gopher("gopher://good.example:70/_x", false)]
    #[case::one_slash("http:/good.example/", false)]
    #[case::no_slash("http:good.example/", false)]
    #[case::three_slashes("http:///good.example/", false)]
    #[case::port_zero("http://good.example:0/", false)]
    #[tokio::test]
    async fn only_what_is_outside_is_admitted(#[case] url: &str, #[case] admitted: bool) {
        assert_eq!(admits(&wall(&[]), url).await, admitted, "{url}");
    }

    #[rstest]
    #[case::address("127.0.0.1", "http://127.0.0.1:81/", true)]
    #[case::address_otherwise_spelled("127.0.0.1", "http://2130706433/", true)]
    #[case::other_port("127.0.0.1:81", "http://127.0.0.1:82/", false)]
    #[case::name("inner.example", "https://inner.example/", true)]
    #[case::name_other_port("inner.example:443", "http://inner.example/", false)]
    #[case::network("10.0.0.0/8", "https://inner.example/", true)]
    #[case::network_covers_one_of_two("10.0.0.0/8", "https://both.example/", true)]
    #[case::other_network("192.168.0.0/16", "https://inner.example/", false)]
    #[case::localhost("localhost", "http://localhost/", true)]
    #[case::metadata_needs_its_own_word("meta.example", "http://meta.example/", false)]
    #[case::metadata_by_address("169.254.169.254", "http://meta.example/", true)]
    #[tokio::test]
    async fn the_operator_opens_exactly_what_is_named(
        #[case] allow: &str,
        #[case] url: &str,
        #[case] admitted: bool,
    ) {
        assert_eq!(admits(&wall(&[allow]), url).await, admitted);
    }

    #[tokio::test]
    async fn a_refusal_does_not_tell_what_a_name_resolved_to() {
        let wall = wall(&[]);
        let url = wall.screen("https://inner.example/").unwrap();
        let refusal = wall.admit(&url).await.unwrap_err().to_string();
        assert!(!refusal.contains("10.0.0.1") && refusal.contains("inner.example"), "{refusal}");
    }
}
