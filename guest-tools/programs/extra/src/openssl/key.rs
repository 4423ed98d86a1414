//! RSA keys: `openssl genrsa`, `genpkey`, `rsa` and `pkey`.

use getrandom::SysRng;
use rsa::pkcs1::{DecodeRsaPrivateKey as _, DecodeRsaPublicKey as _, EncodeRsaPrivateKey as _};
use rsa::pkcs8::{
    DecodePrivateKey as _, DecodePublicKey as _, EncodePrivateKey as _, EncodePublicKey as _,
    PrivateKeyInfoRef, pkcs5::pbes2,
};
use rsa::traits::{PrivateKeyParts as _, PublicKeyParts as _};
use rsa::{PrivateKey, PublicKey};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::output::{write, write_secret};
use super::pem::{self, Block};
use super::{Words, cipher, hex, line, password, random_bytes, unhex};
use crate::call::{Call, bytes};

/// Runs something with the type of a digest.
macro_rules! with_digest {
    ($name:expr, $kind:ident => $work:expr) => {
        match $name {
            "sha1" => {
                type $kind = Sha1;
                Some($work)
            }
            "sha224" => {
                type $kind = Sha224;
                Some($work)
            }
            "sha256" => {
                type $kind = Sha256;
                Some($work)
            }
            "sha384" => {
                type $kind = Sha384;
                Some($work)
            }
            "sha512" => {
                type $kind = Sha512;
                Some($work)
            }
            _ => None,
        }
    };
}

/// A signature of the content; none where the digest is none for signatures.
pub fn sign(key: &PrivateKey, digest: &str, content: &[u8]) -> Option<Vec<u8>> {
    with_digest!(digest, Kind => key.pkcs1v15_sign::<Kind>(content).ok())?
}

/// Whether a signature fits; none where the digest is none for signatures.
pub fn verify(key: &PublicKey, digest: &str, content: &[u8], signature: &[u8]) -> Option<bool> {
    with_digest!(digest, Kind => key.pkcs1v15_verify::<Kind>(content, signature).is_ok())
}

/// Reads a private key in one of the forms that OpenSSL writes.
pub fn private(call: &Call, path: &[u8], source: Option<&[u8]>) -> Result<PrivateKey, i32> {
    let text = read(path, "private key")?;
    let found = pem::blocks(&text).into_iter().find_map(|block| {
        block
            .label
            .ends_with(b"PRIVATE KEY")
            .then(|| opened(call, &block, path, source))
    });
    let key = match found {
        Some(key) => key?,
        None => PrivateKey::from_pkcs8_der(&text)
            .ok()
            .or_else(|| PrivateKey::from_pkcs1_der(&text).ok()),
    };
    key.ok_or_else(|| unreadable(path, "private key"))
}

/// Reads a public key, or the public half of a private one or of a certificate.
pub fn public(call: &Call, path: &[u8]) -> Result<PublicKey, i32> {
    let text = read(path, "public key")?;
    for block in pem::blocks(&text) {
        let key = match block.label.as_slice() {
            b"PUBLIC KEY" => PublicKey::from_public_key_der(&block.content).ok(),
            b"RSA PUBLIC KEY" => PublicKey::from_pkcs1_der(&block.content).ok(),
            label if label.ends_with(b"PRIVATE KEY") => {
                opened(call, &block, path, None)?.map(|key| key.to_public_key())
            }
            _ => None,
        };
        if let Some(key) = key {
            return Ok(key);
        }
    }
    PublicKey::from_public_key_der(&text).map_err(|_| unreadable(path, "public key"))
}

fn read(path: &[u8], what: &str) -> Result<Vec<u8>, i32> {
    crate::system::read_whole(path).map_err(|_| {
        let path = String::from_utf8_lossy(path);
        eprintln!("Could not open file or uri for loading {what} from {path}");
        1
    })
}

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
) -> Result<Option<PrivateKey>, i32> {
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
    Ok(match block.label.as_slice() {
        b"PRIVATE KEY" => PrivateKey::from_pkcs8_der(&block.content).ok(),
        b"ENCRYPTED PRIVATE KEY" => {
            PrivateKey::from_pkcs8_encrypted_der(&block.content, word()?).ok()
        }
        b"RSA PRIVATE KEY" => {
            let info = block
                .headers
                .iter()
                .find_map(|line| line.strip_prefix(b"DEK-Info: "));
            let content = match info {
                Some(info) => decrypted(info, &block.content, &word()?),
                None => Some(block.content.clone()),
            };
            content.and_then(|content| PrivateKey::from_pkcs1_der(&content).ok())
        }
        _ => None,
    })
}

