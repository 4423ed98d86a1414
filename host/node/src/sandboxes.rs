//! Sandboxes that are kept by name in a store.

use crate::error::{thrown, unopened, wrong};
use crate::sandbox::{ChangeEntry, NativeSandbox, changes};
use crate::settings::{ExecResult, Run, Settings};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::lifecycle::{
    CreateOptions, Info, Key, ListOptions, Origin, Promotion, Sandboxes, Store,
};

/// A store with its sandboxes.
#[napi]
pub struct NativeSandboxes(Sandboxes);

/// Facts about a sandbox.
#[napi(object)]
pub struct SandboxInfo {
    pub name: String,
    pub state: String,
    pub bytes: f64,
    pub files: f64,
    pub parent: Option<String>,
    pub created_ms: f64,
}

/// What bringing a branch home came to.
#[napi(object)]
pub struct PromotionEntry {
    pub changes: Vec<ChangeEntry>,
    pub conflicts: Vec<String>,
}

/// An earlier state.
#[napi(object)]
pub struct LogEntry {
    pub commit: String,
    pub created_ms: f64,
    pub bytes: f64,
    pub files: f64,
    pub label: Option<String>,
}

fn facts(info: Info) -> SandboxInfo {
    SandboxInfo {
        name: info.name,
        state: info.state.name().to_owned(),
        bytes: info.bytes as f64,
        files: info.files as f64,
        parent: info.parent.map(|parent| parent.name),
        created_ms: info.created as f64,
    }
}

#[napi]
impl NativeSandboxes {
    #[napi(constructor)]
    pub fn open(
        directory: Option<String>,
        secret: Option<Uint8Array>,
    ) -> napi::Result<NativeSandboxes> {
        let store = match (directory, secret) {
            (None, None) => Ok(Store::memory()),
            (None, Some(_)) => return Err(wrong("a store in memory takes no key")),
            (Some(directory), None) => Store::sqlite(directory),
            (Some(directory), Some(secret)) => {
                Store::sqlite_encrypted(directory, &Key::derive(&secret))
            }
        };
        store
            .map(|store| NativeSandboxes(Sandboxes::open(store)))
            .map_err(|error| unopened(&error))
    }

    #[napi]
    pub async fn create(
        &self,
        name: String,
        settings: Settings,
        template: Option<String>,
        title: Option<String>,
        tags: Vec<String>,
    ) -> napi::Result<SandboxInfo> {
        let origin = match template {
            Some(version) => Origin::published(version),
            None => Origin::template(settings.builder()?),
        };
        let mut options = CreateOptions::new();
        if let Some(title) = title {
            options = options.title(title);
        }
        let options = tags.into_iter().fold(options, CreateOptions::tag);
        self.0
            .create_with(&name, origin, options)
            .await
            .map(facts)
            .map_err(thrown)
    }

    #[napi]
    pub async fn fork(&self, point: String, name: String) -> napi::Result<SandboxInfo> {
        let origin = match point.contains(['@', '~']) {
            true => Origin::point(point),
            false => Origin::sandbox(point),
        };
        self.0
            .create(&name, origin)
            .await
            .map(facts)
            .map_err(thrown)
    }

    /// Keeps the present state as a new version of a template; its number.
    #[napi]
    pub async fn publish(&self, name: String, template: String) -> napi::Result<f64> {
        let version = self
            .0
            .templates()
            .publish(&name, &template)
            .await
            .map_err(thrown)?;
        Ok(version.version as f64)
    }

    #[napi]
    pub async fn templates(&self) -> napi::Result<Vec<String>> {
        self.0.templates().list().await.map_err(thrown)
    }

    #[napi]
    pub async fn open_sandbox(&self, name: String) -> napi::Result<NativeSandbox> {
        self.0
            .lease(&name)
            .await
            .map(NativeSandbox::leased)
            .map_err(thrown)
    }

    #[napi]
    pub async fn exec(&self, name: String, run: Run) -> napi::Result<ExecResult> {
        self.0
            .exec(&name, run.exec()?)
            .await
            .map(ExecResult::from)
            .map_err(thrown)
    }

    #[napi]
    pub async fn info(&self, name: String) -> napi::Result<SandboxInfo> {
        self.0.get(&name).await.map(facts).map_err(thrown)
    }

    #[napi]
    pub async fn list(&self) -> napi::Result<Vec<SandboxInfo>> {
        let (mut all, mut options) = (Vec::new(), ListOptions::new());
        loop {
            let page = self.0.list_page(options).await.map_err(thrown)?;
            all.extend(page.sandboxes.into_iter().map(facts));
            match page.next {
                None => return Ok(all),
                Some(next) => options = ListOptions::new().after(next),
            }
        }
    }

    #[napi]
    pub async fn suspend(&self, name: String) -> napi::Result<String> {
        self.0
            .suspend(&name)
            .await
            .map(|commit| commit.to_string())
            .map_err(thrown)
    }

    #[napi]
    pub async fn delete(&self, name: String) -> napi::Result<()> {
        self.0.delete(&name).await.map_err(thrown)
    }

    #[napi]
    pub async fn diff(&self, before: String, after: String) -> napi::Result<Vec<ChangeEntry>> {
        self.0
            .diff(&before, &after)
            .await
            .map(changes)
            .map_err(thrown)
    }

    #[napi]
    pub async fn promote(&self, branch: String) -> napi::Result<PromotionEntry> {
        let promotion = self.0.promote(&branch).await.map_err(thrown)?;
        let (mut brought, mut conflicts) = (Vec::new(), Vec::new());
        match promotion {
            Promotion::Done(done) => brought = changes(done),
            Promotion::Conflicts(found) => {
                let path = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
                conflicts = found.iter().map(|conflict| path(&conflict.path)).collect();
            }
            _ => {}
        }
        Ok(PromotionEntry {
            changes: brought,
            conflicts,
        })
    }

    #[napi]
    pub async fn snapshot(&self, name: String, label: String) -> napi::Result<()> {
        self.0
            .snapshots(&name)
            .take(&label)
            .await
            .map(drop)
            .map_err(thrown)
    }

    #[napi]
    pub async fn restore(&self, name: String, point: String) -> napi::Result<String> {
        self.0
            .snapshots(&name)
            .restore(&point)
            .await
            .map(|commit| commit.to_string())
            .map_err(thrown)
    }

    #[napi]
    pub async fn log(&self, name: String, limit: u32) -> napi::Result<Vec<LogEntry>> {
        let entries = self
            .0
            .snapshots(&name)
            .log(limit as usize)
            .await
            .map_err(thrown)?;
        let row = |entry: offshoot::lifecycle::LogEntry| LogEntry {
            commit: entry.commit.to_string(),
            created_ms: entry.created as f64,
            bytes: entry.bytes as f64,
            files: entry.files as f64,
            label: entry.label,
        };
        Ok(entries.into_iter().map(row).collect())
    }
}
