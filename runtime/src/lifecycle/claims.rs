//! What a reference says, its signature, and what of it a sandbox's record voids.

use super::record::Record;
use crate::error::{Code, Error, Result};
use offshoot_store::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the text form.
const VERSION: u32 = 1;

/// Who can read the rest of a reference.
const PROVIDER: &str = "virtual";

/// What signatures are for.
const PURPOSE: &str = "offshoot reference 1";

/// Revoked references that are remembered; the oldest give way, and with them all made before.
const REVOKED: usize = 256;

/// What a sandbox's record knows of references to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Issued {
    /// Grows when the owner ends the sandbox for everyone: older references are void.
    pub(super) generation: u64,
    /// Grows when the owner changes: an older owner is fenced.
    pub(super) ownership: u64,
    pub(super) owner: Option<String>,
    /// Numbers of references that were revoked, with the times at which they were made.
    revoked: BTreeMap<String, u64>,
    /// What was made before is revoked as well.
    revoked_before: u64,
}

impl Issued {
    pub(super) fn is_unused(&self) -> bool {
        *self == Issued::default()
    }

    /// Voids every reference and frees the sandbox for another owner.
    pub(super) fn end(&mut self) {
        self.generation += 1;
        self.ownership += 1;
        self.owner = None;
        self.revoked.clear();
    }

    pub(super) fn revoke(&mut self, claims: &Claims) {
        self.revoked.insert(claims.number.clone(), claims.made);
        while self.revoked.len() > REVOKED {
            let oldest = self.revoked.iter().min_by_key(|(_, made)| **made);
            let Some((number, made)) = oldest.map(|(number, made)| (number.clone(), *made)) else {
                return;
            };
            self.revoked.remove(&number);
            self.revoked_before = self.revoked_before.max(made + 1);
        }
    }
}

/// What a reference says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claims {
    pub(super) name: String,
    /// The epoch in which the sandbox was made: a later one of the same name is another one.
    pub(super) born: u64,
    pub(super) generation: u64,
    /// Where it is the owner's: of which ownership.
    pub(super) owner: Option<u64>,
    pub(super) read_only: bool,
    pub(super) made: u64,
    pub(super) until: Option<u64>,
    pub(super) number: String,
    /// The session that executions are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Text {
    v: u32,
    provider: String,
    provider_data: String,
}

impl Claims {
    pub(super) fn sign(&self, key: &Key) -> Result<String> {
        let failed =
            |error: serde_json::Error| Error::new(Code::Died, "reference", error.to_string());
        let claims = serde_json::to_vec(self).map_err(failed)?;
        let tag = key.sign(PURPOSE, &claims);
        let text = Text {
            v: VERSION,
            provider: PROVIDER.to_owned(),
            provider_data: format!("{}.{}", hex(&claims), hex(&tag)),
        };
        serde_json::to_string(&text).map_err(failed)
    }

    pub(super) fn verify(text: &str, key: &Key) -> Result<Claims> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let invalid = |what: String| {
            let message = format!("not a reference: {what}");
            Error::new(Code::Invalid, "attach", message)
        };
        let malformed = |error: serde_json::Error| invalid(error.to_string());
        let Version { v } = serde_json::from_str(text).map_err(malformed)?;
        if v != VERSION {
            let message = format!("the reference has version {v}, this is {VERSION}");
            return Err(Error::new(Code::TooNew, "attach", message));
        }
        let parts: Text = serde_json::from_str(text).map_err(malformed)?;
        if parts.provider != PROVIDER {
            let message = format!("no provider {} is known here", parts.provider);
            return Err(Error::new(Code::NotFound, "attach", message));
        }
        let split = parts.provider_data.split_once('.');
        let decoded = split.and_then(|(claims, tag)| Some((unhex(claims)?, unhex(tag)?)));
        let (claims, tag) = decoded.ok_or_else(|| invalid("its data is malformed".to_owned()))?;
        if !key.verifies(PURPOSE, &claims, &tag) {
            let message = "the reference was changed, or made with another key";
            return Err(Error::new(Code::PolicyDenied, "attach", message));
        }
        serde_json::from_slice(&claims).map_err(malformed)
    }

    /// Refuses a reference that is void by now.
    pub(super) fn check(&self, record: &Record, now: u64) -> Result<()> {
        let refused = |message: &str| Err(Error::new(Code::SandboxUnavailable, "attach", message));
        let known = &record.references;
        if self.born != record.born || self.generation != known.generation {
            return refused(GONE);
        }
        if self.until.is_some_and(|until| until <= now) {
            return refused("the reference has expired");
        }
        if known.revoked.contains_key(&self.number) || self.made < known.revoked_before {
            return refused("the reference was revoked");
        }
        Ok(())
    }

    pub(super) fn is_owner(&self, record: &Record) -> bool {
        self.owner == Some(record.references.ownership)
    }
}

