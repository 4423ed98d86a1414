//! Other backends by name, and sandboxes on them.

use crate::error::{aborted, thrown};
use crate::sandbox::{FileInfo, NativeAbort, facts, last};
use crate::settings::{Content, ExecResult, Run, bytes};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::RemoveOptions;
use offshoot::backend::Snapshot;
use offshoot_binding::{
    Backend, Choice, Process, Sandbox, Wish, capabilities_text, snapshot_from, snapshot_text,
};

/// A backend that makes sandboxes. What goes in and out beside bytes is JSON.
#[napi]
pub struct NativeBackend(Backend);

#[napi]
impl NativeBackend {
    #[napi(constructor)]
    pub fn open(choice: String) -> napi::Result<NativeBackend> {
        let choice = Choice::from_json(&choice).map_err(thrown)?;
        let opened = napi::bindgen_prelude::block_on(Backend::open(choice));
        opened.map(NativeBackend).map_err(thrown)
    }

    #[napi(getter)]
    pub fn name(&self) -> String {
        self.0.name().to_owned()
    }

    #[napi]
    pub fn capabilities(&self) -> napi::Result<String> {
        capabilities_text(&self.0.capabilities()).map_err(thrown)
    }

    #[napi]
    pub async fn create(
        &self,
        wish: String,
        abort: Option<&NativeAbort>,
    ) -> napi::Result<NativeBackendSandbox> {
        let abort = abort.cloned();
        let wish = Wish::from_json(&wish).map_err(thrown)?;
        let made = unless(abort, self.0.create(wish)).await?;
        made.map(NativeBackendSandbox).map_err(thrown)
    }

    #[napi]
    pub async fn reconnect(
        &self,
        reference: String,
        wish: String,
    ) -> napi::Result<NativeBackendSandbox> {
        let wish = Wish::from_json(&wish).map_err(thrown)?;
        let reached = self.0.reconnect(&reference, wish).await;
        reached.map(NativeBackendSandbox).map_err(thrown)
    }
}

/// The names of all backends of this build.
#[napi]
pub fn backend_names() -> napi::Result<Vec<String>> {
    offshoot_binding::names().map_err(thrown)
}

/// Waits for a future, unless the caller's signal comes first.
async fn unless<T>(abort: Option<NativeAbort>, future: impl Future<Output = T>) -> napi::Result<T> {
    match abort {
        None => Ok(future.await),
        Some(abort) => tokio::select! {
            done = future => Ok(done),
            () = abort.aborted() => Err(aborted()),
        },
    }
}

fn read_snapshot(text: &str) -> napi::Result<Snapshot> {
    snapshot_from(text).map_err(thrown)
}

/// A sandbox of some backend.
#[napi]
pub struct NativeBackendSandbox(Sandbox);

#[napi]
impl NativeBackendSandbox {
    #[napi(getter)]
    pub fn backend(&self) -> String {
        self.0.backend().to_owned()
    }

    #[napi(getter)]
    pub fn cwd(&self) -> String {
        self.0.cwd().to_owned()
    }

    #[napi]
    pub fn capabilities(&self) -> napi::Result<String> {
        capabilities_text(&self.0.capabilities()).map_err(thrown)
    }

    #[napi]
    pub async fn exec(&self, run: Run, abort: Option<&NativeAbort>) -> napi::Result<ExecResult> {
        let abort = abort.cloned();
        let ended = unless(abort, self.0.exec(run.exec()?)).await?;
        ended.map(ExecResult::from).map_err(thrown)
    }

    /// Starts a script; without `open`, its input is what `run` has and no more.
    #[napi]
    pub async fn spawn(&self, run: Run, open: bool) -> napi::Result<NativeBackendProcess> {
        let exec = run.exec()?;
        let started = match open {
            true => self.0.spawn(exec).await,
            false => self.0.start_process(exec).await,
        };
        started.map(NativeBackendProcess).map_err(thrown)
    }

    #[napi]
    pub async fn read(&self, path: String) -> napi::Result<Uint8Array> {
        let read = self.0.read(&path).await;
        read.map(Uint8Array::from).map_err(thrown)
    }

    #[napi]
    pub async fn write(&self, path: String, content: Content) -> napi::Result<()> {
        let content = bytes(content);
        self.0.write(&path, &content).await.map_err(thrown)
    }

