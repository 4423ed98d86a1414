//! `openssl req`: requests for certificates (PKCS #10, RFC 2986), and certificates that sign themselves.
//!
//! A request has a name, a public key and the wanted extensions, signed with the key itself. `-new` and `-newkey` make
//! one, `-x509` makes a certificate in its place, and otherwise one is read and shown. There is no dialogue: the name
//! has to come from `-subj`, and `-config` is ignored.

use der::asn1::{Any, BitString, ObjectIdentifier, SetOfVec};
use der::{Decode as _, Encode as _};
use x509_cert::attr::Attribute;
use x509_cert::ext::Extension;
use x509_cert::name::Name;
use x509_cert::request::{CertReq, CertReqInfo, Version};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

use super::certificate::{self, Body};
use super::extension::{self, Keys};
use super::name::{self, Look};
use super::output::{write, write_secret};
use super::{Words, input, key, pem, text};
use crate::call::{Call, bytes};

/// Options without a value.
const FLAGS: &[&str] = &[
    "new", "x509", "nodes", "noenc", "noout", "text", "subject", "pubkey", "verify", "modulus",
    "batch", "utf8", "verbose", "newhdr",
];

/// Options with a value.
const VALUED: &[&str] = &[
    "in",
    "out",
    "inform",
    "outform",
    "key",
    "keyout",
    "newkey",
    "pkeyopt",
    "subj",
    "days",
    "addext",
    "passin",
    "passout",
    "set_serial",
    "config",
    "extensions",
    "reqexts",
    "nameopt",
    "keyform",
];

/// Runs `req`.
pub fn request(call: &Call) -> Result<i32, i32> {
    let words = Words::read(call, FLAGS, VALUED, |name| {
        super::digest::algorithm(name).is_some()
    })?;
    let makes = words.has("new")
        || words.has("newkey")
        || (words.has("x509") && words.value("in").is_none());
    if !makes {
        let content = input(call, words.value("in").unwrap_or(b"-"))?;
        let request = read(call, &content)?;
        return show(call, &words, &request);
    }
    let key = own_key(call, &words)?;
    let Some(subject) = words.value("subj") else {
        call.fail(
            1,
            "-subj is needed: there is no dialogue for the parts of the name",
        );
        return Err(1);
    };
    let subject = name::parse(subject).map_err(|reason| call.fail(1, reason))?;
    let failed = || call.fail(1, "Error making certificate request");
    let info = key.public().info().ok_or_else(failed)?;
    let identifier = certificate::identifier(&info);
    let keys = Keys {
        subject: &identifier,
        issuer: &identifier,
    };
    let mut extensions = match words.has("x509") {
        true => extension::usual(&keys),
        false => Vec::new(),
    };
    for (_, line) in words.options.iter().filter(|(name, _)| name == b"addext") {
        add(call, &mut extensions, &String::from_utf8_lossy(line), &keys)?;
    }
    let digest = words.digest();
    let (label, content) = if words.has("x509") {
        let days = words.number(call, "days", 30)?;
        let body = Body {
            serial: certificate::serial(call, words.value("set_serial"))?,
            issuer: subject.clone(),
            subject,
            days,
            info,
            extensions,
        };
        ("CERTIFICATE", body.signed(call, &key, digest)?)
    } else {
        let made = made(&key, subject, info, extensions, digest);
        ("CERTIFICATE REQUEST", made.ok_or_else(failed)?)
    };
    let made = match words.value("outform") {
        Some(form) if form.eq_ignore_ascii_case(b"der") => content.clone(),
        _ => pem::block(label, &content),
    };
    let mut out = Vec::new();
    if words.has("text") {
        out.extend(match label {
            "CERTIFICATE" => text::certificate(
                &certificate::parsed(call, &content)?,
                Look::Usual,
                &text::Without::default(),
            ),
            _ => text::request(&read(call, &content)?, Look::Usual),
        });
    }
    if !words.has("noout") {
        out.extend(made);
    }
    Ok(write(call, words.value("out"), &out, 0))
}

/// Adds the extension of a line such as `subjectAltName=DNS:x`, in the place of one with its name.
pub fn add(
    call: &Call,
    extensions: &mut Vec<Extension>,
    line: &str,
    keys: &Keys,
) -> Result<(), i32> {
    let (name, value) = line.split_once('=').unwrap_or((line, ""));
    let (name, value) = (name.trim(), value.trim());
    let Some(made) = extension::parse(name, value, keys) else {
        return Err(call.fail(1, format!("Error adding extension: {name}={value}")));
    };
    extensions.retain(|one| one.extn_id != made.extn_id);
    extensions.push(made);
    Ok(())
}

