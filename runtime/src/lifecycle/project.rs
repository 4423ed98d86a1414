//! Projects: one main sandbox, ephemeral branches of it, and the promotion of one of them.
//!
//! A project is a pointer to its main sandbox, in the store. Promotion moves the pointer in one swap
//! and writes down in the same step what is left to do: what retires the old main, which siblings
//! go. Whoever looks at the project next goes on where a crash cut that off.

use super::create::{Origin, check_name};
use super::document::{self, Document};
use super::record::Info;
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What becomes of the main sandbox that a branch has replaced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Retire {
    /// It is kept, asleep.
    #[default]
    Keep,
    /// It is deleted.
    Delete,
}

/// What is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pointer {
    version: u16,
    main: String,
    branches: BTreeSet<String>,
    /// Sandboxes that a promotion has left to delete; the main one is never among them.
    doomed: BTreeSet<String>,
}

impl Document for Pointer {
    const KIND: &'static str = "project";
    const VERSION: u16 = 1;

    fn version(&self) -> u16 {
        self.version
    }

    fn is_due(&self) -> bool {
        !self.doomed.is_empty()
    }
}

/// The projects of a store: main sandboxes, each with branches of which one is promoted. See
/// [`Sandboxes::projects`].
///
/// Use one where several attempts at the same work are made side by side and one of them is taken:
/// what is the main sandbox changes in one step, and the other attempts go, whatever crashes.
/// [`Sandboxes::promote`] is for a single branch whose changes are merged into a parent that goes on.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{Origin, Retire, Sandboxes, Store}};
/// let sandboxes = Sandboxes::open(Store::memory());
/// let project = sandboxes.projects().named("shop");
/// project.start(Origin::template(Sandbox::builder())).await?;
///
/// let (red, blue) = (project.branch("red").await?, project.branch("blue").await?);
/// sandboxes.exec(&red.name, "echo red > colour").await?;
/// project.promote(&red.name, Retire::Delete).await?;
/// assert_eq!(project.main().await?, red.name);
/// assert!(sandboxes.get(&blue.name).await.is_err());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Projects(Sandboxes);

/// A main sandbox with its ephemeral branches; see [`Projects::named`].
#[derive(Debug, Clone)]
pub struct Project {
    sandboxes: Sandboxes,
    name: String,
}

impl Sandboxes {
    /// The projects of the store.
    pub fn projects(&self) -> Projects {
        Projects(self.clone())
    }
}

impl Projects {
    /// The project of this name, whether or not it is there: [`Project::start`] makes it.
    pub fn named(&self, name: impl Into<String>) -> Project {
        Project {
            sandboxes: self.0.clone(),
            name: name.into(),
        }
    }

    /// The names of all projects, in byte order.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self) -> Result<Vec<String>> {
        let documents = self.0.documents::<Pointer>().await?;
        Ok(documents.into_iter().map(|(name, _)| name).collect())
    }

    /// Goes on with what a promotion has left, where a ref is a project's.
    pub(super) async fn attend(&self, name: &str) -> Option<Result<()>> {
        let project = self.named(document::name_in::<Pointer>(name)?);
        Some(project.settled().await.map(drop))
    }
}

impl Project {
    /// Makes the project with a main sandbox of its name.
    ///
    /// # Errors
    /// `CONFLICT` where there is one, those of [`Sandboxes::create`].
    pub async fn start(&self, origin: Origin) -> Result<Info> {
        let made = self.sandboxes.create(&self.name, origin).await?;
        let pointer = Pointer {
            version: Pointer::VERSION,
            main: self.name.clone(),
            branches: BTreeSet::new(),
            doomed: BTreeSet::new(),
        };
        let inserted = self.sandboxes.start(&self.name, pointer).await;
        if let Err(error) = inserted {
            self.sandboxes.delete(&self.name).await?;
            return Err(error);
        }
        Ok(made)
    }

    /// The name of the main sandbox.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is no such project, those of the store.
    pub async fn main(&self) -> Result<String> {
        Ok(self.settled().await?.main)
    }

    /// The names of its branches.
    ///
    /// # Errors
    /// As [`Project::main`].
    pub async fn branches(&self) -> Result<Vec<String>> {
        Ok(self.settled().await?.branches.into_iter().collect())
    }

    /// A branch of the main sandbox, `PROJECT.NAME`. A main that sleeps is not woken for it.
    ///
    /// # Errors
    /// `CONFLICT` where the branch exists, those of [`Sandboxes::create`].
    pub async fn branch(&self, name: &str) -> Result<Info> {
        let branch = format!("{}.{name}", self.name);
        check_name(&branch)?;
        let main = self.main().await?;
        let made = self
            .sandboxes
            .create(&branch, Origin::sandbox(&main))
            .await?;
        let key = branch.clone();
        let noted = self.change(move |pointer| {
            if pointer.main != main {
                let message = "the main sandbox was replaced meanwhile";
                return Err(Error::new(Code::Conflict, "branch", message).with_retryable(true));
            }
            pointer.branches.insert(key.clone());
            Ok(())
        });
        if let Err(error) = noted.await {
            // Nobody knows of it.
            self.sandboxes.delete(&branch).await?;
            return Err(error);
        }
        Ok(made)
    }

