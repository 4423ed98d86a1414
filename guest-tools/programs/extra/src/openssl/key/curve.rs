//! Keys on elliptic curves: their arithmetic, and the form that SEC 1 gives them.

use der::asn1::{BitString, ObjectIdentifier, OctetString};
use der::{Decode as _, Encode as _, Sequence};

use super::super::random_bytes;
use crate::call::Call;

/// Compares with a point, a digest and a signature; none where one of them cannot be read.
type Verify = fn(&[u8], &[u8], &[u8]) -> Option<bool>;

/// A curve: what it is called, and what is done on it. Secrets and points are bytes as SEC 1 has them.
pub struct Curve {
    /// As OpenSSL prints it.
    pub name: &'static str,
    /// The name that NIST gave it.
    pub nist: Option<&'static str>,
    /// Another name that is understood.
    alias: Option<&'static str>,
    /// The number by which keys name it.
    pub id: &'static str,
    /// The size of its field.
    pub bits: usize,
    /// What the list of curves says of it.
    pub about: &'static str,
    public: fn(&[u8]) -> Option<Vec<u8>>,
    point: fn(&[u8]) -> Option<Vec<u8>>,
    sign: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
    verify: Verify,
}

macro_rules! curve {
    ($krate:ident, $name:literal, $nist:expr, $alias:expr, $id:literal, $bits:literal, $about:literal) => {
        Curve {
            name: $name,
            nist: $nist,
            alias: $alias,
            id: $id,
            bits: $bits,
            about: $about,
            public: |secret| {
                let key = $krate::ecdsa::SigningKey::from_slice(secret).ok()?;
                let point = key.verifying_key().to_sec1_point(false);
                Some(point.as_bytes().to_vec())
            },
            point: |content| {
                let key = $krate::ecdsa::VerifyingKey::from_sec1_bytes(content).ok()?;
                Some(key.to_sec1_point(false).as_bytes().to_vec())
            },
            sign: |secret, sum| {
                use $krate::ecdsa::signature::hazmat::PrehashSigner as _;
                let key = $krate::ecdsa::SigningKey::from_slice(secret).ok()?;
                let made: $krate::ecdsa::Signature = key.sign_prehash(sum).ok()?;
                Some(made.to_der().as_bytes().to_vec())
            },
            verify: |point, sum, signature| {
                use $krate::ecdsa::signature::hazmat::PrehashVerifier as _;
                let key = $krate::ecdsa::VerifyingKey::from_sec1_bytes(point).ok()?;
                let signature = $krate::ecdsa::Signature::from_der(signature).ok()?;
                // Some crates take one of the two equal forms alone; OpenSSL takes and makes both.
                Some(key.verify_prehash(sum, &signature.normalize_s()).is_ok())
            },
        }
    };
}

/// The curves that keys may have.
pub const CURVES: &[Curve] = &[
    curve!(
        k256,
        "secp256k1",
        None,
        None,
        "1.3.132.0.10",
        256,
        "SECG curve over a 256 bit prime field"
    ),
    curve!(
        p384,
        "secp384r1",
        Some("P-384"),
        None,
        "1.3.132.0.34",
        384,
        "NIST/SECG curve over a 384 bit prime field"
    ),
    curve!(
        p521,
        "secp521r1",
        Some("P-521"),
        None,
        "1.3.132.0.35",
        521,
        "NIST/SECG curve over a 521 bit prime field"
    ),
    curve!(
        p256,
        "prime256v1",
        Some("P-256"),
        Some("secp256r1"),
        "1.2.840.10045.3.1.7",
        256,
        "X9.62/SECG curve over a 256 bit prime field"
    ),
];

/// The curve with this name.
pub fn named(name: &[u8]) -> Option<&'static Curve> {
    let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
    CURVES
        .iter()
        .find(|curve| is(curve.name) || curve.nist.is_some_and(is) || curve.alias.is_some_and(is))
}

