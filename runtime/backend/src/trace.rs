//! A tracing span for every operation.

use crate::capabilities::Capabilities;
use crate::environment::{Environment, State};
use crate::error::Result;
use crate::exec::{Exec, ShellResult};
use crate::files::{FileStat, RemoveOptions};
use crate::policy::Boundary;
use crate::running::Running;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use std::future::Future;
use std::sync::Arc;
use tracing::field::Empty;
use tracing::{Instrument, info_span};

/// An environment whose operations are spans of the crate `tracing`: `sandbox` with the fields
/// `operation`, `backend`, `sandbox` (the embedder's id), and at the end `code`: `OK` or the
/// error's.
///
/// Scripts, paths and contents are not among the fields: they may hold secrets.
#[derive(Debug)]
pub struct Traced {
    inner: Arc<dyn Environment>,
    id: String,
}

impl Traced {
    /// Traces an environment under this id.
    pub fn new(inner: Arc<dyn Environment>, id: impl Into<String>) -> Traced {
        let id = id.into();
        Traced { inner, id }
    }

    async fn span<T>(
        &self,
        operation: &'static str,
        call: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        let (backend, id) = (self.inner.backend(), self.id.as_str());
        let span = info_span!("sandbox", operation, backend, sandbox = id, code = Empty);
        let done = call.instrument(span.clone()).await;
        let code = match &done {
            Ok(_) => "OK",
            Err(error) => error.code().as_str(),
        };
        span.record("code", code);
        done
    }

    fn wrap(&self, inner: Arc<dyn Environment>) -> Arc<dyn Environment> {
        Arc::new(Traced::new(inner, self.id.clone()))
    }
}

#[async_trait]
impl Environment for Traced {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.span("exec", self.inner.exec(exec)).await
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.span("read_file_buffer", self.inner.read_file_buffer(path))
            .await
    }

    async fn read_file(&self, path: &str) -> Result<String> {
        self.span("read_file", self.inner.read_file(path)).await
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        self.span("write_file", self.inner.write_file(path, content))
            .await
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        self.span("stat", self.inner.stat(path)).await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.span("readdir", self.inner.readdir(path)).await
    }

    async fn exists(&self, path: &str) -> Result<bool> {
        self.span("exists", self.inner.exists(path)).await
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.span("mkdir", self.inner.mkdir(path, recursive)).await
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        self.span("rm", self.inner.rm(path, options)).await
    }

    async fn cleanup(&self) -> Result<()> {
        self.span("cleanup", self.inner.cleanup()).await
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.span("spawn", self.inner.spawn(exec)).await
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.span("snapshot", self.inner.snapshot(label)).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.span("restore", self.inner.restore(snapshot)).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        let started = self.span("start", self.inner.start(snapshot)).await?;
        Ok(self.wrap(started))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.span("delete_snapshot", self.inner.delete_snapshot(snapshot))
            .await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        let branch = self.span("fork", self.inner.fork(label)).await?;
        Ok(self.wrap(branch))
    }

    async fn suspend(&self) -> Result<()> {
        self.span("suspend", self.inner.suspend()).await
    }

    async fn resume(&self) -> Result<()> {
        self.span("resume", self.inner.resume()).await
    }

    async fn reference(&self) -> Result<Reference> {
        self.span("reference", self.inner.reference()).await
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        self.span("restrict", self.inner.restrict(boundary)).await
    }

    async fn state(&self) -> Result<State> {
        self.inner.state().await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::{Recorded, lock};
    use std::fmt::{Debug, Write};
    use std::sync::Mutex;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    /// Writes down every field that a span gets.
    #[derive(Default)]
    struct Fields(Arc<Mutex<String>>);

    struct Writer<'a>(&'a mut String);

    impl Visit for Writer<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            write!(self.0, "{}={value:?} ", field.name()).unwrap();
        }
    }

    impl Subscriber for Fields {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, attributes: &Attributes<'_>) -> Id {
            attributes.record(&mut Writer(&mut lock(&self.0)));
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, values: &Record<'_>) {
            values.record(&mut Writer(&mut lock(&self.0)));
        }

        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, _: &Event<'_>) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[tokio::test]
    async fn a_span_tells_the_operation_and_its_end_and_no_secret() {
        let fields = Fields::default();
        let seen = Arc::clone(&fields.0);
        let _subscribed = tracing::subscriber::set_default(fields);
        let traced = Traced::new(Arc::new(Recorded::new()), "box-1");
        traced.exec("echo hunter2".into()).await.unwrap();
        traced.stat("/base/secret-name").await.unwrap_err();
        let seen = lock(&seen).clone();
        let expected = "operation=\"exec\" backend=\"recorded\" sandbox=\"box-1\" code=\"OK\" \
             operation=\"stat\" backend=\"recorded\" sandbox=\"box-1\" code=\"NOT_FOUND\" ";
        assert_eq!(seen, expected);
    }
}
