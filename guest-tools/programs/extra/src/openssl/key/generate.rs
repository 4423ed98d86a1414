//! New keys: `openssl genrsa`, `genpkey`, `ecparam`, and the words of `req` that ask for one.

use der::asn1::ObjectIdentifier;
use der::{Decode as _, Encode as _};

use super::super::output::{write, write_secret};
use super::super::{Words, input, pem};
use super::curve::{self, CURVES, Curve};
use super::write::{CIPHERS, Form, wants_der};
use super::{Private, edwards, text};
use crate::call::{Call, bytes};

/// A kind of key that can be made.
#[derive(Clone, Copy)]
enum Kind {
    /// RSA, with the length of the modulus in bits.
    Rsa(u64),
    /// ECDSA on a named curve.
    Curve(&'static Curve),
    /// Ed25519.
    Edwards,
}

impl Kind {
    /// A new key of this kind.
    fn fresh(self, call: &Call) -> Result<Private, i32> {
        Ok(match self {
            Kind::Rsa(bits) => Private::Rsa(Box::new(super::rsa::fresh(call, bits)?)),
            Kind::Curve(curve) => Private::Curve(curve::Private::fresh(call, curve)?),
            Kind::Edwards => Private::Edwards(edwards::fresh(call)?),
        })
    }

