//! Names of subjects and issuers.

use der::asn1::{Any, ObjectIdentifier};
use der::{Decode as _, Encode as _, Tag, Tagged as _};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::name::{Name, RelativeDistinguishedName};

use crate::call::bytes;

/// What names are made of: short and long name, and number.
const PARTS: &[(&str, &str, &str)] = &[
    ("C", "countryName", "2.5.4.6"),
    ("ST", "stateOrProvinceName", "2.5.4.8"),
    ("L", "localityName", "2.5.4.7"),
    ("O", "organizationName", "2.5.4.10"),
    ("OU", "organizationalUnitName", "2.5.4.11"),
    ("CN", "commonName", "2.5.4.3"),
    ("emailAddress", "emailAddress", "1.2.840.113549.1.9.1"),
    ("serialNumber", "serialNumber", "2.5.4.5"),
    ("SN", "surname", "2.5.4.4"),
    ("GN", "givenName", "2.5.4.42"),
    ("initials", "initials", "2.5.4.43"),
    ("title", "title", "2.5.4.12"),
    ("street", "streetAddress", "2.5.4.9"),
    ("postalCode", "postalCode", "2.5.4.17"),
    ("DC", "domainComponent", "0.9.2342.19200300.100.1.25"),
    ("UID", "userId", "0.9.2342.19200300.100.1.1"),
];

/// Reads `/C=DE/O=Firm/CN=host`; the reason where it is none.
pub fn parse(text: &[u8]) -> Result<Name, String> {
    let Some(text) = text.strip_prefix(b"/") else {
        let shown = String::from_utf8_lossy(text);
        return Err(format!(
            "name is expected to be in the format /type0=value0/type1=value1/type2=... where characters may be escaped by \\. This name is not in that format: '{shown}'"
        ));
    };
    let mut parts: Vec<Vec<u8>> = vec![Vec::new()];
    let mut letters = text.iter();
    while let Some(&letter) = letters.next() {
        match (letter, parts.last_mut()) {
            (b'/', _) => parts.push(Vec::new()),
            (b'\\', Some(part)) => part.extend(letters.next()),
            (letter, Some(part)) => part.push(letter),
            (_, None) => {}
        }
    }
    let mut found: Vec<RelativeDistinguishedName> = Vec::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let at = part
            .iter()
            .position(|&byte| byte == b'=')
            .unwrap_or(part.len());
        let (kind, value) = (&part[..at], part.get(at + 1..).unwrap_or_default());
        let shown = String::from_utf8_lossy(kind);
        let Some((short, _, id)) = PARTS.iter().find(|(short, long, _)| {
            shown.eq_ignore_ascii_case(short) || shown.eq_ignore_ascii_case(long)
        }) else {
            eprintln!("req: Skipping unknown subject name attribute \"{shown}\"");
            continue;
        };
        if value.is_empty() {
            eprintln!("req: No value provided for subject name attribute \"{short}\", skipped");
            continue;
        }
        let tag = match *short {
            "C" | "serialNumber" => Tag::PrintableString,
            "emailAddress" | "DC" => Tag::Ia5String,
            _ => Tag::Utf8String,
        };
        let part = part_of(id, tag, value).ok_or_else(|| format!("bad value of {short}"))?;
        found.push(part);
    }
    let content = found.to_der().map_err(|error| error.to_string())?;
    Name::from_der(&content).map_err(|error| error.to_string())
}

fn part_of(id: &str, tag: Tag, value: &[u8]) -> Option<RelativeDistinguishedName> {
    let pair = AttributeTypeAndValue {
        oid: ObjectIdentifier::new(id).ok()?,
        value: Any::new(tag, value).ok()?,
    };
    RelativeDistinguishedName::try_from(vec![pair]).ok()
}

/// How names are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// `C = DE, CN = x`
    Usual,
    /// `CN=x,C=DE`
    Rfc2253,
    /// `/C=DE/CN=x`
    Compat,
    /// A line each.
    Lines,
}

impl Look {
    /// What `-nameopt` asks for.
    pub fn of(option: Option<&[u8]>) -> Look {
        match option {
            Some(b"RFC2253" | b"rfc2253") => Look::Rfc2253,
            Some(b"compat") => Look::Compat,
            Some(b"multiline") => Look::Lines,
            _ => Look::Usual,
        }
    }
}

/// A name as text.
pub fn text(name: &Name, look: Look) -> Vec<u8> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for pair in name.iter() {
        let id = pair.oid.to_string();
        let known = PARTS.iter().find(|(_, _, known)| *known == id);
        let (short, long) = known.map_or((id.as_str(), id.as_str()), |(short, long, _)| {
            (*short, *long)
        });
        let value = value(&pair.value);
        parts.push(match look {
            Look::Usual => bytes!(short, " = ", quoted(&value)),
            Look::Rfc2253 => bytes!(short, "=", escaped(&value)),
            Look::Compat => bytes!("/", short, "=", value),
            Look::Lines => bytes!("\n", format!("    {long:<25} = "), value),
        });
    }
    match look {
        Look::Usual => parts.join(b", ".as_slice()),
        Look::Rfc2253 => {
            parts.reverse();
            parts.join(b",".as_slice())
        }
        Look::Compat | Look::Lines => parts.concat(),
    }
}

/// The text of a value; strings of two bytes a character become UTF-8.
fn value(value: &Any) -> Vec<u8> {
    let content = value.value();
    if value.tag() == Tag::BmpString {
        let pairs = content.chunks_exact(2);
        let units: Vec<u16> = pairs
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect();
        return String::from_utf16_lossy(&units).into_bytes();
    }
    content.to_vec()
}

/// In quotes where a reader would see the end of the value inside of it.
fn quoted(value: &[u8]) -> Vec<u8> {
    let special = value.iter().any(|byte| b",+<>;\"".contains(byte));
    if special || value.starts_with(b"#") || value.starts_with(b" ") || value.ends_with(b" ") {
        let text = value.iter().flat_map(|&byte| match byte {
            b'"' | b'\\' => vec![b'\\', byte],
            byte => vec![byte],
        });
        return bytes!("\"", text.collect::<Vec<u8>>(), "\"");
    }
    value.to_vec()
}

fn escaped(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in value {
        if b",+<>;\"\\".contains(&byte) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}
