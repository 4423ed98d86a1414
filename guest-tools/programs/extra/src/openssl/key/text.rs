//! The numbers of keys as `-text` prints them: names of numbers, and their bytes in lines of 15.

use ::rsa::traits::{PrivateKeyParts as _, PublicKeyParts as _};

use super::super::text::{lines, number};
use super::curve::Curve;
use super::{Private, Public};
use crate::call::bytes;

/// A private key, with its public half.
pub fn private(key: &Private) -> Vec<u8> {
    match key {
        Private::Rsa(key) => rsa(key),
        Private::Curve(key) => bytes!(
            format!("Private-Key: ({} bit)\n", key.curve.bits),
            "priv:\n",
            lines(&key.secret, 15, 4),
            "pub:\n",
            lines(&key.point, 15, 4),
            names(key.curve, "")
        ),
        Private::Edwards(key) => bytes!(
            "ED25519 Private-Key:\npriv:\n",
            lines(&key.to_bytes(), 15, 4),
            "pub:\n",
            lines(&key.verifying_key().to_bytes(), 15, 4)
        ),
    }
}

/// A public key; `margin` stands before each line.
pub fn public(key: &Public, margin: &str) -> Vec<u8> {
    let inner = margin.len() + 4;
    match key {
        Public::Rsa(key) => {
            let bits = key.n().bit_width_vartime();
            bytes!(
                format!("{margin}Public-Key: ({bits} bit)\n{margin}Modulus:\n"),
                number(&key.n_bytes(), inner),
                margin,
                exponent(key, "Exponent")
            )
        }
        Public::Curve(key) => bytes!(
            format!("{margin}Public-Key: ({} bit)\n", key.curve.bits),
            format!("{margin}pub:\n"),
            lines(&key.point, 15, inner),
            names(key.curve, margin)
        ),
        Public::Edwards(key) => bytes!(
            format!("{margin}ED25519 Public-Key:\n{margin}pub:\n"),
            lines(&key.to_bytes(), 15, inner)
        ),
    }
}

/// What a curve is called: its identifier, and NIST's name where it has one.
pub fn names(curve: &Curve, margin: &str) -> String {
    let nist = curve
        .nist
        .map(|name| format!("{margin}NIST CURVE: {name}\n"));
    let nist = nist.unwrap_or_default();
    format!("{margin}ASN1 OID: {}\n{nist}", curve.name)
}

/// `NAME: 65537 (0x10001)`
fn exponent(key: &::rsa::PublicKey, name: &str) -> String {
    let content = key.e().to_be_bytes_trimmed_vartime();
    let value = content
        .iter()
        .fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    format!("{name}: {value} (0x{value:x})\n")
}

/// The numbers of a private key of RSA.
fn rsa(key: &::rsa::PrivateKey) -> Vec<u8> {
    let bits = key.n().bit_width_vartime();
    let mut out = format!("Private-Key: ({bits} bit, 2 primes)\n").into_bytes();
    out.extend(bytes!("modulus:\n", number(&key.n_bytes(), 4)));
    out.extend(exponent(&key.to_public_key(), "publicExponent").into_bytes());
    let mut part = |name: &str, content: &[u8]| {
        out.extend(bytes!(name, ":\n", number(content, 4)));
    };
    part("privateExponent", &key.d().to_be_bytes_trimmed_vartime());
    if let [first, second, ..] = key.primes() {
        part("prime1", &first.to_be_bytes_trimmed_vartime());
        part("prime2", &second.to_be_bytes_trimmed_vartime());
    }
    if let Some(content) = key.dp() {
        part("exponent1", &content.to_be_bytes_trimmed_vartime());
    }
    if let Some(content) = key.dq() {
        part("exponent2", &content.to_be_bytes_trimmed_vartime());
    }
    if let Some(content) = key.crt_coefficient() {
        part("coefficient", &content.to_be_bytes_trimmed_vartime());
    }
    out
}
