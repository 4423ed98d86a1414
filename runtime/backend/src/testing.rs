//! An environment in memory that records what it is asked for; for the tests of this crate.

use crate::capabilities::Capabilities;
use crate::environment::{Environment, State};
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use crate::factory::{Factory, Options};
use crate::files::{FileKind, FileStat, RemoveOptions};
use crate::snapshot::Snapshot;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Its calls in order, its files, and what it answers.
pub(crate) struct Recorded {
    pub(crate) capabilities: Capabilities,
    pub(crate) calls: Mutex<Vec<String>>,
    pub(crate) files: Mutex<BTreeMap<String, Vec<u8>>>,
    pub(crate) state: Mutex<State>,
    /// How long an execution takes.
    pub(crate) exec_time: Duration,
    /// How many times `suspend` fails first.
    pub(crate) suspend_failures: Mutex<u32>,
}

impl Recorded {
    pub(crate) fn new() -> Recorded {
        let mut capabilities = Capabilities::NONE;
        capabilities.exec = true;
        capabilities.filesystem = true;
        capabilities.exec_directory = true;
        capabilities.exec_environment = true;
        capabilities.exec_timeout = true;
        capabilities.cancel = true;
        capabilities.suspend = true;
        capabilities.resume = true;
        Recorded {
            capabilities,
            calls: Mutex::default(),
            files: Mutex::default(),
            state: Mutex::new(State::Running),
            exec_time: Duration::ZERO,
            suspend_failures: Mutex::new(0),
        }
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.calls))
    }

    fn note(&self, call: String) {
        lock(&self.calls).push(call);
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl Environment for Recorded {
    fn backend(&self) -> &str {
        "recorded"
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn root(&self) -> &str {
        "/base"
    }

    fn cwd(&self) -> &str {
        "/base/home"
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        let cwd = exec.cwd.clone().unwrap_or_default();
        self.note(format!("exec {} in {cwd} {:?}", exec.text(), exec.timeout));
        tokio::time::sleep(self.exec_time).await;
        Ok(ShellResult::new(exec.text(), 0))
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.note(format!("read {path}"));
        let missing = || Error::new(Code::NotFound, "read_file_buffer", path);
        lock(&self.files).get(path).cloned().ok_or_else(missing)
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        self.note(format!("write {path}"));
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let mut files = lock(&self.files);
        if parent != "/base/home" && !files.contains_key(parent) {
            return Err(Error::new(Code::NotFound, "write_file", path));
        }
        files.insert(path.to_owned(), content.to_vec());
        Ok(())
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        self.note(format!("stat {path}"));
        let files = lock(&self.files);
        let missing = || Error::new(Code::NotFound, "stat", path);
        let content = files.get(path).ok_or_else(missing)?;
        Ok(FileStat::new(FileKind::File, content.len() as u64))
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.note(format!("readdir {path}"));
        Ok(Vec::new())
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.note(format!("mkdir {path} {recursive}"));
        lock(&self.files).insert(path.to_owned(), Vec::new());
        Ok(())
    }

    async fn rm(&self, path: &str, _: RemoveOptions) -> Result<()> {
        self.note(format!("rm {path}"));
        Ok(())
    }

    async fn cleanup(&self) -> Result<()> {
        self.note("cleanup".to_owned());
        Ok(())
    }

    async fn suspend(&self) -> Result<()> {
        self.note("suspend".to_owned());
        let mut failures = lock(&self.suspend_failures);
        if *failures > 0 {
            *failures -= 1;
            return Err(Error::new(Code::Died, "suspend", "not now"));
        }
        Ok(())
    }

    async fn resume(&self) -> Result<()> {
        self.note("resume".to_owned());
        Ok(())
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.note("snapshot".to_owned());
        Ok(Snapshot::new("recorded", "1").labelled(label))
    }

    async fn start(&self, _: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.note("start".to_owned());
        Ok(Arc::new(Recorded::new()))
    }

    async fn delete_snapshot(&self, _: &Snapshot) -> Result<()> {
        self.note("delete_snapshot".to_owned());
        Ok(())
    }

    async fn state(&self) -> Result<State> {
        Ok(*lock(&self.state))
    }
}

/// Makes one prepared environment, again and again the same.
pub(crate) struct Fixed(pub(crate) &'static str, pub(crate) Arc<Recorded>);

#[async_trait]
impl Factory for Fixed {
    fn name(&self) -> &str {
        self.0
    }

    fn capabilities(&self) -> Capabilities {
        self.1.capabilities
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        options.check(self.0, &self.capabilities())?;
        lock(&self.1.calls).push(format!("create {}", options.settings.len()));
        Ok(Arc::clone(&self.1) as Arc<dyn Environment>)
    }

    async fn start(&self, snapshot: &Snapshot, _: Options) -> Result<Arc<dyn Environment>> {
        lock(&self.1.calls).push(format!("start {}", snapshot.id));
        Ok(Arc::clone(&self.1) as Arc<dyn Environment>)
    }
}
