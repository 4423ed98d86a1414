//! Keys from files, in each of the forms that OpenSSL writes.
//!
//! | label of PEM | form |
//! |---|---|
//! | `PRIVATE KEY`, `ENCRYPTED PRIVATE KEY` | PKCS #8 (RFC 5958), with a password PBES2 |
//! | `RSA PRIVATE KEY`, `RSA PUBLIC KEY` | PKCS #1 (RFC 8017) |
//! | `EC PRIVATE KEY` | SEC 1 (RFC 5915) |
//! | `PUBLIC KEY` | `SubjectPublicKeyInfo` (RFC 5280) |
//!
//! The older forms may be encrypted by the header `DEK-Info` (RFC 1421). A file without a block is read as DER.

use ::rsa::pkcs1::{DecodeRsaPrivateKey as _, DecodeRsaPublicKey as _};
use ::rsa::pkcs8::EncryptedPrivateKeyInfoRef;

use super::super::pem::{self, Block};
use super::super::{cipher, line, password, unhex};
use super::{Private, Public, curve};
use crate::call::Call;
use crate::system;

/// Reads a private key.
pub fn private(call: &Call, path: &[u8], source: Option<&[u8]>) -> Result<Private, i32> {
    // `pkey` calls it by another name in its errors.
    let what = if call.name == "pkey" {
        "key"
    } else {
        "private key"
    };
    let text = content(path, what)?;
    let found = pem::blocks(&text).into_iter().find_map(|block| {
        block
            .label
            .ends_with(b"PRIVATE KEY")
            .then(|| opened(call, &block, path, source))
    });
    let key = match found {
        Some(key) => key?,
        None => Private::from_pkcs8(&text)
            .or_else(|| of_rsa(&text))
            .or_else(|| of_curve(&text)),
    };
    key.ok_or_else(|| unreadable(path, what))
}

/// Reads a public key, or the public half of a private one.
pub fn public(call: &Call, path: &[u8], source: Option<&[u8]>) -> Result<Public, i32> {
    let text = content(path, "public key")?;
    for block in pem::blocks(&text) {
        let key = match block.label.as_slice() {
            b"PUBLIC KEY" => Public::from_der(&block.content),
            b"RSA PUBLIC KEY" => rsa::PublicKey::from_pkcs1_der(&block.content)
                .ok()
                .map(|key| Public::Rsa(Box::new(key))),
            label if label.ends_with(b"PRIVATE KEY") => {
                opened(call, &block, path, source)?.map(|key| key.public())
            }
            _ => None,
        };
        if let Some(key) = key {
            return Ok(key);
        }
    }
    let what = match call.name.as_str() {
        "pkey" => "key of Public Key",
        _ => "public key",
    };
    Public::from_der(&text).ok_or_else(|| unreadable(path, what))
}

/// PKCS #1.
fn of_rsa(content: &[u8]) -> Option<Private> {
    let key = rsa::PrivateKey::from_pkcs1_der(content).ok()?;
    Some(Private::Rsa(Box::new(key)))
}

/// SEC 1, which has to name its curve.
fn of_curve(content: &[u8]) -> Option<Private> {
    curve::Private::from_der(content, None).map(Private::Curve)
}

/// The bytes of a file; `Err` is the exit status after OpenSSL's message.
fn content(path: &[u8], what: &str) -> Result<Vec<u8>, i32> {
    system::read_whole(path).map_err(|_| {
        let path = String::from_utf8_lossy(path);
        eprintln!("Could not open file or uri for loading {what} from {path}");
        1
    })
}

/// Complains of a file that has no key; the result is the exit status.
fn unreadable(path: &[u8], what: &str) -> i32 {
    let path = String::from_utf8_lossy(path);
    let path = if path == "-" { "<stdin>" } else { &path };
    eprintln!("Could not read {what} from {path}");
    1
}

/// The key of a block, with its password where it has one.
fn opened(
    call: &Call,
    block: &Block,
    path: &[u8],
    source: Option<&[u8]>,
) -> Result<Option<Private>, i32> {
    let word = || match source {
        Some(source) => password(call, source),
        None => {
            let path = String::from_utf8_lossy(path);
            eprint!("Enter pass phrase for {path}:");
            let word = line();
            eprintln!();
            Ok(word)
        }
    };
    let old = |parse: fn(&[u8]) -> Option<Private>| {
        let mut headers = block.headers.iter();
        let info = headers.find_map(|line| line.strip_prefix(b"DEK-Info: "));
        let content = match info {
            Some(info) => decrypted(info, &block.content, &word()?),
            None => Some(block.content.clone()),
        };
        Ok(content.and_then(|content| parse(&content)))
    };
    match block.label.as_slice() {
        b"PRIVATE KEY" => Ok(Private::from_pkcs8(&block.content)),
        b"ENCRYPTED PRIVATE KEY" => {
            let word = word()?;
            let key = || {
                let info = EncryptedPrivateKeyInfoRef::try_from(block.content.as_slice()).ok()?;
                Private::from_pkcs8(info.decrypt(word).ok()?.as_bytes())
            };
            Ok(key())
        }
        b"RSA PRIVATE KEY" => old(of_rsa),
        b"EC PRIVATE KEY" => old(of_curve),
        _ => Ok(None),
    }
}

/// The content of a block with `DEK-Info: CIPHER,IV`.
fn decrypted(info: &[u8], content: &[u8], word: &[u8]) -> Option<Vec<u8>> {
    let at = info.iter().position(|&byte| byte == b',')?;
    let cipher = cipher::find(&info[..at])?;
    let iv = unhex(info[at + 1..].trim_ascii())?;
    let key = cipher::derive("md5", word, iv.get(..8)?, cipher.key)?;
    cipher.decrypt(&key, &iv, content)
}
