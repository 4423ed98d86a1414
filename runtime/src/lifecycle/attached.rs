//! A sandbox as somebody sees it who has reached it by a reference.

use super::claims::Claims;
use super::lease::Lease;
use super::reference::References;
use crate::error::{Code, Error, Result};
use crate::session::SessionOptions;
use offshoot_backend::{Exec, FileStat, RemoveOptions, ShellResult};

/// A sandbox that was reached by a reference. It shares the live instance with everyone else in this
/// process.
///
/// Dropping it detaches; [`Attached::cleanup`] ends the sandbox for everyone where this is the
/// owner.
#[derive(Debug)]
pub struct Attached {
    pub(super) references: References,
    pub(super) claims: Claims,
    pub(super) owner: bool,
    pub(super) lease: Lease,
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
    /// `FENCED` where ownership was handed over meanwhile; those of [`Sandboxes::suspend`](super::Sandboxes::suspend), and then
    /// nobody was detached.
    pub async fn cleanup(self) -> Result<()> {
        let Attached {
            references,
            claims,
            owner,
            lease,
        } = self;
        if !owner {
            return Ok(());
        }
        let ended = references.end(&claims).await;
        drop(lease);
        ended
    }

    async fn admitted(&self, writes: bool) -> Result<()> {
        self.references.admit(&self.claims).await?;
        self.lease.alive("attach")?;
        if writes && self.claims.read_only {
            let message = "the reference is read-only";
            return Err(Error::new(Code::PolicyDenied, "attach", message));
        }
        Ok(())
    }
}
