//! Certificates and requests as `-text` prints them, column for column as OpenSSL 3.0 does.

use der::Encode as _;
use rsa::traits::PublicKeyParts as _;
use x509_cert::Certificate;
use x509_cert::ext::Extension;
use x509_cert::request::CertReq;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::Time;

use super::name::{self, Look};
use super::signature::title;
use super::{extension, hex, key};
use crate::call::bytes;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A big number in lines of 15 bytes, `margin` blanks from the left, with a zero byte in front where it would look
/// negative.
pub fn number(content: &[u8], margin: usize) -> Vec<u8> {
    let mut content = content.to_vec();
    if content.first().is_none_or(|first| *first >= 0x80) {
        content.insert(0, 0);
    }
    lines(&content, 15, margin)
}

/// Bytes in lines of `width` bytes, `margin` blanks from the left: `5c:0f:…:` with a colon at the end of all but the
/// last.
pub fn lines(content: &[u8], width: usize, margin: usize) -> Vec<u8> {
    let lines: Vec<String> = content
        .chunks(width)
        .map(|line| format!("{:margin$}{}", "", hex(line, ":").to_lowercase()))
        .collect();
    bytes!(lines.join(":\n"), "\n")
}

/// `Nov 25 20:51:14 2026 GMT`
pub fn time(time: &Time) -> String {
    let date = time.to_date_time();
    let month = MONTHS[usize::from(date.month().clamp(1, 12)) - 1];
    format!(
        "{month} {:2} {:02}:{:02}:{:02} {} GMT",
        date.day(),
        date.hour(),
        date.minutes(),
        date.seconds(),
        date.year()
    )
}

/// The line that `-modulus` prints of a key; none where it is not one of RSA.
pub fn modulus(info: &SubjectPublicKeyInfoOwned) -> Option<String> {
    match key::Public::from_info(info)? {
        key::Public::Rsa(key) => Some(format!("Modulus={}\n", hex(&key.n_bytes(), ""))),
        _ => None,
    }
}

/// The section of the public key. A key of an unknown kind has its algorithm only.
fn key_info(info: &SubjectPublicKeyInfoOwned) -> Vec<u8> {
    let title = title(&info.algorithm);
    let head =
        format!("        Subject Public Key Info:\n            Public Key Algorithm: {title}\n");
    let key = key::Public::from_info(info);
    let key = key.map(|key| key::public_text(&key, "                "));
    bytes!(head, key.unwrap_or_default())
}

/// The section of the signature, 18 bytes a line.
fn signature(algorithm: &AlgorithmIdentifierOwned, content: &[u8]) -> Vec<u8> {
    let title = title(algorithm);
    bytes!(
        format!("    Signature Algorithm: {title}\n    Signature Value:\n"),
        lines(content, 18, 8)
    )
}

/// The text of extensions, one behind the other.
fn extensions(found: &[Extension], margin: usize) -> String {
    found
        .iter()
        .map(|one| extension::text(one, margin))
        .collect()
}

/// Parts of a certificate's text that `-certopt` leaves out.
#[derive(Default)]
pub struct Without {
    /// `no_pubkey`
    pub key: bool,
    /// `no_sigdump`
    pub signature: bool,
}

/// A certificate as text.
pub fn certificate(certificate: &Certificate, look: Look, without: &Without) -> Vec<u8> {
    let body = certificate.tbs_certificate();
    let version = body.version() as u8;
    let serial = body.serial_number().as_bytes();
    let serial = match serial.len() {
        0..=8 => {
            let value = serial
                .iter()
                .fold(0u64, |value, byte| value << 8 | u64::from(*byte));
            format!(" {value} (0x{value:x})")
        }
        _ => format!("\n            {}", hex(serial, ":").to_lowercase()),
    };
    let validity = body.validity();
    let mut out = bytes!(
        format!(
            "Certificate:\n    Data:\n        Version: {} (0x{version:x})\n        Serial Number:{serial}\n",
            version + 1
        ),
        format!("        Signature Algorithm: {}\n", title(body.signature())),
        "        Issuer: ",
        name::text(body.issuer(), look),
        format!(
            "\n        Validity\n            Not Before: {}\n            Not After : {}\n",
            time(&validity.not_before),
            time(&validity.not_after)
        ),
        "        Subject: ",
        name::text(body.subject(), look),
        "\n"
    );
    if !without.key {
        out.extend(key_info(body.subject_public_key_info()));
    }
    if let Some(found) = body.extensions() {
        out.extend_from_slice(b"        X509v3 extensions:\n");
        out.extend(extensions(found, 12).into_bytes());
    }
    if !without.signature {
        let content = certificate.signature().raw_bytes();
        out.extend(signature(certificate.signature_algorithm(), content));
    }
    out
}

/// The extensions that a request asks for in its attribute `extensionRequest`; none where that is malformed.
pub fn requested(request: &CertReq) -> Vec<Extension> {
    use der::Decode as _;
    const REQUEST: &str = "1.2.840.113549.1.9.14";
    let mut attributes = request.info.attributes.iter();
    let found = attributes.find(|one| one.oid.to_string() == REQUEST);
    let value = found.and_then(|found| found.values.iter().next());
    let content = value.and_then(|value| value.to_der().ok());
    let parsed = content.and_then(|content| Vec::<Extension>::from_der(&content).ok());
    parsed.unwrap_or_default()
}

/// A request as text.
pub fn request(request: &CertReq, look: Look) -> Vec<u8> {
    let found = requested(request);
    let attributes = match found.is_empty() {
        true => "            (none)\n            Requested Extensions:\n".to_owned(),
        false => format!(
            "            Requested Extensions:\n{}",
            extensions(&found, 16)
        ),
    };
    bytes!(
        "Certificate Request:\n    Data:\n        Version: 1 (0x0)\n        Subject: ",
        name::text(&request.info.subject, look),
        "\n",
        key_info(&request.info.public_key),
        "        Attributes:\n",
        attributes,
        signature(&request.algorithm, request.signature.raw_bytes())
    )
}