/// The key that signs: `-key`, or a new one that is written to `-keyout` (`privkey.pem` by default), in cipher unless
/// `-nodes` or `-noenc` is given.
fn own_key(call: &Call, words: &Words) -> Result<key::Private, i32> {
    if let (Some(path), None) = (words.value("key"), words.value("newkey")) {
        return key::private(call, path, words.value("passin"));
    }
    let key = key::requested(call, words)?;
    let open = words.has("nodes") || words.has("noenc");
    let text = match (open, words.value("passout")) {
        (true, _) => key::plain(call, &key)?,
        (false, source) => key::locked(call, &key, source)?,
    };
    let path = words.value("keyout").unwrap_or(b"privkey.pem");
    match write_secret(call, Some(path), &text) {
        0 => {
            eprintln!("-----");
            Ok(key)
        }
        status => Err(status),
    }
}

/// The DER of a request; the extensions are its attribute `extensionRequest` (RFC 2985). `None` where it cannot be
/// signed.
fn made(
    key: &key::Private,
    subject: Name,
    public_key: SubjectPublicKeyInfoOwned,
    extensions: Vec<Extension>,
    digest: &str,
) -> Option<Vec<u8>> {
    let mut attributes = SetOfVec::new();
    if !extensions.is_empty() {
        let mut values = SetOfVec::new();
        values
            .insert(Any::from_der(&extensions.to_der().ok()?).ok()?)
            .ok()?;
        let oid = ObjectIdentifier::new("1.2.840.113549.1.9.14").ok()?;
        attributes.insert(Attribute { oid, values }).ok()?;
    }
    let info = CertReqInfo {
        version: Version::V1,
        subject,
        public_key,
        attributes,
    };
    let digest = super::digest::algorithm(digest.as_bytes())?;
    let signature = key.sign(digest, &info.to_der().ok()?)?;
    let request = CertReq {
        info,
        algorithm: key.algorithm(digest.name)?,
        signature: BitString::from_bytes(&signature).ok()?,
    };
    request.to_der().ok()
}

/// Reads a request, PEM or DER.
pub fn read(call: &Call, content: &[u8]) -> Result<CertReq, i32> {
    let block = pem::blocks(content)
        .into_iter()
        .find(|block| block.label.ends_with(b"CERTIFICATE REQUEST"));
    let content = block.as_ref().map_or(content, |block| &block.content);
    CertReq::from_der(content).map_err(|_| {
        eprintln!("Unable to load X509 request");
        let _ = call;
        1
    })
}

/// Whether a request is signed with its own key, which proves that whoever asks has the private half.
pub fn fits(request: &CertReq) -> bool {
    let Ok(body) = request.info.to_der() else {
        return false;
    };
    let made = request.signature.raw_bytes();
    key::fits(&request.info.public_key, &request.algorithm, &body, made)
}

/// Prints what options ask for, in a fixed order. The status is 1 where `-verify` finds a signature that does not fit.
fn show(call: &Call, words: &Words, request: &CertReq) -> Result<i32, i32> {
    let look = Look::of(words.value("nameopt"));
    let mut status = 0;
    if words.has("verify") {
        let good = fits(request);
        let what = if good { "OK" } else { "failure" };
        eprintln!("Certificate request self-signature verify {what}");
        status = i32::from(!good);
    }
    let mut out = Vec::new();
    if words.has("text") {
        out.extend(text::request(request, look));
    }
    if words.has("pubkey") {
        let content = request.info.public_key.to_der();
        let content = content.map_err(|_| call.fail(1, "Error getting public key"))?;
        out.extend(pem::block("PUBLIC KEY", &content));
    }
    if words.has("subject") {
        out.extend(bytes!(
            "subject=",
            name::text(&request.info.subject, look),
            "\n"
        ));
    }
    if words.has("modulus") {
        let line = text::modulus(&request.info.public_key);
        let line = line.unwrap_or_else(|| "Modulus=Wrong Algorithm type\n".to_owned());
        out.extend(line.into_bytes());
    }
    if !words.has("noout") {
        let content = request.to_der().map_err(|_| 1)?;
        out.extend(match words.value("outform") {
            Some(form) if form.eq_ignore_ascii_case(b"der") => content,
            _ => pem::block("CERTIFICATE REQUEST", &content),
        });
    }
    Ok(write(call, words.value("out"), &out, status))
}
