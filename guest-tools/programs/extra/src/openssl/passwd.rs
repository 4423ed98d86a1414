//! `openssl passwd`: password hashes of `crypt(3)` as `/etc/shadow` and Apache keep them.
//!
//! | option | form | algorithm |
//! |---|---|---|
//! | `-1` (default) | `$1$SALT$HASH` | MD5, 1,000 rounds |
//! | `-apr1` | `$apr1$SALT$HASH` | the same with another magic word |
//! | `-5` | `$5$[rounds=N$]SALT$HASH` | SHA-256, 5,000 rounds by default |
//! | `-6` | `$6$[rounds=N$]SALT$HASH` | SHA-512, 5,000 rounds by default |
//!
//! The SHA forms follow Ulrich Drepper's "Unix crypt using SHA-256 and SHA-512". Hashes are written in `DIGITS`, six
//! bits a digit, the lowest first. Salts are cut to 8 (MD5) or 16 bytes.

use std::io::Write as _;

use super::digest::algorithm;
use super::{Words, input, line, random_bytes};
use crate::call::{Call, bytes};

/// The digits of `crypt`, whose order differs from that of base64.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Longer passwords are cut, as OpenSSL cuts them.
const LONGEST: usize = 256;

/// A way to hash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    /// `$1$`, and `$apr1$` of Apache.
    Md5(&'static str),
    /// `$5$`
    Sha256,
    /// `$6$`
    Sha512,
}

/// Runs `passwd`.
pub fn passwd(call: &Call) -> Result<i32, i32> {
    const FLAGS: &[&str] = &[
        "6", "5", "1", "apr1", "stdin", "noverify", "quiet", "table", "reverse",
    ];
    let words = Words::read(call, FLAGS, &["salt", "in"], |_| false)?;
    let chosen = words.options.iter().rev().find_map(|(name, _)| {
        Some(match name.as_slice() {
            b"6" => Method::Sha512,
            b"5" => Method::Sha256,
            b"1" => Method::Md5("1"),
            b"apr1" => Method::Md5("apr1"),
            _ => return None,
        })
    });
    let method = chosen.unwrap_or(Method::Md5("1"));
    let mut passwords = words.operands.clone();
    let listed = match words.value("in") {
        Some(path) => Some(input(call, path)?),
        None if words.has("stdin") => Some(input(call, b"-")?),
        None => None,
    };
    if let Some(listed) = listed {
        let lines = listed.split_inclusive(|&byte| byte == b'\n');
        passwords.extend(lines.map(|line| line.trim_ascii_end().to_vec()));
    } else if passwords.is_empty() {
        eprint!("Password: ");
        passwords.push(line());
        eprintln!();
    }
    let mut out = Vec::new();
    for mut password in passwords {
        if password.len() > LONGEST {
            if !words.has("quiet") {
                eprintln!("Warning: truncating password to {LONGEST} characters");
            }
            password.truncate(LONGEST);
        }
        let salt = match words.value("salt") {
            Some(salt) => salt.to_vec(),
            None => fresh(call, method)?,
        };
        let hash = hash(method, &password, &salt)
            .ok_or_else(|| call.fail(1, "the salt is not one that this method takes"))?;
        out.extend(match (words.has("table"), words.has("reverse")) {
            (true, true) => bytes!(hash, "\t", password, "\n"),
            (true, false) => bytes!(password, "\t", hash, "\n"),
            _ => bytes!(hash, "\n"),
        });
    }
    match std::io::stdout().write_all(&out) {
        Ok(()) => Ok(0),
        Err(_) => Err(1),
    }
}

/// A random salt of 8 digits for MD5, of 16 for the others.
fn fresh(call: &Call, method: Method) -> Result<Vec<u8>, i32> {
    let length = if matches!(method, Method::Md5(_)) {
        8
    } else {
        16
    };
    let random = random_bytes(call, length)?;
    Ok(random
        .iter()
        .map(|byte| DIGITS[usize::from(byte & 63)])
        .collect())
}