    #[napi]
    pub async fn list(&self, path: String) -> napi::Result<Vec<FileInfo>> {
        let listed = self.0.list(&path).await.map_err(thrown)?;
        let told = listed.into_iter().map(|(name, stat)| facts(name, &stat));
        Ok(told.collect())
    }

    #[napi]
    pub async fn info(&self, path: String) -> napi::Result<FileInfo> {
        let stat = self.0.info(&path).await.map_err(thrown)?;
        Ok(facts(last(&path).to_owned(), &stat))
    }

    #[napi]
    pub async fn exists(&self, path: String) -> napi::Result<bool> {
        self.0.exists(&path).await.map_err(thrown)
    }

    #[napi]
    pub async fn make_dir(&self, path: String, parents: bool) -> napi::Result<()> {
        self.0.make_dir(&path, parents).await.map_err(thrown)
    }

    #[napi]
    pub async fn remove(&self, path: String, recursive: bool, force: bool) -> napi::Result<()> {
        let options = RemoveOptions { recursive, force };
        self.0.remove(&path, options).await.map_err(thrown)
    }

    #[napi]
    pub async fn rename(&self, source: String, target: String) -> napi::Result<()> {
        self.0.rename(&source, &target).await.map_err(thrown)
    }

    #[napi]
    pub async fn snapshot(&self, label: Option<String>) -> napi::Result<String> {
        let taken = self.0.snapshot(label.as_deref()).await.map_err(thrown)?;
        snapshot_text(&taken).map_err(thrown)
    }

    #[napi]
    pub async fn restore(&self, snapshot: String) -> napi::Result<()> {
        let snapshot = read_snapshot(&snapshot)?;
        self.0.restore(&snapshot).await.map_err(thrown)
    }

    #[napi]
    pub async fn delete_snapshot(&self, snapshot: String) -> napi::Result<()> {
        let snapshot = read_snapshot(&snapshot)?;
        self.0.delete_snapshot(&snapshot).await.map_err(thrown)
    }

    #[napi]
    pub async fn fork(&self, label: Option<String>) -> napi::Result<NativeBackendSandbox> {
        let branch = self.0.fork(label.as_deref()).await;
        branch.map(NativeBackendSandbox).map_err(thrown)
    }

    #[napi]
    pub async fn suspend(&self) -> napi::Result<()> {
        self.0.suspend().await.map_err(thrown)
    }

    #[napi]
    pub async fn resume(&self) -> napi::Result<()> {
        self.0.resume().await.map_err(thrown)
    }

    #[napi]
    pub async fn state(&self) -> napi::Result<String> {
        self.0.state().await.map(str::to_owned).map_err(thrown)
    }

    #[napi]
    pub async fn reference(&self) -> napi::Result<String> {
        self.0.reference().await.map_err(thrown)
    }

    #[napi]
    pub async fn destroy(&self) -> napi::Result<()> {
        self.0.destroy().await.map_err(thrown)
    }
}

/// A script that runs in a sandbox of some backend.
#[napi]
pub struct NativeBackendProcess(Process);

#[napi]
impl NativeBackendProcess {
    /// The next piece of standard output, or nothing at its end.
    #[napi]
    pub async fn read_stdout(&self) -> Option<Uint8Array> {
        let piece = self.0.read_stdout().await?;
        Some(piece.to_vec().into())
    }

    /// The next piece of standard error, or nothing at its end.
    #[napi]
    pub async fn read_stderr(&self) -> Option<Uint8Array> {
        let piece = self.0.read_stderr().await?;
        Some(piece.to_vec().into())
    }

    /// Writes to standard input; waits while the script does not read.
    #[napi]
    pub async fn write(&self, data: Content) -> napi::Result<()> {
        let data = bytes(data);
        self.0.write(&data).await.map_err(thrown)
    }

    /// Ends standard input.
    #[napi]
    pub async fn close_stdin(&self) {
        self.0.close_stdin().await;
    }

    /// Sends a signal by its POSIX number: 2, 9 or 15.
    #[napi]
    pub async fn signal(&self, number: u8) -> napi::Result<()> {
        self.0.signal(number).await.map_err(thrown)
    }

    /// Waits for the end; the status.
    #[napi]
    pub async fn wait(&self) -> napi::Result<u8> {
        self.0.wait().await.map_err(thrown)
    }
}