/// The curve with this number.
pub fn numbered(id: &ObjectIdentifier) -> Option<&'static Curve> {
    let id = id.to_string();
    CURVES.iter().find(|curve| curve.id == id)
}

/// A private key.
#[derive(Clone)]
pub struct Private {
    pub curve: &'static Curve,
    /// The number, as long as the field.
    pub secret: Vec<u8>,
    /// The point that belongs to it, not compressed.
    pub point: Vec<u8>,
}

/// A public key.
#[derive(Clone)]
pub struct Public {
    pub curve: &'static Curve,
    /// Not compressed.
    pub point: Vec<u8>,
}

/// `ECPrivateKey` of RFC 5915.
#[derive(Sequence)]
struct Content {
    version: u8,
    secret: OctetString,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    curve: Option<ObjectIdentifier>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    point: Option<BitString>,
}

impl Private {
    /// A key of this number; none where the curve has no such number.
    fn new(curve: &'static Curve, secret: &[u8]) -> Option<Private> {
        let width = curve.bits.div_ceil(8);
        let zeros = secret.len().saturating_sub(width);
        let (above, secret) = secret.split_at(zeros);
        if above.iter().any(|byte| *byte != 0) {
            return None;
        }
        let secret = [vec![0; width - secret.len()], secret.to_vec()].concat();
        let point = (curve.public)(&secret)?;
        Some(Private {
            curve,
            secret,
            point,
        })
    }

    /// A new key.
    pub fn fresh(call: &Call, curve: &'static Curve) -> Result<Private, i32> {
        loop {
            let mut secret = random_bytes(call, curve.bits.div_ceil(8))?;
            if let (Some(first), rest @ 1..) = (secret.first_mut(), curve.bits % 8) {
                *first &= (1 << rest) - 1;
            }
            // What is no number of the curve is as rare as its order is close to a power of two.
            if let Some(key) = Private::new(curve, &secret) {
                return Ok(key);
            }
        }
    }

    /// Reads `ECPrivateKey`, whose curve may stand outside of it.
    pub fn from_der(content: &[u8], curve: Option<&'static Curve>) -> Option<Private> {
        let content = Content::from_der(content).ok()?;
        let curve = match (curve, &content.curve) {
            (Some(curve), _) => curve,
            (None, id) => numbered(id.as_ref()?)?,
        };
        Private::new(curve, content.secret.as_bytes())
    }

    /// `ECPrivateKey`, which names its curve where nothing around it does.
    pub fn to_der(&self, names_curve: bool) -> Option<Vec<u8>> {
        let content = Content {
            version: 1,
            secret: OctetString::new(self.secret.as_slice()).ok()?,
            curve: match names_curve {
                true => Some(ObjectIdentifier::new(self.curve.id).ok()?),
                false => None,
            },
            point: Some(BitString::from_bytes(&self.point).ok()?),
        };
        content.to_der().ok()
    }

    /// A signature of the digest.
    pub fn sign(&self, sum: &[u8]) -> Option<Vec<u8>> {
        (self.curve.sign)(&self.secret, &wide(self.curve, sum))
    }
}

impl Public {
    /// A key from its point, compressed or not; none where that is not on the curve.
    pub fn new(curve: &'static Curve, point: &[u8]) -> Option<Public> {
        let point = (curve.point)(point)?;
        Some(Public { curve, point })
    }

    /// Whether a signature of the digest fits.
    pub fn verify(&self, sum: &[u8], signature: &[u8]) -> bool {
        let fits = (self.curve.verify)(&self.point, &wide(self.curve, sum), signature);
        fits.unwrap_or(false)
    }
}

/// A digest that is at least as long as the field: the same number, with zeros before it.
fn wide(curve: &Curve, sum: &[u8]) -> Vec<u8> {
    let width = curve.bits.div_ceil(8);
    [vec![0; width.saturating_sub(sum.len())], sum.to_vec()].concat()
}
