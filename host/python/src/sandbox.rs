//! A virtual sandbox.
//!
//! Relative paths begin at its working directory. Paths are text; what is not UTF-8 in one that comes back is
//! replaced. Methods that may wait take `wait` first; the others return at once.

use crate::context::{Beginning, Context};
use crate::error::raised;
use crate::execution::Process;
use crate::future::{Blob, entered, finish};
use crate::result::ExecResult;
use crate::session::Session;
use crate::settings::{Content, Run, Settings};
use crate::terminal::Terminal;
use crate::watcher::Watcher;
use offshoot::lifecycle::{Change, ChangeKind, Lease};
use offshoot::{
    DirectoryEntry, Exec, Execution, FileKind, FileStat, RemoveOptions, ShellResult, WatchOptions,
};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use tokio::sync::Mutex;

/// A sandbox of this process, or a lease on one that is kept.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Sandbox {
    sandbox: offshoot::Sandbox,
    /// Set where it is kept in a store; empty inside once `close` has released it.
    lease: Option<Arc<Mutex<Option<Lease>>>>,
}

/// Facts about a path: name, kind (`file`, `directory`, `symlink`, `other`), bytes, permission bits, seconds of the
/// last change since 1970 (none before that).
pub(crate) type Facts = (String, &'static str, u64, Option<u32>, Option<f64>);

fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symlink",
        _ => "other",
    }
}

/// Facts under a name.
pub(crate) fn facts(name: String, stat: &FileStat) -> Facts {
    let modified = stat
        .mtime
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map(|time| time.as_secs_f64());
    (name, kind(stat.kind), stat.size, stat.mode, modified)
}

/// The last name of a path: `b` of `/a/b` and of `/a/b/`; `/` where there is none.
pub(crate) fn last(path: &str) -> &str {
    let mut names = path.rsplit('/');
    names.find(|name| !name.is_empty()).unwrap_or("/")
}

/// What happened to a path (`added`, `removed`, `modified`), and which one.
pub(crate) fn changes(changes: Vec<Change>) -> Vec<(&'static str, String)> {
    let changes = changes.into_iter().map(|change| {
        let kind = match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            _ => "modified",
        };
        (kind, String::from_utf8_lossy(&change.path).into_owned())
    });
    changes.collect()
}

/// Runs a script, handing its output to `on_stdout` and `on_stderr` as it comes.
///
/// Without functions this is the library's `exec`, which tells of truncated output; with one, the script is spawned
/// and both outputs are read at once. Whether the time-out ended it is inferred then, from the status 124 and the
/// time that passed.
pub(crate) async fn streamed(
    sandbox: &offshoot::Sandbox,
    exec: Exec,
    on_stdout: Option<Py<PyAny>>,
    on_stderr: Option<Py<PyAny>>,
) -> PyResult<ExecResult> {
    if on_stdout.is_none() && on_stderr.is_none() {
        return sandbox
            .exec(exec)
            .await
            .map(ExecResult::from)
            .map_err(raised);
    }
    let started = std::time::Instant::now();
    let mut result = ShellResult::new(exec.text(), 0);
    let limit = exec.timeout;
    let mut execution = sandbox.spawn(exec).map_err(raised)?;
    let (stdout, stderr) = (execution.take_stdout(), execution.take_stderr());
    let (stdout, stderr) = tokio::try_join!(pass(stdout, on_stdout), pass(stderr, on_stderr))?;
    result.exit_code = end(&mut execution).await?;
    (result.stdout, result.stderr) = (stdout, stderr);
    let took = started.elapsed();
    result.duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    result.timed_out = result.exit_code == 124 && limit.is_some_and(|limit| took >= limit);
    Ok(result.into())
}

async fn end(execution: &mut Execution) -> PyResult<u8> {
    execution.wait().await.map_err(raised)
}

