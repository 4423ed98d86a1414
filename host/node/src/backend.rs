//! Other backends by name, and sandboxes on them: `Backend` and `BackendSandbox` of `lib/backends.cjs`.
//!
//! What has a schema of its own crosses as JSON text: a choice of a backend, a wish for a sandbox, capabilities and
//! snapshots. `offshoot_binding` reads and writes these texts for the Python package as well, so both packages accept
//! the same keys. Bytes of files and streams cross as `Uint8Array`.
//!
//! The methods with an `abort` drop the operation when it comes, and throw `ABORTED`; the backend then ends what it
//! had begun. The others run to their end.

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
    /// Opens the backend that a choice names: `{"name": "docker", "settings": {"image": "debian:12"}}`, beside which
    /// `variables` and `manifest` are read. A name that ends with `.wasm` is the path of a connector's component,
    /// which is compiled here and blocks for seconds. No service and no engine is asked before `create`.
    ///
    /// Throws `INVALID` for what is no choice, `NOT_FOUND` for a name that this build has no backend for.
    #[napi(constructor)]
    pub fn open(choice: String) -> napi::Result<NativeBackend> {
        let choice = Choice::from_json(&choice).map_err(thrown)?;
        let opened = napi::bindgen_prelude::block_on(Backend::open(choice));
        opened.map(NativeBackend).map_err(thrown)
    }

    /// The backend's name; of a component, the name of its file.
    #[napi(getter)]
    pub fn name(&self) -> String {
        self.0.name().to_owned()
    }

    /// What a sandbox with the backend's usual settings can do, as the JSON of `Capabilities`.
    #[napi]
    pub fn capabilities(&self) -> napi::Result<String> {
        capabilities_text(&self.0.capabilities()).map_err(thrown)
    }

    /// Makes a sandbox. `wish` is the JSON of `CreateOptions`; what the backend cannot honour throws `CAPABILITY`
    /// before anything is made. After an abort, what was made by then is ended.
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

    /// Reaches a sandbox that lives, by what `reference` of it gave, here or in another process. Its `destroy` then
    /// only lets it go. Throws `TOO_NEW` for a reference of a later version.
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

/// The names of all backends of this build, sorted, embedded connectors included.
#[napi]
pub fn backend_names() -> napi::Result<Vec<String>> {
    offshoot_binding::names().map_err(thrown)
}

/// Waits for a future, unless the caller's signal comes first: then it is dropped, and `ABORTED` thrown. The result
/// keeps the future's own, so that callers choose how its error is told.
async fn unless<T>(abort: Option<NativeAbort>, future: impl Future<Output = T>) -> napi::Result<T> {
    match abort {
        None => Ok(future.await),
        Some(abort) => tokio::select! {
            done = future => Ok(done),
            () = abort.aborted() => Err(aborted()),
        },
    }
}

/// A snapshot as `snapshot` of a sandbox wrote it; `INVALID` for other text.
fn read_snapshot(text: &str) -> napi::Result<Snapshot> {
    snapshot_from(text).map_err(thrown)
}

/// A sandbox of some backend. Relative paths begin at its working directory, and each method throws `CAPABILITY`
/// where the backend does not offer what it does.
#[napi]
pub struct NativeBackendSandbox(Sandbox);

#[napi]
impl NativeBackendSandbox {
    /// The name of the backend that it lives on.
    #[napi(getter)]
    pub fn backend(&self) -> String {
        self.0.backend().to_owned()
    }

    /// The working directory, absolute: where scripts and relative paths begin.
    #[napi(getter)]
    pub fn cwd(&self) -> String {
        self.0.cwd().to_owned()
    }

    /// What this sandbox can do, as the JSON of `Capabilities`; settings of its own may narrow those of the backend.
    #[napi]
    pub fn capabilities(&self) -> napi::Result<String> {
        capabilities_text(&self.0.capabilities()).map_err(thrown)
    }

    /// Runs a script to its end. Another status than 0 is a result. An abort gives the call up and throws `ABORTED`;
    /// the script ends with it where the backend has `cancel`.
    #[napi]
    pub async fn exec(&self, run: Run, abort: Option<&NativeAbort>) -> napi::Result<ExecResult> {
        let abort = abort.cloned();
        let ended = unless(abort, self.0.exec(run.exec()?)).await?;
        ended.map(ExecResult::from).map_err(thrown)
    }

    /// Starts a script, and returns once the backend has. With `open`, standard input stays open for `write` where
    /// none is given and the backend has inputs; without it, the input is what `run` has and no more.
    #[napi]
    pub async fn spawn(&self, run: Run, open: bool) -> napi::Result<NativeBackendProcess> {
        let exec = run.exec()?;
        let started = match open {
            true => self.0.spawn(exec).await,
            false => self.0.start_process(exec).await,
        };
        started.map(NativeBackendProcess).map_err(thrown)
    }

    /// The whole content of a file.
    #[napi]
    pub async fn read(&self, path: String) -> napi::Result<Uint8Array> {
        let read = self.0.read(&path).await;
        read.map(Uint8Array::from).map_err(thrown)
    }

    /// Writes a file in one step, making its parents: readers see the old or the new content. Text is written as
    /// UTF-8.
    #[napi]
    pub async fn write(&self, path: String, content: Content) -> napi::Result<()> {
        let content = bytes(content);
        self.0.write(&path, &content).await.map_err(thrown)
    }

    /// What is in a directory, in the order of names, without `.` and `..`.
    #[napi]
    pub async fn list(&self, path: String) -> napi::Result<Vec<FileInfo>> {
        let listed = self.0.list(&path).await.map_err(thrown)?;
        let told = listed.into_iter().map(|(name, stat)| facts(name, &stat));
        Ok(told.collect())
    }

