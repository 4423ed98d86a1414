//! Rules and addresses that somebody wrote: what a policy permits is what its rules name.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::net::{Ipv4Addr, Ipv6Addr};

use bolero::{TypeGenerator, check};
use offshoot_network::{Policy, Rule};
use url::{Host, Url};

/// How one address is written.
#[derive(Debug, TypeGenerator)]
struct Spelling {
    address: u32,
    /// Where it lies, for half of them: one of those that are the host's.
    near: u8,
    form: u8,
    scheme: bool,
    user: Vec<u8>,
    port: Option<u16>,
    path: Vec<u8>,
}

/// Networks of the host.
const INTERNAL: [[u8; 2]; 6] = [[127, 0], [10, 0], [192, 168], [169, 254], [172, 16], [0, 0]];

impl Spelling {
    fn address(&self) -> Ipv4Addr {
        let [a, b, c, d] = self.address.to_be_bytes();
        match INTERNAL.get(usize::from(self.near) % (2 * INTERNAL.len())) {
            Some(&[a, b]) => Ipv4Addr::new(a, b, c, d),
            None => Ipv4Addr::new(a, b, c, d),
        }
    }

    fn host(&self) -> String {
        let address = self.address();
        let [a, b, c, d] = address.octets();
        let number = u32::from(address);
        match self.form % 13 {
            0 => address.to_string(),
            1 => number.to_string(),
            2 => format!("{number:#x}"),
            3 => format!("0{number:o}"),
            4 => format!("{a:#x}.{b:#o}.{c}.{d}").replace("0o", "0"),
            5 => format!("{a}.{}", number & 0xff_ffff),
            6 => format!("{a}.{b}.{}", number & 0xffff),
            7 => format!("[{}]", address.to_ipv6_mapped()),
            8 => format!("[64:ff9b::{:x}:{:x}]", number >> 16, number & 0xffff),
            9 => format!("[2002:{:x}:{:x}::1]", number >> 16, number & 0xffff),
            10 => format!("[fd00::{:x}:{:x}]", number >> 16, number & 0xffff),
            11 => format!("[fe80::{:x}:{:x}]", number >> 16, number & 0xffff),
            _ => format!("{address}.").replace('.', "%2e"),
        }
    }

    fn url(&self) -> String {
        let scheme = if self.scheme { "https" } else { "http" };
        let mut url = format!("{scheme}://");
        if !self.user.is_empty() {
            url += &format!("{}@", String::from_utf8_lossy(&self.user));
        }
        url += &self.host();
        if let Some(port) = self.port {
            url += &format!(":{port}");
        }
        url + "/" + &String::from_utf8_lossy(&self.path)
    }
}

/// Whether no rule but one that names it may lead there.
fn is_the_hosts(host: Host<&str>) -> bool {
    let v4 = |address: Ipv4Addr| {
        address.is_loopback()
            || address.is_private()
            || address.is_link_local()
            || address.is_unspecified()
    };
    match host {
        Host::Ipv4(address) => v4(address),
        Host::Ipv6(address) => {
            let segments = address.segments();
            let nat64 = (segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0]).then(|| {
                let [.., a, b, c, d] = address.octets();
                Ipv4Addr::new(a, b, c, d)
            });
            let six_to_four = (segments[0] == 0x2002).then(|| {
                let [_, _, a, b, c, d, ..] = address.octets();
                Ipv4Addr::new(a, b, c, d)
            });
            address == Ipv6Addr::LOCALHOST
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address
                    .to_ipv4_mapped()
                    .or(nat64)
                    .or(six_to_four)
                    .is_some_and(v4)
        }
        Host::Domain(_) => false,
    }
}

#[test]
fn policy_address() {
    // All of the internet, as far as a rule can say so.
    let open = ["https://*", "http://*"];
    let open: Vec<Rule> = open
        .iter()
        .filter_map(|rule| Rule::new(rule).ok())
        .collect();
    let everything = open.into_iter().fold(Policy::default(), Policy::allow);
    for url in ["https://8.8.8.8/", "http://8.8.8.8/x"] {
        assert!(everything.check("GET", url).is_ok(), "{url}");
    }
    let one = Rule::new("https://api.example.com/v1/").unwrap();
    let one = Policy::default().allow(one);
    check!().with_type::<Spelling>().for_each(|spelling| {
        let url = spelling.url();
        assert!(one.check("GET", &url).is_err(), "{url}");
        if let Ok(read) = Url::parse(&url)
            && read.host().is_some_and(is_the_hosts)
        {
            assert!(everything.check("GET", &url).is_err(), "{url}");
        }
    });
}

#[test]
fn policy_rule() {
    check!().for_each(|bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let (first, second) = text.split_once('\n').unwrap_or((&text, &text));
        let Ok(rule) = Rule::parse(first) else {
            return;
        };
        let policy = Policy::default().allow(rule);
        for method in ["GET", "POST", "\u{0}"] {
            let _ = policy.check(method, second);
        }
    });
}

#[test]
fn policy_origin() {
    let rule = Rule::new("https://api.example.com/v1/").unwrap();
    let policy = Policy::default().allow(rule);
    check!().for_each(|bytes: &[u8]| {
        let rest = String::from_utf8_lossy(bytes);
        for url in [
            rest.to_string(),
            format!("https://api.example.com{rest}"),
            format!("https://{rest}api.example.com/v1/"),
            format!("https://api.example.com/v1/{rest}"),
        ] {
            if policy.check("GET", &url).is_ok() {
                let read = Url::parse(&url).unwrap();
                assert_eq!(read.scheme(), "https", "{url}");
                assert_eq!(read.host_str(), Some("api.example.com"), "{url}");
                assert_eq!(read.port_or_known_default(), Some(443), "{url}");
                assert!(read.path().starts_with("/v1/"), "{url}");
            }
        }
    });
}
