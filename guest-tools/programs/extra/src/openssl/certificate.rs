//! `openssl x509` and `verify`: certificates (RFC 5280) that are shown, issued and checked.
//!
//! A certificate is the DER of three things: what is signed (`Signed`), the algorithm, and the signature over the bytes
//! of the first one. `Body::build` encodes the first part once and puts those very bytes into the whole.
//!
//! `x509` prints what its options ask for, in their order, and the certificate itself unless `-noout` is given; with
//! `-req` it first issues the certificate for a request. `verify` looks at one step only: the issuer is searched for by
//! name among the certificates of `-CAfile` and `-untrusted` alike, its key has to fit the signature, and the end of
//! validity must not have passed. It does not follow a chain and does not look at the beginning of validity or at
//! usages.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use der::asn1::{Any, BitString, GeneralizedTime, UtcTime};
use der::{DateTime, Decode as _, Encode as _, Sequence};
use x509_cert::Certificate;
use x509_cert::certificate::Version;
use x509_cert::ext::Extension;
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::{Time, Validity};

use super::digest::algorithm;
use super::extension::{self, Keys};
use super::name::{self, Look};
use super::output::write;
use super::text::{self, Without};
use super::{Words, hex, input, key, pem, random_bytes, request, unhex};
use crate::call::{Call, bytes};
use crate::system;

const DAY: u64 = 24 * 60 * 60;

/// What a certificate is to say, before it is signed.
pub struct Body {
    /// The serial number, big-endian and positive.
    pub serial: Vec<u8>,
    /// The name of whoever signs.
    pub issuer: Name,
    /// The name of whoever has the key.
    pub subject: Name,
    /// How long it is valid, in days from the moment of signing.
    pub days: u64,
    /// The public key that is certified.
    pub info: SubjectPublicKeyInfoOwned,
    /// The extensions; with any of them it is of version 3, without one of version 1.
    pub extensions: Vec<Extension>,
}

/// `TBSCertificate` of RFC 5280, section 4.1: the part of a certificate that is signed.
#[derive(Sequence)]
struct Signed {
    #[asn1(context_specific = "0", default = "Default::default")]
    version: Version,
    serial: SerialNumber,
    signature: AlgorithmIdentifierOwned,
    issuer: Name,
    validity: Validity,
    subject: Name,
    info: SubjectPublicKeyInfoOwned,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<Vec<Extension>>,
}

/// `Certificate` of RFC 5280, with the signed part as the bytes that were signed.
#[derive(Sequence)]
struct Whole {
    body: Any,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitString,
}

impl Body {
    /// The certificate as DER, signed with a key and a digest of OpenSSL's name.
    ///
    /// # Errors
    /// The exit status, behind a message, where key and digest do not go together or a time is out of range.
    pub fn signed(self, call: &Call, key: &key::Private, digest: &str) -> Result<Vec<u8>, i32> {
        let failed = || call.fail(1, "the certificate cannot be made");
        self.build(key, digest).ok_or_else(failed)
    }

    /// Encodes and signs; `None` for what `signed` calls an error.
    fn build(self, key: &key::Private, digest: &str) -> Option<Vec<u8>> {
        let algorithm = key.algorithm(digest)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
        let version = match self.extensions.is_empty() {
            true => Version::V1,
            false => Version::V3,
        };
        let body = Signed {
            version,
            serial: SerialNumber::new(&self.serial).ok()?,
            signature: algorithm.clone(),
            issuer: self.issuer,
            validity: Validity::new(
                time(now)?,
                time(now.checked_add(self.days.checked_mul(DAY)?)?)?,
            ),
            subject: self.subject,
            info: self.info,
            extensions: Some(self.extensions).filter(|found| !found.is_empty()),
        };
        let body = body.to_der().ok()?;
        let signature = key.sign(super::digest::algorithm(digest.as_bytes())?, &body)?;
        let whole = Whole {
            body: Any::from_der(&body).ok()?,
            algorithm,
            signature: BitString::from_bytes(&signature).ok()?,
        };
        whole.to_der().ok()
    }
}

