//! Sandboxes that are kept by name in a store: `Sandboxes` of `lib/index.cjs`.
//!
//! Names have letters, digits, `.`, `_` and `-`, 128 bytes at most. A *point* is a sandbox (`NAME`), a snapshot of
//! one (`NAME@LABEL`) or an earlier state (`NAME~2`). A commit crosses as the text of its id. All methods throw what
//! the store reports; a sandbox that another process has awake is `CONFLICT`, which may be tried again.

use crate::error::{thrown, unopened, wrong};
use crate::sandbox::{ChangeEntry, NativeSandbox, changes};
use crate::settings::{ExecResult, Run, Settings};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::lifecycle::{
    CreateOptions, Info, Key, ListOptions, Origin, Promotion, Sandboxes, Store,
};

/// A store with its sandboxes.
#[napi]
pub struct NativeSandboxes(Sandboxes);

/// Facts about a sandbox.
#[napi(object)]
pub struct SandboxInfo {
    /// Its name, unique in the store.
    pub name: String,
    /// Where in its life it is, in one word.
    pub state: String,
    /// Bytes in its files.
    pub bytes: f64,
    /// Files and directories.
    pub files: f64,
    /// What it was forked from.
    pub parent: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: f64,
}

/// What bringing a branch home came to. One of the two lists is empty: with conflicts, nothing happened.
#[napi(object)]
pub struct PromotionEntry {
    /// What changed in the parent.
    pub changes: Vec<ChangeEntry>,
    /// The paths that both sides had changed.
    pub conflicts: Vec<String>,
}

/// An earlier state.
#[napi(object)]
pub struct LogEntry {
    /// The commit's id.
    pub commit: String,
    /// When it was stored, in milliseconds since 1970.
    pub created_ms: f64,
    /// Bytes in its files.
    pub bytes: f64,
    /// Files and directories.
    pub files: f64,
    /// The label of the snapshot that keeps it.
    pub label: Option<String>,
}

fn facts(info: Info) -> SandboxInfo {
    SandboxInfo {
        name: info.name,
        state: info.state.name().to_owned(),
        bytes: info.bytes as f64,
        files: info.files as f64,
        parent: info.parent.map(|parent| parent.name),
        created_ms: info.created as f64,
    }
}

#[napi]
impl NativeSandboxes {
    /// Opens the store in a folder of the host, which several processes may use at once, or one in this process's
    /// memory without a folder. With a secret of any length, from which the key is derived, the store is encrypted.
    /// Throws `INVALID` for a store in memory with a secret.
    #[napi(constructor)]
    pub fn open(
        directory: Option<String>,
        secret: Option<Uint8Array>,
    ) -> napi::Result<NativeSandboxes> {
        let store = match (directory, secret) {
            (None, None) => Ok(Store::memory()),
            (None, Some(_)) => return Err(wrong("a store in memory takes no key")),
            (Some(directory), None) => Store::sqlite(directory),
            (Some(directory), Some(secret)) => {
                Store::sqlite_encrypted(directory, &Key::derive(&secret))
            }
        };
        store
            .map(|store| NativeSandboxes(Sandboxes::open(store)))
            .map_err(|error| unopened(&error))
    }

    /// Makes a sandbox, from `template` (`NAME`, `NAME@3` or `NAME@ALIAS`) where one is named, otherwise from
    /// `settings`; the other of the two is not looked at. Throws `CONFLICT` for a name that is taken, `INVALID` for
    /// one that no sandbox may have or for more than ten tags.
    #[napi]
    pub async fn create(
        &self,
        name: String,
        settings: Settings,
        template: Option<String>,
        title: Option<String>,
        tags: Vec<String>,
    ) -> napi::Result<SandboxInfo> {
        let origin = match template {
            Some(version) => Origin::published(version),
            None => Origin::template(settings.builder()?),
        };
        let mut options = CreateOptions::new();
        if let Some(title) = title {
            options = options.title(title);
        }
        let options = tags.into_iter().fold(options, CreateOptions::tag);
        self.0
            .create_with(&name, origin, options)
            .await
            .map(facts)
            .map_err(thrown)
    }

    /// A branch of a point under a new name. A point with `@` or `~` is a stored state; any other is the sandbox as
    /// it is.
    #[napi]
    pub async fn fork(&self, point: String, name: String) -> napi::Result<SandboxInfo> {
        let origin = match point.contains(['@', '~']) {
            true => Origin::point(point),
            false => Origin::sandbox(point),
        };
        self.0
            .create(&name, origin)
            .await
            .map(facts)
            .map_err(thrown)
    }

    /// Keeps the present state as a new version of a template, which is made where it is missing; the version's
    /// number.
    #[napi]
    pub async fn publish(&self, name: String, template: String) -> napi::Result<f64> {
        let version = self
            .0
            .templates()
            .publish(&name, &template)
            .await
            .map_err(thrown)?;
        Ok(version.version as f64)
    }

