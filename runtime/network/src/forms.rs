//! The forms in which a server may repeat a secret.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

/// Bytes below which a part or a coded form is not looked for: it would be found in what has nothing
/// to do with the secret.
const SHORTEST: usize = 6;

/// A secret in one of its forms.
pub(crate) type Form = Zeroizing<Vec<u8>>;

/// The value itself, its parts that are secrets of their own, and what they are when coded as in
/// URLs, base64, hexadecimal numbers or JSON; the longest first (T34).
pub(crate) fn forms(value: &[u8]) -> Vec<Form> {
    let mut parts: Vec<Form> = vec![value.to_vec().into()];
    parts.extend(credential(value));
    let mut forms: Vec<Form> = Vec::new();
    for part in &parts {
        forms.push(part.clone());
        if part.len() >= SHORTEST {
            forms.extend(coded(part));
        }
    }
    forms.retain(|form| form.len() >= SHORTEST || **form == value);
    forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    forms.dedup();
    forms
}

/// What is behind the scheme of an `Authorization` header: `Bearer TOKEN`, or the user and password
/// of `Basic`, of which the password is enough.
fn credential(value: &[u8]) -> Vec<Form> {
    let Some(space) = value.iter().position(|&byte| byte == b' ') else {
        return Vec::new();
    };
    let (scheme, rest) = (&value[..space], value[space..].trim_ascii());
    let mut parts: Vec<Form> = vec![rest.to_vec().into()];
    if scheme.eq_ignore_ascii_case(b"basic") {
        let decoded = STANDARD
            .decode(rest)
            .or_else(|_| STANDARD_NO_PAD.decode(rest));
        if let Ok(pair) = decoded {
            let colon = pair.iter().position(|&byte| byte == b':');
            parts.extend(colon.map(|colon| pair[colon + 1..].to_vec().into()));
            parts.push(pair.into());
        }
    }
    parts
}

fn coded(part: &[u8]) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    for upper in [true, false] {
        forms.push(hex(part, upper));
        for plain in [
            &b"-._~"[..],
            b"-._~!*'()",
            b"-._~/",
            b"-._~:/?#[]@!$&'()*+,;=",
        ] {
            forms.push(percent(part, plain, upper, false));
        }
        forms.push(percent(part, b"-._*", upper, true));
    }
    forms.push(json(part));
    for shift in 0..3 {
        forms.push(base64(part, shift, &STANDARD_NO_PAD));
        forms.push(base64(part, shift, &URL_SAFE_NO_PAD));
    }
    forms
}

fn hex(part: &[u8], upper: bool) -> Form {
    let mut text = Vec::with_capacity(part.len() * 2);
    part.iter()
        .for_each(|&byte| push_hex(&mut text, byte, upper));
    text.into()
}

fn push_hex(text: &mut Vec<u8>, byte: u8, upper: bool) {
    let digits: &[u8; 16] = match upper {
        true => b"0123456789ABCDEF",
        false => b"0123456789abcdef",
    };
    text.extend([byte >> 4, byte & 15].map(|digit| digits[usize::from(digit)]));
}

/// Percent-encoded, but for letters, digits and what is in `plain`; forms write spaces as `+`.
fn percent(part: &[u8], plain: &[u8], upper: bool, form: bool) -> Form {
    let mut text = Vec::with_capacity(part.len() * 3);
    for &byte in part {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            text.push(byte);
        } else if form && byte == b' ' {
            text.push(b'+');
        } else {
            text.push(b'%');
            push_hex(&mut text, byte, upper);
        }
    }
    text.into()
}

/// As in a JSON text, where quotes and backslashes have one before them.
fn json(part: &[u8]) -> Form {
    let mut text = Vec::with_capacity(part.len());
    for &byte in part {
        if matches!(byte, b'"' | b'\\') {
            text.push(b'\\');
        }
        text.push(byte);
    }
    text.into()
}

/// The middle of what base64 makes of `part` where `shift` bytes come before it, which is the same
/// whatever stands around it.
fn base64(part: &[u8], shift: usize, engine: &impl Engine) -> Form {
    let mut padded = vec![0; shift];
    padded.extend_from_slice(part);
    let text = Zeroizing::new(engine.encode(Zeroizing::new(padded.clone())));
    // A character is known where all of its six bits are the part's.
    let first = (shift * 8).div_ceil(6);
    let last = padded.len() * 8 / 6;
    text.as_bytes()[first..last].to_vec().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    #[test]
    fn t34_every_form_is_known() {
        let value = b"Bearer s3/cr=t \"toke\\n";
        let token = &value[7..];
        let wrapped = |before: &str, engine: &dyn Fn(&[u8]) -> String| {
            engine(&[before.as_bytes(), token, b"--"].concat())
        };
        let standard = |bytes: &[u8]| STANDARD.encode(bytes);
        let url = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        for text in [
            "s3/cr=t \"toke\\n".to_owned(),
            "s3%2Fcr%3Dt%20%22toke%5Cn".to_owned(),
            "s3%2fcr%3dt+%22toke%5cn".to_owned(),
            "s3/cr%3Dt%20%22toke%5Cn".to_owned(),
            "s3/cr=t \\\"toke\\\\n".to_owned(),
            "73332f63723d742022746f6b655c6e".to_owned(),
            wrapped("", &standard),
            wrapped("x", &standard),
            wrapped("xy", &url),
            wrapped("user:", &standard),
        ] {
            let found = forms(value)
                .iter()
                .any(|form| memchr::memmem::find(text.as_bytes(), form).is_some());
            assert!(found, "{text}");
        }
    }

    #[test]
    fn t34_a_password_is_a_secret_of_its_own() {
        let value = format!("Basic {}", STANDARD.encode("user:pass-word-1"));
        let forms = forms(value.as_bytes());
        for part in [&b"pass-word-1"[..], b"user:pass-word-1"] {
            assert!(forms.iter().any(|form| **form == part));
        }
    }

    #[test]
    fn short_secrets_have_no_coded_forms() {
        assert_eq!(forms(b"abc").len(), 1);
        assert_eq!(forms(b"Key a").len(), 1);
    }
}
