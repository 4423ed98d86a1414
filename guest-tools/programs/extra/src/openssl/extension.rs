//! Extensions of certificates and requests (RFC 5280, section 4.2), read from OpenSSL's settings and shown as text.
//!
//! | setting | shown |
//! |---|---|
//! | `basicConstraints=critical,CA:TRUE,pathlen:0` | `CA:TRUE, pathlen:0` |
//! | `keyUsage=digitalSignature,keyCertSign` | `Digital Signature, Certificate Sign` |
//! | `extendedKeyUsage=serverAuth` | `TLS Web Server Authentication` |
//! | `subjectAltName=DNS:a.example,IP:192.0.2.1` | `DNS:a.example, IP Address:192.0.2.1` |
//! | `subjectKeyIdentifier=hash` | the SHA-1 of the key, `5C:0F:…` |
//!
//! What is not in `KINDS` cannot be set and is shown as its bytes.

use der::asn1::{Ia5String, ObjectIdentifier, OctetString};
use der::flagset::FlagSet;
use der::{Decode as _, Encode};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
    SubjectAltName, SubjectKeyIdentifier,
};

use super::hex;
use super::name::{self, Look};

/// Extensions: the name in settings, the object identifier, and the title in text.
const KINDS: &[(&str, &str, &str)] = &[
    (
        "subjectKeyIdentifier",
        "2.5.29.14",
        "X509v3 Subject Key Identifier",
    ),
    ("keyUsage", "2.5.29.15", "X509v3 Key Usage"),
    (
        "subjectAltName",
        "2.5.29.17",
        "X509v3 Subject Alternative Name",
    ),
    ("basicConstraints", "2.5.29.19", "X509v3 Basic Constraints"),
    (
        "authorityKeyIdentifier",
        "2.5.29.35",
        "X509v3 Authority Key Identifier",
    ),
    ("extendedKeyUsage", "2.5.29.37", "X509v3 Extended Key Usage"),
    ("nsComment", "2.16.840.1.113730.1.13", "Netscape Comment"),
];

/// Key usages: the name in settings, the title in text, and the bit.
const USAGES: &[(&str, &str, KeyUsages)] = &[
    (
        "digitalSignature",
        "Digital Signature",
        KeyUsages::DigitalSignature,
    ),
    (
        "nonRepudiation",
        "Non Repudiation",
        KeyUsages::NonRepudiation,
    ),
    (
        "keyEncipherment",
        "Key Encipherment",
        KeyUsages::KeyEncipherment,
    ),
    (
        "dataEncipherment",
        "Data Encipherment",
        KeyUsages::DataEncipherment,
    ),
    ("keyAgreement", "Key Agreement", KeyUsages::KeyAgreement),
    ("keyCertSign", "Certificate Sign", KeyUsages::KeyCertSign),
    ("cRLSign", "CRL Sign", KeyUsages::CRLSign),
    ("encipherOnly", "Encipher Only", KeyUsages::EncipherOnly),
    ("decipherOnly", "Decipher Only", KeyUsages::DecipherOnly),
];

/// Extended key usages: the name in settings, the title in text, and the object identifier.
const PURPOSES: &[(&str, &str, &str)] = &[
    (
        "serverAuth",
        "TLS Web Server Authentication",
        "1.3.6.1.5.5.7.3.1",
    ),
    (
        "clientAuth",
        "TLS Web Client Authentication",
        "1.3.6.1.5.5.7.3.2",
    ),
    ("codeSigning", "Code Signing", "1.3.6.1.5.5.7.3.3"),
    ("emailProtection", "E-mail Protection", "1.3.6.1.5.5.7.3.4"),
    ("timeStamping", "Time Stamping", "1.3.6.1.5.5.7.3.8"),
    ("OCSPSigning", "OCSP Signing", "1.3.6.1.5.5.7.3.9"),
];

/// The identifiers of the two keys that an extension may name; each is the digest that `certificate::identifier` makes.
pub struct Keys<'a> {
    /// The key that is certified.
    pub subject: &'a [u8],
    /// The key that signs.
    pub issuer: &'a [u8],
}