/// The whole hash, from `$` on. `None` for a salt that begins with `rounds=` and has no number or no `$` behind it.
fn hash(method: Method, password: &[u8], salt: &[u8]) -> Option<Vec<u8>> {
    if let Method::Md5(magic) = method {
        let salt = &salt[..salt.len().min(8)];
        return Some(bytes!(
            "$",
            magic,
            "$",
            salt,
            "$",
            md5(magic, password, salt)?
        ));
    }
    let (mut salt, mut rounds) = (salt, None);
    if let Some(rest) = salt.strip_prefix(b"rounds=") {
        let end = rest.iter().position(|&byte| byte == b'$')?;
        let number: u32 = crate::options::number(&rest[..end])?;
        rounds = Some(number.clamp(1000, 999_999_999));
        salt = &rest[end + 1..];
    }
    let params = match rounds {
        Some(rounds) => sha_crypt::Params::new(rounds).ok()?,
        None => sha_crypt::Params::RECOMMENDED,
    };
    let salt = &salt[..salt.len().min(16)];
    let note = rounds.map_or(String::new(), |rounds| format!("rounds={rounds}$"));
    Some(if method == Method::Sha512 {
        let sum = sha_crypt::sha512_crypt(password, salt, params);
        bytes!(
            "$6$",
            note,
            salt,
            "$",
            digits(&sum, |at| [at, at + 21, at + 42], 21, 22)
        )
    } else {
        let sum = sha_crypt::sha256_crypt(password, salt, params);
        bytes!(
            "$5$",
            note,
            salt,
            "$",
            digits(&sum, |at| [at, at + 10, at + 20], 10, 21)
        )
    })
}

/// The digits of a sum: three bytes at a time, which are turned from group to group by `step` in a
/// ring of `3 * count`, and what is left.
fn digits(sum: &[u8], first: fn(usize) -> [usize; 3], count: usize, step: usize) -> Vec<u8> {
    let ring = 3 * count;
    let mut out = Vec::new();
    let mut group = first(0);
    for _ in 0..count {
        put(&mut out, group.map(|at| sum[at]), 4);
        group = group.map(|at| (at + step) % ring);
    }
    match sum[ring..] {
        [last] => put(&mut out, [0, 0, last], 2),
        [low, high] => put(&mut out, [0, high, low], 3),
        _ => {}
    }
    out
}

/// Digits of three bytes, the lowest six bits first.
fn put(out: &mut Vec<u8>, [high, middle, low]: [u8; 3], count: usize) {
    let mut value = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
    for _ in 0..count {
        out.push(DIGITS[value & 63]);
        value >>= 6;
    }
}

/// Poul-Henning Kamp's MD5 hash of 1,000 rounds, without its head.
fn md5(magic: &str, password: &[u8], salt: &[u8]) -> Option<Vec<u8>> {
    let md5 = algorithm(b"md5")?;
    let mixed = md5.sum(&[password, salt, password]);
    let head = format!("${magic}$");
    let mut text = bytes!(password, head, salt);
    let stretched: Vec<u8> = mixed.iter().copied().cycle().take(password.len()).collect();
    text.extend(stretched);
    let mut bits = password.len();
    while bits > 0 {
        text.push(if bits & 1 == 1 { 0 } else { password[0] });
        bits >>= 1;
    }
    let mut sum = md5.sum(&[&text]);
    for round in 0..1000 {
        let (odd, third, seventh) = (round % 2 == 1, round % 3 != 0, round % 7 != 0);
        let mut parts: Vec<&[u8]> = vec![if odd { password } else { &sum }];
        parts.extend(third.then_some(salt));
        parts.extend(seventh.then_some(password));
        parts.push(if odd { &sum } else { password });
        sum = md5.sum(&parts);
    }
    let mut out = Vec::new();
    for group in [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] {
        put(&mut out, group.map(|at: usize| sum[at]), 4);
    }
    put(&mut out, [0, 0, sum[11]], 2);
    Some(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_openssl() {
        let cases: &[(Method, &str, &str)] = &[
            (
                Method::Sha512,
                "abc",
                "$6$abc$MtSdWSZbhct2oe.SOqOUM2M/GA/uj5.vyVtJgRHgKi9uqXuWuJqOYE7H/YlsYGVg/YYzDV0xt3fEIwYt580.5.",
            ),
            (
                Method::Sha256,
                "abcdefghijklmnopqrst",
                "$5$abcdefghijklmnop$gu.71QnGu.GrGbdJF.mj20x/mWJF1VliZRmeYNpAtDB",
            ),
            (
                Method::Sha512,
                "rounds=1000$ab",
                "$6$rounds=1000$ab$8/vdebh7.eIeNufFrLK0jMMqafLdKpZbPY1ppG7x22R2yDSMj7XkxuEn2jtBuNS.VYAmIhpV6haXB82POC/MC0",
            ),
            (Method::Md5("1"), "abc", "$1$abc$Kb85XxsXB.VXinPhbS4431"),
            (
                Method::Md5("apr1"),
                "abc",
                "$apr1$abc$NKxAkoTtUloZMd1uGIvNG0",
            ),
        ];
        for (method, salt, expected) in cases {
            let found = hash(*method, b"pw", salt.as_bytes()).unwrap();
            assert_eq!(String::from_utf8_lossy(&found), *expected);
        }
    }
}
