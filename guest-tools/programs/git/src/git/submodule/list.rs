//! What `.gitmodules` says of submodules (Documentation/gitmodules), and what their folders look like.
//!
//! The file comes with a clone, so it is a stranger's: names that lead out of `.git/modules` and values that look
//! like options are left out with a warning.

use super::super::branch::edit_config;
use super::super::config::{self, is_true};
use super::super::index::Index;
use super::super::objects::{Id, write_file};
use super::super::pathspec::Pathspec;
use super::super::repository::{Globals, Repository, is_git_dir};
use super::super::status::{Status, Untracked};
use super::super::stop::{Outcome, fatal};
use super::super::tree::COMMIT;
use crate::call::bytes;
use crate::system::{self, Kind};

/// The file that names them.
pub const FILE: &[u8] = b".gitmodules";

/// A submodule as `.gitmodules` has it.
#[derive(Clone, Debug, Default)]
pub struct Submodule {
    /// What its settings and its folder in `.git/modules` are called; at first the same as its path.
    pub name: Vec<u8>,
    /// Its folder, from the top of the work tree; empty where the file does not say.
    pub path: Vec<u8>,
    /// As written, so it may be relative.
    pub url: Option<Vec<u8>>,
    /// What `update --remote` follows; `.` for the name of the outer branch.
    pub branch: Option<Vec<u8>>,
    /// How it is updated: `checkout`, `merge`, `rebase`, `none`.
    pub update: Option<Vec<u8>>,
}

/// How a submodule differs from what its parent has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The commit that is checked out there.
    pub head: Id,
    /// A tracked file has changes.
    pub modified: bool,
    /// There are files that nobody tracks.
    pub untracked: bool,
}

/// A name that is a place below `.git/modules`, whatever a stranger wrote into the file.
fn is_safe(name: &[u8]) -> bool {
    !name.is_empty()
        && !name
            .split(|byte| b"/\\".contains(byte))
            .any(|part| part == b"..")
}

/// All submodules that `.gitmodules` names, in its order: that of the work tree, or of the index where that is gone.
pub fn read(repository: &Repository) -> Outcome<Vec<Submodule>> {
    let path = repository.file(FILE)?;
    let text = match system::read_whole(&path) {
        Ok(text) => text,
        Err(_) => match repository.index()?.get(FILE) {
            Some(entry) => repository.objects.blob(&entry.item.id)?.to_vec(),
            None => Vec::new(),
        },
    };
    let mut found: Vec<Submodule> = Vec::new();
    for setting in config::parse(&text, &path)? {
        let inner = setting.name.strip_prefix("submodule.");
        let Some((name, key)) = inner.and_then(|rest| rest.rsplit_once('.')) else {
            continue;
        };
        let name = name.as_bytes();
        if !is_safe(name) {
            repository.say(bytes!(
                "warning: ignoring suspicious submodule name: ",
                name
            ));
            continue;
        }
        let value = setting.value.clone().unwrap_or_default();
        if matches!(key, "path" | "url" | "update") && value.starts_with(b"-") {
            let what = format!("warning: ignoring '{}'", setting.name);
            let why = " which may be interpreted as a command-line option: ";
            repository.say(bytes!(what, why, value));
            continue;
        }
        let at = match found.iter().position(|known| known.name == name) {
            Some(at) => at,
            None => {
                found.push(Submodule {
                    name: name.to_vec(),
                    ..Submodule::default()
                });
                found.len() - 1
            }
        };
        match key {
            "path" => found[at].path = value,
            "url" => found[at].url = Some(value),
            "branch" => found[at].branch = Some(value),
            "update" => found[at].update = Some(value),
            _ => {}
        }
    }
    Ok(found)
}

/// Changes `.gitmodules` of the work tree.
pub fn edit(repository: &Repository, change: impl FnOnce(Vec<u8>) -> Outcome<Vec<u8>>) -> Outcome {
    let path = repository.file(FILE)?;
    let text = system::read_whole(&path).unwrap_or_default();
    write_file(&path, &change(text)?)
}

/// The name of a setting of a submodule.
pub fn key(name: &[u8], what: &str) -> Vec<u8> {
    bytes!("submodule.", name, ".", what)
}

/// A setting of a submodule in the repository's own file.
pub fn setting(repository: &Repository, name: &[u8], what: &str) -> Option<Vec<u8>> {
    let name = String::from_utf8_lossy(&key(name, what)).into_owned();
    repository.config.get(&name).map(<[u8]>::to_vec)
}

/// Sets a setting of a submodule in the repository's own file.
pub fn set(repository: &mut Repository, name: &[u8], what: &str, value: &[u8]) -> Outcome {
    edit_config(repository, |text| {
        config::set(&text, b"config", &key(name, what), value, false)
    })?;
    repository.reload()
}

/// Whether a submodule is one that commands without a path work on: by `submodule.NAME.active`, else the paths of
/// `submodule.active`, else whether it has a URL in the settings.
pub fn is_active(repository: &Repository, submodule: &Submodule) -> Outcome<bool> {
    if let Some(value) = setting(repository, &submodule.name, "active") {
        return Ok(is_true(&value).unwrap_or(false));
    }
    if let Some(pathspecs) = active_paths(repository)? {
        return Ok(pathspecs.matches(&submodule.path));
    }
    Ok(setting(repository, &submodule.name, "url").is_some())
}