/// The content of a block with `DEK-Info: CIPHER,IV`.
fn decrypted(info: &[u8], content: &[u8], word: &[u8]) -> Option<Vec<u8>> {
    let at = info.iter().position(|&byte| byte == b',')?;
    let cipher = cipher::find(&info[..at])?;
    let iv = unhex(info[at + 1..].trim_ascii())?;
    let key = cipher::derive("md5", word, iv.get(..8)?, cipher.key)?;
    cipher.decrypt(&key, &iv, content)
}

const CIPHERS: &[&str] = &[
    "aes128",
    "aes192",
    "aes256",
    "aes-128-cbc",
    "aes-192-cbc",
    "aes-256-cbc",
    "des3",
];

/// The private key as PEM or DER, encrypted where a cipher was named.
fn text(call: &Call, words: &Words, key: &PrivateKey) -> Result<Vec<u8>, i32> {
    let lost = |_| call.fail(1, "the key cannot be written");
    let der = words
        .value("outform")
        .is_some_and(|form| form.eq_ignore_ascii_case(b"der"));
    let pkcs8 = key.to_pkcs8_der().map_err(lost)?;
    let named = words
        .options
        .iter()
        .rev()
        .find(|(name, _)| CIPHERS.iter().any(|cipher| cipher.as_bytes() == name));
    if let Some((name, _)) = named {
        let word = match words.value("passout") {
            Some(source) => password(call, source)?,
            None => {
                eprint!("Enter pass phrase:");
                let word = line();
                eprintln!();
                word
            }
        };
        let salt = random_bytes(call, 8)?;
        let iv: [u8; 16] = random_bytes(call, 16)?.try_into().map_err(|_| 1)?;
        let no = |_| call.fail(1, "the key cannot be encrypted");
        // OpenSSL has three key lengths here, the format's library two.
        let params = match name.windows(3).any(|part| part == b"128") {
            true => pbes2::Parameters::generate_pbkdf2_sha256_aes128cbc(2048, &salt, iv),
            false => pbes2::Parameters::generate_pbkdf2_sha256_aes256cbc(2048, &salt, iv),
        }
        .map_err(no)?;
        let info = PrivateKeyInfoRef::try_from(pkcs8.as_bytes())
            .map_err(|_| call.fail(1, "the key cannot be encrypted"))?;
        let made = info
            .encrypt_with_params(params, word)
            .map_err(|_| call.fail(1, "the key cannot be encrypted"))?;
        return Ok(pem::block("ENCRYPTED PRIVATE KEY", made.as_bytes()));
    }
    if words.has("traditional") {
        let content = key
            .to_pkcs1_der()
            .map_err(|_| call.fail(1, "the key cannot be written"))?;
        return Ok(match der {
            true => content.as_bytes().to_vec(),
            false => pem::block("RSA PRIVATE KEY", content.as_bytes()),
        });
    }
    Ok(match der {
        true => pkcs8.as_bytes().to_vec(),
        false => pem::block("PRIVATE KEY", pkcs8.as_bytes()),
    })
}

/// The public key as PEM.
pub fn public_text(call: &Call, key: &PublicKey) -> Result<Vec<u8>, i32> {
    let content = key.to_public_key_der();
    let content = content.map_err(|_| call.fail(1, "the key cannot be written"))?;
    Ok(pem::block("PUBLIC KEY", content.as_bytes()))
}

/// A new key.
pub fn fresh(call: &Call, bits: u64) -> Result<PrivateKey, i32> {
    let bits = usize::try_from(bits).unwrap_or(usize::MAX);
    if !(1024..=16384).contains(&bits) {
        return Err(call.fail(1, "keys have 1024 to 16384 bits here"));
    }
    PrivateKey::new(&mut SysRng, bits).map_err(|_| call.fail(1, "Error generating RSA key"))
}

/// A private key as PEM without a password.
pub fn plain_text(call: &Call, key: &PrivateKey) -> Result<Vec<u8>, i32> {
    text(call, &Words::default(), key)
}

