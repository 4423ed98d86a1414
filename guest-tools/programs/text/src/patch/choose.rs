//! The file that a patch is for: GNU's rules are in its manual, under "Multiple Patches in a File".

use super::Patching;
use super::read;
use super::write::is_new;
use crate::call::bytes;
use crate::patch::read::{Hunk, Name, Patch};
use crate::system::Kind;
use crate::{quote, system};

impl Patching<'_> {
    /// The name without as many leading directories as `-p` says; none where nothing is left, and where it leads out
    /// of the directory: it is absolute, has a part `..`, or passes through a symbolic link. The latter is said once
    /// for each patch.
    ///
    /// ```text
    /// -p1   a/src/x.c → src/x.c      -p0   a/src/x.c      no -p   x.c
    /// ```
    pub(super) fn stripped(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        if path.is_empty() || path == b"/dev/null" {
            return None;
        }
        let mut parts: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        parts.dedup_by(|a, b| a.is_empty() && b.is_empty());
        match self.strip {
            None => drop(parts.drain(..parts.len() - 1)),
            Some(count) if count >= parts.len() => return None,
            Some(count) => drop(parts.drain(..count)),
        }
        let name = parts.join(&b"/"[..]);
        if name.is_empty() {
            return None;
        }
        let through_link = (1..parts.len()).any(|count| {
            let parent = system::join(&self.base, &parts[..count].join(&b"/"[..]));
            system::stat(&parent, false).is_ok_and(|stat| stat.kind == Kind::Symlink)
        });
        if name.starts_with(b"/") || parts.contains(&&b".."[..]) || through_link {
            let shown = quote::shell_where_needed(&name);
            if !std::mem::replace(&mut self.warned, true) {
                self.tell(bytes!(
                    "Ignoring potentially dangerous file name ",
                    shown,
                    "\n"
                ));
            }
            return None;
        }
        Some(name)
    }

    /// The file that the patch is for. An operand counts first. Of the names in the header (old, new, `Index:`),
    /// those that exist are compared: the one with the fewest parts, then the shortest last part, then the shortest
    /// of all is taken. Where none exists, a patch that makes or deletes a file gives its name; else there is none.
    pub(super) fn choose(&mut self, patch: &Patch) -> Option<Vec<u8>> {
        if let Some(name) = self.parsed.operands.first() {
            return Some(name.clone());
        }
        let (from, to) = patch.git_names.clone().unzip();
        let sources = [
            patch.old.as_ref().map(|name| name.path.clone()).or(from),
            patch.new.as_ref().map(|name| name.path.clone()).or(to),
            patch.index.clone(),
        ];
        let names: Vec<Option<Vec<u8>>> = sources
            .iter()
            .map(|name| name.as_deref().and_then(|name| self.stripped(name)))
            .collect();
        let exists = |name: &&Vec<u8>| system::stat(&system::join(&self.base, name), false).is_ok();
        let measure = |name: &&Vec<u8>| {
            let parts = name.iter().filter(|&&byte| byte == b'/').count();
            let base = name
                .rsplit(|&byte| byte == b'/')
                .next()
                .map_or(0, <[u8]>::len);
            (parts, base, name.len())
        };
        let present = names.iter().flatten().filter(exists).min_by_key(measure);
        if present.is_some() {
            return present.cloned();
        }
        let nothing = |name: &Option<Name>| name.as_ref().is_some_and(Name::is_nothing);
        let (old, new) = if self.reverse {
            (&patch.new, &names[0])
        } else {
            (&patch.old, &names[1])
        };
        let empty = |hunk: &Hunk| {
            let hunk = if self.reverse {
                hunk.reversed()
            } else {
                hunk.clone()
            };
            hunk.old_start <= 1 && hunk.side(read::Side::Old).is_empty()
        };
        if is_new(patch, !self.reverse) {
            return names.into_iter().flatten().next();
        }
        let creates = nothing(old) || patch.creates || patch.hunks.first().is_some_and(empty);
        if creates {
            return new.clone().or_else(|| names.into_iter().flatten().next());
        }
        None
    }

    /// Says what would be asked at a terminal. The callers go on as after the answer in brackets.
    pub(super) fn ask(&mut self, question: &str) {
        self.say(question);
        self.say("\n");
    }
}
