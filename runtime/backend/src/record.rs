//! Records what a sandbox was asked and what it answered, and answers the same again without one.

use crate::capabilities::Capabilities;
use crate::environment::Environment;
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use crate::files::{FileStat, RemoveOptions};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What happened to a sandbox, call by call. It can be stored as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Recording {
    /// The backend that was recorded.
    pub backend: String,
    /// What it could do.
    pub capabilities: Capabilities,
    /// Its root.
    pub root: String,
    /// Its working directory.
    pub cwd: String,
    /// The calls in the order in which they ended.
    pub calls: Vec<Call>,
}

/// One call and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Call {
    /// What was asked.
    pub request: Request,
    /// What came of it.
    pub answer: std::result::Result<Answer, Failure>,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// [`Environment::exec`].
    Exec(Exec),
    /// [`Environment::read_file_buffer`], and through it the other ways to read.
    Read(String),
    /// [`Environment::write_file`].
    Write(String, Vec<u8>),
    /// [`Environment::stat`].
    Stat(String),
    /// [`Environment::readdir`].
    Readdir(String),
    /// [`Environment::exists`].
    Exists(String),
    /// [`Environment::mkdir`].
    Mkdir(String, bool),
    /// [`Environment::rm`].
    Rm(String, RemoveOptions),
}

/// What came of a call that succeeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Answer {
    /// Nothing but success.
    Done,
    /// What a command gave.
    Result(ShellResult),
    /// A file's content.
    Content(Vec<u8>),
    /// Facts about a path.
    Stat(FileStat),
    /// The names in a directory.
    Names(Vec<String>),
    /// Whether a path exists.
    Exists(bool),
}

/// An error as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    code: Code,
    operation: String,
    message: String,
    retryable: bool,
    output: Option<Box<ShellResult>>,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Failure {
        Failure {
            code: error.code(),
            operation: error.operation().to_owned(),
            message: error.message().to_owned(),
            retryable: error.retryable(),
            output: error.output().cloned().map(Box::new),
        }
    }
}

impl Failure {
    fn into_error(self, backend: &str) -> Error {
        let error = Error::new(self.code, self.operation, self.message)
            .on(backend.to_owned())
            .with_retryable(self.retryable);
        match self.output {
            Some(output) => error.with_output(*output),
            None => error,
        }
    }
}

/// An environment that notes every command and file operation. Optional abilities are not
/// recorded, so they are not claimed.
///
/// ```
/// # async fn example(sandbox: std::sync::Arc<dyn offshoot_backend::Environment>) -> offshoot_backend::Result<()> {
/// use offshoot_backend::{Environment, Recorder, Replayer};
/// let recorder = Recorder::new(sandbox);
/// recorder.exec("make test".into()).await?;
/// let replayer = Replayer::new(recorder.recording());
/// replayer.exec("make test".into()).await?; // the same result, and nothing runs
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Recorder {
    inner: Arc<dyn Environment>,
    calls: Mutex<Vec<Call>>,
}

impl Recorder {
    /// Starts to record.
    pub fn new(inner: Arc<dyn Environment>) -> Recorder {
        Recorder {
            inner,
            calls: Mutex::default(),
        }
    }

    /// What happened so far.
    pub fn recording(&self) -> Recording {
        Recording {
            backend: self.backend().to_owned(),
            capabilities: self.capabilities(),
            root: self.root().to_owned(),
            cwd: self.cwd().to_owned(),
            calls: lock(&self.calls).clone(),
        }
    }

    fn note<T: Clone>(
        &self,
        request: Request,
        answer: Result<T>,
        store: impl FnOnce(T) -> Answer,
    ) -> Result<T> {
        let stored = match &answer {
            Ok(answer) => Ok(store(answer.clone())),
            Err(error) => Err(Failure::from(error)),
        };
        let answer_of = Call {
            request,
            answer: stored,
        };
        lock(&self.calls).push(answer_of);
        answer
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The claims that stay: those about commands and files.
fn reduced(inner: Capabilities) -> Capabilities {
    let mut reduced = inner;
    reduced.snapshot = false;
    reduced.restore = false;
    reduced.fork = false;
    reduced.suspend = false;
    reduced.resume = false;
    reduced.reconnect = false;
    reduced.streaming = false;
    reduced.signals = false;
    reduced.file_policy = false;
    reduced.command_policy = false;
    reduced.snapshot_files = false;
    reduced.snapshot_settings = false;
    reduced.snapshot_memory = false;
    reduced
}

#[async_trait]
impl Environment for Recorder {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        reduced(self.inner.capabilities())
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        let answer = self.inner.exec(exec.clone()).await;
        self.note(Request::Exec(exec), answer, Answer::Result)
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let answer = self.inner.read_file_buffer(path).await;
        self.note(Request::Read(path.to_owned()), answer, Answer::Content)
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let answer = self.inner.write_file(path, content).await;
        let request = Request::Write(path.to_owned(), content.to_vec());
        self.note(request, answer, |()| Answer::Done)
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        let answer = self.inner.stat(path).await;
        self.note(Request::Stat(path.to_owned()), answer, Answer::Stat)
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let answer = self.inner.readdir(path).await;
        self.note(Request::Readdir(path.to_owned()), answer, Answer::Names)
    }

    async fn exists(&self, path: &str) -> Result<bool> {
        let answer = self.inner.exists(path).await;
        self.note(Request::Exists(path.to_owned()), answer, Answer::Exists)
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let answer = self.inner.mkdir(path, recursive).await;
        let request = Request::Mkdir(path.to_owned(), recursive);
        self.note(request, answer, |()| Answer::Done)
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let answer = self.inner.rm(path, options).await;
        let request = Request::Rm(path.to_owned(), options);
        self.note(request, answer, |()| Answer::Done)
    }

    async fn cleanup(&self) -> Result<()> {
        self.inner.cleanup().await
    }
}

/// An environment that answers from a recording: every call must be the one that was recorded at
/// its place, and gets the recorded answer. Nothing runs.
#[derive(Debug)]
pub struct Replayer {
    recording: Recording,
    left: Mutex<VecDeque<Call>>,
}

impl Replayer {
    /// Starts at the first call.
    pub fn new(recording: Recording) -> Replayer {
        Replayer {
            left: Mutex::new(recording.calls.iter().cloned().collect()),
            recording,
        }
    }