    /// The kind that a name and all options `-pkeyopt NAME:VALUE` ask for: `rsa_keygen_bits:2048` for RSA,
    /// `ec_paramgen_curve:P-256` for EC. RSA has 2048 bits by default, a curve has no default.
    fn named(call: &Call, words: &Words, name: &[u8]) -> Result<Kind, i32> {
        let kind = name.to_ascii_lowercase();
        let mut bits = 2048;
        let mut curve = None;
        let mut options = words.options.iter();
        while let Some((_, option)) = options.find(|(name, _)| name == b"pkeyopt") {
            let shown = String::from_utf8_lossy(option).into_owned();
            let refused = || call.fail(1, format!("Error setting {shown} parameter:"));
            match (kind.as_slice(), shown.split_once(':').unwrap_or_default()) {
                (b"rsa", ("rsa_keygen_bits" | "bits", value)) => {
                    bits = value.parse().map_err(|_| refused())?;
                }
                (b"rsa", ("rsa_keygen_pubexp", "65537" | "0x10001"))
                | (b"ec", ("ec_param_enc", "named_curve")) => {}
                (b"ec", ("ec_paramgen_curve" | "group", name)) => {
                    let found = curve::named(name.as_bytes());
                    curve = Some(found.ok_or_else(|| unknown(call, name.as_bytes()))?);
                }
                _ => return Err(refused()),
            }
        }
        match kind.as_slice() {
            b"rsa" => Ok(Kind::Rsa(bits)),
            b"ec" => {
                let no_curve = "Error generating EC key: -pkeyopt ec_paramgen_curve:NAME is needed";
                let curve = curve.ok_or_else(|| call.fail(1, no_curve))?;
                Ok(Kind::Curve(curve))
            }
            b"ed25519" => Ok(Kind::Edwards),
            _ => Err(call.fail(
                1,
                bytes!("only keys of RSA, EC and ED25519 are supported: ", name),
            )),
        }
    }
}

/// Complains of a curve's name; the result is the exit status.
fn unknown(call: &Call, name: &[u8]) -> i32 {
    call.fail(
        1,
        bytes!(
            "unknown curve name (",
            name,
            "): openssl ecparam -list_curves has those that are known"
        ),
    )
}

/// Runs `genrsa [BITS]`: PKCS #8, or with `-traditional` PKCS #1.
pub fn rsa(call: &Call) -> Result<i32, i32> {
    let flags = [&["traditional", "verbose", "F4", "f4"], CIPHERS].concat();
    let words = Words::read(call, &flags, &["out", "passout"], |_| false)?;
    let bits = match words.operands.first() {
        Some(word) => crate::options::number(word)
            .ok_or_else(|| call.fail(1, bytes!("Can't parse \"", word, "\" as a number")))?,
        None => 2048,
    };
    let form = match words.has("traditional") {
        true => Form::Traditional,
        false => Form::Pkcs8,
    };
    let key = Kind::Rsa(bits).fresh(call)?;
    let text = super::write::text(call, &words, &key, form)?;
    Ok(write_secret(call, words.value("out"), &text))
}

/// Runs `genpkey`: PKCS #8 as PEM, the traditional form as DER. With `-genparam` only the parameters of a curve.
pub fn any(call: &Call) -> Result<i32, i32> {
    let flags = [&["quiet", "text", "genparam"], CIPHERS].concat();
    let valued = [
        "algorithm",
        "paramfile",
        "pkeyopt",
        "out",
        "outform",
        "pass",
    ];
    let words = Words::read(call, &flags, &valued, |_| false)?;
    let kind = match (words.value("algorithm"), words.value("paramfile")) {
        (_, Some(path)) => Kind::Curve(of_file(call, path)?),
        (Some(name), None) => Kind::named(call, &words, name)?,
        (None, None) => return Err(call.fail(1, "Use -help for summary.")),
    };
    if words.has("genparam") {
        let Kind::Curve(curve) = kind else {
            return Err(call.fail(1, "only -algorithm EC has parameters here"));
        };
        return Ok(write(call, words.value("out"), &block(call, curve)?, 0));
    }
    let key = kind.fresh(call)?;
    let form = match wants_der(&words) {
        true => Form::Traditional,
        false => Form::Pkcs8,
    };
    let mut out = super::write::text(call, &words, &key, form)?;
    if words.has("text") {
        out.extend(text::private(&key));
    }
    Ok(write_secret(call, words.value("out"), &out))
}

/// The key that `req -newkey` asks for: `rsa:2048`, `ec` with `-pkeyopt`, `ec:FILE`, `param:FILE`, `ed25519`.
pub fn requested(call: &Call, words: &Words) -> Result<Private, i32> {
    let asked = words.value("newkey").unwrap_or(b"rsa:2048");
    let at = asked.iter().position(|&byte| byte == b':');
    let (name, rest) = asked.split_at(at.unwrap_or(asked.len()));
    let kind = match (name.to_ascii_lowercase().as_slice(), rest) {
        (b"rsa", [b':', bits @ ..]) => match crate::options::number(bits) {
            Some(bits) => Kind::Rsa(bits),
            None => return Err(call.fail(1, bytes!("Can't parse \"", bits, "\" as a number"))),
        },
        (b"ec" | b"param", [b':', path @ ..]) => Kind::Curve(of_file(call, path)?),
        (_, _) => Kind::named(call, words, name)?,
    };
    kind.fresh(call)
}

/// Runs `ecparam`: the parameters of a curve as its name (`namedCurve` of RFC 5480), and with `-genkey` a key behind
/// them.
pub fn parameters(call: &Call) -> Result<i32, i32> {
    let flags = ["noout", "genkey", "list_curves", "text", "check"];
    let valued = ["name", "in", "out", "inform", "outform", "param_enc"];
    let words = Words::read(call, &flags, &valued, |_| false)?;
    if words.has("list_curves") {
        let lines = CURVES
            .iter()
            .map(|curve| format!("  {:<10}: {}\n", curve.name, curve.about));
        let list: String = lines.collect();
        return Ok(write(call, words.value("out"), list.as_bytes(), 0));
    }
    if words
        .value("param_enc")
        .is_some_and(|how| how != b"named_curve")
    {
        return Err(call.fail(1, "only -param_enc named_curve is supported"));
    }
    let curve = match words.value("name") {
        Some(name) => {
            let curve = curve::named(name).ok_or_else(|| unknown(call, name))?;
            if name == b"secp256r1" {
                eprintln!("using curve name prime256v1 instead of secp256r1");
            }
            curve
        }
        None => of_file(call, words.value("in").unwrap_or(b"-"))?,
    };
    let mut out = Vec::new();
    if words.has("check") {
        eprintln!("checking elliptic curve parameters: ok");
    }
    if words.has("text") {
        let head = format!("EC-Parameters: ({} bit)\n", curve.bits);
        out.extend(bytes!(head, text::names(curve, "")));
    }
    // With a new key, DER would have two things in one file: OpenSSL leaves out the first, too.
    let alone = words.has("noout") || (words.has("genkey") && wants_der(&words));
    if !alone {
        out.extend(match wants_der(&words) {
            true => number(call, curve)?,
            false => block(call, curve)?,
        });
    }
    if words.has("genkey") {
        let key = Kind::Curve(curve).fresh(call)?;
        out.extend(super::write::text(call, &words, &key, Form::Traditional)?);
        return Ok(write_secret(call, words.value("out"), &out));
    }
    Ok(write(call, words.value("out"), &out, 0))
}

/// A curve's object identifier as DER, which is all that its parameters are.
fn number(call: &Call, curve: &Curve) -> Result<Vec<u8>, i32> {
    let id = ObjectIdentifier::new(curve.id).ok();
    let content = id.and_then(|id| id.to_der().ok());
    content.ok_or_else(|| call.fail(1, "the parameters cannot be written"))
}

/// `EC PARAMETERS` as PEM.
pub fn block(call: &Call, curve: &Curve) -> Result<Vec<u8>, i32> {
    Ok(pem::block("EC PARAMETERS", &number(call, curve)?))
}

/// The curve of a file of parameters.
fn of_file(call: &Call, path: &[u8]) -> Result<&'static Curve, i32> {
    let text = input(call, path)?;
    let mut blocks = pem::blocks(&text).into_iter();
    let block = blocks.find(|block| block.label == b"EC PARAMETERS");
    let content = block.as_ref().map_or(&text, |block| &block.content);
    let id = ObjectIdentifier::from_der(content).ok();
    let curve = id.and_then(|id| curve::numbered(&id));
    curve.ok_or_else(|| {
        call.fail(
            1,
            bytes!("Unable to load parameters of a known curve from ", path),
        )
    })
}
