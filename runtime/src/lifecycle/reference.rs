//! Portable references: how another holder, perhaps in another process, attaches to a sandbox.
//!
//! A reference is a text with a version and a signature. It holds no credential: whoever attaches
//! needs the store and the key. What it may do is checked at every operation, so that expiry,
//! revocation and the owner's cleanup act at once.

use super::amend::{Attempt, Kept};
use super::attached::Attached;
use super::claims::{Claims, GONE};
use super::hold::millis;
use super::lease::{Why, check_session};
use super::record::{Record, is_awake};
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use offshoot_store::Key;
use std::time::Duration;

/// What a reference allows; see [`References::issue`].
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

/// References to sandboxes: texts by which others attach, in this process or another one with the same
/// store and key. See [`Sandboxes::references`].
///
/// Hand one out where somebody else is to work in a sandbox without knowing its name or having more than
/// it says: for reading only, for a time, in one session. Whoever [registers](References::register) is
/// the owner, whose [cleanup](Attached::cleanup) ends the sandbox for everyone.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{Key, Origin, RefOptions, Sandboxes, Store}};
/// let sandboxes = Sandboxes::builder(Store::memory())
///     .reference_key(Key::derive(b"from the configuration"))
///     .build();
/// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
///
/// let references = sandboxes.references();
/// let text = references.issue("box", RefOptions::new().read_only()).await?;
/// let reader = references.attach(&text).await?;
/// assert!(reader.write_file("note", b"x").await.is_err());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct References(Sandboxes);

impl Sandboxes {
    /// References to the sandboxes of the store.
    pub fn references(&self) -> References {
        References(self.clone())
    }
}

impl References {
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
    /// # Errors
    /// `INVALID` without a [`reference_key`](super::SandboxesBuilder::reference_key), `NOT_FOUND`,
    /// those of the store.
    pub async fn issue(&self, name: &str, options: RefOptions) -> Result<String> {
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
        let lease = self.0.lease(&claims.name).await?;
        Ok(Attached {
            references: self.clone(),
            claims,
            owner,
            lease,
        })
    }

    /// Voids one reference; those who are attached by it are refused from now on.
    ///
    /// # Errors
    /// Those of [`References::attach`] for a reference that is not valid, those of the store.
    pub async fn revoke(&self, reference: &str) -> Result<()> {
        let claims = Claims::verify(reference, self.key()?)?;
        let name = claims.name.clone();
        self.0
            .amend("revoke", &name, Kept::Durably, move |attempt| {
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
    /// `FENCED` for a reference that is not the present owner's, those of [`References::attach`].
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
        let missing = || Error::new(Code::Invalid, "reference", message);
        self.0.0.key.as_ref().ok_or_else(missing)
    }

    async fn make_reference(
        &self,
        name: &str,
        options: RefOptions,
        mut own: impl FnMut(&mut Record) -> Result<Option<u64>> + Send + 'static,
    ) -> Result<String> {
        options.session.as_deref().map_or(Ok(()), check_session)?;
        let key = self.key()?.clone();
        let number = self.0.nonce();
        let claimed = self
            .0
            .amend("reference", name, Kept::Durably, move |attempt| {
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
    pub(super) async fn admit(&self, claims: &Claims) -> Result<(bool, u64)> {
        let read = self.0.read(&claims.name).await;
        let (found, record) = match read {
            Err(error) if error.code() == Code::NotFound => {
                return Err(Error::new(Code::SandboxUnavailable, "attach", GONE));
            }
            read => read?,
        };
        let now = self.0.blocking("attach", |store| store.now()).await?;
        claims.check(&record, now)?;
        Ok((claims.is_owner(&record), found.epoch))
    }

    /// Ends a sandbox for everyone: it sleeps, and references to it are void.
    pub(super) async fn end(&self, claims: &Claims) -> Result<()> {
        let name = &claims.name;
        let slot = self.0.slot(name);
        let mut live = slot.live.lock().await;
        let (owner, _) = self.admit(claims).await?;
        if !owner {
            let message = "somebody else is the owner by now";
            return Err(Error::new(Code::Fenced, "cleanup", message));
        }
        if live.is_some() {
            let why = Why::Ended;
            return self
                .0
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
        self.0
            .amend("cleanup", name, Kept::Durably, change)
            .await
            .map(drop)
    }
}