/// A time as RFC 5280 wants it: `UTCTime` until 2049, `GeneralizedTime` from 2050 on.
fn time(seconds: u64) -> Option<Time> {
    let date = DateTime::from_unix_duration(Duration::from_secs(seconds)).ok()?;
    Some(match date.year() < 2050 {
        true => Time::UtcTime(UtcTime::from_date_time(date).ok()?),
        false => Time::GeneralTime(GeneralizedTime::from_date_time(date)),
    })
}

/// The SHA-1 digest of a public key's bits, by which extensions name the key (RFC 5280, section 4.2.1.2).
pub fn identifier(info: &SubjectPublicKeyInfoOwned) -> Vec<u8> {
    let sha1 = algorithm(b"sha1");
    sha1.map(|sha1| sha1.sum(&[info.subject_public_key.raw_bytes()]))
        .unwrap_or_default()
}

/// A serial number as big-endian bytes with a zero in front where it would look negative: the one given, in decimal or
/// as `0x…`, or a random positive one of 20 bytes.
pub fn serial(call: &Call, given: Option<&[u8]>) -> Result<Vec<u8>, i32> {
    let Some(given) = given else {
        let mut random = random_bytes(call, 20)?;
        random[0] = random[0] & 0x7f | 1;
        return Ok(random);
    };
    let content = match given.strip_prefix(b"0x") {
        Some(digits) if digits.len() % 2 == 1 => unhex(&bytes!("0", digits)),
        Some(digits) => unhex(digits),
        None => crate::options::number::<u64>(given).map(|number| number.to_be_bytes().to_vec()),
    };
    let content = content.ok_or_else(|| call.fail(1, bytes!("Invalid serial number: ", given)))?;
    let zeros = content.iter().take_while(|byte| **byte == 0).count();
    let mut content = content[zeros.min(content.len().saturating_sub(1))..].to_vec();
    if content.first().is_some_and(|first| *first >= 0x80) {
        content.insert(0, 0);
    }
    Ok(content)
}

/// A certificate from DER.
pub fn parsed(call: &Call, content: &[u8]) -> Result<Certificate, i32> {
    Certificate::from_der(content).map_err(|_| call.fail(1, "the certificate cannot be read"))
}

/// Reads the first certificate of a file, PEM or DER; `-` is standard input.
fn read(call: &Call, path: &[u8]) -> Result<Certificate, i32> {
    let Ok(content) = system::read_whole(path) else {
        let path = String::from_utf8_lossy(path);
        eprintln!("Could not open file or uri for loading certificate from {path}");
        return Err(1);
    };
    let block = pem::blocks(&content)
        .into_iter()
        .find(|block| block.label.ends_with(b"CERTIFICATE"));
    let der = block.as_ref().map_or(&content, |block| &block.content);
    Certificate::from_der(der).map_err(|_| {
        let _ = call;
        let path = String::from_utf8_lossy(path);
        let path = if path == "-" { "<stdin>" } else { &path };
        eprintln!("Could not read certificate from {path}");
        eprintln!("Unable to load certificate");
        1
    })
}

/// Options of `x509` without a value. Those that change nothing here are accepted and ignored.
const FLAGS: &[&str] = &[
    "noout",
    "text",
    "subject",
    "issuer",
    "dates",
    "startdate",
    "enddate",
    "serial",
    "fingerprint",
    "pubkey",
    "modulus",
    "email",
    "hash",
    "subject_hash",
    "req",
    "CAcreateserial",
    "new",
];

/// Options of `x509` with a value.
const VALUED: &[&str] = &[
    "in",
    "out",
    "inform",
    "outform",
    "CA",
    "CAkey",
    "CAserial",
    "days",
    "extfile",
    "extensions",
    "signkey",
    "key",
    "set_serial",
    "nameopt",
    "certopt",
    "checkend",
    "ext",
    "copy_extensions",
    "passin",
];

