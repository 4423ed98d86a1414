//! Signatures: their algorithms by number and name, and `openssl pkeyutl`.

use x509_cert::spki::AlgorithmIdentifierOwned;

use super::output::write;
use super::{Words, digest, input, key};
use crate::call::{Call, bytes};

/// Algorithms of keys and signatures: object identifier and name.
const ALGORITHMS: &[(&str, &str)] = &[
    ("1.2.840.113549.1.1.1", "rsaEncryption"),
    ("1.2.840.113549.1.1.4", "md5WithRSAEncryption"),
    ("1.2.840.113549.1.1.5", "sha1WithRSAEncryption"),
    ("1.2.840.113549.1.1.11", "sha256WithRSAEncryption"),
    ("1.2.840.113549.1.1.12", "sha384WithRSAEncryption"),
    ("1.2.840.113549.1.1.13", "sha512WithRSAEncryption"),
    ("1.2.840.113549.1.1.14", "sha224WithRSAEncryption"),
    ("1.2.840.10045.2.1", "id-ecPublicKey"),
    ("1.2.840.10045.4.1", "ecdsa-with-SHA1"),
    ("1.2.840.10045.4.3.1", "ecdsa-with-SHA224"),
    ("1.2.840.10045.4.3.2", "ecdsa-with-SHA256"),
    ("1.2.840.10045.4.3.3", "ecdsa-with-SHA384"),
    ("1.2.840.10045.4.3.4", "ecdsa-with-SHA512"),
    ("1.3.101.112", "ED25519"),
];

/// The object identifier of an algorithm.
pub fn number(title: &str) -> Option<&'static str> {
    let (id, _) = ALGORITHMS.iter().find(|(_, known)| *known == title)?;
    Some(id)
}

/// The name of an algorithm; `unknown` for one that is not listed.
pub fn title(algorithm: &AlgorithmIdentifierOwned) -> &'static str {
    let id = algorithm.oid.to_string();
    let known = ALGORITHMS.iter().find(|(known, _)| *known == id);
    known.map_or("unknown", |(_, title)| title)
}

/// Runs `pkeyutl -sign` and `-verify`.
///
/// The input is a digest, whose name RSA needs for its padding (`-pkeyopt digest:NAME`), or with `-rawin` the content
/// that is to be digested. Ed25519 signs whole contents only. The status is 1 where a signature does not fit.
pub fn pkeyutl(call: &Call) -> Result<i32, i32> {
    let flags = ["sign", "verify", "rawin", "pubin"];
    let valued = [
        "in", "out", "inkey", "sigfile", "digest", "pkeyopt", "passin", "keyform",
    ];
    let words = Words::read(call, &flags, &valued, |_| false)?;
    if words.has("sign") == words.has("verify") {
        return Err(call.fail(
            1,
            "one of -sign and -verify is needed: nothing else is supported",
        ));
    }
    let Some(path) = words.value("inkey") else {
        call.fail(1, "no private key given (-inkey parameter).");
        return Err(call.fail(1, "Use -help for summary."));
    };
    let digest = named_digest(call, &words)?;
    if words.has("digest") && !words.has("rawin") {
        return Err(call.fail(1, "-digest can only be used with -rawin"));
    }
    let usual = digest::algorithm(b"sha256").ok_or(1)?;
    let raw = words.has("rawin");
    let key = match words.has("pubin") {
        true => Err(key::public(call, path, words.value("passin"))?),
        false => Ok(key::private(call, path, words.value("passin"))?),
    };
    let public = match &key {
        Ok(key) => key.public(),
        Err(key) => key.clone(),
    };
    check_kind(call, &public, raw, digest)?;
    let content = input(call, words.value("in").unwrap_or(b"-"))?;
    let chosen = digest.unwrap_or(usual);
    if !raw {
        long(&content, digest)?;
    }
    let failed = || call.fail(1, "this key and this digest sign nothing here");
    if words.has("sign") {
        let Ok(key) = key else {
            return Err(call.fail(1, "a private key is needed to sign"));
        };
        let made = match raw {
            true => key.sign(chosen, &content),
            false => key.sign_sum(chosen, &content),
        };
        return Ok(write(
            call,
            words.value("out"),
            &made.ok_or_else(failed)?,
            0,
        ));
    }
    let Some(signature) = words.value("sigfile") else {
        return Err(call.fail(1, "No signature file specified for verify"));
    };
    let signature = input(call, signature)?;
    let good = match raw {
        true => public.verify(chosen, &content, &signature),
        false => public.verify_sum(chosen, &content, &signature),
    };
    let good = good.ok_or_else(failed)?;
    let what = if good {
        "Verified Successfully"
    } else {
        "Verification Failure"
    };
    let text = format!("Signature {what}\n");
    Ok(write(
        call,
        words.value("out"),
        text.as_bytes(),
        i32::from(!good),
    ))
}

/// The digest that `-digest` or `-pkeyopt digest:NAME` names.
fn named_digest(call: &Call, words: &Words) -> Result<Option<&'static digest::Algorithm>, i32> {
    let option = words.value("pkeyopt").map(|option| {
        option
            .strip_prefix(b"digest:")
            .ok_or_else(|| call.fail(1, bytes!("-pkeyopt: not supported: ", option)))
    });
    let Some(name) = words.value("digest").map(Ok).or(option).transpose()? else {
        return Ok(None);
    };
    let found = digest::algorithm(name);
    let found = found.ok_or_else(|| call.fail(1, bytes!("unknown digest: ", name)))?;
    Ok(Some(found))
}

/// Refuses a key that signs in another way than it is asked to.
fn check_kind(
    call: &Call,
    key: &key::Public,
    raw: bool,
    digest: Option<&digest::Algorithm>,
) -> Result<(), i32> {
    match (key, raw, digest) {
        (key::Public::Edwards(_), false, _) => {
            Err(call.fail(1, "a key of ED25519 signs what is whole: use -rawin"))
        }
        (key::Public::Rsa(_), false, None) => {
            let reason =
                "a signature with RSA names its digest: use -pkeyopt digest:NAME or -rawin";
            Err(call.fail(1, reason))
        }
        _ => Ok(()),
    }
}

/// Refuses what cannot be a digest, or is not as long as the one that was named.
fn long(content: &[u8], digest: Option<&digest::Algorithm>) -> Result<(), i32> {
    let fits = match digest {
        Some(digest) => digest.sum(&[]).len() == content.len(),
        None => content.len() <= 64,
    };
    match fits {
        true => Ok(()),
        false => {
            eprintln!("Error: The input data looks too long to be a hash");
            Err(1)
        }
    }
}
