//! `openssl pkey`, `rsa` and `ec`: keys shown, checked, and written in another form.

use ::rsa::traits::PublicKeyParts as _;

use super::super::output::{write, write_secret};
use super::super::{Words, hex};
use super::write::{CIPHERS, Form};
use super::{Private, Public, generate, read, text};
use crate::call::{Call, bytes};

/// What all three understand.
const FLAGS: &[&str] = &["pubin", "pubout", "noout", "text", "check"];
/// Options of all three with a value.
const VALUED: &[&str] = &["in", "out", "inform", "outform", "passin", "passout"];

/// The key of a command line: a whole one, or the public half alone.
struct Key {
    /// The private key; `None` with `-pubin`.
    whole: Option<Private>,
    /// The public half.
    public: Public,
}

impl Key {
    /// Reads the key of `-in`, which is a public one with `-pubin`.
    fn read(call: &Call, words: &Words) -> Result<Key, i32> {
        let path = words.value("in").unwrap_or(b"-");
        let source = words.value("passin");
        if words.has("pubin") {
            let public = read::public(call, path, source)?;
            return Ok(Key {
                whole: None,
                public,
            });
        }
        let whole = read::private(call, path, source)?;
        Ok(Key {
            public: whole.public(),
            whole: Some(whole),
        })
    }

    /// The numbers: all of them, or those of the public half.
    fn text(&self, only_public: bool) -> Vec<u8> {
        match &self.whole {
            Some(key) if !only_public => text::private(key),
            _ => text::public(&self.public, ""),
        }
    }

    /// The key for a file: all of it, or the public half.
    fn written(&self, call: &Call, words: &Words, form: Form) -> Result<Vec<u8>, i32> {
        match &self.whole {
            Some(key) if !words.has("pubout") => super::write::text(call, words, key, form),
            _ => super::write::public(call, words, &self.public),
        }
    }

    /// Whether the numbers fit together. What is no point of its curve was not read in the first place.
    fn is_valid(&self) -> bool {
        match &self.whole {
            Some(Private::Rsa(key)) => key.validate().is_ok(),
            _ => true,
        }
    }
}

/// Writes what a command made: what has a secret for the owner's eyes alone.
fn finish(call: &Call, words: &Words, out: &[u8]) -> i32 {
    let path = words.value("out");
    match words.has("noout") || words.has("pubout") || words.has("pubin") {
        true => write(call, path, out, 0),
        false => write_secret(call, path, out),
    }
}

/// Runs `pkey`.
pub fn pkey(call: &Call) -> Result<i32, i32> {
    let flags = [FLAGS, &["text_pub", "pubcheck", "traditional"], CIPHERS].concat();
    let words = Words::read(call, &flags, VALUED, |_| false)?;
    let key = Key::read(call, &words)?;
    let mut out = Vec::new();
    let mut status = 0;
    if words.has("check") || words.has("pubcheck") {
        let good = key.is_valid();
        let what: &[u8] = if good { b"valid" } else { b"invalid" };
        out.extend(bytes!("Key is ", what, "\n"));
        status = i32::from(!good);
    }
    if !words.has("noout") {
        let der = super::write::wants_der(&words);
        let form = match der || words.has("traditional") {
            true => Form::Traditional,
            false => Form::Pkcs8,
        };
        out.extend(key.written(call, &words, form)?);
    }
    if words.has("text") || words.has("text_pub") {
        out.extend(key.text(words.has("text_pub") || words.has("pubout")));
    }
    Ok(status.max(finish(call, &words, &out)))
}

/// Runs `rsa`.
pub fn rsa(call: &Call) -> Result<i32, i32> {
    let flags = [FLAGS, &["modulus", "traditional"], CIPHERS].concat();
    let words = Words::read(call, &flags, VALUED, |_| false)?;
    let key = Key::read(call, &words)?;
    let Public::Rsa(numbers) = &key.public else {
        eprintln!("Not an RSA key");
        return Err(1);
    };
    let mut out = Vec::new();
    if words.has("text") {
        out.extend(key.text(false));
    }
    if words.has("modulus") {
        out.extend(bytes!("Modulus=", hex(&numbers.n_bytes(), ""), "\n"));
    }
    if words.has("check") {
        let good = key.whole.is_some() && key.is_valid();
        let what: &[u8] = if good { b"ok" } else { b"error" };
        out.extend(bytes!("RSA key ", what, "\n"));
    }
    if !words.has("noout") {
        eprintln!("writing RSA key");
        let form = match words.has("traditional") {
            true => Form::Traditional,
            false => Form::Pkcs8,
        };
        out.extend(key.written(call, &words, form)?);
    }
    Ok(finish(call, &words, &out))
}

/// Runs `ec`.
pub fn curve(call: &Call) -> Result<i32, i32> {
    let flags = [FLAGS, &["param_out"], CIPHERS].concat();
    let words = Words::read(call, &flags, VALUED, |_| false)?;
    eprintln!("read EC key");
    let key = Key::read(call, &words)?;
    let Public::Curve(point) = &key.public else {
        return Err(call.fail(1, "the key is not one of an elliptic curve"));
    };
    let mut out = Vec::new();
    if words.has("text") {
        out.extend(key.text(false));
    }
    if words.has("check") {
        // Where its point were not on the curve, it would not have been read.
        eprintln!("EC Key valid.");
    }
    if !words.has("noout") {
        eprintln!("writing EC key");
        out.extend(match words.has("param_out") {
            true => generate::block(call, point.curve)?,
            false => key.written(call, &words, Form::Traditional)?,
        });
    }
    Ok(finish(call, &words, &out))
}
