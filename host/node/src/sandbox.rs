//! A virtual sandbox: `Sandbox` and `Files` of `lib/index.cjs`.
//!
//! Relative paths begin at the sandbox's working directory. Failed operations on files throw the library's error, in
//! whose `errno` POSIX's name for the failure is.

use crate::context::{Beginning, NativeContext};
use crate::error::{aborted, thrown, wrong};
use crate::process::NativeProcess;
use crate::session::NativeSession;
use crate::settings::{Content, ExecResult, FileEntry, Run, Settings, bytes};
use crate::terminal::NativeTerminal;
use crate::watcher::NativeWatcher;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::lifecycle::{Change, ChangeKind, Lease};
use offshoot::{FileKind, FileStat, RemoveOptions, WatchOptions};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use tokio::sync::{Mutex, Notify};

/// A sandbox of this process, or a lease on one that is kept in a store.
#[napi]
pub struct NativeSandbox {
    sandbox: offshoot::Sandbox,
    /// Set where it is kept; empty inside once `close` has released it.
    lease: Option<Mutex<Option<Lease>>>,
}

/// What ends an execution from outside: the native side of an `AbortSignal`. One of them ends one operation, also
/// where the abort comes before the operation does.
#[napi]
#[derive(Clone, Default)]
pub struct NativeAbort(Arc<Notify>);

#[napi]
impl NativeAbort {
    /// One that nothing has aborted.
    #[napi(constructor)]
    pub fn create() -> NativeAbort {
        NativeAbort::default()
    }

    /// Ends the operation that it is given to, now or when it begins.
    #[napi]
    pub fn abort(&self) {
        self.0.notify_one();
    }
}

impl NativeAbort {
    /// Waits for `abort`. An abort that came before counts, once.
    pub(crate) async fn aborted(&self) {
        self.0.notified().await;
    }
}

/// Facts about a path.
#[napi(object)]
pub struct FileInfo {
    /// The last name of the path.
    pub name: String,
    /// `file`, `directory`, `symlink` or `other`.
    pub kind: String,
    /// Bytes.
    pub size: f64,
    /// Permission bits, as `0o644`, where the backend tells them.
    pub mode: Option<u32>,
    /// Milliseconds since 1970 in parts; missing for times before it and where the backend tells none.
    pub modified_ms: Option<f64>,
}

/// A path that differs, or to which something happened.
#[napi(object)]
pub struct ChangeEntry {
    /// `added`, `removed` or `modified` of a difference; `added`, `written`, `attributes`, `moved` or `removed` of a
    /// watcher.
    pub kind: String,
    /// The path; what is not UTF-8 in it is replaced by U+FFFD.
    pub path: String,
}

/// Facts under a name. Sizes are exact to 2^53 bytes.
pub(crate) fn facts(name: String, stat: &FileStat) -> FileInfo {
    let kind = match stat.kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symlink",
        _ => "other",
    };
    let modified = stat
        .mtime
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    FileInfo {
        name,
        kind: kind.to_owned(),
        size: stat.size as f64,
        mode: stat.mode,
        modified_ms: modified.map(|time| time.as_secs_f64() * 1000.0),
    }
}

/// The last name of a path: `b` of `/a/b` and of `/a/b/`; `/` where there is none.
pub(crate) fn last(path: &str) -> &str {
    let mut names = path.rsplit('/');
    names.find(|name| !name.is_empty()).unwrap_or("/")
}

/// Differences as JavaScript sees them, in the order of the library's.
pub(crate) fn changes(changes: Vec<Change>) -> Vec<ChangeEntry> {
    let entry = |change: Change| ChangeEntry {
        kind: match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            _ => "modified",
        }
        .to_owned(),
        path: String::from_utf8_lossy(&change.path).into_owned(),
    };
    changes.into_iter().map(entry).collect()
}

impl NativeSandbox {
    pub(crate) fn new(sandbox: offshoot::Sandbox) -> NativeSandbox {
        NativeSandbox {
            sandbox,
            lease: None,
        }
    }

    /// One that stays awake until `close` gives the lease back.
    pub(crate) fn leased(lease: Lease) -> NativeSandbox {
        NativeSandbox {
            sandbox: offshoot::Sandbox::clone(&lease),
            lease: Some(Mutex::new(Some(lease))),
        }
    }
}

#[napi]
impl NativeSandbox {
    /// A new sandbox of this process. Throws `INVALID` for settings that make no sense.
    #[napi(constructor)]
    pub fn create(settings: Settings) -> napi::Result<NativeSandbox> {
        settings
            .builder()?
            .build()
            .map(NativeSandbox::new)
            .map_err(thrown)
    }

