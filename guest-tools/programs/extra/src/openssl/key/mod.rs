//! Keys of RSA, of elliptic curves and of Ed25519: what they sign, and the forms they have in files.

mod curve;
mod edwards;
mod generate;
mod manage;
mod read;
mod rsa;
mod text;
mod write;

use ::rsa::pkcs8::{
    DecodePrivateKey as _, DecodePublicKey as _, EncodePrivateKey as _, EncodePublicKey as _,
    PrivateKeyInfoRef,
};
use der::asn1::{Any, BitString, ObjectIdentifier, OctetStringRef};
use der::referenced::OwnedToRef as _;
use der::{Decode as _, Encode as _};
use ed25519_dalek::{SigningKey, VerifyingKey};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

use super::digest::{self, Algorithm};
use super::signature;

pub use generate::{any as generate_any, parameters, requested, rsa as generate};
pub use manage::{curve as manage_curve, pkey as manage_any, rsa as manage_rsa};
pub use read::{private, public};
pub use text::public as public_text;
pub use write::{locked, plain};

/// The number of keys on curves.
const CURVE_ID: &str = "1.2.840.10045.2.1";

/// A private key.
#[derive(Clone)]
pub enum Private {
    Rsa(Box<::rsa::PrivateKey>),
    Curve(curve::Private),
    Edwards(SigningKey),
}

/// A public key.
#[derive(Clone)]
pub enum Public {
    Rsa(Box<::rsa::PublicKey>),
    Curve(curve::Public),
    Edwards(VerifyingKey),
}

impl Private {
    /// Reads PKCS #8.
    fn from_pkcs8(content: &[u8]) -> Option<Private> {
        let info = PrivateKeyInfoRef::try_from(content).ok()?;
        let inner = info.private_key.as_bytes();
        match info.algorithm.oid.to_string().as_str() {
            CURVE_ID => {
                let id = info.algorithm.parameters?.decode_as().ok()?;
                let key = curve::Private::from_der(inner, Some(curve::numbered(&id)?))?;
                Some(Private::Curve(key))
            }
            edwards::ID => edwards::from_der(inner).map(Private::Edwards),
            _ => {
                let key = ::rsa::PrivateKey::from_pkcs8_der(content).ok()?;
                Some(Private::Rsa(Box::new(key)))
            }
        }
    }

    /// PKCS #8.
    fn to_pkcs8(&self) -> Option<Vec<u8>> {
        let (id, parameters, inner) = match self {
            Private::Rsa(key) => return Some(key.to_pkcs8_der().ok()?.as_bytes().to_vec()),
            Private::Curve(key) => (CURVE_ID, named(key.curve), key.to_der(false)?),
            Private::Edwards(key) => (edwards::ID, None, edwards::to_der(key)?),
        };
        let algorithm = AlgorithmIdentifierOwned {
            oid: ObjectIdentifier::new(id).ok()?,
            parameters,
        };
        let inner = OctetStringRef::new(&inner).ok()?;
        let info = PrivateKeyInfoRef::new(algorithm.owned_to_ref(), inner);
        info.to_der().ok()
    }

    /// The public half.
    pub fn public(&self) -> Public {
        match self {
            Private::Rsa(key) => Public::Rsa(Box::new(key.to_public_key())),
            Private::Curve(key) => Public::Curve(curve::Public {
                curve: key.curve,
                point: key.point.clone(),
            }),
            Private::Edwards(key) => Public::Edwards(key.verifying_key()),
        }
    }

    /// How certificates say what the key signs with; none where the digest is none for signatures.
    pub fn algorithm(&self, digest: &str) -> Option<AlgorithmIdentifierOwned> {
        let (title, parameters) = match self {
            Private::Rsa(_) => (format!("{digest}WithRSAEncryption"), Some(Any::null())),
            Private::Curve(_) => (format!("ecdsa-with-{}", digest.to_uppercase()), None),
            Private::Edwards(_) => ("ED25519".to_owned(), None),
        };
        Some(AlgorithmIdentifierOwned {
            oid: ObjectIdentifier::new(signature::number(&title)?).ok()?,
            parameters,
        })
    }