/// Runs `genrsa`.
pub fn generate(call: &Call) -> Result<i32, i32> {
    let flags = [&["traditional", "verbose", "F4", "f4"], CIPHERS].concat();
    let words = Words::read(call, &flags, &["out", "passout"], |_| false)?;
    let bits = match words.operands.first() {
        Some(word) => crate::options::number(word)
            .ok_or_else(|| call.fail(1, bytes!("Can't parse \"", word, "\" as a number")))?,
        None => 2048,
    };
    let text = text(call, &words, &fresh(call, bits)?)?;
    Ok(write_secret(call, words.value("out"), &text))
}

/// Runs `genpkey -algorithm RSA`.
pub fn generate_any(call: &Call) -> Result<i32, i32> {
    let flags = [&["quiet", "text"], CIPHERS].concat();
    let valued = ["algorithm", "pkeyopt", "out", "outform", "pass"];
    let words = Words::read(call, &flags, &valued, |_| false)?;
    let algorithm = words.value("algorithm").unwrap_or_default();
    if !algorithm.eq_ignore_ascii_case(b"rsa") {
        return Err(call.fail(1, "only -algorithm RSA is supported"));
    }
    let bits = words
        .value("pkeyopt")
        .and_then(|option| option.strip_prefix(b"rsa_keygen_bits:"));
    let bits = bits.and_then(crate::options::number).unwrap_or(2048);
    let text = text(call, &words, &fresh(call, bits)?)?;
    Ok(write_secret(call, words.value("out"), &text))
}

/// Runs `rsa` and `pkey`.
pub fn rsa(call: &Call) -> Result<i32, i32> {
    let flags = [
        &[
            "pubin",
            "pubout",
            "noout",
            "text",
            "modulus",
            "check",
            "traditional",
        ],
        CIPHERS,
    ]
    .concat();
    let valued = ["in", "out", "inform", "outform", "passin", "passout"];
    let words = Words::read(call, &flags, &valued, |_| false)?;
    let path = words.value("in").unwrap_or(b"-");
    let key = match words.has("pubin") {
        true => Err(public(call, path)?),
        false => Ok(private(call, path, words.value("passin"))?),
    };
    let own = match &key {
        Ok(key) => key.to_public_key(),
        Err(key) => key.clone(),
    };
    let mut out = Vec::new();
    if words.has("text") {
        match &key {
            Ok(key) => out.extend(private_parts(key)),
            Err(key) => out.extend(super::text::public_key(key, "")),
        }
    }
    if words.has("modulus") {
        out.extend(bytes!("Modulus=", hex(&own.n_bytes(), ""), "\n"));
    }
    if words.has("check") {
        let good = key.as_ref().is_ok_and(|key| key.validate().is_ok());
        let what = if call.name == "rsa" {
            "RSA key"
        } else {
            "Key is"
        };
        let (ok, bad) = if call.name == "rsa" {
            ("ok", "error")
        } else {
            ("valid", "invalid")
        };
        out.extend(bytes!(what, " ", if good { ok } else { bad }, "\n"));
    }
    if !words.has("noout") {
        if call.name == "rsa" {
            eprintln!("writing RSA key");
        }
        out.extend(match &key {
            Ok(key) if !words.has("pubout") => text(call, &words, key)?,
            _ => public_text(call, &own)?,
        });
    }
    if words.has("noout") || words.has("pubout") || words.has("pubin") {
        return Ok(write(call, words.value("out"), &out, 0));
    }
    Ok(write_secret(call, words.value("out"), &out))
}

/// The numbers of a private key.
fn private_parts(key: &PrivateKey) -> Vec<u8> {
    let bits = key.n().bit_width_vartime();
    let mut out = format!("Private-Key: ({bits} bit, 2 primes)\n").into_bytes();
    let mut part = |name: &str, content: &[u8]| {
        out.extend(bytes!(name, ":\n", super::text::number(content, 4)));
    };
    part("modulus", &key.n_bytes());
    let exponent = super::text::exponent(&key.to_public_key(), "publicExponent");
    out.extend(exponent.into_bytes());
    let mut part = |name: &str, content: &[u8]| {
        out.extend(bytes!(name, ":\n", super::text::number(content, 4)));
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

/// A private key as PEM, encrypted with a password.
pub fn locked_text(call: &Call, key: &PrivateKey, source: Option<&[u8]>) -> Result<Vec<u8>, i32> {
    let mut words = Words::default();
    words.options.push((b"aes256".to_vec(), Vec::new()));
    if let Some(source) = source {
        words.options.push((b"passout".to_vec(), source.to_vec()));
    }
    text(call, &words, key)
}