/// Runs `x509`.
pub fn certificate(call: &Call) -> Result<i32, i32> {
    let words = Words::read(call, FLAGS, VALUED, |name| algorithm(name).is_some())?;
    let path = words.value("in").unwrap_or(b"-");
    let certificate = if words.has("req") {
        let content = issued(call, &words, path)?;
        parsed(call, &content)?
    } else {
        read(call, path)?
    };
    let mut out = Vec::new();
    let status = show(call, &words, &certificate, &mut out)?;
    if !words.has("noout") {
        let content = certificate.to_der().map_err(|_| 1)?;
        out.extend(match words.value("outform") {
            Some(form) if form.eq_ignore_ascii_case(b"der") => content,
            _ => pem::block("CERTIFICATE", &content),
        });
    }
    Ok(write(call, words.value("out"), &out, status))
}

/// Appends what options ask for, in their order. The status is 1 where `-checkend SECONDS` finds that the certificate
/// will have expired by then, and 0 otherwise.
fn show(
    call: &Call,
    words: &Words,
    certificate: &Certificate,
    out: &mut Vec<u8>,
) -> Result<i32, i32> {
    let look = Look::of(words.value("nameopt"));
    let body = certificate.tbs_certificate();
    let mut status = 0;
    for (option, value) in &words.options {
        match option.as_slice() {
            b"text" => {
                let leaves = |what: &[u8]| {
                    let listed = words.value("certopt").unwrap_or_default();
                    listed.split(|&byte| byte == b',').any(|word| word == what)
                };
                let without = Without {
                    key: leaves(b"no_pubkey"),
                    signature: leaves(b"no_sigdump"),
                };
                out.extend(text::certificate(certificate, look, &without));
            }
            b"subject" => out.extend(bytes!("subject=", name::text(body.subject(), look), "\n")),
            b"issuer" => out.extend(bytes!("issuer=", name::text(body.issuer(), look), "\n")),
            b"dates" | b"startdate" | b"enddate" => {
                let validity = body.validity();
                if option != b"enddate" {
                    out.extend(
                        format!("notBefore={}\n", text::time(&validity.not_before)).into_bytes(),
                    );
                }
                if option != b"startdate" {
                    out.extend(
                        format!("notAfter={}\n", text::time(&validity.not_after)).into_bytes(),
                    );
                }
            }
            b"serial" => {
                out.extend(bytes!(
                    "serial=",
                    hex(body.serial_number().as_bytes(), ""),
                    "\n"
                ));
            }
            b"fingerprint" => out.extend(fingerprint(call, words, certificate)?),
            b"pubkey" => {
                let content = body.subject_public_key_info().to_der().map_err(|_| 1)?;
                out.extend(pem::block("PUBLIC KEY", &content));
            }
            b"modulus" => match text::modulus(body.subject_public_key_info()) {
                Some(line) => out.extend(line.into_bytes()),
                None => out.extend_from_slice(b"Modulus=No modulus for this public key type\n"),
            },
            b"email" => {
                const EMAIL: &str = "1.2.840.113549.1.9.1";
                for part in body
                    .subject()
                    .iter()
                    .filter(|part| part.oid.to_string() == EMAIL)
                {
                    out.extend(bytes!(part.value.value(), "\n"));
                }
            }
            b"ext" => out.extend(chosen(body.extensions(), &String::from_utf8_lossy(value))),
            b"checkend" => {
                let seconds = words.number(call, "checkend", 0)?;
                let end = body.validity().not_after.to_unix_duration().as_secs();
                let now = SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .map_or(0, |now| now.as_secs());
                status = i32::from(now.saturating_add(seconds) > end);
                let what = if status == 0 { "not " } else { "" };
                out.extend(format!("Certificate will {what}expire\n").into_bytes());
            }
            b"hash" | b"subject_hash" => {
                return Err(call.fail(1, "the hash of names is not supported"));
            }
            _ => {}
        }
    }
    Ok(status)
}

/// `-fingerprint`: the digest of the DER, by the last digest that was named, SHA-1 without one.
fn fingerprint(call: &Call, words: &Words, certificate: &Certificate) -> Result<Vec<u8>, i32> {
    let content = certificate.to_der().map_err(|_| 1)?;
    let named = words
        .options
        .iter()
        .rev()
        .find(|(name, _)| algorithm(name).is_some());
    let (title, digest) = match named {
        Some((name, _)) => (String::from_utf8_lossy(name).into_owned(), algorithm(name)),
        None => ("SHA1".to_owned(), algorithm(b"sha1")),
    };
    let digest = digest.ok_or_else(|| call.fail(1, "no digest"))?;
    Ok(bytes!(
        title,
        " Fingerprint=",
        hex(&digest.sum(&[&content]), ":"),
        "\n"
    ))
}

