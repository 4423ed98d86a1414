//! `openssl dgst`: digests, and signatures over them.

use hmac::{KeyInit as _, Mac as _, SimpleHmac};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};

use super::output::write;
use super::{key, unhex};
use crate::call::{Call, bytes};
use crate::system;

/// A digest: its name on the command line and as it is printed, and how it is computed, with a key or
/// without.
pub struct Algorithm {
    /// The name of the option, in lower case.
    pub name: &'static str,
    /// The name in front of a digest: `SHA2-256(file)= …`.
    title: &'static str,
    /// A hasher without a key.
    plain: fn() -> Box<dyn DynDigest>,
    /// HMAC: key and content.
    keyed: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
    /// Stretches a password: password, salt, rounds, and where the key goes.
    pub stretch: fn(&[u8], &[u8], u32, &mut [u8]),
}

/// An algorithm by its names and its type.
macro_rules! algorithm {
    ($name:literal, $title:literal, $kind:ty) => {
        Algorithm {
            name: $name,
            title: $title,
            plain: || Box::new(<$kind>::default()),
            keyed: |key, content| {
                let mut mac = SimpleHmac::<$kind>::new_from_slice(key).ok()?;
                mac.update(content);
                Some(mac.finalize().into_bytes().to_vec())
            },
            stretch: |password, salt, rounds, key| {
                // A key of any length will do.
                let _ = pbkdf2::pbkdf2::<SimpleHmac<$kind>>(password, salt, rounds, key);
            },
        }
    };
}

const ALGORITHMS: &[Algorithm] = &[
    algorithm!("md5", "MD5", Md5),
    algorithm!("sha1", "SHA1", Sha1),
    algorithm!("sha224", "SHA2-224", Sha224),
    algorithm!("sha256", "SHA2-256", Sha256),
    algorithm!("sha384", "SHA2-384", Sha384),
    algorithm!("sha512", "SHA2-512", Sha512),
    algorithm!("sha512-224", "SHA2-512/224", Sha512_224),
    algorithm!("sha512-256", "SHA2-512/256", Sha512_256),
    algorithm!("sha3-224", "SHA3-224", Sha3_224),
    algorithm!("sha3-256", "SHA3-256", Sha3_256),
    algorithm!("sha3-384", "SHA3-384", Sha3_384),
    algorithm!("sha3-512", "SHA3-512", Sha3_512),
];

/// The digest with this name.
pub fn algorithm(name: &[u8]) -> Option<&'static Algorithm> {
    let name = name.to_ascii_lowercase();
    ALGORITHMS
        .iter()
        .find(|known| known.name.as_bytes() == name)
}

impl Algorithm {
    /// The digest of the parts, one after the other.
    pub fn sum(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut hasher = (self.plain)();
        parts.iter().for_each(|part| hasher.update(part));
        hasher.finalize().to_vec()
    }
}

/// What `dgst` is to do.
#[derive(Default)]
struct Digest {
    /// The digest, where one is named.
    chosen: Option<&'static Algorithm>,
    /// `-c`: colons between the bytes.
    colons: bool,
    /// `-binary`: the bytes themselves.
    binary: bool,
    /// `-r`: lines as `sha256sum -b` prints them.
    coreutils: bool,
    /// The key of HMAC.
    key: Option<Vec<u8>>,
    /// The private key that signs.
    sign: Option<Vec<u8>>,
    /// The public or private key that a signature is compared with.
    verify: Option<Vec<u8>>,
    /// The file with the signature for `verify`.
    signature: Option<Vec<u8>>,
    /// Where the password of a private key comes from, as `password` reads it.
    password: Option<Vec<u8>>,
    /// The file of `-out`; standard output without one.
    output: Option<Vec<u8>>,
    /// What is digested; standard input where there is none.
    files: Vec<Vec<u8>>,
}

impl Digest {
    /// What the command line asks for.
    ///
    /// # Errors
    /// The status to end with, where nothing is left to do.
    fn read(call: &Call) -> Result<Digest, i32> {
        let mut wish = Digest::default();
        let mut words = call.arguments.iter();
        while let Some(word) = words.next() {
            match word.as_slice() {
                b"-hex" => {}
                b"-c" => wish.colons = true,
                b"-binary" => wish.binary = true,
                b"-r" => wish.coreutils = true,
                b"-hmac" => wish.key = words.next().cloned(),
                b"-out" => wish.output = words.next().cloned(),
                b"-sign" => wish.sign = words.next().cloned(),
                b"-verify" | b"-prverify" => wish.verify = words.next().cloned(),
                b"-signature" => wish.signature = words.next().cloned(),
                b"-passin" => wish.password = words.next().cloned(),
                b"-mac" => {
                    if words
                        .next()
                        .is_none_or(|kind| !kind.eq_ignore_ascii_case(b"hmac"))
                    {
                        return Err(call.fail(2, "-mac: only HMAC is supported"));
                    }
                }
                b"-macopt" => {
                    let value = words.next().map(Vec::as_slice).unwrap_or_default();
                    wish.key = Some(mac_key(call, value)?);
                }
                b"-list" => {
                    list();
                    return Err(0);
                }
                [b'-', name @ ..] if !name.is_empty() => match algorithm(name) {
                    Some(known) => wish.chosen = Some(known),
                    None => {
                        let name = String::from_utf8_lossy(name).into_owned();
                        call.fail(1, format!("Unknown option or message digest: {name}"));
                        return Err(call.fail(1, "Use -help for summary."));
                    }
                },
                _ => wish.files.push(word.clone()),
            }
        }
        Ok(wish)
    }

