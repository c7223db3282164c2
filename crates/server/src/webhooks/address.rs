//! Which addresses a tenant may have us send to. Without this, a webhook would be a way to reach what only this machine can.

use std::net::IpAddr;

use toolgate_domain::address::{Place, place};
use url::{Host, Url};

/// Checks the address as it is written; a name is also checked when it is resolved.
pub(super) fn screen(url: &str, allow_private: bool) -> Result<Url, String> {
    let url = Url::parse(url).map_err(|e| format!("the url cannot be understood: {e}"))?;
    let host = url.host().ok_or("the url names no host: write https://host/path")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the url carries credentials, which would be kept in the open: leave them out, and verify the signature instead".to_owned());
    }
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&host) => {}
        "http" => {
            return Err(
                "letters carry what a call is about: use https; http works on this machine only".to_owned()
            );
        }
        other => return Err(format!("the url begins with https://, not with {other}:")),
    }
    let literal = match host {
        Host::Domain(_) => None,
        Host::Ipv4(ip) => Some(IpAddr::V4(ip)),
        Host::Ipv6(ip) => Some(IpAddr::V6(ip)),
    };
    if literal.is_some_and(|ip| !ip.is_loopback() && !may_reach(ip, allow_private)) {
        return Err(INSIDE.to_owned());
    }
    Ok(url)
}

pub(super) const INSIDE: &str = "the host is inside a private network: use a public one, or let the operator start the server with --allow-private-webhooks";

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => is_localhost(name),
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

pub(super) fn is_localhost(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
}

/// Whether a resolved address may be connected to.
pub(super) fn may_reach(ip: IpAddr, allow_private: bool) -> bool {
    match place(ip) {
        Place::Public => true,
        inside => allow_private && !inside.needs_own_word(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("https://hooks.example.com/x", true)]
    #[case("https://93.184.216.34/x", true)]
    #[case("http://127.0.0.1:9000/x", true)]
    #[case("http://localhost:9000/x", true)]
    #[case("http://[::1]:9000/x", true)]
    #[case("http://hooks.example.com/x", false)]
    #[case("https://user:word@hooks.example.com/x", false)]
    #[case("https://10.0.0.1/x", false)]
    #[case("https://169.254.169.254/latest/meta-data", false)]
    #[case("https://100.64.0.1/x", false)]
    #[case("https://0.0.0.0/x", false)]
    #[case("https://2130706434.example", true)]
    #[case("https://0x0a000001/x", false)]
    #[case("https://[fe80::1]/x", false)]
    #[case("https://[fd00::1]/x", false)]
    #[case("https://[::ffff:10.0.0.1]/x", false)]
    #[case("https://[64:ff9b::a00:1]/x", false)]
    #[case("https://[2606:2800::5efe:7f00:1]/x", false)]
    #[case("https://192.88.99.1/x", false)]
    #[case("ftp://hooks.example.com/x", false)]
    #[case("hooks.example.com", false)]
    fn only_addresses_outside_are_sent_to(#[case] url: &str, #[case] allowed: bool) {
        assert_eq!(screen(url, false).is_ok(), allowed, "{url}");
    }

    #[test]
    fn the_operator_can_allow_what_is_inside_and_nothing_in_the_open() {
        assert!(screen("https://10.0.0.1/x", true).is_ok());
        assert!(screen("http://10.0.0.1/x", true).is_err(), "still not without TLS");
        assert!(screen("https://0.0.0.0/x", true).is_err());
        assert!(screen("https://169.254.169.254/x", true).is_err(), "where clouds hand out credentials");
    }
}
