//! What kind of place an address is. Everything that is not plainly the public internet has a name here.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    Public,
    Loopback,
    Private,
    LinkLocal,
    /// Where clouds hand out credentials to whoever asks from inside.
    Metadata,
    /// Carrier-grade NAT, 100.64.0.0/10.
    Shared,
    Multicast,
    Unspecified,
    Broadcast,
    Documentation,
    Benchmark,
    /// IPv6 that carries an IPv4 address to a translator or tunnel: what becomes of it is not ours to see.
    Embedded,
    Reserved,
}

impl Place {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::LinkLocal => "link-local",
            Self::Metadata => "metadata",
            Self::Shared => "shared",
            Self::Multicast => "multicast",
            Self::Unspecified => "unspecified",
            Self::Broadcast => "broadcast",
            Self::Documentation => "documentation",
            Self::Benchmark => "benchmark",
            Self::Embedded => "embedded",
            Self::Reserved => "reserved",
        }
    }

    /// Whether no name that the operator allows makes it reachable, nor the word that what is inside is allowed; only the address
    /// itself, spelled out, does.
    pub fn needs_own_word(self) -> bool {
        matches!(self, Self::Metadata | Self::Multicast | Self::Unspecified | Self::Broadcast)
    }
}

/// Classifies an address; an IPv4 address in IPv6 clothes is what it is underneath.
pub fn place(ip: IpAddr) -> Place {
    match ip.to_canonical() {
        IpAddr::V4(ip) => place_v4(ip),
        IpAddr::V6(ip) => place_v6(ip),
    }
}

/// The addresses at which AWS, GCP, Azure, Alibaba and Oracle answer questions about the machine.
const METADATA_V4: [Ipv4Addr; 4] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

fn place_v4(ip: Ipv4Addr) -> Place {
    let [a, b, c, _] = ip.octets();
    match (a, b, c) {
        _ if METADATA_V4.contains(&ip) => Place::Metadata,
        _ if ip.is_unspecified() => Place::Unspecified,
        _ if ip.is_broadcast() => Place::Broadcast,
        _ if ip.is_loopback() => Place::Loopback,
        _ if ip.is_private() => Place::Private,
        _ if ip.is_link_local() => Place::LinkLocal,
        _ if ip.is_multicast() => Place::Multicast,
        _ if ip.is_documentation() => Place::Documentation,
        (100, 64..=127, _) => Place::Shared,
        (198, 18 | 19, _) => Place::Benchmark,
        // The relays of 6to4 are anycast into tunnels; 0/8 is "this network"; 240/4 is kept for later.
        (192, 88, 99) | (192, 0, 0) | (0, ..) | (240.., ..) => Place::Reserved,
        _ => Place::Public,
    }
}

fn place_v6(ip: Ipv6Addr) -> Place {
    let parts = ip.segments();
    match parts {
        _ if ip == METADATA_V6 => Place::Metadata,
        _ if ip.is_unspecified() => Place::Unspecified,
        _ if ip.is_loopback() => Place::Loopback,
        _ if ip.is_multicast() => Place::Multicast,
        // NAT64 (also its local-use prefix), 6to4, Teredo, IPv4-compatible, IPv4-translated, ISATAP.
        [0x64, 0xff9b, ..] | [0x2002, ..] | [0x2001, 0, ..] => Place::Embedded,
        [0, 0, 0, 0, 0, 0, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Place::Embedded,
        [_, _, _, _, 0 | 0x200, 0x5efe, ..] => Place::Embedded,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => Place::Documentation,
        [0x2001, 2, 0, ..] => Place::Benchmark,
        [0xfe80..=0xfebf, ..] => Place::LinkLocal,
        // Unique local, and site-local before it.
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Place::Private,
        // The rest of 2001::/23 is for protocols, not for hosts.
        [0x2001, 0..=0x01ff, ..] => Place::Reserved,
        [0x2000..=0x3fff, ..] => Place::Public,
        _ => Place::Reserved,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("93.184.216.34", Place::Public)]
    #[case("1.1.1.1", Place::Public)]
    #[case("100.63.255.255", Place::Public)]
    #[case("100.128.0.0", Place::Public)]
    #[case("172.32.0.1", Place::Public)]
    #[case("127.0.0.1", Place::Loopback)]
    #[case("127.255.255.254", Place::Loopback)]
    #[case("10.1.2.3", Place::Private)]
    #[case("172.16.0.1", Place::Private)]
    #[case("192.168.1.1", Place::Private)]
    #[case("169.254.1.1", Place::LinkLocal)]
    #[case("169.254.169.254", Place::Metadata)]
    #[case("169.254.170.2", Place::Metadata)]
    #[case("100.100.100.200", Place::Metadata)]
    #[case("100.64.0.1", Place::Shared)]
    #[case("224.0.0.1", Place::Multicast)]
    #[case("0.0.0.0", Place::Unspecified)]
    #[case("0.1.2.3", Place::Reserved)]
    #[case("255.255.255.255", Place::Broadcast)]
    #[case("192.0.2.1", Place::Documentation)]
    #[case("198.51.100.7", Place::Documentation)]
    #[case("203.0.113.9", Place::Documentation)]
    #[case("198.18.0.1", Place::Benchmark)]
    #[case("198.19.255.255", Place::Benchmark)]
    #[case("192.88.99.1", Place::Reserved)]
    #[case("240.0.0.1", Place::Reserved)]
    #[case("2606:2800:220:1:248:1893:25c8:1946", Place::Public)]
    #[case("::1", Place::Loopback)]
    #[case("::", Place::Unspecified)]
    #[case("fe80::1", Place::LinkLocal)]
    #[case("fd12::1", Place::Private)]
    #[case("fec0::1", Place::Private)]
    #[case("fd00:ec2::254", Place::Metadata)]
    #[case("ff02::1", Place::Multicast)]
    #[case("2001:db8::1", Place::Documentation)]
    #[case("3fff::1", Place::Documentation)]
    #[case("2001:2::1", Place::Benchmark)]
    #[case("64:ff9b::7f00:1", Place::Embedded)]
    #[case("64:ff9b:1::7f00:1", Place::Embedded)]
    #[case("2002:7f00:1::", Place::Embedded)]
    #[case("2001::7f00:1", Place::Embedded)]
    #[case("::127.0.0.1", Place::Embedded)]
    #[case("::ffff:0:127.0.0.1", Place::Embedded)]
    #[case("2606:2800::5efe:7f00:1", Place::Embedded)]
    #[case("::ffff:127.0.0.1", Place::Loopback)]
    #[case("::ffff:10.0.0.1", Place::Private)]
    #[case("::ffff:169.254.169.254", Place::Metadata)]
    #[case("100::1", Place::Reserved)]
    #[case("4000::1", Place::Reserved)]
    fn every_address_has_its_place(#[case] ip: IpAddr, #[case] expected: Place) {
        assert_eq!(place(ip), expected, "{ip}");
    }
}
