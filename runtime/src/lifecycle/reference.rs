//! Portable references: how another holder, perhaps in another process, attaches to a sandbox.
//!
//! A reference is a text with a version and a signature. It holds no credential: whoever attaches
//! needs the store and the key. What it may do is checked at every operation, so that expiry,
//! revocation and the owner's cleanup act at once.

use super::amend::{Attempt, Kept};
use super::hold::millis;
use super::lease::{Lease, Why, check_session};
use super::record::{Record, is_awake};
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use crate::session::SessionOptions;
use offshoot_backend::{Exec, FileStat, RemoveOptions, ShellResult};
use offshoot_store::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The version of the text form.
const VERSION: u32 = 1;

/// Who can read the rest of a reference.
const PROVIDER: &str = "virtual";

/// What signatures are for.
const PURPOSE: &str = "offshoot reference 1";

/// Revoked references that are remembered; the oldest give way, and with them all made before.
const REVOKED: usize = 256;

/// What a reference allows; see [`Sandboxes::sandbox_ref`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct RefOptions {
    read_only: bool,
    lifetime: Option<Duration>,
    session: Option<String>,
}

impl RefOptions {
    /// Everything but what the owner alone may do, for ever.
    pub fn new() -> RefOptions {
        RefOptions::default()
    }

    /// Whoever attaches cannot change anything: file operations that would are refused, and what
    /// runs changes a copy that is thrown away.
    pub fn read_only(mut self) -> RefOptions {
        self.read_only = true;
        self
    }

    /// Whoever attaches works in the session of this name, and what runs begins where the last
    /// execution of the session ended: at most 20 letters, digits, `_` and `-`.
    pub fn session(mut self, name: impl Into<String>) -> RefOptions {
        self.session = Some(name.into());
        self
    }

    /// It is good for so long, by the store's clock.
    pub fn lifetime(mut self, lifetime: Duration) -> RefOptions {
        self.lifetime = Some(lifetime);
        self
    }
}

/// What a sandbox's record knows of references to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct References {
    /// Grows when the owner ends the sandbox for everyone: older references are void.
    generation: u64,
    /// Grows when the owner changes: an older owner is fenced.
    ownership: u64,
    owner: Option<String>,
    /// Numbers of references that were revoked, with the times at which they were made.
    revoked: BTreeMap<String, u64>,
    /// What was made before is revoked as well.
    revoked_before: u64,
}

impl References {
    pub(super) fn is_unused(&self) -> bool {
        *self == References::default()
    }

    /// Voids every reference and frees the sandbox for another owner.
    pub(super) fn end(&mut self) {
        self.generation += 1;
        self.ownership += 1;
        self.owner = None;
        self.revoked.clear();
    }

