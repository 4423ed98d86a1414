//! How a sandbox is made.

use crate::command::Command;
use crate::configuration::Configuration;
use crate::error::{Below, Code, Error, Result};
use crate::import::import;
use crate::layout::{self, User};
use crate::sandbox::Sandbox;
use crate::template::{self, Sources};
use offshoot_backend::path;
use offshoot_kernel::{Budgets, Limits};
use offshoot_vfs::{Caller, Mount, Quotas, Vfs};
use std::path::{Path, PathBuf};

/// Describes a sandbox: files, mounts, environment, user, limits, own commands.
///
/// Nothing happens before [`Builder::build`].
///
/// ```
/// # fn main() -> offshoot::Result<()> {
/// let sandbox = offshoot::Sandbox::builder()
///     .file("/home/user/data/a.txt", "one\n")
///     .env("MODE", "test")
///     .cwd("/home/user/data")
///     .build_blocking()?;
/// assert_eq!(sandbox.exec("cat a.txt; echo $MODE")?.stdout_text(), "one\ntest\n");
/// # Ok(()) }
/// ```
#[derive(Default)]
pub struct Builder {
    files: Vec<(String, Vec<u8>)>,
    imports: Vec<(PathBuf, String)>,
    mounts: Vec<(String, Mount)>,
    environment: Vec<(String, String)>,
    clear_environment: bool,
    cwd: Option<String>,
    user: User,
    limits: Limits,
    quotas: Quotas,
    budgets: Budgets,
    seed: Option<u64>,
    commands: Vec<(String, Command)>,
}