/// The paths of the setting `submodule.active`; none where it is not set.
pub fn active_paths(repository: &Repository) -> Outcome<Option<Pathspec>> {
    let all = repository.config.all().iter();
    let words: Vec<Vec<u8>> = all
        .filter(|setting| setting.name == "submodule.active")
        .filter_map(|setting| setting.value.as_ref())
        .map(|value| bytes!(":(top)", value.strip_prefix(b".").unwrap_or(value)))
        .collect();
    if words.is_empty() {
        return Ok(None);
    }
    Pathspec::new(repository, &words).map(Some)
}

/// The paths of submodules in the index, of those that are asked for, in order. A path that is nowhere in the index
/// is an error; one that is no submodule is passed over.
pub fn chosen(repository: &Repository, index: &Index, given: &[Vec<u8>]) -> Outcome<Vec<Vec<u8>>> {
    let paths = Pathspec::new(repository, given)?;
    let known = index.paths();
    if let Some(lost) = paths.unmatched(&known).first() {
        return Err(super::super::stop::error(bytes!(
            "pathspec '",
            lost,
            "' did not match any file(s) known to git"
        )));
    }
    let mut found: Vec<Vec<u8>> = index
        .all()
        .filter(|(path, _, entry)| entry.item.mode == COMMIT && paths.matches(path))
        .map(|(path, ..)| path.to_vec())
        .collect();
    found.dedup();
    Ok(found)
}

/// The folder `.git` of a folder of the work tree, where it has one: the folder itself, or what its file `.git` leads
/// to.
pub fn git_dir(folder: &[u8]) -> Option<Vec<u8>> {
    let own = system::join(folder, b".git");
    let stat = system::stat(&own, true).ok()?;
    let found = match stat.kind {
        Kind::Directory => own,
        _ => {
            let text = system::read_whole(&own).ok()?;
            system::join(folder, text.strip_prefix(b"gitdir:")?.trim_ascii())
        }
    };
    is_git_dir(&found).then_some(found)
}

impl Repository {
    /// The repository in the folder `path` of the work tree; none where there is none.
    pub fn submodule(&self, path: &[u8]) -> Outcome<Option<Repository>> {
        let folder = self.file(path)?;
        let Some(git_dir) = git_dir(&folder) else {
            return Ok(None);
        };
        let globals = Globals {
            bare: false,
            settings: self.settings.clone(),
            git_dir: Some(git_dir),
            work_tree: Some(folder),
        };
        Repository::discover(&globals).map(Some)
    }

    /// The commit that is checked out in the folder `path`, where that is a repository with one.
    pub fn submodule_head(&self, path: &[u8]) -> Outcome<Option<Id>> {
        Ok(self.submodule(path)?.and_then(|inner| inner.head()))
    }

    /// What the folder of a submodule looks like; none where it has no repository or no commit. Runs a whole `status`
    /// there.
    pub fn submodule_work(&self, path: &[u8]) -> Outcome<Option<Work>> {
        let Some(inner) = self.submodule(path)? else {
            return Ok(None);
        };
        let Some(head) = inner.head() else {
            return Ok(None);
        };
        let status = Status::new(
            &inner,
            &Pathspec::default(),
            Untracked::Folders,
            false,
            false,
        )?;
        let changed = status.has_staged() || !status.conflicts.is_empty();
        Ok(Some(Work {
            head,
            modified: changed || !status.unstaged.is_empty(),
            untracked: !status.untracked.is_empty(),
        }))
    }
}

/// The URL of the remote that relative ones start from: that of the branch, `origin`, or the folder itself.
fn base(repository: &Repository) -> Outcome<Vec<u8>> {
    let name = super::super::remote::default_name(repository);
    match super::super::remote::values(&repository.config, &name, "url").first() {
        Some(url) => Ok(url.clone()),
        None => repository.root().map(<[u8]>::to_vec),
    }
}

/// Says that relative URLs are seen from the folder itself, where that is so.
pub fn warn_of_missing_remote(repository: &Repository) {
    let name = super::super::remote::default_name(repository);
    if super::super::remote::values(&repository.config, &name, "url").is_empty() {
        repository.say(bytes!(
            "warning: could not look up configuration 'remote.",
            name,
            ".url'. Assuming this repository is its own authoritative upstream."
        ));
    }
}

/// A URL that starts with `./` or `../`, seen from the repository's own: `../b` of `https://h/x/a` is
/// `https://h/x/b`, and of `h:a` it is `h:b`. Others are left as they are.
pub fn resolved(repository: &Repository, url: &[u8]) -> Outcome<Vec<u8>> {
    if !is_relative(url) {
        return Ok(url.to_vec());
    }
    let mut base = base(repository)?;
    while base.len() > 1 && base.ends_with(b"/") {
        base.pop();
    }
    let mut rest = url;
    let mut join = "/";
    loop {
        if let Some(after) = rest.strip_prefix(b"../") {
            rest = after;
            match base.iter().rposition(|byte| b"/:".contains(byte)) {
                Some(at) => {
                    join = if base[at] == b':' { ":" } else { "/" };
                    base.truncate(at);
                }
                None => {
                    return Err(fatal(bytes!(
                        "cannot strip one component off url '",
                        base,
                        "'"
                    )));
                }
            }
        } else if let Some(after) = rest.strip_prefix(b"./") {
            rest = after;
        } else {
            break;
        }
    }
    let mut whole = bytes!(base, join, rest);
    while whole.len() > 1 && whole.ends_with(b"/") {
        whole.pop();
    }
    Ok(whole)
}

/// Whether a URL is seen from that of the repository.
pub fn is_relative(url: &[u8]) -> bool {
    url.starts_with(b"./") || url.starts_with(b"../")
}