/// All of a stream, each piece handed on before the next is read; nothing for a stream that is not there.
async fn pass(reader: Option<offshoot::ByteReader>, to: Option<Py<PyAny>>) -> PyResult<Vec<u8>> {
    let to = to.map(Arc::new);
    let mut all = Vec::new();
    let Some(mut reader) = reader else {
        return Ok(all);
    };
    while let Some(piece) = reader.read().await {
        all.extend_from_slice(&piece);
        hand(to.clone(), piece).await?;
    }
    Ok(all)
}

/// Calls a function with a piece of output, where there is one, on a thread for blocking work: the executor's own
/// threads never wait for the interpreter. An exception is the answer.
pub(crate) async fn hand(to: Option<Arc<Py<PyAny>>>, piece: bytes::Bytes) -> PyResult<()> {
    let Some(to) = to else {
        return Ok(());
    };
    let call = move || Python::attach(|py| to.call1(py, (Blob(piece),)).map(drop));
    let called = tokio::task::spawn_blocking(call).await;
    called.unwrap_or_else(|error| Err(crate::error::wrong(error)))
}

impl Sandbox {
    pub(crate) fn new(sandbox: offshoot::Sandbox) -> Sandbox {
        Sandbox {
            sandbox,
            lease: None,
        }
    }

    pub(crate) fn inner(&self) -> &offshoot::Sandbox {
        &self.sandbox
    }

    /// One that stays awake until `close` gives the lease back.
    pub(crate) fn leased(lease: Lease) -> Sandbox {
        Sandbox {
            sandbox: offshoot::Sandbox::clone(&lease),
            lease: Some(Arc::new(Mutex::new(Some(lease)))),
        }
    }
}

#[pymethods]
impl Sandbox {
    /// A new sandbox of this process, from a dictionary of settings.
    #[new]
    fn create(settings: Settings<'_>) -> PyResult<Sandbox> {
        let builder = settings.builder()?;
        builder.build().map(Sandbox::new).map_err(raised)
    }