/// The number of an extension, from its name in settings.
pub fn number(name: &str) -> Option<ObjectIdentifier> {
    let (_, id, _) = KINDS.iter().find(|(known, ..)| *known == name)?;
    ObjectIdentifier::new(id).ok()
}

/// An extension with the DER of a value.
fn made(id: &str, critical: bool, value: &impl Encode) -> Option<Extension> {
    Some(Extension {
        extn_id: ObjectIdentifier::new(id).ok()?,
        critical,
        extn_value: OctetString::new(value.to_der().ok()?).ok()?,
    })
}

/// The extensions that OpenSSL's own settings give a self-signed certificate: both identifiers, and a critical
/// `CA:TRUE`.
pub fn usual(keys: &Keys) -> Vec<Extension> {
    let lines = [
        ("subjectKeyIdentifier", "hash"),
        ("authorityKeyIdentifier", "keyid"),
        ("basicConstraints", "critical,CA:TRUE"),
    ];
    let found = lines
        .iter()
        .filter_map(|(name, value)| parse(name, value, keys));
    found.collect()
}

/// Reads a setting such as `keyUsage` with `critical, digitalSignature`. `None` where the name is not known, or the
/// value has a word that is not.
pub fn parse(name: &str, value: &str, keys: &Keys) -> Option<Extension> {
    let (_, id, _) = KINDS.iter().find(|(known, ..)| *known == name)?;
    let mut words: Vec<&str> = value.split(',').map(str::trim).collect();
    let critical = words.first() == Some(&"critical");
    if critical {
        words.remove(0);
    }
    match name {
        "subjectKeyIdentifier" => made(
            id,
            critical,
            &SubjectKeyIdentifier(OctetString::new(keys.subject).ok()?),
        ),
        "authorityKeyIdentifier" => {
            let value = AuthorityKeyIdentifier {
                key_identifier: Some(OctetString::new(keys.issuer).ok()?),
                authority_cert_issuer: None,
                authority_cert_serial_number: None,
            };
            made(id, critical, &value)
        }
        "basicConstraints" => {
            let mut value = BasicConstraints {
                ca: false,
                path_len_constraint: None,
            };
            for word in words {
                match word.split_once(':')? {
                    ("CA", on) => value.ca = on.eq_ignore_ascii_case("true"),
                    ("pathlen", number) => value.path_len_constraint = Some(number.parse().ok()?),
                    _ => return None,
                }
            }
            made(id, critical, &value)
        }
        "keyUsage" => {
            let mut value: FlagSet<KeyUsages> = FlagSet::default();
            for word in words {
                let (.., usage) = USAGES.iter().find(|(known, ..)| *known == word)?;
                value |= *usage;
            }
            made(id, critical, &KeyUsage(value))
        }
        "extendedKeyUsage" => {
            let mut value = Vec::new();
            for word in words {
                let known = PURPOSES.iter().find(|(known, ..)| *known == word);
                value.push(ObjectIdentifier::new(known.map_or(word, |(_, _, id)| id)).ok()?);
            }
            made(id, critical, &ExtendedKeyUsage(value))
        }
        "subjectAltName" => {
            let names = words.into_iter().map(general).collect::<Option<Vec<_>>>()?;
            made(id, critical, &SubjectAltName(names))
        }
        "nsComment" => made(id, critical, &Ia5String::new(value).ok()?),
        _ => None,
    }
}

/// Reads one name of `subjectAltName`: `DNS:`, `email:`, `URI:`, `IP:` or `RID:`.
fn general(word: &str) -> Option<GeneralName> {
    let (kind, value) = word.split_once(':')?;
    let text = || Ia5String::new(value).ok();
    Some(match kind {
        "DNS" => GeneralName::DnsName(text()?),
        "email" => GeneralName::Rfc822Name(text()?),
        "URI" => GeneralName::UniformResourceIdentifier(text()?),
        "IP" => {
            let content = match value.parse::<std::net::IpAddr>().ok()? {
                std::net::IpAddr::V4(address) => address.octets().to_vec(),
                std::net::IpAddr::V6(address) => address.octets().to_vec(),
            };
            GeneralName::IpAddress(OctetString::new(content).ok()?)
        }
        "RID" => GeneralName::RegisteredId(ObjectIdentifier::new(value).ok()?),
        _ => return None,
    })
}