    fn revoke(&mut self, claims: &Claims) {
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
struct Claims {
    name: String,
    /// The epoch in which the sandbox was made: a later one of the same name is another one.
    born: u64,
    generation: u64,
    /// Where it is the owner's: of which ownership.
    owner: Option<u64>,
    read_only: bool,
    made: u64,
    until: Option<u64>,
    number: String,
    /// The session that executions are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Text {
    v: u32,
    provider: String,
    provider_data: String,
}

impl Claims {
    fn sign(&self, key: &Key) -> Result<String> {
        let failed =
            |error: serde_json::Error| Error::new(Code::Died, "sandbox_ref", error.to_string());
        let claims = serde_json::to_vec(self).map_err(failed)?;
        let tag = key.sign(PURPOSE, &claims);
        let text = Text {
            v: VERSION,
            provider: PROVIDER.to_owned(),
            provider_data: format!("{}.{}", hex(&claims), hex(&tag)),
        };
        serde_json::to_string(&text).map_err(failed)
    }

    fn verify(text: &str, key: &Key) -> Result<Claims> {
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
    fn check(&self, record: &Record, now: u64) -> Result<()> {
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

    fn is_owner(&self, record: &Record) -> bool {
        self.owner == Some(record.references.ownership)
    }
}

/// What every operation says after the owner's cleanup.
const GONE: &str = "the sandbox is no longer alive (owner cleanup ran)";

/// A sandbox that was reached by a reference. It shares the live instance with everyone else in this
/// process.
///
/// Dropping it detaches; [`Attached::cleanup`] ends the sandbox for everyone where this is the
/// owner.
#[derive(Debug)]
pub struct Attached {
    sandboxes: Sandboxes,
    claims: Claims,
    owner: bool,
    lease: Lease,
}

impl Sandboxes {
    /// Makes `owner` the owner of a sandbox that has none, and gives the owner's reference: the one
    /// whose cleanup ends the sandbox for everyone.
    ///
    /// # Errors
    /// `CONFLICT` where somebody else is the owner, `INVALID` without a
    /// [`reference_key`](super::SandboxesBuilder::reference_key), `NOT_FOUND`, those of the store.
    pub async fn register(&self, name: &str, owner: &str) -> Result<String> {
        let wanted = owner.to_owned();
        self.make_reference(name, RefOptions::new(), move |record| {
            let known = &mut record.references;
            match &known.owner {
                Some(present) if *present != wanted => {
                    let message = format!("{present} is the owner");
                    Err(Error::new(Code::Conflict, "register", message))
                }
                _ => {
                    known.owner = Some(wanted.clone());
                    Ok(Some(known.ownership))
                }
            }
        })
        .await
    }

    /// A text by which others attach to a sandbox, in this process or another one with the same store
    /// and key.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{Sandbox, lifecycle::{Key, Origin, RefOptions, Sandboxes, Store}};
    /// let sandboxes = Sandboxes::builder(Store::memory())
    ///     .reference_key(Key::derive(b"from the configuration"))
    ///     .build();
    /// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
    ///
    /// let text = sandboxes.sandbox_ref("box", RefOptions::new().read_only()).await?;
    /// let reader = sandboxes.attach(&text).await?;
    /// assert!(reader.write_file("note", b"x").await.is_err());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `INVALID` without a [`reference_key`](super::SandboxesBuilder::reference_key), `NOT_FOUND`,
    /// those of the store.
    pub async fn sandbox_ref(&self, name: &str, options: RefOptions) -> Result<String> {
        self.make_reference(name, options, |_| Ok(None)).await
    }

    /// Attaches to the sandbox of a reference; it is woken where it sleeps.
    ///
    /// # Errors
    /// `INVALID` for what is no reference, `TOO_NEW` for one of another version, `NOT_FOUND` for
    /// one of another provider, `POLICY_DENIED` for one that was not made with this key,
    /// `SANDBOX_UNAVAILABLE` for one that has expired, was revoked, or whose sandbox was ended by
    /// its owner, those of [`Sandboxes::lease`].
    pub async fn attach(&self, reference: &str) -> Result<Attached> {
        let claims = Claims::verify(reference, self.key()?)?;
        let (owner, _) = self.admit(&claims).await?;
        let lease = self.lease(&claims.name).await?;
        Ok(Attached {
            sandboxes: self.clone(),
            claims,
            owner,
            lease,
        })
    }

    /// Voids one reference; those who are attached by it are refused from now on.
    ///
    /// # Errors
    /// Those of [`Sandboxes::attach`] for a reference that is not valid, those of the store.
    pub async fn revoke(&self, reference: &str) -> Result<()> {
        let claims = Claims::verify(reference, self.key()?)?;
        let name = claims.name.clone();
        self.amend("revoke", &name, Kept::Durably, move |attempt| {
            attempt.record.references.revoke(&claims);
            Ok(())
        })
        .await
        .map(drop)
    }

    /// Hands ownership over: the answer is the new owner's reference, and what the old one can still
    /// do is what everybody attached can.
    ///
    /// # Errors
    /// `FENCED` for a reference that is not the present owner's, those of [`Sandboxes::attach`].
    pub async fn transfer(&self, reference: &str, to: &str) -> Result<String> {
        let claims = Claims::verify(reference, self.key()?)?;
        let (name, to) = (claims.name.clone(), to.to_owned());
        self.make_reference(&name, RefOptions::new(), move |record| {
            if !claims.is_owner(record) {
                let message = "the reference is not the present owner's";
                return Err(Error::new(Code::Fenced, "transfer", message));
            }
            let known = &mut record.references;
            known.ownership += 1;
            known.owner = Some(to.clone());
            Ok(Some(known.ownership))
        })
        .await
    }

    fn key(&self) -> Result<&Key> {
        let message = "this service has no key for references";
        let missing = || Error::new(Code::Invalid, "sandbox_ref", message);
        self.0.key.as_ref().ok_or_else(missing)
    }

    async fn make_reference(
        &self,
        name: &str,
        options: RefOptions,
        mut own: impl FnMut(&mut Record) -> Result<Option<u64>> + Send + 'static,
    ) -> Result<String> {
        options.session.as_deref().map_or(Ok(()), check_session)?;
        let key = self.key()?.clone();
        let number = self.nonce();
        let claimed = self
            .amend("sandbox_ref", name, Kept::Durably, move |attempt| {
                let owner = own(&mut attempt.record)?;
                Ok((owner, attempt.now))
            })
            .await?;
        let (owner, now) = claimed.answer;
        let lifetime = options.lifetime;
        let claims = Claims {
            name: name.to_owned(),
            born: claimed.record.born,
            generation: claimed.record.references.generation,
            owner,
            read_only: options.read_only,
            made: now,
            until: lifetime.map(|time| now.saturating_add(millis(time))),
            number,
            session: options.session,
        };
        claims.sign(&key)
    }

    /// Whether a reference is good now, and whether it is the owner's.
    async fn admit(&self, claims: &Claims) -> Result<(bool, u64)> {
        let read = self.read(&claims.name).await;
        let (found, record) = match read {
            Err(error) if error.code() == Code::NotFound => {
                return Err(Error::new(Code::SandboxUnavailable, "attach", GONE));
            }
            read => read?,
        };
        let now = self.blocking("attach", |store| store.now()).await?;
        claims.check(&record, now)?;
        Ok((claims.is_owner(&record), found.epoch))
    }

    /// Ends a sandbox for everyone: it sleeps, and references to it are void.
    async fn end(&self, claims: &Claims) -> Result<()> {
        let name = &claims.name;
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let (owner, _) = self.admit(claims).await?;
        if !owner {
            let message = "somebody else is the owner by now";
            return Err(Error::new(Code::Fenced, "cleanup", message));
        }
        if live.is_some() {
            let why = Why::Ended;
            return self
                .suspend_live(name, &slot, &mut live, why)
                .await
                .map(drop);
        }
        let claims = claims.clone();
        let change = move |attempt: &mut Attempt| {
            if !claims.is_owner(&attempt.record) || is_awake(attempt.found.state) {
                let message = "another process has it awake, or owns it";
                return Err(Error::new(Code::Conflict, "cleanup", message));
            }
            Why::Ended.settle(&mut attempt.record, attempt.now)
        };
        self.amend("cleanup", name, Kept::Durably, change)
            .await
            .map(drop)
    }
}

impl Attached {
    /// Whether this is the owner's.
    pub fn is_owner(&self) -> bool {
        self.owner
    }

    /// Whether nothing can be changed through it.
    pub fn is_read_only(&self) -> bool {
        self.claims.read_only
    }

    /// The sandbox's name.
    pub fn name(&self) -> &str {
        &self.claims.name
    }

    /// The working directory that relative paths start from.
    pub fn cwd(&self) -> &str {
        self.lease.cwd()
    }

    /// Runs a script; through a read-only reference on a copy that is thrown away.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the reference is void by now, those of
    /// [`Sandbox::exec`](crate::Sandbox::exec).
    pub async fn exec(&self, exec: impl Into<Exec> + Send) -> Result<ShellResult> {
        self.admitted(false).await?;
        if let Some(name) = &self.claims.session {
            let options = match self.claims.read_only {
                true => SessionOptions::new().read_only(),
                false => SessionOptions::new(),
            };
            let session = self.lease.session_with(name, options).await?;
            return session.exec(exec).await;
        }
        match self.claims.read_only {
            true => self.lease.reading()?.exec(exec).await,
            false => self.lease.exec(exec).await,
        }
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// As [`Attached::exec`] and [`Sandbox::read_file_buffer`](crate::Sandbox::read_file_buffer).
    pub async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.admitted(false).await?;
        self.lease.read_file_buffer(path).await
    }

    /// Facts about a path.
    ///
    /// # Errors
    /// As [`Attached::exec`] and [`Sandbox::stat`](crate::Sandbox::stat).
    pub async fn stat(&self, path: &str) -> Result<FileStat> {
        self.admitted(false).await?;
        self.lease.stat(path).await
    }

    /// The names in a directory.
    ///
    /// # Errors
    /// As [`Attached::exec`] and [`Sandbox::readdir`](crate::Sandbox::readdir).
    pub async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.admitted(false).await?;
        self.lease.readdir(path).await
    }

    /// Writes a file.
    ///
    /// # Errors
    /// `POLICY_DENIED` through a read-only reference, as [`Attached::exec`] and
    /// [`Sandbox::write_file`](crate::Sandbox::write_file).
    pub async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        self.admitted(true).await?;
        self.lease.write_file(path, content).await
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// As [`Attached::write_file`] and [`Sandbox::mkdir`](crate::Sandbox::mkdir).
    pub async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.admitted(true).await?;
        self.lease.mkdir(path, recursive).await
    }

    /// Removes a path.
    ///
    /// # Errors
    /// As [`Attached::write_file`] and [`Sandbox::rm`](crate::Sandbox::rm).
    pub async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        self.admitted(true).await?;
        self.lease.rm(path, options).await
    }

    /// Detaches. Where this is the owner's, the sandbox is put to sleep with everything stored, and
    /// everyone who is attached is refused from now on.
    ///
    /// # Errors
    /// `FENCED` where ownership was handed over meanwhile; those of [`Sandboxes::suspend`], and then
    /// nobody was detached.
    pub async fn cleanup(self) -> Result<()> {
        let Attached {
            sandboxes,
            claims,
            owner,
            lease,
        } = self;
        if !owner {
            return Ok(());
        }
        let ended = sandboxes.end(&claims).await;
        drop(lease);
        ended
    }

    async fn admitted(&self, writes: bool) -> Result<()> {
        self.sandboxes.admit(&self.claims).await?;
        self.lease.alive("attach")?;
        if writes && self.claims.read_only {
            let message = "the reference is read-only";
            return Err(Error::new(Code::PolicyDenied, "attach", message));
        }
        Ok(())
    }
}

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