/// The extensions that are listed, as text.
fn chosen(extensions: Option<&Vec<Extension>>, names: &str) -> Vec<u8> {
    let wanted: Vec<_> = names
        .split(',')
        .filter_map(|name| extension::number(name.trim()))
        .collect();
    let found = extensions.into_iter().flatten();
    let found = found.filter(|one| wanted.contains(&one.extn_id));
    let text: String = found.map(|one| extension::text(one, 0)).collect();
    match text.is_empty() {
        true => {
            eprintln!("No extensions in certificate");
            Vec::new()
        }
        false => text.into_bytes(),
    }
}

/// `-req`: the DER of a certificate for a request, signed with a key of one's own or with that of an authority (`-CA`).
///
/// Only a request whose own signature fits is answered. Its extensions are taken with `-copy_extensions`, then those of
/// `-extfile` replace them.
fn issued(call: &Call, words: &Words, path: &[u8]) -> Result<Vec<u8>, i32> {
    let asked = request::read(call, &input(call, path)?)?;
    let good = request::fits(&asked);
    let what = if good {
        "ok"
    } else {
        "did not match the contents"
    };
    eprintln!("Certificate request self-signature {what}");
    if !good {
        return Err(1);
    }
    let subject = asked.info.subject.clone();
    let shown = name::text(&subject, Look::Usual);
    eprintln!("subject={}", String::from_utf8_lossy(&shown));
    let own = words.value("signkey").or_else(|| words.value("key"));
    let (issuer, issuer_info, key) = match words.value("CA") {
        Some(authority) => {
            let certificate = read(call, authority)?;
            let body = certificate.tbs_certificate();
            let path = words.value("CAkey").unwrap_or(authority);
            let key = key::private(call, path, words.value("passin"))?;
            (
                body.subject().clone(),
                body.subject_public_key_info().clone(),
                key,
            )
        }
        None => {
            let Some(own) = own else {
                return Err(call.fail(1, "We need a private key to sign with, use -key or -CAkey or -CA with private key"));
            };
            let key = key::private(call, own, words.value("passin"))?;
            (subject.clone(), asked.info.public_key.clone(), key)
        }
    };
    let (subject_id, issuer_id) = (identifier(&asked.info.public_key), identifier(&issuer_info));
    let keys = Keys {
        subject: &subject_id,
        issuer: &issuer_id,
    };
    let mut extensions = Vec::new();
    if words
        .value("copy_extensions")
        .is_some_and(|how| how != b"none")
    {
        extensions = text::requested(&asked);
    }
    if let Some(path) = words.value("extfile") {
        let content = input(call, path)?;
        let section = words.value("extensions").map(String::from_utf8_lossy);
        for line in settings(&String::from_utf8_lossy(&content), section.as_deref()) {
            request::add(call, &mut extensions, &line, &keys)?;
        }
    }
    if !extensions.is_empty() {
        identify(&mut extensions, &keys, words.value("CA").is_some());
    }
    let serial = next_serial(call, words)?;
    let body = Body {
        serial,
        issuer,
        subject,
        days: words.number(call, "days", 30)?,
        info: asked.info.public_key.clone(),
        extensions,
    };
    body.signed(call, &key, words.digest())
}

/// Adds the identifiers of both keys, which OpenSSL adds where there are other extensions, unless they are there.
fn identify(extensions: &mut Vec<Extension>, keys: &Keys, by_authority: bool) {
    let wanted: &[(&str, &str)] = match by_authority {
        true => &[
            ("subjectKeyIdentifier", "hash"),
            ("authorityKeyIdentifier", "keyid"),
        ],
        false => &[("subjectKeyIdentifier", "hash")],
    };
    for (name, value) in wanted {
        if let Some(made) = extension::parse(name, value, keys)
            && !extensions.iter().any(|one| one.extn_id == made.extn_id)
        {
            extensions.push(made);
        }
    }
}

