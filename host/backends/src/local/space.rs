//! What one factory keeps on the disk: directories of sandboxes, snapshots, long scripts.

use super::process;
use crate::copy::{self, Origin};
use crate::space::{Owned, private};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the roots of live sandboxes are named, for those who attach from another process.
const ROOTS: &str = "roots";

/// The directory of one factory; removed when it is dropped.
#[derive(Debug)]
pub(super) struct Space(Owned);

/// What was captured of a sandbox.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Captured {
    /// Where the files were, since absolute links name it.
    root: PathBuf,
    /// The working directory, relative to the root.
    pub(super) cwd: String,
    /// The sandbox's variables.
    pub(super) variables: Vec<(String, String)>,
    /// Where the copy is.
    #[serde(skip)]
    tree: PathBuf,
}

impl Space {
    /// Reaps what crashed owners left, and takes a new directory.
    pub(super) fn open(base: Option<&Path>) -> io::Result<Space> {
        let parts = ["sandboxes", "snapshots", "scripts", ROOTS];
        let end = |_: &Path, id: &str| process::end_marked(id);
        Owned::open(base, "offshoot", &parts, &end).map(Space)
    }

    /// What processes of a new sandbox are known by.
    pub(super) fn mark(&self) -> String {
        format!("{}.{}.", self.0.id(), self.0.number())
    }

    /// A new empty directory for a sandbox.
    pub(super) fn directory(&self) -> io::Result<PathBuf> {
        self.0.directory("sandboxes")
    }

    /// Names the root of a live sandbox, until the answer is removed.
    pub(super) fn announce(&self, root: &Path) -> io::Result<PathBuf> {
        let name = self.0.path().join(ROOTS).join(self.0.number().to_string());
        std::os::unix::fs::symlink(root, &name)?;
        Ok(name)
    }

    /// Whether a sandbox of this user lives in a directory.
    pub(super) fn is_announced(&self, root: &Path) -> bool {
        let owners = self.0.path().parent().map(fs::read_dir);
        let owners = owners.into_iter().flatten().flatten().flatten();
        let names = owners.filter_map(|owner| fs::read_dir(owner.path().join(ROOTS)).ok());
        let mut names = names.flatten().flatten();
        names.any(|name| fs::read_link(name.path()).is_ok_and(|found| found == root))
    }

    /// A file for a script that is too long for an argument.
    pub(super) fn script(&self, script: &[u8]) -> io::Result<PathBuf> {
        let scripts = self.0.path().join("scripts");
        let path = scripts.join(self.0.number().to_string());
        fs::write(&path, script)?;
        Ok(path)
    }

    /// Copies a tree into a new snapshot and gives its id and size.
    pub(super) fn capture(
        &self,
        root: &Path,
        cwd: &str,
        variables: &[(String, String)],
    ) -> io::Result<(String, u64)> {
        let id = format!("{}-{}", self.0.id(), self.0.number());
        let directory = self.0.path().join("snapshots").join(&id);
        private(&directory)?;
        let tree = directory.join("tree");
        let captured = Captured {
            root: root.to_owned(),
            cwd: cwd.to_owned(),
            variables: variables.to_vec(),
            tree: tree.clone(),
        };
        let size = copy::tree(root, &tree, &Origin::None).and_then(|size| {
            let text = serde_json::to_vec(&captured)?;
            // Last, since it is what makes the directory a snapshot.
            fs::write(directory.join("captured.json"), text)?;
            Ok(size)
        });
        match size {
            Ok(size) => Ok((id, size)),
            Err(error) => {
                let _ = copy::remove(&directory);
                Err(error)
            }
        }
    }

    /// A snapshot by its id.
    pub(super) fn snapshot(&self, id: &str) -> Option<Captured> {
        let directory = self.0.named("snapshots", id)?;
        let text = fs::read(directory.join("captured.json")).ok()?;
        let mut captured: Captured = serde_json::from_slice(&text).ok()?;
        captured.tree = directory.join("tree");
        Some(captured)
    }

    /// Deletes a snapshot; a missing one is fine.
    pub(super) fn delete(&self, id: &str) -> io::Result<()> {
        match self.0.named("snapshots", id) {
            Some(directory) => copy::remove(&directory),
            None => Ok(()),
        }
    }
}

impl Captured {
    /// Copies what was captured into an existing directory, in place of what is in it.
    pub(super) fn fill(&self, root: &Path) -> io::Result<()> {
        for entry in fs::read_dir(root)? {
            copy::remove(&entry?.path())?;
        }
        copy::tree(
            &self.tree,
            root,
            &Origin::At(self.root.clone(), root.to_owned()),
        )?;
        Ok(())
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        process::end_marked(self.0.id());
    }
}
