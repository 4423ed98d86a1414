//! Files by way of commands, for backends that can only run commands.
//!
//! One script for each operation, in POSIX sh with the tools that GNU and BusyBox share. Arguments
//! are passed as arguments, so no path is ever quoted. A script changes into the directory that it
//! works on and asks the kernel where it then is: a link that is swapped in later changes nothing.

mod scripts;

use crate::capabilities::Capabilities;
use crate::environment::{Environment, State};
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use crate::files::{FileKind, FileStat, RemoveOptions};
use crate::policy::Boundary;
use crate::running::Running;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Bytes of a file that travel in one argument, where there is no standard input.
const CHUNK: usize = 60_000;
/// Bytes of a file that are read at once, where a command's output is cut before its end.
const PIECE: usize = 4 << 20;
/// How often a file is read again that was replaced between two pieces.
const ATTEMPTS: usize = 8;

/// An environment whose files are reached through its commands.
///
/// The inner environment needs `exec`; with `stdin` and `exact_output` contents travel as they are,
/// else as base64. Every operation is one command, but for writing without standard input, and for reading
/// what is longer than the output that the environment keeps: that comes in pieces, all of the same content.
/// Inside there must be `sh`, `cat`, `env`, `find`, `head`, `mkdir`, `mv`, `pwd`, `readlink`, `rm`, `stat`,
/// `tail`, and `base64` where it is needed.
#[derive(Debug)]
pub struct PosixOverExec {
    inner: Arc<dyn Environment>,
}

impl PosixOverExec {
    /// Gives files to an environment.
    pub fn new(inner: Arc<dyn Environment>) -> PosixOverExec {
        PosixOverExec { inner }
    }

    /// Runs one of the scripts on a path.
    async fn run(
        &self,
        operation: &'static str,
        script: &str,
        path: &str,
        more: &[&str],
        stdin: Option<&[u8]>,
    ) -> Result<Vec<u8>> {
        let result = self.result(operation, script, path, more, stdin).await?;
        match result.truncated {
            false => Ok(result.stdout),
            true => {
                let message = format!("limit reached: {path}: more than a command may write");
                Err(Error::new(Code::Limit, operation, message).on(self.backend().to_owned()))
            }
        }
    }

    /// What one of the scripts gave that succeeded, cut or not.
    async fn result(
        &self,
        operation: &'static str,
        script: &str,
        path: &str,
        more: &[&str],
        stdin: Option<&[u8]>,
    ) -> Result<ShellResult> {
        let root = match self.root() {
            "/" => "",
            root => root,
        };
        let mut exec = Exec::new(format!("{}{script}", scripts::COMMON))
            .name("offshoot")
            .arguments([root, path])
            .arguments(more)
            .cwd(self.root());
        if let Some(stdin) = stdin {
            exec = exec.stdin(stdin);
        }
        let result = self.inner.exec(exec).await;
        let result = result.map_err(|error| error.during(operation))?;
        match result.exit_code {
            0 => Ok(result),
            _ => Err(failure(operation, path, &result).on(self.backend().to_owned())),
        }
    }

    /// What any byte travels through.
    fn through(&self) -> &'static str {
        match self.inner.capabilities().exact_output {
            true => "cat",
            false => "base64",
        }
    }

    /// Output of a script, as it was before it went through [`PosixOverExec::through`].
    fn decoded(&self, operation: &'static str, path: &str, output: Vec<u8>) -> Result<Vec<u8>> {
        if self.inner.capabilities().exact_output {
            return Ok(output);
        }
        let encoded = output
            .into_iter()
            .filter(|byte| !byte.is_ascii_whitespace());
        BASE64
            .decode(encoded.collect::<Vec<u8>>())
            .map_err(|error| {
                let message = format!("{path}: {error}");
                Error::new(Code::Corrupt, operation, message).on(self.backend().to_owned())
            })
    }

    /// Reads a file piece by piece, and again from the beginning where it changed in between.
    async fn pieces(&self, path: &str) -> Result<Vec<u8>> {
        const OPERATION: &str = "read_file_buffer";
        let length = PIECE.to_string();
        let (mut content, mut stamp) = (Vec::new(), None);
        let mut attempts = 0;
        while attempts < ATTEMPTS {
            let from = (content.len() + 1).to_string();
            let more = [self.through(), &from, &length];
            let read = self
                .result(OPERATION, scripts::READ, path, &more, None)
                .await?;
            if read.truncated {
                let message = format!("limit reached: {path}: a piece of {PIECE} bytes was cut");
                return Err(Error::new(Code::Limit, OPERATION, message));
            }
            let now = Some(read.stderr);
            if stamp.is_some() && stamp != now {
                (content, stamp) = (Vec::new(), None);
                attempts += 1;
                continue;
            }
            stamp = now;
            let piece = self.decoded(OPERATION, path, read.stdout)?;
            content.extend_from_slice(&piece);
            if piece.len() < PIECE {
                return Ok(content);
            }
        }
        let message = format!("{path}: it was replaced {ATTEMPTS} times while it was read");
        Err(Error::new(Code::Conflict, OPERATION, message).on(self.backend().to_owned()))
    }

    /// Carries content into a file of its own, piece by piece, and gives its path.
    async fn stage(&self, content: &[u8]) -> Result<String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = self.root().trim_end_matches('/');
        let stage = format!("{root}/.offshoot-stage-{process}-{number}");
        let mut chunks = content.chunks(CHUNK).peekable();
        if chunks.peek().is_none() {
            self.run("write_file", scripts::APPEND, &stage, &[""], None)
                .await?;
        }
        for chunk in chunks {
            let encoded = BASE64.encode(chunk);
            self.run("write_file", scripts::APPEND, &stage, &[&encoded], None)
                .await?;
        }
        Ok(stage)
    }

    fn wrap(&self, inner: Arc<dyn Environment>) -> Arc<dyn Environment> {
        Arc::new(PosixOverExec::new(inner))
    }
}