    /// A digest as it is printed, with the name of what it was made from.
    fn line(&self, title: &str, name: &[u8], sum: &[u8]) -> Vec<u8> {
        let digits: Vec<String> = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        let digits = digits.join(if self.colons { ":" } else { "" });
        if self.coreutils {
            bytes!(digits, " *", name, "\n")
        } else {
            bytes!(title, "(", name, ")= ", digits, "\n")
        }
    }
}

/// The key of `-macopt`.
fn mac_key(call: &Call, value: &[u8]) -> Result<Vec<u8>, i32> {
    let hex = value.strip_prefix(b"hexkey:").map(unhex);
    match (value.strip_prefix(b"key:"), hex) {
        (Some(key), _) => Ok(key.to_vec()),
        (None, Some(Some(key))) => Ok(key),
        _ => Err(call.fail(2, bytes!("-macopt: not supported: ", value))),
    }
}

/// Prints the names of all digests.
fn list() {
    let names: Vec<String> = ALGORITHMS
        .iter()
        .map(|one| format!("-{}", one.name))
        .collect();
    println!("Supported digests:\n{}", names.join(" "));
}

/// Runs `dgst`, or the command that is named as a digest.
pub fn digest(call: &Call, named: Option<&'static Algorithm>) -> i32 {
    let mut wish = match Digest::read(call) {
        Ok(wish) => wish,
        Err(status) => return status,
    };
    let chosen = wish.chosen.or(named);
    // The default is shown by its old name.
    let title = chosen.map_or("SHA256", |chosen| chosen.title);
    let chosen = chosen.unwrap_or(&ALGORITHMS[3]);
    let title = match wish.key {
        Some(_) => format!("HMAC-{}", chosen.title),
        None => title.to_owned(),
    };
    if wish.sign.is_some() || wish.verify.is_some() {
        return sign(call, chosen, &wish).unwrap_or_else(|status| status);
    }
    let mut text = Vec::new();
    let mut status = 0;
    let stdin = wish.files.is_empty();
    if stdin {
        wish.files.push(b"-".to_vec());
    }
    for path in &wish.files {
        let content = match system::read_whole(path) {
            Ok(content) => content,
            Err(failure) => {
                eprintln!("{}: {}", String::from_utf8_lossy(path), failure.0);
                status = 1;
                continue;
            }
        };
        let sum = match &wish.key {
            Some(key) => (chosen.keyed)(key, &content),
            None => Some(chosen.sum(&[&content])),
        };
        let Some(sum) = sum else {
            return call.fail(1, "the key cannot be used");
        };
        if wish.binary {
            text.extend(sum);
            continue;
        }
        let name: &[u8] = if stdin { b"stdin" } else { path };
        text.extend(wish.line(&title, name, &sum));
    }
    write(call, wish.output.as_deref(), &text, status)
}

fn no_digest(call: &Call) -> i32 {
    let reason = "a key of ED25519 signs no digests: openssl pkeyutl -rawin signs with it";
    call.fail(1, reason)
}

/// `-sign` writes a signature over the digest of the first file, `-verify` compares one: the status is 1 where it does
/// not fit.
fn sign(call: &Call, algorithm: &Algorithm, wish: &Digest) -> Result<i32, i32> {
    let stdin = b"-".to_vec();
    let path = wish.files.first().unwrap_or(&stdin);
    let content = super::input(call, path)?;
    let no_key = || call.fail(1, "this digest signs nothing here");
    if let Some(path) = &wish.sign {
        let key = key::private(call, path, wish.password.as_deref())?;
        if matches!(key, key::Private::Edwards(_)) {
            return Err(no_digest(call));
        }
        let signature = key.sign(algorithm, &content).ok_or_else(no_key)?;
        return Ok(write(call, wish.output.as_deref(), &signature, 0));
    }
    let path = wish.verify.as_deref().unwrap_or(&stdin);
    let key = key::public(call, path, wish.password.as_deref())?;
    if matches!(key, key::Public::Edwards(_)) {
        return Err(no_digest(call));
    }
    let Some(signature) = &wish.signature else {
        call.fail(1, "No signature to verify: use the -signature option");
        return Err(1);
    };
    let signature = super::input(call, signature)?;
    let fits = key
        .verify(algorithm, &content, &signature)
        .ok_or_else(no_key)?;
    println!(
        "{}",
        if fits {
            "Verified OK"
        } else {
            "Verification failure"
        }
    );
    Ok(i32::from(!fits))
}
