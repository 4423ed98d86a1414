//! Keys as files have them: PKCS #8 or the form of their kind, as PEM or DER, with a password or without.

use ::rsa::pkcs1::EncodeRsaPrivateKey as _;
use ::rsa::pkcs8::{PrivateKeyInfoRef, pkcs5::pbes2};
use der::Encode as _;

use super::super::{Words, cipher, hex, line, password, pem, random_bytes};
use super::{Private, Public};
use crate::call::{Call, bytes};

/// The ciphers that lock a key.
pub const CIPHERS: &[&str] = &[
    "aes128",
    "aes192",
    "aes256",
    "aes-128-cbc",
    "aes-192-cbc",
    "aes-256-cbc",
    "des3",
];

/// What a key is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// PKCS #8, which says what kind of key it has.
    Pkcs8,
    /// PKCS #1 or SEC 1, where the kind of key has such a form.
    Traditional,
}

/// Whether DER is asked for.
pub fn wants_der(words: &Words) -> bool {
    let form = words.value("outform");
    form.is_some_and(|form| form.eq_ignore_ascii_case(b"der"))
}

/// The private key as PEM or DER, encrypted where a cipher was named.
pub fn text(call: &Call, words: &Words, key: &Private, form: Form) -> Result<Vec<u8>, i32> {
    let lost = || call.fail(1, "the key cannot be written");
    let traditional = match form {
        Form::Traditional => traditional(key).ok_or_else(lost)?,
        Form::Pkcs8 => None,
    };
    let (label, content) = match traditional {
        Some(found) => found,
        None => ("PRIVATE KEY", key.to_pkcs8().ok_or_else(lost)?),
    };
    if wants_der(words) {
        return Ok(content);
    }
    let mut named = words.options.iter().rev();
    let named = named.find(|(name, _)| CIPHERS.iter().any(|cipher| cipher.as_bytes() == name));
    let Some((name, _)) = named else {
        return Ok(pem::block(label, &content));
    };
    let source = words.value("passout").or_else(|| words.value("pass"));
    let word = match source {
        Some(source) => password(call, source)?,
        None => {
            eprint!("Enter pass phrase:");
            let word = line();
            eprintln!();
            word
        }
    };
    if label == "PRIVATE KEY" {
        return encrypted(call, &content, name, &word);
    }
    let no = || call.fail(1, "the key cannot be encrypted");
    let cipher = cipher::find(name).ok_or_else(no)?;
    let iv = random_bytes(call, cipher.iv)?;
    let salt = iv.get(..8).unwrap_or_default();
    let key = cipher::derive("md5", &word, salt, cipher.key).ok_or_else(no)?;
    let content = cipher.encrypt(&key, &iv, &content).ok_or_else(no)?;
    let header = format!(
        "Proc-Type: 4,ENCRYPTED\nDEK-Info: {},{}\n\n",
        cipher.title(),
        hex(&iv, "")
    );
    Ok(bytes!(
        format!("-----BEGIN {label}-----\n"),
        header,
        pem::wrapped(&content),
        format!("-----END {label}-----\n")
    ))
}

/// The form that stands for one kind of key alone, with its label; none where the kind has none.
fn traditional(key: &Private) -> Option<Option<(&'static str, Vec<u8>)>> {
    Some(match key {
        Private::Rsa(key) => {
            let content = key.to_pkcs1_der().ok()?;
            Some(("RSA PRIVATE KEY", content.as_bytes().to_vec()))
        }
        Private::Curve(key) => Some(("EC PRIVATE KEY", key.to_der(true)?)),
        Private::Edwards(_) => None,
    })
}

/// PKCS #8 with a password.
fn encrypted(call: &Call, content: &[u8], cipher: &[u8], word: &[u8]) -> Result<Vec<u8>, i32> {
    let salt = random_bytes(call, 8)?;
    let iv: [u8; 16] = random_bytes(call, 16)?.try_into().map_err(|_| 1)?;
    let no = || call.fail(1, "the key cannot be encrypted");
    // OpenSSL has three key lengths here, the format's library two.
    let parameters = match cipher.windows(3).any(|part| part == b"128") {
        true => pbes2::Parameters::generate_pbkdf2_sha256_aes128cbc(2048, &salt, iv),
        false => pbes2::Parameters::generate_pbkdf2_sha256_aes256cbc(2048, &salt, iv),
    };
    let parameters = parameters.map_err(|_| no())?;
    let info = PrivateKeyInfoRef::try_from(content).map_err(|_| no())?;
    let made = info.encrypt_with_params(parameters, word);
    Ok(pem::block(
        "ENCRYPTED PRIVATE KEY",
        made.map_err(|_| no())?.as_bytes(),
    ))
}

/// The public key as PEM or DER.
pub fn public(call: &Call, words: &Words, key: &Public) -> Result<Vec<u8>, i32> {
    let content = key.info().and_then(|info| info.to_der().ok());
    let content = content.ok_or_else(|| call.fail(1, "the key cannot be written"))?;
    Ok(match wants_der(words) {
        true => content,
        false => pem::block("PUBLIC KEY", &content),
    })
}

/// A private key as PEM without a password.
pub fn plain(call: &Call, key: &Private) -> Result<Vec<u8>, i32> {
    text(call, &Words::default(), key, Form::Pkcs8)
}

/// A private key as PEM, encrypted with a password.
pub fn locked(call: &Call, key: &Private, source: Option<&[u8]>) -> Result<Vec<u8>, i32> {
    let mut words = Words::default();
    words.options.push((b"aes256".to_vec(), Vec::new()));
    if let Some(source) = source {
        words.options.push((b"passout".to_vec(), source.to_vec()));
    }
    text(call, &words, key, Form::Pkcs8)
}