impl Builder {
    /// Puts a file into the sandbox, owned by its user, with missing parents.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>, content: impl AsRef<[u8]>) -> Builder {
        self.files.push((path.into(), content.as_ref().to_vec()));
        self
    }

    /// Copies a folder of the host into the sandbox, with modes, times and symbolic links; the
    /// sandbox's user owns the copy.
    #[must_use]
    pub fn import(mut self, host: impl AsRef<Path>, path: impl Into<String>) -> Builder {
        self.imports
            .push((host.as_ref().to_path_buf(), path.into()));
        self
    }

    /// Mounts a folder of the host or another tree at `path`, which is made where it is missing.
    #[must_use]
    pub fn mount(mut self, path: impl Into<String>, mount: Mount) -> Builder {
        self.mounts.push((path.into(), mount));
        self
    }

    /// Sets an environment variable. `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`, `HOSTNAME`, `LANG`
    /// and `PWD` have values of their own; the host's variables are never seen.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Builder {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Starts from an empty environment: only what [`Builder::env`] sets is there.
    #[must_use]
    pub fn clear_env(mut self) -> Builder {
        self.clear_environment = true;
        self
    }

    /// The working directory, made where it is missing; the user's home by default.
    #[must_use]
    pub fn cwd(mut self, directory: impl Into<String>) -> Builder {
        self.cwd = Some(directory.into());
        self
    }

    /// The account that commands run as.
    #[must_use]
    pub fn user(mut self, user: User) -> Builder {
        self.user = user;
        self
    }

    /// What the shell counts itself: nesting, steps, sizes of expansions and variables.
    #[must_use]
    pub fn budgets(mut self, budgets: Budgets) -> Builder {
        self.budgets = budgets;
        self
    }

    /// Limits of the files: bytes, number, sizes.
    #[must_use]
    pub fn quotas(mut self, quotas: Quotas) -> Builder {
        self.quotas = quotas;
        self
    }

    /// Resource limits of processes and executions.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.limits = limits;
        self
    }

    /// Fixes clock, randomness and process numbers: equal calls give equal results.
    #[must_use]
    pub fn deterministic(mut self, seed: u64) -> Builder {
        self.seed = Some(seed);
        self
    }

    /// Registers a command of the embedder under `name`, as a file in `/usr/bin`.
    #[must_use]
    pub fn command(mut self, name: impl Into<String>, command: impl Into<Command>) -> Builder {
        self.commands.push((name.into(), command.into()));
        self
    }

    /// Lets `curl` and `wget` reach what `policy` allows. Without it nothing inside reaches beyond the
    /// sandbox's own loopback.
    ///
    /// # Errors
    /// `DIED` where the host cannot start what requests run on.
    ///
    /// ```
    /// use offshoot::network::{Policy, Rule, Secret};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let policy = Policy::default()
    ///     .allow(Rule::parse("GET,POST https://api.example.com")?)
    ///     .secret(Secret::header("https://api.example.com", "authorization", "Bearer t0k3n")?);
    /// let sandbox = offshoot::Sandbox::builder().network(policy)?.build_blocking()?;
    /// let refused = sandbox.exec("curl -sS https://elsewhere.example/")?;
    /// assert_eq!(refused.exit_code, 7);
    /// assert!(refused.stderr_text().contains("the network policy refuses"));
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "network")]
    pub fn network(mut self, policy: crate::network::Policy) -> Result<Builder> {
        self.commands.extend(crate::network::commands(policy)?);
        Ok(self)
    }

    /// Makes the sandbox.
    ///
    /// # Errors
    /// `INVALID` for a path that is not absolute or a name with a `/`, `NOT_FOUND` for a folder of
    /// the host that cannot be read, `LIMIT` where the files don't fit the quota.
    pub fn build(self) -> Result<Sandbox> {
        let sources = Sources::new(self.seed);
        let vfs = template::filesystem(&self.user, sources.options(self.quotas))
            .map_err(|error| Error::file("create", "/", error))?;
        let cwd = path::resolve("/", self.cwd.as_deref().unwrap_or(&self.user.home));
        self.fill(&vfs, &cwd)?;
        let programs = template::programs(&vfs, &self.commands)?;
        let configuration = Configuration {
            environment: self.full_environment(&cwd),
            cwd,
            user: self.user,
            limits: self.limits,
            quotas: self.quotas,
            budgets: self.budgets,
            seed: self.seed,
        };
        configuration.assemble(vfs, programs, sources)
    }

    /// Makes the sandbox for callers without async.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn build_blocking(self) -> Result<crate::blocking::Sandbox> {
        crate::blocking::Sandbox::from_builder(self)
    }

    fn fill(&self, vfs: &Vfs, cwd: &str) -> Result<()> {
        let who = Caller {
            uid: self.user.uid,
            gid: self.user.gid,
            umask: 0o022,
            process: 0,
        };
        for (path, mount) in &self.mounts {
            let path = absolute("mount", path)?;
            vfs.create_dir_all(&Caller::ROOT, vfs.root(), path.as_bytes(), 0o755)
                .and_then(|()| {
                    let mount = mount.clone().owned_by(who.uid, who.gid);
                    vfs.mount(&Caller::ROOT, path.as_bytes(), mount)
                })
                .map_err(|error| Error::file("mount", &path, error))?;
        }
        for (host, path) in &self.imports {
            let path = absolute("import", path)?;
            import(vfs, &who, host, &path)?;
        }
        for (path, content) in &self.files {
            let path = absolute("file", path)?;
            layout::write_owned(vfs, &who, &path, content)
                .map_err(|error| Error::file("file", &path, error))?;
        }
        layout::create_owned(vfs, &who, cwd).map_err(|error| Error::file("cwd", cwd, error))
    }

    fn full_environment(&self, cwd: &str) -> Vec<(String, String)> {
        let User {
            name,
            home,
            hostname,
            ..
        } = &self.user;
        let mut all: Vec<(String, String)> = Vec::new();
        if !self.clear_environment {
            all = [
                ("HOME", home.as_str()),
                ("HOSTNAME", hostname),
                ("LANG", "C.UTF-8"),
                ("LOGNAME", name),
                ("PATH", layout::PATH),
                ("PWD", cwd),
                ("SHELL", "/bin/bash"),
                ("USER", name),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        }
        for (name, value) in &self.environment {
            all.retain(|(existing, _)| existing != name);
            all.push((name.clone(), value.clone()));
        }
        all
    }
}

/// The normalised path, which must have been absolute.
fn absolute(operation: &'static str, text: &str) -> Result<String> {
    if !text.starts_with('/') || path::escapes("/", text) {
        let message = format!("{text}: a path inside the sandbox must be absolute");
        return Err(Error::new(Code::Invalid, operation, message));
    }
    Ok(path::resolve("/", text))
}