/// The error that a script's status, or the message of a tool, stands for.
fn failure(operation: &'static str, path: &str, result: &ShellResult) -> Error {
    let said = match result.stderr.is_empty() {
        true => result.stdout_text(),
        false => result.stderr_text(),
    };
    let has = |texts: &[&str]| texts.iter().any(|text| said.contains(text));
    let (code, reason) = match result.exit_code {
        scripts::NOT_FOUND => (Code::NotFound, "no such file or directory"),
        scripts::CONFLICT => (Code::Conflict, "something else is there"),
        scripts::ESCAPE => (Code::PathEscape, "the path leads out of the workspace"),
        _ if has(&[
            "No space left",
            "quota exceeded",
            "name too long",
            "File too large",
        ]) =>
        {
            (Code::Limit, said.trim())
        }
        _ if has(&[
            "Permission denied",
            "Read-only file system",
            "not permitted",
        ]) =>
        {
            (Code::PolicyDenied, said.trim())
        }
        _ => (Code::Died, said.trim()),
    };
    Error::new(code, operation, format!("{path}: {reason}"))
}

/// Reads the line of facts that the script for `stat` writes.
fn parse_stat(line: &str) -> Option<FileStat> {
    let mut words = line.split_whitespace();
    let mode = u32::from_str_radix(words.next()?, 16).ok()?;
    let size = words.next()?.parse().ok()?;
    let mut time = || -> Option<SystemTime> {
        let seconds: u64 = words.next()?.parse().ok()?;
        UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    };
    let (mtime, ctime, atime) = (time(), time(), time());
    let kind = match mode & 0o170_000 {
        0o100_000 => FileKind::File,
        0o040_000 => FileKind::Directory,
        0o120_000 => FileKind::Symlink,
        _ => FileKind::Other,
    };
    let mut stat = FileStat::new(kind, size);
    (stat.mtime, stat.ctime, stat.atime) = (mtime, ctime, atime);
    stat.mode = Some(mode & 0o7777);
    stat.is_symlink = Some(words.next()? == "link");
    Some(stat)
}

#[async_trait]
impl Environment for PosixOverExec {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = self.inner.capabilities();
        capabilities.filesystem = capabilities.exec;
        capabilities.binary_files = capabilities.exec;
        capabilities
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.inner.exec(exec).await
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let operation = "read_file_buffer";
        let more = [self.through(), "", ""];
        let read = self
            .result(operation, scripts::READ, path, &more, None)
            .await;
        match read {
            Ok(read) if !read.truncated => self.decoded(operation, path, read.stdout),
            // A backend that cuts a flood tells it in one of two ways.
            Ok(_) => self.pieces(path).await,
            Err(error) if error.output().is_some_and(|output| output.truncated) => {
                self.pieces(path).await
            }
            Err(error) => Err(error),
        }
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let operation = "write_file";
        let written = if self.inner.capabilities().stdin {
            self.run(operation, scripts::WRITE, path, &[""], Some(content))
                .await
        } else {
            let stage = self.stage(content).await?;
            self.run(operation, scripts::WRITE, path, &[&stage], None)
                .await
        };
        written.map(drop)
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        let line = self.run("stat", scripts::STAT, path, &[], None).await?;
        let line = String::from_utf8_lossy(&line);
        parse_stat(&line).ok_or_else(|| {
            let message = format!("{path}: stat answered {line:?}");
            Error::new(Code::Corrupt, "stat", message).on(self.backend().to_owned())
        })
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let more = [self.through()];
        let listed = self
            .run("readdir", scripts::READDIR, path, &more, None)
            .await?;
        let listed = self.decoded("readdir", path, listed)?;
        let mut names = Vec::new();
        for name in listed
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
        {
            let name = name.strip_prefix(b"./").unwrap_or(name);
            names.push(String::from_utf8(name.to_vec()).map_err(|error| {
                let name = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let message = format!("{path}: the name {name}");
                Error::new(Code::NotText, "readdir", message).on(self.backend().to_owned())
            })?);
        }
        names.sort_unstable();
        Ok(names)
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let script = match recursive {
            true => scripts::MKDIR_PARENTS,
            false => scripts::MKDIR,
        };
        self.run("mkdir", script, path, &[], None).await.map(drop)
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let recursive = if options.recursive { "recursive" } else { "" };
        match self.run("rm", scripts::RM, path, &[recursive], None).await {
            Err(error) if options.force && error.code() == Code::NotFound => Ok(()),
            removed => removed.map(drop),
        }
    }

    async fn cleanup(&self) -> Result<()> {
        self.inner.cleanup().await
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.inner.spawn(exec).await
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.inner.snapshot(label).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.restore(snapshot).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        Ok(self.wrap(self.inner.start(snapshot).await?))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.delete_snapshot(snapshot).await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        Ok(self.wrap(self.inner.fork(label).await?))
    }

    async fn suspend(&self) -> Result<()> {
        self.inner.suspend().await
    }

    async fn resume(&self) -> Result<()> {
        self.inner.resume().await
    }

    async fn reference(&self) -> Result<Reference> {
        self.inner.reference().await
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        self.inner.restrict(boundary).await
    }

    async fn state(&self) -> Result<State> {
        self.inner.state().await
    }
}
