//! Keys of RSA.

use getrandom::SysRng;
use rsa::{PrivateKey, PublicKey};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use crate::call::Call;

/// Runs something with the type of a digest.
macro_rules! with_digest {
    ($name:expr, $kind:ident => $work:expr) => {
        match $name {
            "sha1" => {
                type $kind = Sha1;
                Some($work)
            }
            "sha224" => {
                type $kind = Sha224;
                Some($work)
            }
            "sha256" => {
                type $kind = Sha256;
                Some($work)
            }
            "sha384" => {
                type $kind = Sha384;
                Some($work)
            }
            "sha512" => {
                type $kind = Sha512;
                Some($work)
            }
            _ => None,
        }
    };
}

/// A signature of a content's digest; none where the digest is none for signatures, or is not as long.
pub fn sign(key: &PrivateKey, digest: &str, sum: &[u8]) -> Option<Vec<u8>> {
    with_digest!(digest, Kind => key.pkcs1v15_sign_prehash::<Kind>(sum).ok())?
}

/// Whether a signature of a digest fits; none where the digest is none for signatures.
pub fn verify(key: &PublicKey, digest: &str, sum: &[u8], signature: &[u8]) -> Option<bool> {
    with_digest!(digest, Kind => key.pkcs1v15_verify_prehash::<Kind>(sum, signature).is_ok())
}

/// A new key.
pub fn fresh(call: &Call, bits: u64) -> Result<PrivateKey, i32> {
    let bits = usize::try_from(bits).unwrap_or(usize::MAX);
    if !(1024..=16384).contains(&bits) {
        return Err(call.fail(1, "keys have 1024 to 16384 bits here"));
    }
    PrivateKey::new(&mut SysRng, bits).map_err(|_| call.fail(1, "Error generating RSA key"))
}