    /// The calls that were not repeated yet.
    pub fn left(&self) -> Vec<Call> {
        lock(&self.left).iter().cloned().collect()
    }

    fn answer<T>(
        &self,
        operation: &'static str,
        request: Request,
        read: impl FnOnce(Answer) -> Option<T>,
    ) -> Result<T> {
        let differs = |message: String| {
            Err(Error::new(Code::Conflict, operation, message).on(self.recording.backend.clone()))
        };
        let mut left = lock(&self.left);
        match left.front() {
            None => return differs(format!("the recording ended before {request:?}")),
            Some(call) if call.request != request => {
                let expected = &call.request;
                return differs(format!("recorded was {expected:?}, asked was {request:?}"));
            }
            Some(_) => {}
        }
        match left.pop_front().map(|call| call.answer) {
            Some(Ok(answer)) => match read(answer) {
                Some(answer) => Ok(answer),
                None => differs("the recorded answer is of another kind".to_owned()),
            },
            Some(Err(failure)) => Err(failure.into_error(&self.recording.backend)),
            None => differs("the recording ended".to_owned()),
        }
    }
}

#[async_trait]
impl Environment for Replayer {
    fn backend(&self) -> &str {
        &self.recording.backend
    }

    fn capabilities(&self) -> Capabilities {
        self.recording.capabilities
    }

    fn root(&self) -> &str {
        &self.recording.root
    }

    fn cwd(&self) -> &str {
        &self.recording.cwd
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.answer("exec", Request::Exec(exec), |answer| match answer {
            Answer::Result(result) => Some(result),
            _ => None,
        })
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let request = Request::Read(path.to_owned());
        self.answer("read_file_buffer", request, |answer| match answer {
            Answer::Content(content) => Some(content),
            _ => None,
        })
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let request = Request::Write(path.to_owned(), content.to_vec());
        self.answer("write_file", request, done)
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        let request = Request::Stat(path.to_owned());
        self.answer("stat", request, |answer| match answer {
            Answer::Stat(stat) => Some(stat),
            _ => None,
        })
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let request = Request::Readdir(path.to_owned());
        self.answer("readdir", request, |answer| match answer {
            Answer::Names(names) => Some(names),
            _ => None,
        })
    }

    async fn exists(&self, path: &str) -> Result<bool> {
        let request = Request::Exists(path.to_owned());
        self.answer("exists", request, |answer| match answer {
            Answer::Exists(exists) => Some(exists),
            _ => None,
        })
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let request = Request::Mkdir(path.to_owned(), recursive);
        self.answer("mkdir", request, done)
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let request = Request::Rm(path.to_owned(), options);
        self.answer("rm", request, done)
    }

    async fn cleanup(&self) -> Result<()> {
        Ok(())
    }
}

fn done(answer: Answer) -> Option<()> {
    matches!(answer, Answer::Done).then_some(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::Recorded;

    #[tokio::test]
    async fn a_session_is_repeated_from_its_text_without_a_sandbox() {
        let recorder = Recorder::new(Arc::new(Recorded::new()));
        recorder.write_file("/base/home/a", b"x\xff").await.unwrap();
        recorder.exec("ls".into()).await.unwrap();
        let missing = recorder.stat("/base/none").await.unwrap_err();
        let text = serde_json::to_string(&recorder.recording()).unwrap();

        let replayer = Replayer::new(serde_json::from_str(&text).unwrap());
        assert!(!replayer.capabilities().suspend);
        replayer.write_file("/base/home/a", b"x\xff").await.unwrap();
        let other = replayer.exec("rm -rf /".into()).await.unwrap_err();
        assert_eq!(other.code(), Code::Conflict);
        assert!(replayer.exec("ls".into()).await.unwrap().success());
        assert_eq!(replayer.left().len(), 1);
        let repeated = replayer.stat("/base/none").await.unwrap_err();
        assert_eq!(repeated.code(), missing.code());
        let beyond = replayer.exec("ls".into()).await.unwrap_err();
        assert!(beyond.message().contains("ended"), "{beyond}");
    }
}
