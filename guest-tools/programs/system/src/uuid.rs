//! `uuidgen`, as in util-linux: UUIDs of the versions 1, 3, 4 and 5 (RFC 9562).
//!
//! | options | version | made from |
//! |---|---|---|
//! | `-r`, or none | 4 | random bytes |
//! | `-t` | 1 | the time, and random bytes in place of a network address |
//! | `-m -n SPACE -N NAME` | 3 | MD5 of space and name |
//! | `-s -n SPACE -N NAME` | 5 | SHA-1 of space and name |
//!
//! `uuidgen -s -n @dns -N www.example.com` prints `2ed6657d-e927-568b-95e1-2665a8aea6a2`.

use md5::{Digest as _, Md5};
use sha1::Sha1;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system::Time;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n uuidgen [options]\n\nCreate a new UUID value.\n\nOptions:\n \
            -r, --random        generate random-based uuid\n \
            -t, --time          generate time-based uuid\n \
            -n, --namespace ns  generate hash-based uuid in this namespace\n                       \
            available namespaces: @dns @url @oid @x500\n \
            -N, --name name     generate hash-based uuid from this name\n \
            -m, --md5           generate md5 hash\n \
            -s, --sha1          generate sha1 hash\n \
            -x, --hex           interpret name as hex string\n",
    options: &[
        Opt("r", "random", Value::No),
        Opt("t", "time", Value::No),
        Opt("n", "namespace", Value::Required),
        Opt("N", "name", Value::Required),
        Opt("m", "md5", Value::No),
        Opt("s", "sha1", Value::No),
        Opt("x", "hex", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The namespaces of RFC 4122 differ in one digit.
const NAMESPACES: [(&[u8], u8); 4] = [
    (b"@dns", 0x10),
    (b"@url", 0x11),
    (b"@oid", 0x12),
    (b"@x500", 0x14),
];
/// The UUID of the namespaces, whose fourth byte `NAMESPACES` sets.
const NAMESPACE: [u8; 16] = [
    0x6b, 0xa7, 0xb8, 0, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
];

/// Runs `uuidgen`.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let made = match parsed.last(&["r", "t", "m", "s"]) {
        Some(kind @ ("m" | "s")) => {
            let (Some(space), Some(name)) = (parsed.value("n"), parsed.value("N")) else {
                return call.fail(
                    1,
                    "--namespace and --name are needed together with --md5 or --sha1",
                );
            };
            let Some(space) = namespace(space) else {
                return call.fail(1, bytes!("unknown namespace: '", space, "'"));
            };
            let name = match (parsed.has("x"), hex(name)) {
                (false, _) => name.to_vec(),
                (true, Some(name)) => name,
                (true, None) => return call.fail(1, "not a valid hex string"),
            };
            named(space, &name, kind == "s")
        }
        _ if parsed.has("n") || parsed.has("N") => {
            return call.fail(1, "--namespace and --name need --md5 or --sha1");
        }
        Some("t") => timed(),
        _ => random(),
    };
    let Some(uuid) = made else {
        return call.fail(1, "no randomness");
    };
    let mut out = Output::new();
    out.line(text(&uuid));
    out.finish(&call.name, 0, 1)
}

/// Bytes from pairs of hexadecimal digits; `None` for an odd number of them and for other characters.
fn hex(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok())
        .collect()
}

/// A namespace by its name, or any UUID with or without dashes.
fn namespace(word: &[u8]) -> Option<[u8; 16]> {
    if let Some((_, digit)) = NAMESPACES.iter().find(|(name, _)| *name == word) {
        let mut space = NAMESPACE;
        space[3] = *digit;
        return Some(space);
    }
    let digits: Vec<u8> = word.iter().copied().filter(|&byte| byte != b'-').collect();
    hex(&digits)?.try_into().ok()
}

/// Sets version and variant in a UUID.
fn stamped(mut uuid: [u8; 16], version: u8) -> [u8; 16] {
    uuid[6] = (uuid[6] & 0x0f) | (version << 4);
    uuid[8] = (uuid[8] & 0x3f) | 0x80;
    uuid
}

/// A UUID of random bytes; `None` where there is no randomness.
fn random() -> Option<[u8; 16]> {
    let mut uuid = [0; 16];
    getrandom::fill(&mut uuid).ok()?;
    Some(stamped(uuid, 4))
}

/// From the time in steps of 100 ns since 1582, and random bytes in place of a network card's address.
fn timed() -> Option<[u8; 16]> {
    const GREGORIAN: u64 = 0x01b2_1dd2_1381_4000;
    let now = Time::now();
    let ticks = now.seconds as u64 * 10_000_000 + u64::from(now.nanoseconds) / 100 + GREGORIAN;
    let mut uuid = random()?;
    uuid[..4].copy_from_slice(&(ticks as u32).to_be_bytes());
    uuid[4..6].copy_from_slice(&((ticks >> 32) as u16).to_be_bytes());
    uuid[6..8].copy_from_slice(&((ticks >> 48) as u16).to_be_bytes());
    uuid[10] |= 1;
    Some(stamped(uuid, 1))
}

/// A UUID from a namespace and a name.
fn named(space: [u8; 16], name: &[u8], sha1: bool) -> Option<[u8; 16]> {
    let whole = bytes!(space, name);
    let sum: Vec<u8> = if sha1 {
        Sha1::digest(&whole).to_vec()
    } else {
        Md5::digest(&whole).to_vec()
    };
    Some(stamped(
        sum.get(..16)?.try_into().ok()?,
        if sha1 { 5 } else { 3 },
    ))
}

/// A UUID in its groups of 8, 4, 4, 4 and 12 digits.
fn text(uuid: &[u8; 16]) -> String {
    let hex: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_variant_are_marked() {
        for (made, version) in [(random(), '4'), (timed(), '1')] {
            let text = text(&made.unwrap_or_default());
            assert_eq!(text.chars().nth(14), Some(version), "{text}");
            assert!(
                matches!(text.chars().nth(19), Some('8' | '9' | 'a' | 'b')),
                "{text}"
            );
        }
        assert_ne!(random(), random());
    }
}
