//! Files that live in a git repository, while the sandbox that works on them comes and goes.
//!
//! Commits are made by the `git` of the sandbox itself; the host needs none. What crosses the border are
//! git's own immutable objects, and the branch moves by one rename under git's own lock.

use super::release::CallbackError;
use crate::sandbox::Sandbox;
use offshoot_backend::Exec;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What [`GitRemote::load`] and [`GitRemote::save`] fail with.
type Outcome<T> = std::result::Result<T, CallbackError>;

/// Who commits where the sandbox has not configured anybody.
const IDENTITY: &str = "git config user.name >/dev/null || git config user.name offshoot
git config user.email >/dev/null || git config user.email offshoot@localhost";

/// A bare repository in a folder of the host, and one of its branches.
///
/// ```
/// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// # let folder = std::env::temp_dir().join(format!("offshoot-doc-{}", std::process::id()));
/// use offshoot::{Sandbox, lifecycle::GitRemote};
/// let remote = GitRemote::new(&folder, "main");
/// let sandbox = Sandbox::new()?;
/// remote.load(&sandbox, "/home/user/work").await?;
/// sandbox.exec("echo draft > work/notes").await?;
/// remote.save(&sandbox, "/home/user/work", "a draft").await?;
///
/// let another = Sandbox::new()?;
/// remote.load(&another, "/home/user/work").await?;
/// assert_eq!(another.read_file("work/notes").await?, "draft\n");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct GitRemote {
    folder: PathBuf,
    branch: String,
}

impl GitRemote {
    /// The repository in a folder, which is made when something is first saved.
    pub fn new(folder: impl Into<PathBuf>, branch: impl Into<String>) -> GitRemote {
        GitRemote {
            folder: folder.into(),
            branch: branch.into(),
        }
    }

    /// Brings the branch into a directory of a sandbox, which is made; of a branch that is not there
    /// yet, an empty repository.
    ///
    /// # Errors
    /// What the host's files or the sandbox's `git` say.
    pub async fn load(&self, sandbox: &Sandbox, directory: &str) -> Outcome<()> {
        let branch = &self.branch;
        sandbox.mkdir(directory, true).await?;
        let begin = format!("git init -q -b {branch} . && {IDENTITY}");
        git(sandbox, directory, &begin).await?;
        let Some(head) = self.head()? else {
            return Ok(());
        };
        for path in objects(&self.folder)? {
            let inside = format!("{directory}/.git/{path}");
            let content = std::fs::read(self.folder.join(&path))?;
            sandbox.write_file(&inside, content).await?;
        }
        let move_to = format!("git update-ref refs/heads/{branch} {head} && git reset -q --hard");
        git(sandbox, directory, &move_to).await.map(drop)
    }

    /// Commits everything in the directory, and moves the branch to it; without changes since the
    /// last commit, only what is committed already goes.
    ///
    /// # Errors
    /// Where the branch has moved to something that is not in the sandbox's history, and then nothing
    /// was moved; what the host's files or the sandbox's `git` say.
    pub async fn save(&self, sandbox: &Sandbox, directory: &str, message: &str) -> Outcome<()> {
        let commit =
            "git add -A && { test -z \"$(git status --porcelain)\" || git commit -q -m \"$1\"; } &&
            git rev-parse HEAD";
        let exec = Exec::new(commit).arguments([message]).cwd(directory);
        let new = said(sandbox, exec).await?;
        let old = self.head()?;
        if old.as_deref() == Some(new.as_str()) {
            return Ok(());
        }
        if let Some(old) = &old {
            let within = format!("git merge-base --is-ancestor {old} {new}");
            let refused = |_| CallbackError::from(format!("{} has moved to {old}", self.branch));
            git(sandbox, directory, &within).await.map_err(refused)?;
        }
        self.prepare()?;
        let listed = "cd .git && find objects -type f";
        for path in git(sandbox, directory, listed).await?.lines() {
            let target = self.folder.join(path);
            if !target.exists() {
                let inside = format!("{directory}/.git/{path}");
                place(&target, &sandbox.read_file_buffer(&inside).await?)?;
            }
        }
        self.advance(old.as_deref(), &new)
    }

    fn reference(&self) -> PathBuf {
        self.folder.join("refs/heads").join(&self.branch)
    }

    /// The commit that the branch names.
    fn head(&self) -> Outcome<Option<String>> {
        match std::fs::read_to_string(self.reference()) {
            Ok(text) => return Ok(Some(text.trim().to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        // Git moves refs that rest into one file.
        let wanted = format!("refs/heads/{}", self.branch);
        match std::fs::read_to_string(self.folder.join("packed-refs")) {
            Ok(text) => {
                let mut lines = text.lines().filter_map(|line| line.split_once(' '));
                let found = lines.find(|(_, name)| *name == wanted);
                Ok(found.map(|(id, _)| id.to_owned()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes the bare repository where it is missing.
    fn prepare(&self) -> Outcome<()> {
        std::fs::create_dir_all(self.folder.join("objects"))?;
        if let Some(parent) = self.reference().parent() {
            std::fs::create_dir_all(parent)?;
        }
        for (name, text) in [
            ("HEAD", format!("ref: refs/heads/{}\n", self.branch)),
            (
                "config",
                "[core]\n\trepositoryformatversion = 0\n\tbare = true\n".to_owned(),
            ),
        ] {
            let path = self.folder.join(name);
            if !path.exists() {
                place(&path, text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Moves the branch under git's lock, where it is still what it was.
    fn advance(&self, old: Option<&str>, new: &str) -> Outcome<()> {
        let (path, mut lock) = (self.reference(), self.reference().into_os_string());
        lock.push(".lock");
        let mut file = std::fs::File::create_new(&lock)?;
        let moved = || -> Outcome<()> {
            if self.head()?.as_deref() != old {
                return Err(format!("{} has moved meanwhile", self.branch).into());
            }
            file.write_all(format!("{new}\n").as_bytes())?;
            file.sync_all()?;
            Ok(std::fs::rename(&lock, &path)?)
        };
        let moved = { moved }();
        if moved.is_err() {
            let _ = std::fs::remove_file(&lock);
        }
        moved
    }
}

/// Runs a command of `git`, and gives what it says.
async fn git(sandbox: &Sandbox, directory: &str, script: &str) -> Outcome<String> {
    said(sandbox, Exec::new(script).cwd(directory)).await
}

async fn said(sandbox: &Sandbox, exec: Exec) -> Outcome<String> {
    let result = sandbox.exec(exec).await?;
    if result.success() {
        return Ok(result.stdout_text().trim().to_owned());
    }
    Err(format!("git: {}", result.stderr_text().trim()).into())
}

/// The objects of a repository, relative to it.
fn objects(folder: &Path) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec!["objects".to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(folder.join(&directory))? {
            let entry = entry?;
            let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
            match entry.file_type()?.is_dir() {
                true => waiting.push(path),
                false => found.push(path),
            }
        }
    }
    Ok(found)
}

/// Writes a file so that a reader finds it whole or not at all, durably.
fn place(path: &Path, content: &[u8]) -> Outcome<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}", std::process::id()));
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut file = std::fs::File::create(&partial)?;
    file.write_all(content)?;
    file.sync_all()?;
    Ok(std::fs::rename(&partial, path)?)
}