    /// A signature of the content, or of its digest where the kind of key wants one.
    pub fn sign(&self, digest: &Algorithm, content: &[u8]) -> Option<Vec<u8>> {
        match self {
            Private::Edwards(key) => Some(edwards::sign(key, content)),
            _ => self.sign_sum(digest, &digest.sum(&[content])),
        }
    }

    /// A signature of what is a digest already; none with a key that signs no digests.
    pub fn sign_sum(&self, digest: &Algorithm, sum: &[u8]) -> Option<Vec<u8>> {
        match self {
            Private::Rsa(key) => rsa::sign(key, digest.name, sum),
            Private::Curve(key) => key.sign(sum),
            Private::Edwards(_) => None,
        }
    }
}

impl Public {
    /// The key of a certificate or request; none where it is of another kind.
    pub fn from_info(info: &SubjectPublicKeyInfoOwned) -> Option<Public> {
        let content = info.subject_public_key.raw_bytes();
        match info.algorithm.oid.to_string().as_str() {
            CURVE_ID => {
                let id = info.algorithm.parameters.as_ref()?.decode_as().ok()?;
                curve::Public::new(curve::numbered(&id)?, content).map(Public::Curve)
            }
            edwards::ID => edwards::public(content).map(Public::Edwards),
            _ => {
                let key = ::rsa::PublicKey::from_public_key_der(&info.to_der().ok()?).ok()?;
                Some(Public::Rsa(Box::new(key)))
            }
        }
    }

    /// Reads `SubjectPublicKeyInfo`.
    fn from_der(content: &[u8]) -> Option<Public> {
        Public::from_info(&SubjectPublicKeyInfoOwned::from_der(content).ok()?)
    }

    /// The key as certificates have it.
    pub fn info(&self) -> Option<SubjectPublicKeyInfoOwned> {
        let (id, parameters, content) = match self {
            Public::Rsa(key) => {
                let content = key.to_public_key_der().ok()?;
                return SubjectPublicKeyInfoOwned::from_der(content.as_bytes()).ok();
            }
            Public::Curve(key) => (CURVE_ID, named(key.curve), key.point.clone()),
            Public::Edwards(key) => (edwards::ID, None, key.to_bytes().to_vec()),
        };
        Some(SubjectPublicKeyInfoOwned {
            algorithm: AlgorithmIdentifierOwned {
                oid: ObjectIdentifier::new(id).ok()?,
                parameters,
            },
            subject_public_key: BitString::from_bytes(&content).ok()?,
        })
    }

    /// Whether a signature of the content fits; none where the digest is none for signatures.
    pub fn verify(&self, digest: &Algorithm, content: &[u8], signature: &[u8]) -> Option<bool> {
        match self {
            Public::Edwards(key) => Some(edwards::verify(key, content, signature)),
            _ => self.verify_sum(digest, &digest.sum(&[content]), signature),
        }
    }

    /// Whether a signature of what is a digest already fits; none with a key that signs no digests.
    pub fn verify_sum(&self, digest: &Algorithm, sum: &[u8], signature: &[u8]) -> Option<bool> {
        match self {
            Public::Rsa(key) => rsa::verify(key, digest.name, sum, signature),
            Public::Curve(key) => Some(key.verify(sum, signature)),
            Public::Edwards(_) => None,
        }
    }
}

/// A curve by its number, as keys name it.
fn named(curve: &curve::Curve) -> Option<Any> {
    let id = ObjectIdentifier::new(curve.id).ok()?;
    Any::encode_from(&id).ok()
}

/// Whether what a certificate or request says is signed with the key; not where that cannot be told.
pub fn fits(
    info: &SubjectPublicKeyInfoOwned,
    algorithm: &AlgorithmIdentifierOwned,
    content: &[u8],
    made: &[u8],
) -> bool {
    let title = signature::title(algorithm);
    let check = || {
        let key = Public::from_info(info)?;
        let digest = match &key {
            Public::Rsa(_) => title.strip_suffix("WithRSAEncryption")?,
            Public::Curve(_) => title.strip_prefix("ecdsa-with-")?,
            // Its signatures need no digest; any stands for it.
            Public::Edwards(_) if title == "ED25519" => "sha512",
            Public::Edwards(_) => return None,
        };
        key.verify(digest::algorithm(digest.as_bytes())?, content, made)
    };
    check().unwrap_or(false)
}
