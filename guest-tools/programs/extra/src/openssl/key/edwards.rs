//! Keys of Ed25519.

use der::asn1::OctetString;
use der::{Decode as _, Encode as _};
use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};

use super::super::random_bytes;
use crate::call::Call;

/// The number of the algorithm.
pub const ID: &str = "1.3.101.112";

/// A new key.
pub fn fresh(call: &Call) -> Result<SigningKey, i32> {
    let secret = random_bytes(call, 32)?;
    let secret: [u8; 32] = secret.try_into().map_err(|_| 1)?;
    Ok(SigningKey::from_bytes(&secret))
}

/// Reads what PKCS #8 has of a key: an octet string in an octet string.
pub fn from_der(content: &[u8]) -> Option<SigningKey> {
    let content = OctetString::from_der(content).ok()?;
    Some(SigningKey::from_bytes(content.as_bytes().try_into().ok()?))
}

/// What PKCS #8 has of a key.
pub fn to_der(key: &SigningKey) -> Option<Vec<u8>> {
    OctetString::new(key.to_bytes()).ok()?.to_der().ok()
}

/// A public key from its 32 bytes.
pub fn public(content: &[u8]) -> Option<VerifyingKey> {
    VerifyingKey::from_bytes(content.try_into().ok()?).ok()
}

/// A signature of the content itself.
pub fn sign(key: &SigningKey, content: &[u8]) -> Vec<u8> {
    key.sign(content).to_bytes().to_vec()
}

/// Whether a signature of the content fits.
pub fn verify(key: &VerifyingKey, content: &[u8], signature: &[u8]) -> bool {
    Signature::from_slice(signature).is_ok_and(|signature| key.verify(content, &signature).is_ok())
}