    /// The names of the store's templates.
    #[napi]
    pub async fn templates(&self) -> napi::Result<Vec<String>> {
        self.0.templates().list().await.map_err(thrown)
    }

    /// Wakes a sandbox and keeps it awake until `close`. However many ask at once, it is woken once.
    #[napi]
    pub async fn open_sandbox(&self, name: String) -> napi::Result<NativeSandbox> {
        self.0
            .lease(&name)
            .await
            .map(NativeSandbox::leased)
            .map_err(thrown)
    }

    /// Runs a script from fresh shell state in a sandbox, which is woken for it, and stays awake until it is
    /// suspended.
    #[napi]
    pub async fn exec(&self, name: String, run: Run) -> napi::Result<ExecResult> {
        self.0
            .exec(&name, run.exec()?)
            .await
            .map(ExecResult::from)
            .map_err(thrown)
    }

    /// What is known of a sandbox; `NOT_FOUND` where there is none.
    #[napi]
    pub async fn info(&self, name: String) -> napi::Result<SandboxInfo> {
        self.0.get(&name).await.map(facts).map_err(thrown)
    }

    /// All sandboxes, in the order of names. The store is read page by page, so what is made or deleted meanwhile may
    /// or may not be in it.
    #[napi]
    pub async fn list(&self) -> napi::Result<Vec<SandboxInfo>> {
        let (mut all, mut options) = (Vec::new(), ListOptions::new());
        loop {
            let page = self.0.list_page(options).await.map_err(thrown)?;
            all.extend(page.sandboxes.into_iter().map(facts));
            match page.next {
                None => return Ok(all),
                Some(next) => options = ListOptions::new().after(next),
            }
        }
    }

    /// Puts it to sleep, durably; the id of the commit. Throws `CONFLICT` while it is held open.
    #[napi]
    pub async fn suspend(&self, name: String) -> napi::Result<String> {
        self.0
            .suspend(&name)
            .await
            .map(|commit| commit.to_string())
            .map_err(thrown)
    }

    /// Deletes a sandbox with its snapshots. What is not there is no error; branches of it are not affected.
    #[napi]
    pub async fn delete(&self, name: String) -> napi::Result<()> {
        self.0.delete(&name).await.map_err(thrown)
    }

    /// What differs between two points, as a reader of `after` finds it.
    #[napi]
    pub async fn diff(&self, before: String, after: String) -> napi::Result<Vec<ChangeEntry>> {
        self.0
            .diff(&before, &after)
            .await
            .map(changes)
            .map_err(thrown)
    }

    /// Brings what changed in a branch since its fork or its last promotion to its parent: all of it, or nothing.
    /// Throws `INVALID` for what is no branch, `LIMIT` where the parent has no room for it.
    #[napi]
    pub async fn promote(&self, branch: String) -> napi::Result<PromotionEntry> {
        let promotion = self.0.promote(&branch).await.map_err(thrown)?;
        let (mut brought, mut conflicts) = (Vec::new(), Vec::new());
        match promotion {
            Promotion::Done(done) => brought = changes(done),
            Promotion::Conflicts(found) => {
                let path = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
                conflicts = found.iter().map(|conflict| path(&conflict.path)).collect();
            }
            _ => {}
        }
        Ok(PromotionEntry {
            changes: brought,
            conflicts,
        })
    }

    /// Keeps the present state under a label until the sandbox is deleted; one of the same label is replaced.
    #[napi]
    pub async fn snapshot(&self, name: String, label: String) -> napi::Result<()> {
        self.0
            .snapshots(&name)
            .take(&label)
            .await
            .map(drop)
            .map_err(thrown)
    }

    /// Sets a sandbox back to a point of it or of another one; the id of the commit that it has then. What it was
    /// before is `NAME~1` afterwards.
    #[napi]
    pub async fn restore(&self, name: String, point: String) -> napi::Result<String> {
        self.0
            .snapshots(&name)
            .restore(&point)
            .await
            .map(|commit| commit.to_string())
            .map_err(thrown)
    }

    /// At most `limit` states, the last one first, as far back as they are kept.
    #[napi]
    pub async fn log(&self, name: String, limit: u32) -> napi::Result<Vec<LogEntry>> {
        let entries = self
            .0
            .snapshots(&name)
            .log(limit as usize)
            .await
            .map_err(thrown)?;
        let row = |entry: offshoot::lifecycle::LogEntry| LogEntry {
            commit: entry.commit.to_string(),
            created_ms: entry.created as f64,
            bytes: entry.bytes as f64,
            files: entry.files as f64,
            label: entry.label,
        };
        Ok(entries.into_iter().map(row).collect())
    }
}
