//! Files by way of commands: the suite's cases about files and escapes, on the host's shell with
//! its own file operations taken away, with and without standard input and exact output.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_trait::async_trait;
use offshoot_backend::conformance::{self, Subject};
use offshoot_backend::{
    Capabilities, Environment, Exec, Factory, Options, PosixOverExec, Result, ShellResult, Stdin,
};
use offshoot_backends::local::LocalFactory;
use std::sync::Arc;

/// The local backend reduced to commands.
struct ExecOnly {
    inner: Arc<dyn Environment>,
    /// Nothing but text goes in and out.
    text_only: bool,
}

#[async_trait]
impl Environment for ExecOnly {
    fn backend(&self) -> &str {
        "exec-only"
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::NONE;
        capabilities.exec = true;
        capabilities.exec_directory = true;
        capabilities.exec_environment = true;
        capabilities.exec_timeout = true;
        capabilities.separate_stderr = true;
        capabilities.cancel = true;
        capabilities.stdin = !self.text_only;
        capabilities.exact_output = !self.text_only;
        capabilities.network = self.inner.capabilities().network;
        capabilities
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        if self.text_only {
            assert_eq!(exec.stdin, Stdin::Empty);
        }
        exec.cwd = exec.cwd.or_else(|| Some(self.cwd().to_owned()));
        let mut result = self.inner.exec(exec).await?;
        if self.text_only {
            result.stdout = String::from_utf8_lossy(&result.stdout).into_owned().into();
        }
        Ok(result)
    }

    async fn cleanup(&self) -> Result<()> {
        self.inner.cleanup().await
    }
}

struct OverExec {
    factory: LocalFactory,
    text_only: bool,
}

#[async_trait]
impl Subject for OverExec {
    fn name(&self) -> String {
        "posix over exec".to_owned()
    }

    async fn open(&self, wanted: Options) -> Result<Arc<dyn Environment>> {
        let inner = self.factory.create(wanted).await?;
        let text_only = self.text_only;
        Ok(Arc::new(PosixOverExec::new(Arc::new(ExecOnly {
            inner,
            text_only,
        }))))
    }
}

async fn files_pass(text_only: bool) {
    let subject = OverExec {
        factory: LocalFactory::default(),
        text_only,
    };
    let wanted = |area: &str, name: &str| match area {
        "classic" | "escape" => true,
        // A thousand commands, where it goes through arguments.
        "files" => !text_only || name != "a file of 64 MiB",
        "capability" => ["filesystem", "binary_files"].contains(&name),
        _ => false,
    };
    let report = conformance::run_only(&subject, &wanted).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test(flavor = "multi_thread")]
async fn with_standard_input_and_exact_output() {
    files_pass(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_text_alone() {
    files_pass(true).await;
}
