//! Which addresses lie outside: the others belong to the host or its networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether packets to this address leave for the public internet.
///
/// An IPv6 address that carries an IPv4 address (mapped, compatible, NAT64, 6to4) is as public as
/// the one that it carries. The ranges are those of IANA's registries of special-purpose addresses.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match carried(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224.., _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let global = (0x2000..0x4000).contains(&segments[0]);
    let special = match (segments[0], segments[1]) {
        // Teredo, benchmarks, ORCHID, and what else is set aside for protocols.
        (0x2001, 0..=0x1ff) => true,
        // Documentation.
        (0x2001, 0xdb8) => true,
        (0x3fff, 0..=0xfff) => true,
        _ => false,
    };
    global && !special
}

/// The IPv4 address within.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let ipv4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => ipv4(high, low),
        [0, 0, 0, 0, 0xffff, 0, high, low] => ipv4(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => ipv4(high, low),
        [0x2002, high, low, ..] => ipv4(high, low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_is_public() {
        let table = [
            ("1.1.1.1", true),
            ("8.8.8.8", true),
            ("172.32.0.1", true),
            ("100.128.0.1", true),
            ("192.0.1.1", true),
            ("2606:4700::1111", true),
            ("::ffff:8.8.8.8", true),
            ("64:ff9b::808:808", true),
            ("2002:808:808::1", true),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("127.0.0.1", false),
            ("127.255.255.254", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.8", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("198.51.100.7", false),
            ("203.0.113.9", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::7f00:1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("::ffff:0:127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b:1::1", false),
            ("2002:7f00:1::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("3fff::1", false),
            ("fc00::1", false),
            ("fd00:ec2::254", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ];
        for (text, public) in table {
            assert_eq!(is_public(text.parse().unwrap()), public, "{text}");
        }
    }
}