/// The lines of an extension, `margin` blanks from the left.
pub fn text(extension: &Extension, margin: usize) -> String {
    let id = extension.extn_id.to_string();
    let known = KINDS.iter().find(|(_, known, _)| *known == id);
    let title = known.map_or(id.as_str(), |(_, _, title)| title);
    let critical = if extension.critical { "critical" } else { "" };
    let value = value(extension).unwrap_or_else(|| hex(extension.extn_value.as_bytes(), ":"));
    let inner = margin + 4;
    format!("{:margin$}{title}: {critical}\n{:inner$}{value}\n", "", "")
}

/// The value of an extension as text; `None` where it is not known or not valid DER.
fn value(extension: &Extension) -> Option<String> {
    let content = extension.extn_value.as_bytes();
    let id = extension.extn_id.to_string();
    let (kind, ..) = KINDS.iter().find(|(_, known, _)| *known == id)?;
    Some(match *kind {
        "subjectKeyIdentifier" => hex(
            SubjectKeyIdentifier::from_der(content).ok()?.0.as_bytes(),
            ":",
        ),
        "authorityKeyIdentifier" => {
            let value = AuthorityKeyIdentifier::from_der(content).ok()?;
            hex(value.key_identifier?.as_bytes(), ":")
        }
        "basicConstraints" => {
            let value = BasicConstraints::from_der(content).ok()?;
            let ca = if value.ca { "CA:TRUE" } else { "CA:FALSE" };
            match value.path_len_constraint {
                Some(length) => format!("{ca}, pathlen:{length}"),
                None => ca.to_owned(),
            }
        }
        "keyUsage" => {
            let value = KeyUsage::from_der(content).ok()?.0;
            let names = USAGES.iter().filter(|(_, _, usage)| value.contains(*usage));
            names
                .map(|(_, title, _)| *title)
                .collect::<Vec<_>>()
                .join(", ")
        }
        "extendedKeyUsage" => {
            let value = ExtendedKeyUsage::from_der(content).ok()?.0;
            let title = |id: &ObjectIdentifier| {
                let id = id.to_string();
                let known = PURPOSES.iter().find(|(_, _, known)| *known == id);
                known.map_or(id.clone(), |(_, title, _)| (*title).to_owned())
            };
            value.iter().map(title).collect::<Vec<_>>().join(", ")
        }
        "subjectAltName" => {
            let value = SubjectAltName::from_der(content).ok()?.0;
            value
                .iter()
                .map(general_text)
                .collect::<Vec<_>>()
                .join(", ")
        }
        "nsComment" => Ia5String::from_der(content).ok()?.to_string(),
        _ => return None,
    })
}

/// One name as text. The groups of IPv6 addresses are not shortened: `IP Address:0:0:0:0:0:0:0:1`.
fn general_text(name: &GeneralName) -> String {
    match name {
        GeneralName::DnsName(text) => format!("DNS:{text}"),
        GeneralName::Rfc822Name(text) => format!("email:{text}"),
        GeneralName::UniformResourceIdentifier(text) => format!("URI:{text}"),
        GeneralName::RegisteredId(id) => format!("Registered ID:{id}"),
        GeneralName::IpAddress(content) => match content.as_bytes() {
            [a, b, c, d] => format!("IP Address:{a}.{b}.{c}.{d}"),
            bytes => {
                let groups = bytes.chunks(2).map(|pair| {
                    let pair = [pair[0], pair.get(1).copied().unwrap_or(0)];
                    format!("{:X}", u16::from_be_bytes(pair))
                });
                format!("IP Address:{}", groups.collect::<Vec<_>>().join(":"))
            }
        },
        GeneralName::DirectoryName(name) => {
            let text = name::text(name, Look::Usual);
            format!("DirName:{}", String::from_utf8_lossy(&text))
        }
        GeneralName::OtherName(_) | GeneralName::EdiPartyName(_) => {
            "othername:<unsupported>".to_owned()
        }
    }
}