/// The serial number of a certificate that an authority issues.
///
/// The file is `-CAserial`, or the authority's name with `.srl`: the number in it, plus one, is taken and written back.
/// Without a file it is random, and written where `-CAcreateserial` is given. `-set_serial` goes before all of it.
fn next_serial(call: &Call, words: &Words) -> Result<Vec<u8>, i32> {
    let (Some(authority), None) = (words.value("CA"), words.value("set_serial")) else {
        return serial(call, words.value("set_serial"));
    };
    let path = match words.value("CAserial") {
        Some(path) => path.to_vec(),
        None => {
            let dot = authority.iter().rposition(|&byte| byte == b'.');
            bytes!(&authority[..dot.unwrap_or(authority.len())], ".srl")
        }
    };
    let kept = system::read_whole(&path).ok();
    if kept.is_none() && !words.has("CAcreateserial") && words.value("CAserial").is_some() {
        let shown = String::from_utf8_lossy(&path);
        eprintln!("Can't open \"{shown}\" for reading, No such file or directory");
        return Err(1);
    }
    let Some(kept) = kept else {
        let fresh = serial(call, None)?;
        if words.has("CAcreateserial") {
            write(call, Some(&path), &bytes!(hex(&fresh, ""), "\n"), 0);
        }
        return Ok(fresh);
    };
    let mut number = serial(call, Some(&bytes!("0x", kept.trim_ascii())))?;
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    write(call, Some(&path), &bytes!(hex(&number, ""), "\n"), 0);
    Ok(number)
}

/// The `NAME = VALUE` lines of a section of a settings file, or of the part above all sections where none is named.
fn settings(text: &str, section: Option<&str>) -> Vec<String> {
    let mut here = section.is_none();
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[') {
            let name = name.trim_end_matches(']').trim();
            here = section == Some(name);
        } else if here && line.contains('=') {
            found.push(line.to_owned());
        }
    }
    found
}

/// Runs `verify`: prints `FILE: OK`, or the error's number as OpenSSL has it and the reason. The status is 2 where one
/// of the files fails.
pub fn verify(call: &Call) -> Result<i32, i32> {
    let words = Words::read(call, &[], &["CAfile", "untrusted"], |_| false)?;
    let mut trusted = Vec::new();
    for name in ["CAfile", "untrusted"] {
        if let Some(path) = words.value(name) {
            let content = input(call, path)?;
            let blocks = pem::blocks(&content);
            trusted.extend(
                blocks
                    .iter()
                    .filter_map(|block| Certificate::from_der(&block.content).ok()),
            );
        }
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_secs());
    let mut status = 0;
    for path in &words.operands {
        let certificate = read(call, path)?;
        let body = certificate.tbs_certificate();
        let issuer = trusted
            .iter()
            .find(|one| one.tbs_certificate().subject() == body.issuer());
        let end = body.validity().not_after.to_unix_duration().as_secs();
        let problem = match issuer {
            None if body.issuer() == body.subject() => Some((18, "self-signed certificate")),
            None => Some((20, "unable to get local issuer certificate")),
            Some(issuer) if !signed_by(&certificate, issuer) => {
                Some((7, "certificate signature failure"))
            }
            Some(_) if now > end => Some((10, "certificate has expired")),
            Some(_) => None,
        };
        let shown = String::from_utf8_lossy(path);
        match problem {
            None => println!("{shown}: OK"),
            Some((number, reason)) => {
                let subject = name::text(body.subject(), Look::Usual);
                eprintln!("{}", String::from_utf8_lossy(&subject));
                eprintln!("error {number} at 0 depth lookup: {reason}");
                eprintln!("error {shown}: verification failed");
                status = 2;
            }
        }
    }
    Ok(status)
}

/// Whether the issuer's key fits a certificate's signature.
fn signed_by(certificate: &Certificate, issuer: &Certificate) -> bool {
    let info = issuer.tbs_certificate().subject_public_key_info();
    let Ok(body) = certificate.tbs_certificate().to_der() else {
        return false;
    };
    let made = certificate.signature().raw_bytes();
    key::fits(info, certificate.signature_algorithm(), &body, made)
}