    /// Facts about what a path leads to, links followed. `name` is the path's last name as it was given; of `/`, `/`.
    #[napi]
    pub async fn info(&self, path: String) -> napi::Result<FileInfo> {
        let stat = self.0.info(&path).await.map_err(thrown)?;
        Ok(facts(last(&path).to_owned(), &stat))
    }

    /// Whether a path leads to something.
    #[napi]
    pub async fn exists(&self, path: String) -> napi::Result<bool> {
        self.0.exists(&path).await.map_err(thrown)
    }

    /// Makes a directory. With `parents`, the missing ones above it as well, as `mkdir -p` does.
    #[napi]
    pub async fn make_dir(&self, path: String, parents: bool) -> napi::Result<()> {
        self.0.make_dir(&path, parents).await.map_err(thrown)
    }

    /// Removes a file, or with `recursive` a directory and all below it, as `rm -r` does. With `force`, a path that
    /// is not there is no error.
    #[napi]
    pub async fn remove(&self, path: String, recursive: bool, force: bool) -> napi::Result<()> {
        let options = RemoveOptions { recursive, force };
        self.0.remove(&path, options).await.map_err(thrown)
    }

    /// Renames in one step, over what is at the target.
    #[napi]
    pub async fn rename(&self, source: String, target: String) -> napi::Result<()> {
        self.0.rename(&source, &target).await.map_err(thrown)
    }

    /// Captures the sandbox; the JSON of a `Snapshot`, which means something to this backend alone.
    #[napi]
    pub async fn snapshot(&self, label: Option<String>) -> napi::Result<String> {
        let taken = self.0.snapshot(label.as_deref()).await.map_err(thrown)?;
        snapshot_text(&taken).map_err(thrown)
    }

    /// Sets the sandbox back to a snapshot of it. Throws `INVALID` for text that is none.
    #[napi]
    pub async fn restore(&self, snapshot: String) -> napi::Result<()> {
        let snapshot = read_snapshot(&snapshot)?;
        self.0.restore(&snapshot).await.map_err(thrown)
    }

    /// Deletes a snapshot from its backend.
    #[napi]
    pub async fn delete_snapshot(&self, snapshot: String) -> napi::Result<()> {
        let snapshot = read_snapshot(&snapshot)?;
        self.0.delete_snapshot(&snapshot).await.map_err(thrown)
    }

    /// A branch with the sandbox's present state, which goes its own way from there.
    #[napi]
    pub async fn fork(&self, label: Option<String>) -> napi::Result<NativeBackendSandbox> {
        let branch = self.0.fork(label.as_deref()).await;
        branch.map(NativeBackendSandbox).map_err(thrown)
    }

    /// Puts it to sleep; its files stay.
    #[napi]
    pub async fn suspend(&self) -> napi::Result<()> {
        self.0.suspend().await.map_err(thrown)
    }

    /// Wakes it.
    #[napi]
    pub async fn resume(&self) -> napi::Result<()> {
        self.0.resume().await.map_err(thrown)
    }

    /// Where in its life it is, in one word that is the same for all backends.
    #[napi]
    pub async fn state(&self) -> napi::Result<String> {
        self.0.state().await.map(str::to_owned).map_err(thrown)
    }

    /// How another holder reaches it, as text for `reconnect`.
    #[napi]
    pub async fn reference(&self) -> napi::Result<String> {
        self.0.reference().await.map_err(thrown)
    }

    /// Ends it; one that was reached by a reference is only let go.
    #[napi]
    pub async fn destroy(&self) -> napi::Result<()> {
        self.0.destroy().await.map_err(thrown)
    }
}

/// A script that runs in a sandbox of some backend. Both outputs are to be read while it runs: a script that fills
/// one that nobody reads waits.
#[napi]
pub struct NativeBackendProcess(Process);

#[napi]
impl NativeBackendProcess {
    /// The next piece of standard output as it came, of any size above 0; `null` at its end.
    #[napi]
    pub async fn read_stdout(&self) -> Option<Uint8Array> {
        let piece = self.0.read_stdout().await?;
        Some(piece.to_vec().into())
    }

    /// The next piece of standard error; `null` at its end.
    #[napi]
    pub async fn read_stderr(&self) -> Option<Uint8Array> {
        let piece = self.0.read_stderr().await?;
        Some(piece.to_vec().into())
    }

    /// Writes to standard input; waits while the script does not read. Throws `CONFLICT` where the input is closed,
    /// or the script reads no more.
    #[napi]
    pub async fn write(&self, data: Content) -> napi::Result<()> {
        let data = bytes(data);
        self.0.write(&data).await.map_err(thrown)
    }

    /// Ends standard input: the script reads the end of file. Doing it twice is fine.
    #[napi]
    pub async fn close_stdin(&self) {
        self.0.close_stdin().await;
    }

    /// Sends a signal by its POSIX number: 2, 9 or 15. Others, and those that the backend cannot send, throw
    /// `CAPABILITY`. A script that has ended hears nothing.
    #[napi]
    pub async fn signal(&self, number: u8) -> napi::Result<()> {
        self.0.signal(number).await.map_err(thrown)
    }

    /// Waits for the end; the status, 0 to 255. Throws `LIMIT` where a limit ended the script, `DIED` where the
    /// sandbox or its provider did.
    #[napi]
    pub async fn wait(&self) -> napi::Result<u8> {
        self.0.wait().await.map_err(thrown)
    }
}
