//! `git clean`.

use super::flags::Flags;
use super::ignore::{Ignored, with_patterns};
use super::pathspec::Pathspec;
use super::quoting::quoted;
use super::repository::Repository;
use super::stop::{Outcome, error, fatal};
use super::worktree::Ask;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system::{self, Kind};

const CLEAN: &[Opt] = &[
    Opt("d", "", Value::No),
    Opt("f", "force", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("x", "", Value::No),
    Opt("X", "", Value::No),
    Opt("e", "exclude", Value::Required),
];

/// `git clean`
pub fn clean(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, CLEAN)?;
    let dry = flags.has("n");
    let required = repository.config.truth("clean.requireforce", true);
    if !dry && !flags.has("f") && required {
        return Err(fatal(
            "clean.requireForce is true and -f not given: refusing to clean",
        ));
    }
    let mut given = flags.all_paths();
    let named = !given.is_empty();
    if !named {
        given.push(b".".to_vec());
    }
    let paths = Pathspec::new(repository, &given)?;
    let index = repository.index()?;
    let ignored = if flags.has("x") {
        Ignored::none(repository)?
    } else {
        Ignored::new(repository)?
    };
    let ignored = with_patterns(ignored, flags.values("e"));
    let ask = Ask {
        paths: &paths,
        fold: true,
        only_ignored: flags.has("X"),
        all: false,
    };
    let found = repository.untracked(&index, &ignored, &ask)?;
    let twice = flags.values("f").count() > 1;
    for path in found {
        let is_folder = path.ends_with(b"/");
        let bare = path.strip_suffix(b"/").unwrap_or(&path).to_vec();
        if is_folder && !flags.has("d") && !(named && paths.literals().any(|(_, one)| one == bare))
        {
            continue;
        }
        let shown = quoted(&repository.path_from_here(&path));
        if is_folder && repository.is_repository(&bare)? && !twice {
            if !flags.has("q") {
                let would = if dry {
                    "Would skip repository "
                } else {
                    "Skipping repository "
                };
                repository.out.put(bytes!(would, shown, "\n"));
            }
            continue;
        }
        if dry {
            repository.out.put(bytes!("Would remove ", shown, "\n"));
            continue;
        }
        if is_folder {
            remove_all(
                repository,
                &bare,
                &ignored,
                flags.has("x") || flags.has("X"),
            )?;
        } else {
            repository.take_file(&bare)?;
        }
        if !flags.has("q") {
            repository.out.put(bytes!("Removing ", shown, "\n"));
        }
    }
    Ok(0)
}

impl Repository {
    fn take_file(&self, path: &[u8]) -> Outcome {
        system::unlink(&self.file(path)?)
            .map_err(|failure| error(bytes!("failed to remove ", path, ": ", failure)))
    }
}

/// Removes a folder; ignored files in it stay, and so does the folder then, unless `all` goes.
fn remove_all(
    repository: &Repository,
    folder: &[u8],
    ignored: &Ignored,
    all: bool,
) -> Outcome<bool> {
    let mut empty = true;
    for entry in system::read_directory(&repository.file(folder)?).unwrap_or_default() {
        let path = system::join(folder, &entry.name);
        let is_folder = entry.kind == Kind::Directory;
        if !all && ignored.is_ignored(&path, is_folder) {
            empty = false;
        } else if is_folder {
            empty &= remove_all(repository, &path, ignored, all)?;
        } else {
            repository.take_file(&path)?;
        }
    }
    if empty {
        system::remove_directory(&repository.file(folder)?)
            .map_err(|failure| error(bytes!("failed to remove ", folder, ": ", failure)))?;
    }
    Ok(empty)
}