    /// Loads the shell and all commands on the library's threads instead of when each is first run. Rejects with
    /// `UNAVAILABLE` where they cannot be compiled.
    #[napi]
    pub async fn warm() -> napi::Result<()> {
        let loaded = napi::bindgen_prelude::spawn_blocking(|| offshoot::warm(|_, _| {})).await;
        loaded.map_err(wrong)?.map_err(thrown)
    }

    /// The working directory, absolute.
    #[napi(getter)]
    pub fn cwd(&self) -> String {
        self.sandbox.cwd().to_owned()
    }

    /// Runs a script to its end from fresh shell state; files stay. Another status than 0 is a result, and so is a
    /// time-out: 124, with the output so far. An abort kills the script and throws `ABORTED`.
    #[napi]
    pub async fn exec(&self, run: Run, abort: Option<&NativeAbort>) -> napi::Result<ExecResult> {
        let abort = abort.cloned();
        let exec = self.sandbox.exec(run.exec()?);
        let ended = match abort {
            None => exec.await,
            Some(abort) => tokio::select! {
                ended = exec => ended,
                () = abort.aborted() => return Err(aborted()),
            },
        };
        ended.map(ExecResult::from).map_err(thrown)
    }

    /// Starts a script and returns at once. Standard input is a pipe to write to where `run` has none.
    #[napi]
    pub fn spawn(&self, run: Run) -> napi::Result<NativeProcess> {
        let mut exec = run.exec()?;
        if exec.stdin == offshoot::Stdin::Empty {
            exec = exec.stdin(offshoot::Stdin::Piped);
        }
        let sandbox = self.sandbox.clone();
        napi::bindgen_prelude::within_runtime_if_available(|| sandbox.spawn(exec))
            .map(NativeProcess::new)
            .map_err(thrown)
    }

    /// Starts an interactive shell. Its outputs come in one stream, prompts included; it does not echo.
    #[napi]
    pub fn terminal(&self, run: Run) -> napi::Result<NativeTerminal> {
        let exec = run.exec()?;
        let sandbox = self.sandbox.clone();
        napi::bindgen_prelude::within_runtime_if_available(|| sandbox.terminal(exec))
            .map(NativeTerminal::new)
            .map_err(thrown)
    }

    /// Starts an interpreter that keeps its state from cell to cell.
    #[napi]
    pub async fn context(&self, beginning: Beginning) -> napi::Result<NativeContext> {
        let context = self.sandbox.context(beginning.options()?).await;
        context.map(NativeContext::new).map_err(thrown)
    }

    /// The contexts that are there, with those that came with a fork or a suspend.
    #[napi]
    pub fn contexts(&self) -> Vec<NativeContext> {
        let contexts = self.sandbox.contexts();
        contexts.into_iter().map(NativeContext::new).collect()
    }

    /// The context of an id. Throws `NOT_FOUND` for one that was closed or is another sandbox's.
    #[napi]
    pub fn find_context(&self, id: String) -> napi::Result<NativeContext> {
        let found = self.sandbox.find_context(&id);
        found.map(NativeContext::new).map_err(thrown)
    }

    /// Watches a directory from this moment on, with `recursive` all below it, without what the globs of `exclude`
    /// match. Throws `CONFLICT` for what is no directory, `INVALID` for a glob that is none.
    #[napi]
    pub async fn watch(
        &self,
        path: String,
        recursive: bool,
        exclude: Vec<String>,
    ) -> napi::Result<NativeWatcher> {
        let mut options = WatchOptions::new();
        if recursive {
            options = options.recursive();
        }
        let options = exclude.into_iter().fold(options, WatchOptions::exclude);
        self.sandbox
            .watch(&path, options)
            .await
            .map(NativeWatcher::new)
            .map_err(thrown)
    }

    /// A directory as a tar archive, which is made in memory as a whole.
    #[napi]
    pub async fn export_tar(&self, path: String) -> napi::Result<Uint8Array> {
        let mut archive = Vec::new();
        self.sandbox
            .export_tar(&path, &mut archive)
            .await
            .map_err(thrown)?;
        Ok(archive.into())
    }

    /// Unpacks a tar archive into a directory that is there: all of it, or nothing.
    #[napi]
    pub async fn import_tar(&self, path: String, archive: Uint8Array) -> napi::Result<()> {
        self.sandbox
            .import_tar(&path, archive.as_ref())
            .await
            .map_err(thrown)
    }