/// What every operation says after the owner's cleanup.
pub(super) const GONE: &str = "the sandbox is no longer alive (owner cleanup ran)";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use offshoot_store::ObjectId;

    fn claims() -> Claims {
        Claims {
            name: "box".to_owned(),
            born: 3,
            generation: 1,
            owner: None,
            read_only: true,
            made: 10,
            until: Some(50),
            number: "n".to_owned(),
            session: None,
        }
    }

    #[test]
    fn what_is_no_reference_has_its_code() {
        let key = Key::derive(b"one");
        let good = claims().sign(&key).unwrap();
        assert_eq!(Claims::verify(&good, &key).unwrap(), claims());
        let forged = good.replacen("7b22", "7b20", 1);
        assert_ne!(forged, good);
        for (text, code) in [
            ("", Code::Invalid),
            ("{}", Code::Invalid),
            (r#"{"v":"1"}"#, Code::Invalid),
            (r#"{"v":1,"provider":"virtual"}"#, Code::Invalid),
            (r#"{"v":2,"other":[]}"#, Code::TooNew),
            (
                r#"{"v":1,"provider":"e2b","provider_data":"x"}"#,
                Code::NotFound,
            ),
            (
                r#"{"v":1,"provider":"virtual","provider_data":"x.y"}"#,
                Code::Invalid,
            ),
            (
                r#"{"v":1,"provider":"virtual","provider_data":"7b7d"}"#,
                Code::Invalid,
            ),
            (
                r#"{"v":1,"provider":"virtual","provider_data":"7b7d.00"}"#,
                Code::PolicyDenied,
            ),
            (&forged, Code::PolicyDenied),
        ] {
            assert_eq!(
                Claims::verify(text, &key).unwrap_err().code(),
                code,
                "{text}"
            );
        }
        let other = Claims::verify(&good, &Key::derive(b"two")).unwrap_err();
        assert_eq!(other.code(), Code::PolicyDenied);
    }

    #[test]
    fn what_is_void_is_refused() {
        let mut record = Record::new(String::new(), ObjectId::default(), 3);
        record.references.generation = 1;
        assert!(claims().check(&record, 49).is_ok());
        let text = |record: &Record, now| claims().check(record, now).unwrap_err().to_string();
        assert!(text(&record, 50).contains("expired"));
        let mut revoked = record.clone();
        revoked.references.revoke(&claims());
        assert!(text(&revoked, 20).contains("revoked"));
        // More than are remembered: what is older than those forgotten is void as well.
        let mut many = record.clone();
        for made in 11..12 + REVOKED as u64 {
            let number = made.to_string();
            many.references.revoke(&Claims {
                number,
                made,
                ..claims()
            });
        }
        assert!(text(&many, 20).contains("revoked"));
        record.references.end();
        let gone = "no longer alive (owner cleanup ran)";
        assert!(text(&record, 20).contains(gone));
    }
}