    /// Loads the shell and all commands, instead of each when it is first run.
    #[staticmethod]
    fn warm(py: Python<'_>, wait: bool) -> PyResult<Bound<'_, PyAny>> {
        finish(py, wait, async {
            let loaded = tokio::task::spawn_blocking(|| offshoot::warm(|_, _| {})).await;
            loaded.map_err(crate::error::wrong)?.map_err(raised)
        })
    }

    #[getter]
    fn cwd(&self) -> &str {
        self.sandbox.cwd()
    }

    /// Runs a script to its end from fresh shell state; files stay.
    fn exec<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        run: Run,
        on_stdout: Option<Py<PyAny>>,
        on_stderr: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, exec) = (self.sandbox.clone(), run.exec()?);
        finish(py, wait, async move {
            streamed(&sandbox, exec, on_stdout, on_stderr).await
        })
    }

    /// Starts a script and returns at once. Standard input is a pipe where `run` has none.
    fn spawn(&self, run: Run) -> PyResult<Process> {
        let mut exec = run.exec()?;
        if exec.stdin == offshoot::Stdin::Empty {
            exec = exec.stdin(offshoot::Stdin::Piped);
        }
        entered(|| self.sandbox.spawn(exec))?
            .map(Process::new)
            .map_err(raised)
    }

    fn session(&self) -> Session {
        Session::new(self.sandbox.session())
    }

    fn context<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        beginning: Beginning,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, options) = (self.sandbox.clone(), beginning.options()?);
        finish(py, wait, async move {
            let context = sandbox.context(options).await;
            context.map(Context::new).map_err(raised)
        })
    }

    fn contexts(&self) -> Vec<Context> {
        let contexts = self.sandbox.contexts();
        contexts.into_iter().map(Context::new).collect()
    }

    /// The context of an id, or an error where it was closed or is another sandbox's.
    fn find_context(&self, id: &str) -> PyResult<Context> {
        let found = self.sandbox.find_context(id);
        found.map(Context::new).map_err(raised)
    }

    fn terminal(&self, run: Run) -> PyResult<Terminal> {
        Terminal::start(&self.sandbox, run)
    }

    /// Watches a directory from this moment on, with `recursive` all below it, without what the globs of `exclude`
    /// match.
    fn watch<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        recursive: bool,
        exclude: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        let mut options = WatchOptions::new();
        if recursive {
            options = options.recursive();
        }
        let options = exclude.into_iter().fold(options, WatchOptions::exclude);
        finish(py, wait, async move {
            let watcher = sandbox.watch(&path, options).await;
            watcher.map(Watcher::new).map_err(raised)
        })
    }

    /// An independent copy in constant time, whatever its size.
    fn fork(&self) -> Sandbox {
        Sandbox::new(self.sandbox.fork())
    }

    fn fork_many(&self, count: usize) -> Vec<Sandbox> {
        let forks = self.sandbox.fork_many(count);
        forks.into_iter().map(Sandbox::new).collect()
    }

    /// What a reader of `after`, a branch of this one, finds other than here.
    fn diff(&self, py: Python<'_>, after: &Sandbox) -> PyResult<Vec<(&'static str, String)>> {
        let (before, after) = (self.sandbox.vfs().clone(), after.sandbox.vfs().clone());
        let found = py.detach(move || offshoot_vfs::diff(&before, &after));
        found.map(changes).map_err(crate::error::wrong)
    }

    fn read<'py>(&self, py: Python<'py>, wait: bool, path: String) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            let bytes = sandbox.read_file_buffer(&path).await;
            bytes.map(Blob::from).map_err(raised)
        })
    }

    fn write<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        content: Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            sandbox.write_file(&path, content.0).await.map_err(raised)
        })
    }

    /// Writes all of the files, or none of them.
    fn write_many<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        files: Vec<(String, Content)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            let files: Vec<_> = files
                .into_iter()
                .map(|(path, content)| (path, content.0))
                .collect();
            sandbox.write_files(files).await.map_err(raised)
        })
    }

    fn list<'py>(&self, py: Python<'py>, wait: bool, path: String) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            let entries = sandbox.entries(&path).await.map_err(raised)?;
            let facts = |entry: DirectoryEntry| facts(entry.name, &entry.stat);
            Ok(entries.into_iter().map(facts).collect::<Vec<Facts>>())
        })
    }

    fn info<'py>(&self, py: Python<'py>, wait: bool, path: String) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            let stat = sandbox.stat(&path).await.map_err(raised)?;
            Ok(facts(last(&path).to_owned(), &stat))
        })
    }

    fn exists<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move { Ok(sandbox.exists(&path).await) })
    }

    fn remove<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        recursive: bool,
        force: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        let options = RemoveOptions { recursive, force };
        finish(py, wait, async move {
            sandbox.rm(&path, options).await.map_err(raised)
        })
    }

    fn rename<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        source: String,
        target: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            sandbox.rename(&source, &target).await.map_err(raised)
        })
    }

    /// Copies a file, or with `recursive` a tree; contents are shared until one side writes.
    fn copy<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        source: String,
        target: String,
        recursive: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            sandbox
                .copy(&source, &target, recursive)
                .await
                .map_err(raised)
        })
    }

    fn make_dir<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        parents: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            sandbox.mkdir(&path, parents).await.map_err(raised)
        })
    }

    /// A directory as a tar archive, made in memory as a whole.
    fn export_tar<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            let mut bytes = Vec::new();
            sandbox
                .export_tar(&path, &mut bytes)
                .await
                .map_err(raised)?;
            Ok(Blob::from(bytes))
        })
    }

    /// Unpacks a tar archive into a directory that is there: all of it, or nothing.
    fn import_tar<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        archive: Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = self.sandbox.clone();
        finish(py, wait, async move {
            sandbox
                .import_tar(&path, archive.0.as_slice())
                .await
                .map_err(raised)
        })
    }

    /// Ends it; a lease is released, and what is kept stays.
    fn close<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, lease) = (self.sandbox.clone(), self.lease.clone());
        finish(py, wait, async move {
            match lease {
                None => sandbox.cleanup().await,
                Some(lease) => {
                    if let Some(lease) = lease.lock().await.take() {
                        lease.release().await.map_err(raised)?;
                    }
                }
            }
            Ok(())
        })
    }
}