    /// Shell state that lives from one execution to the next.
    #[napi]
    pub fn session(&self) -> NativeSession {
        NativeSession::new(self.sandbox.session())
    }

    /// A session that goes on with what `export` of one gave, with the files of this sandbox. The bytes are read by
    /// its first execution, which throws `CORRUPT` for what is no session and `TOO_NEW` for what a later version
    /// wrote.
    #[napi]
    pub fn load_session(&self, state: Uint8Array) -> NativeSession {
        NativeSession::new(self.sandbox.import_session(state.to_vec()))
    }

    /// An independent copy in constant time, whatever its size. It is this process's own, also where this one is
    /// kept.
    #[napi]
    pub fn fork(&self) -> NativeSandbox {
        NativeSandbox::new(self.sandbox.fork())
    }

    /// What a reader of `after`, a branch of this one, finds other than here.
    #[napi]
    pub fn diff(&self, after: &NativeSandbox) -> napi::Result<Vec<ChangeEntry>> {
        offshoot_vfs::diff(self.sandbox.vfs(), after.sandbox.vfs())
            .map(changes)
            .map_err(wrong)
    }

    /// The whole content of a file.
    #[napi]
    pub async fn read(&self, path: String) -> napi::Result<Uint8Array> {
        self.sandbox
            .read_file_buffer(&path)
            .await
            .map(Uint8Array::from)
            .map_err(thrown)
    }

    /// Writes a file in one step, making its parents. Text is written as UTF-8.
    #[napi]
    pub async fn write(&self, path: String, content: Content) -> napi::Result<()> {
        self.sandbox
            .write_file(&path, bytes(content))
            .await
            .map_err(thrown)
    }

    /// Writes all of the files, or none of them.
    #[napi]
    pub async fn write_many(&self, files: Vec<FileEntry>) -> napi::Result<()> {
        let files = files
            .into_iter()
            .map(|file| (file.path, bytes(file.content)));
        self.sandbox
            .write_files(files.collect::<Vec<_>>())
            .await
            .map_err(thrown)
    }

    /// What is in a directory, in the order of names; links are not followed.
    #[napi]
    pub async fn list(&self, path: String) -> napi::Result<Vec<FileInfo>> {
        let entries = self.sandbox.entries(&path).await.map_err(thrown)?;
        Ok(entries
            .into_iter()
            .map(|entry| facts(entry.name, &entry.stat))
            .collect())
    }

    /// Facts about what a path leads to, links followed. `name` is the path's last name as it was given.
    #[napi]
    pub async fn info(&self, path: String) -> napi::Result<FileInfo> {
        let stat = self.sandbox.stat(&path).await.map_err(thrown)?;
        Ok(facts(last(&path).to_owned(), &stat))
    }

    /// Whether a path leads to something; false as well where it cannot be looked at.
    #[napi]
    pub async fn exists(&self, path: String) -> bool {
        self.sandbox.exists(&path).await
    }

    /// Removes a file, or with `recursive` a directory and all below it. With `force`, what is not there is no error.
    #[napi]
    pub async fn remove(&self, path: String, recursive: bool, force: bool) -> napi::Result<()> {
        let options = RemoveOptions { recursive, force };
        self.sandbox.rm(&path, options).await.map_err(thrown)
    }

    /// Renames in one step, with missing parents of the target. A file may replace a file, a directory an empty one.
    #[napi]
    pub async fn rename(&self, source: String, target: String) -> napi::Result<()> {
        self.sandbox.rename(&source, &target).await.map_err(thrown)
    }

    /// Copies a file, or with `recursive` a directory and all below it. Contents are shared until one side writes.
    #[napi]
    pub async fn copy(&self, source: String, target: String, recursive: bool) -> napi::Result<()> {
        self.sandbox
            .copy(&source, &target, recursive)
            .await
            .map_err(thrown)
    }

    /// Makes a directory. With `parents`, the missing ones above it as well, and one that is there is no error.
    #[napi]
    pub async fn make_dir(&self, path: String, parents: bool) -> napi::Result<()> {
        self.sandbox.mkdir(&path, parents).await.map_err(thrown)
    }

    /// Ends it with what runs; branches are not affected. A lease is released, and what is kept stays. Doing it twice
    /// is fine.
    #[napi]
    pub async fn close(&self) -> napi::Result<()> {
        let Some(lease) = &self.lease else {
            self.sandbox.cleanup().await;
            return Ok(());
        };
        match lease.lock().await.take() {
            Some(lease) => lease.release().await.map_err(thrown),
            None => Ok(()),
        }
    }
}
