//! A virtual sandbox.

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

/// A sandbox of this process, or a lease on one that is kept.
#[napi]
pub struct NativeSandbox {
    sandbox: offshoot::Sandbox,
    lease: Option<Mutex<Option<Lease>>>,
}

/// What ends an execution from outside.
#[napi]
#[derive(Clone, Default)]
pub struct NativeAbort(Arc<Notify>);

#[napi]
impl NativeAbort {
    #[napi(constructor)]
    pub fn create() -> NativeAbort {
        NativeAbort::default()
    }

    /// Ends what it was given to.
    #[napi]
    pub fn abort(&self) {
        self.0.notify_one();
    }
}

impl NativeAbort {
    /// Waits for it.
    pub(crate) async fn aborted(&self) {
        self.0.notified().await;
    }
}

/// Facts about a path.
#[napi(object)]
pub struct FileInfo {
    pub name: String,
    pub kind: String,
    pub size: f64,
    pub mode: Option<u32>,
    pub modified_ms: Option<f64>,
}

/// A path that differs.
#[napi(object)]
pub struct ChangeEntry {
    pub kind: String,
    pub path: String,
}

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

/// The last name of a path.
pub(crate) fn last(path: &str) -> &str {
    let mut names = path.rsplit('/');
    names.find(|name| !name.is_empty()).unwrap_or("/")
}

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

    pub(crate) fn leased(lease: Lease) -> NativeSandbox {
        NativeSandbox {
            sandbox: offshoot::Sandbox::clone(&lease),
            lease: Some(Mutex::new(Some(lease))),
        }
    }
}

#[napi]
impl NativeSandbox {
    #[napi(constructor)]
    pub fn create(settings: Settings) -> napi::Result<NativeSandbox> {
        settings
            .builder()?
            .build()
            .map(NativeSandbox::new)
            .map_err(thrown)
    }

    #[napi]
    pub async fn warm() -> napi::Result<()> {
        let loaded = napi::bindgen_prelude::spawn_blocking(|| offshoot::warm(|_, _| {})).await;
        loaded.map_err(wrong)?.map_err(thrown)
    }

    #[napi(getter)]
    pub fn cwd(&self) -> String {
        self.sandbox.cwd().to_owned()
    }

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

    #[napi]
    pub fn terminal(&self, run: Run) -> napi::Result<NativeTerminal> {
        let exec = run.exec()?;
        let sandbox = self.sandbox.clone();
        napi::bindgen_prelude::within_runtime_if_available(|| sandbox.terminal(exec))
            .map(NativeTerminal::new)
            .map_err(thrown)
    }

    #[napi]
    pub async fn context(&self, beginning: Beginning) -> napi::Result<NativeContext> {
        let context = self.sandbox.context(beginning.options()?).await;
        context.map(NativeContext::new).map_err(thrown)
    }

    #[napi]
    pub fn contexts(&self) -> Vec<NativeContext> {
        let contexts = self.sandbox.contexts();
        contexts.into_iter().map(NativeContext::new).collect()
    }

    #[napi]
    pub fn find_context(&self, id: String) -> napi::Result<NativeContext> {
        let found = self.sandbox.find_context(&id);
        found.map(NativeContext::new).map_err(thrown)
    }

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

    /// A directory as a tar archive.
    #[napi]
    pub async fn export_tar(&self, path: String) -> napi::Result<Uint8Array> {
        let mut archive = Vec::new();
        self.sandbox
            .export_tar(&path, &mut archive)
            .await
            .map_err(thrown)?;
        Ok(archive.into())
    }

    /// Unpacks a tar archive into a directory: all of it, or nothing.
    #[napi]
    pub async fn import_tar(&self, path: String, archive: Uint8Array) -> napi::Result<()> {
        self.sandbox
            .import_tar(&path, archive.as_ref())
            .await
            .map_err(thrown)
    }

    #[napi]
    pub fn session(&self) -> NativeSession {
        NativeSession::new(self.sandbox.session())
    }

    #[napi]
    pub fn load_session(&self, state: Uint8Array) -> NativeSession {
        NativeSession::new(self.sandbox.import_session(state.to_vec()))
    }

    #[napi]
    pub fn fork(&self) -> NativeSandbox {
        NativeSandbox::new(self.sandbox.fork())
    }

    #[napi]
    pub fn diff(&self, after: &NativeSandbox) -> napi::Result<Vec<ChangeEntry>> {
        offshoot_vfs::diff(self.sandbox.vfs(), after.sandbox.vfs())
            .map(changes)
            .map_err(wrong)
    }

    #[napi]
    pub async fn read(&self, path: String) -> napi::Result<Uint8Array> {
        self.sandbox
            .read_file_buffer(&path)
            .await
            .map(Uint8Array::from)
            .map_err(thrown)
    }

    #[napi]
    pub async fn write(&self, path: String, content: Content) -> napi::Result<()> {
        self.sandbox
            .write_file(&path, bytes(content))
            .await
            .map_err(thrown)
    }

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

    #[napi]
    pub async fn list(&self, path: String) -> napi::Result<Vec<FileInfo>> {
        let entries = self.sandbox.entries(&path).await.map_err(thrown)?;
        Ok(entries
            .into_iter()
            .map(|entry| facts(entry.name, &entry.stat))
            .collect())
    }

    #[napi]
    pub async fn info(&self, path: String) -> napi::Result<FileInfo> {
        let stat = self.sandbox.stat(&path).await.map_err(thrown)?;
        Ok(facts(last(&path).to_owned(), &stat))
    }

    #[napi]
    pub async fn exists(&self, path: String) -> bool {
        self.sandbox.exists(&path).await
    }

    #[napi]
    pub async fn remove(&self, path: String, recursive: bool, force: bool) -> napi::Result<()> {
        let options = RemoveOptions { recursive, force };
        self.sandbox.rm(&path, options).await.map_err(thrown)
    }

    #[napi]
    pub async fn rename(&self, source: String, target: String) -> napi::Result<()> {
        self.sandbox.rename(&source, &target).await.map_err(thrown)
    }

    #[napi]
    pub async fn copy(&self, source: String, target: String, recursive: bool) -> napi::Result<()> {
        self.sandbox
            .copy(&source, &target, recursive)
            .await
            .map_err(thrown)
    }

    #[napi]
    pub async fn make_dir(&self, path: String, parents: bool) -> napi::Result<()> {
        self.sandbox.mkdir(&path, parents).await.map_err(thrown)
    }

    /// Ends it; a lease is released, and what is kept stays.
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
