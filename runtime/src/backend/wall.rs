//! The rules of a policy where a virtual sandbox reaches files, programs and the network.

use super::NAME;
use crate::sandbox::Sandbox;
use offshoot_backend::{Access, Boundary, Error, Result};
use offshoot_kernel::Gate;
#[cfg(feature = "network")]
use offshoot_network::Narrowing;
use offshoot_vfs::Guard;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Applets of the shell; there is a program for each.
const APPLETS: [&str; 10] = [
    "basename", "cat", "cut", "dirname", "head", "seq", "sleep", "tail", "tr", "wc",
];
/// Builtins of the shell for which there is a program, too.
const SHARED: [&str; 8] = [
    "[", "echo", "false", "kill", "printf", "pwd", "test", "true",
];
/// What only the shell itself can do.
const OWN: [&str; 55] = [
    ".",
    ":",
    "alias",
    "bash",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "cd",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "declare",
    "dirs",
    "disown",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "fc",
    "fg",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "sh",
    "shift",
    "shopt",
    "source",
    "suspend",
    "times",
    "trap",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
];

/// The rules as the filesystem and the kernel ask for them.
pub(super) struct Wall {
    boundary: Arc<Boundary>,
    leaves: Vec<Vec<u8>>,
    #[cfg(feature = "network")]
    narrowing: Narrowing,
}

impl Wall {
    /// Refuses rules that would not hold, and those that are none.
    pub(super) fn new(boundary: Arc<Boundary>) -> Result<Wall> {
        if let Some(name) = OWN.iter().find(|name| boundary.names_builtin(name)) {
            let what = format!("a rule about {name}, which only the shell does");
            return Err(Error::unsupported(NAME, "restrict", &what));
        }
        let applets = APPLETS.iter().filter(|name| boundary.judges_command(name));
        let shared = SHARED
            .iter()
            .filter(|name| boundary.restrains_command(name));
        Ok(Wall {
            leaves: applets
                .chain(shared)
                .map(|name| name.as_bytes().to_vec())
                .collect(),
            #[cfg(feature = "network")]
            narrowing: narrowing(&boundary)?,
            boundary,
        })
    }
}

#[cfg(feature = "network")]
fn narrowing(boundary: &Boundary) -> Result<Narrowing> {
    use offshoot_backend::{Code, NetworkRule};
    let mut narrowing = Narrowing::default();
    let invalid = |error: offshoot_network::Error| {
        Error::new(Code::Invalid, "restrict", error.to_string()).on(NAME)
    };
    for (rule, denied) in boundary.networks() {
        narrowing = match rule {
            NetworkRule::Inherit => narrowing,
            NetworkRule::None => narrowing.allow::<&str>([]).map_err(invalid)?,
            NetworkRule::Only(rules) => narrowing.allow(rules).map_err(invalid)?,
        };
        narrowing = narrowing.deny(denied).map_err(invalid)?;
    }
    Ok(narrowing)
}

/// Puts the rules around a sandbox, or takes them away.
pub(super) fn put(sandbox: &Sandbox, wall: Option<&Arc<Wall>>) {
    let guard = wall.map(|wall| Arc::clone(wall) as Arc<dyn Guard>);
    sandbox.vfs().set_guard(guard);
    sandbox.set_gate(wall.map(|wall| Arc::clone(wall) as Arc<dyn Gate>));
}

fn access(access: offshoot_vfs::Access) -> Access {
    match access {
        offshoot_vfs::Access::Read => Access::Read,
        offshoot_vfs::Access::Write => Access::Write,
    }
}

impl Gate for Wall {
    fn refusal<'a>(
        &'a self,
        command: &'a [Vec<u8>],
    ) -> Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>> {
        Box::pin(self.boundary.refusal(command))
    }

    fn leaves(&self) -> Vec<Vec<u8>> {
        self.leaves.clone()
    }

    #[cfg(feature = "network")]
    fn permits_request(&self, method: &str, url: &str) -> bool {
        self.narrowing.permits(method, url)
    }
}

impl Guard for Wall {
    fn permits(&self, path: &[u8], wanted: offshoot_vfs::Access) -> bool {
        self.boundary.permits(path, access(wanted))
    }

    fn permits_tree(&self, directory: &[u8], wanted: offshoot_vfs::Access) -> bool {
        self.boundary.permits_tree(directory, access(wanted))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn the_lists_are_those_of_the_shell() {
        let sandbox = crate::Sandbox::new().unwrap();
        let shown = sandbox.exec("compgen -b").await.unwrap();
        let shown = shown.stdout_text().into_owned();
        let builtins: BTreeSet<&str> = shown.lines().collect();
        let all = SHARED.iter().chain(&OWN).copied();
        let known: BTreeSet<&str> = all.filter(|name| !["bash", "sh"].contains(name)).collect();
        assert_eq!(builtins, known);
        for name in APPLETS.iter().chain(&SHARED) {
            let path = format!("/usr/bin/{name}");
            assert!(sandbox.exists(&path).await, "{path}");
        }
    }
}