    /// Deletes a branch.
    ///
    /// # Errors
    /// `CONFLICT` for the main sandbox, those of the store.
    pub async fn discard(&self, branch: &str) -> Result<()> {
        let key = branch.to_owned();
        self.change(move |pointer| {
            if pointer.main == key {
                let message = format!("{key} is the main sandbox");
                return Err(Error::new(Code::Conflict, "discard", message));
            }
            if pointer.branches.remove(&key) {
                pointer.doomed.insert(key.clone());
            }
            Ok(())
        })
        .await?;
        self.settled().await.map(drop)
    }

    /// Makes a branch the main sandbox, in one step; then deletes its siblings and retires the old
    /// main. A crash in between leaves the branch promoted, and the rest is done by whoever looks at
    /// the project next, or by a [sweep](super::Maintenance::sweep).
    ///
    /// # Errors
    /// `NOT_FOUND` for what is no branch of the project, those of the store. A failure to delete a
    /// sibling is one of them: the promotion holds, and it is tried again.
    pub async fn promote(&self, branch: &str, retire: Retire) -> Result<()> {
        self.switch(branch, retire).await?;
        self.settled().await.map(drop)
    }

    /// The one step of a promotion.
    async fn switch(&self, branch: &str, retire: Retire) -> Result<()> {
        // What the branch is now is durable before it becomes the main one.
        self.sandboxes.present(branch).await?;
        let key = branch.to_owned();
        self.change(move |pointer| pointer.promote(&key, retire))
            .await
            .map(drop)
    }

    /// The pointer, after everything that a promotion has left is done.
    async fn settled(&self) -> Result<Pointer> {
        let pointer = self.change(|_| Ok(())).await?;
        if pointer.doomed.is_empty() {
            return Ok(pointer);
        }
        for name in &pointer.doomed {
            self.sandboxes.delete(name).await?;
        }
        let done = pointer.doomed;
        self.change(move |pointer| {
            pointer.doomed.retain(|name| !done.contains(name));
            Ok(())
        })
        .await
    }

    /// Changes the pointer in one step.
    async fn change(
        &self,
        change: impl Fn(&mut Pointer) -> Result<()> + Send + 'static,
    ) -> Result<Pointer> {
        self.sandboxes.change(&self.name, None, change).await
    }
}

impl Pointer {
    fn promote(&mut self, branch: &str, retire: Retire) -> Result<()> {
        if self.main == branch {
            // Done before, perhaps by a caller that did not get the answer.
            return Ok(());
        }
        if !self.branches.remove(branch) {
            let message = format!("{branch} is no branch of the project");
            return Err(Error::new(Code::NotFound, "promote", message));
        }
        let old = std::mem::replace(&mut self.main, branch.to_owned());
        self.doomed.append(&mut self.branches);
        if retire == Retire::Delete {
            self.doomed.insert(old);
        }
        self.doomed.remove(branch);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::Sandbox;
    use offshoot_store::Store;

    /// The published code lists what is active and deletes it, the promoted one too.
    #[test]
    fn a_promotion_never_dooms_what_it_promotes() {
        let names = |names: &[&str]| -> BTreeSet<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        for retire in [Retire::Keep, Retire::Delete] {
            let mut pointer = Pointer {
                version: Pointer::VERSION,
                main: "main".to_owned(),
                branches: names(&["a", "b", "c"]),
                doomed: names(&["gone"]),
            };
            pointer.promote("b", retire).unwrap();
            let again = pointer.clone();
            pointer.promote("b", retire).unwrap();
            assert_eq!(pointer, again);
            assert_eq!(pointer.main, "b");
            assert!(pointer.branches.is_empty());
            let mut expected = names(&["a", "c", "gone"]);
            if retire == Retire::Delete {
                expected.insert("main".to_owned());
            }
            assert_eq!(pointer.doomed, expected);
            assert!(pointer.promote("a", retire).is_err());
            let stored = document::encode(&pointer).unwrap();
            assert_eq!(document::decode::<Pointer>("p", &stored).unwrap(), pointer);
        }
    }

    /// A process that dies right after the step has promoted; the rest is done by the next one.
    #[tokio::test]
    async fn a_promotion_that_was_cut_off_is_finished() {
        let sandboxes = Sandboxes::open(Store::memory());
        let project = sandboxes.projects().named("shop");
        let origin = || Origin::template(Sandbox::builder());
        project.start(origin()).await.unwrap();
        let (a, b) = (
            project.branch("a").await.unwrap().name,
            project.branch("b").await.unwrap().name,
        );
        project.switch(&a, Retire::Delete).await.unwrap();
        assert!(sandboxes.get(&b).await.is_ok());
        let swept = sandboxes.maintenance().sweep().await.unwrap();
        assert!(swept.failed.is_empty(), "{swept:?}");
        for gone in ["shop", b.as_str()] {
            assert!(sandboxes.get(gone).await.is_err(), "{gone}");
        }
        assert_eq!(project.main().await.unwrap(), a);
        let listed = sandboxes.list(&[], None, 9).await.unwrap();
        assert_eq!(listed.len(), 1);
        // A second project of the name is refused and leaves nothing.
        assert_eq!(sandboxes.projects().list().await.unwrap(), ["shop"]);
        let taken = project.start(origin()).await.unwrap_err();
        assert_eq!(taken.code(), Code::Conflict);
        assert_eq!(sandboxes.list(&[], None, 9).await.unwrap().len(), 1);
    }
}
