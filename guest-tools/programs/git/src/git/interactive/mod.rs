//! Hunks that are chosen one by one: `add -p` and `-i`, `reset -p`, `checkout -p`, `restore -p`, `stash -p`.
//!
//! [`choose`] prints a patch for each file, [`prompt`] asks, [`result`] makes the file's new content, and [`take`]
//! brings it to index or work tree. A [`Mode`] says in which direction hunks go and what the questions are worded
//! like. Files are handled one after the other: what was chosen of a file is done before the next is asked about, as
//! git does it.

mod hunk;
mod menu;
mod prompt;

use gix_object::Kind;

use super::apply;
use super::change::{Change, Side};
use super::diff;
use super::index::{Entry, Index};
use super::patch::{self, Style};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::stop::Outcome;
use super::tree::{COMMIT, Item, Items};
pub use hunk::File;
use hunk::{Use, changed};
pub use menu::run as menu;

/// What becomes of the chosen hunks.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// `Stage`, as it begins a question.
    pub verb: &'static str,
    /// ` from worktree`, as it ends a question.
    pub place: &'static str,
    /// What an edited hunk is marked for.
    pub marked: &'static str,
    /// The hunks are taken back.
    pub reverse: bool,
    /// They change the index.
    pub index: bool,
    /// They change the work tree.
    pub worktree: bool,
}

/// `git add -p`
pub const STAGE: Mode = Mode {
    verb: "Stage",
    place: "",
    marked: "staging",
    reverse: false,
    index: true,
    worktree: false,
};

/// `git reset -p` against `HEAD`.
const UNSTAGE: Mode = Mode {
    verb: "Unstage",
    place: "",
    marked: "unstaging",
    reverse: true,
    ..STAGE
};

/// `git checkout -p` of what is not staged.
const DISCARD: Mode = Mode {
    verb: "Discard",
    place: " from worktree",
    marked: "discarding",
    reverse: true,
    index: false,
    worktree: true,
};

/// `git stash -p`: the hunks are only collected.
const STASH: Mode = Mode {
    verb: "Stash",
    place: "",
    marked: "stashing",
    reverse: false,
    index: false,
    worktree: false,
};

/// The mode in which the hunks of another commit than `HEAD` are brought in.
const fn bring(place: &'static str, index: bool, worktree: bool) -> Mode {
    Mode {
        verb: "Apply",
        place,
        marked: "applying",
        reverse: false,
        index,
        worktree,
    }
}

/// The tree that hunks are compared with.
pub struct Source<'a> {
    /// Its files.
    pub items: &'a Items,
    /// It is that of `HEAD`.
    pub is_head: bool,
}

/// `git add -p`
pub fn stage(repository: &mut Repository, paths: &Pathspec) -> Outcome<i32> {
    let index = repository.index()?;
    let changes = diff::unstaged(repository, &index, paths)?;
    choose_and_take(repository, STAGE, changes)
}

/// `git reset -p`, `restore -p --staged`: hunks that leave the index. Against another commit than `HEAD` they are
/// shown as what would be applied.
pub fn unstage(repository: &mut Repository, source: &Source, paths: &Pathspec) -> Outcome<i32> {
    let index = repository.index()?;
    let changes = diff::staged(source.items, &index, paths);
    if source.is_head {
        return choose_and_take(repository, UNSTAGE, changes);
    }
    let mode = bring(" to index", true, false);
    choose_and_take(repository, mode, turned(changes))
}

/// `git checkout -p`, `restore -p`: hunks that leave the work tree, and with `both` the index; without a source, what
/// is not staged.
pub fn discard(
    repository: &mut Repository,
    source: Option<&Source>,
    both: bool,
    paths: &Pathspec,
) -> Outcome<i32> {
    let index = repository.index()?;
    let Some(source) = source else {
        let changes = diff::unstaged(repository, &index, paths)?;
        return choose_and_take(repository, DISCARD, changes);
    };
    let changes = diff::against_work(repository, source.items, &index, paths)?;
    match (source.is_head, both) {
        (true, false) => choose_and_take(repository, DISCARD, changes),
        (true, true) => {
            let mode = Mode {
                place: " from index and worktree",
                index: true,
                ..DISCARD
            };
            choose_and_take(repository, mode, changes)
        }
        (false, false) => choose_and_take(
            repository,
            bring(" to worktree", false, true),
            turned(changes),
        ),
        (false, true) => {
            let mode = bring(" to index and worktree", true, true);
            choose_and_take(repository, mode, turned(changes))
        }
    }
}

/// The changes that lead back: old and new sides change places.
fn turned(mut changes: Vec<Change>) -> Vec<Change> {
    for change in &mut changes {
        std::mem::swap(&mut change.old, &mut change.new);
    }
    changes
}

/// `git stash -p`: `items` get the chosen hunks of what differs from them; gives the files with such, for
/// [`drop_hunks`].
pub fn pick(
    repository: &mut Repository,
    items: &mut Items,
    index: &Index,
    paths: &Pathspec,
) -> Outcome<Vec<File>> {
    let changes = diff::against_work(repository, items, index, paths)?;
    let mut files = Vec::new();
    choose(repository, STASH, changes, &mut |repository, file| {
        let (bits, made) = result(repository, STASH, &file)?;
        let path = file.change.path().to_vec();
        match item(repository, STASH, &file, bits, &made)? {
            Some(item) => items.insert(path, item),
            None => items.remove(&path),
        };
        files.push(file);
        Ok(())
    })?;
    Ok(files)
}

/// Takes the chosen hunks of a file out of the work tree.
pub fn drop_hunks(repository: &mut Repository, file: &File) -> Outcome {
    take(repository, DISCARD, file)
}

/// Asks for each hunk, and does what was chosen file by file.
fn choose_and_take(repository: &mut Repository, mode: Mode, changes: Vec<Change>) -> Outcome<i32> {
    choose(repository, mode, changes, &mut |repository, file| {
        take(repository, mode, &file)
    })?;
    Ok(0)
}

/// Asks for each hunk; `done` gets the files with hunks that were chosen.
fn choose(
    repository: &mut Repository,
    mode: Mode,
    changes: Vec<Change>,
    done: &mut dyn FnMut(&mut Repository, File) -> Outcome,
) -> Outcome {
    let mut style = Style::default();
    if mode.verb == "Apply" {
        style.prefixes.reverse();
    }
    let mut files = Vec::new();
    for change in changes {
        if change.unmerged {
            let path = String::from_utf8_lossy(change.path()).into_owned();
            repository.out.put(format!("ignoring unmerged: {path}\n"));
            continue;
        }
        let mut text = Vec::new();
        patch::print(&mut text, &repository.objects, &change, &style)?;
        files.push(File::read(change, &text));
    }
    if files.is_empty() {
        repository.out.put("No changes.\n");
    } else if files.iter().all(|file| file.binary) {
        repository.out.put("Only binary files changed.\n");
    }
    for mut file in files {
        let whole = file.added || file.deleted;
        if file.binary || (file.hunks.is_empty() && !whole) {
            continue;
        }
        let asked = prompt::ask(repository, mode, &mut file)?;
        if asked.takes {
            done(repository, file)?;
        }
        repository.out.put("\n");
        if asked.quits {
            break;
        }
    }
    Ok(())
}

/// What a file becomes by its chosen hunks: its mode, none where it goes, and its content.
fn result(repository: &Repository, mode: Mode, file: &File) -> Outcome<(Option<u32>, Vec<u8>)> {
    let (from, to) = sides(mode, file);
    let content = match from {
        Some(side) => side.bytes(&repository.objects)?.to_vec(),
        None => Vec::new(),
    };
    let taken = || file.hunks.iter().filter(|hunk| hunk.chosen == Use::Take);
    let runs = taken().flat_map(|hunk| hunk.runs(mode.reverse)).collect();
    let made = changed(&content, runs);
    let takes_mode = taken().any(|hunk| hunk.mode.is_some());
    let bits = match (from, to) {
        (Some(from), Some(_)) if !takes_mode => Some(from.item.mode),
        // A file that is gone as a whole: what an edit left of it stays.
        (Some(from), None) if !made.is_empty() => Some(from.item.mode),
        (_, Some(to)) => Some(to.item.mode),
        (_, None) => None,
    };
    Ok((bits, made))
}

/// The sides that hunks lead from and to in this mode.
fn sides(mode: Mode, file: &File) -> (&Option<Side>, &Option<Side>) {
    let change = &file.change;
    match mode.reverse {
        true => (&change.new, &change.old),
        false => (&change.old, &change.new),
    }
}

/// The item of a file that was made, whose content goes to the database. A submodule is taken as a whole.
fn item(
    repository: &Repository,
    mode: Mode,
    file: &File,
    bits: Option<u32>,
    made: &[u8],
) -> Outcome<Option<Item>> {
    let (_, to) = sides(mode, file);
    let whole = to.as_ref().filter(|to| to.item.mode == COMMIT);
    Ok(match (whole, bits) {
        (Some(to), _) => Some(to.item),
        (None, Some(mode)) => Some(Item {
            mode,
            id: repository.objects.write(Kind::Blob, made)?,
        }),
        (None, None) => None,
    })
}

/// Brings the chosen hunks of a file where they go.
fn take(repository: &mut Repository, mode: Mode, file: &File) -> Outcome {
    let path = file.change.path().to_vec();
    let (bits, made) = result(repository, mode, file)?;
    let mut index = repository.index()?;
    if mode.worktree && mode.index {
        return both(repository, &mut index, file, mode, bits, made);
    }
    if mode.worktree {
        return match bits {
            Some(bits) => repository.put(&path, &made, bits),
            None => repository.take_away(&path),
        };
    }
    let item = item(repository, mode, file, bits, &made)?;
    enter(&mut index, &path, item);
    repository.save(&index)
}

/// Sets or removes a path of the index.
fn enter(index: &mut Index, path: &[u8], item: Option<Item>) {
    match item {
        Some(item) => index.set(path, Entry::new(item)),
        None => {
            index.remove(path);
        }
    }
}

/// Changes index and work tree alike. Where the index has other content than the work tree, the hunks are searched
/// for in it; where they do not fit, the user is asked whether the work tree alone is to change.
fn both(
    repository: &mut Repository,
    index: &mut Index,
    file: &File,
    mode: Mode,
    bits: Option<u32>,
    made: Vec<u8>,
) -> Outcome {
    let path = file.change.path().to_vec();
    let from = if mode.reverse {
        &file.change.new
    } else {
        &file.change.old
    };
    let entry = index.get(&path).map(|entry| entry.item);
    let same = entry.map(|item| item.id) == from.as_ref().map(|from| from.item.id);
    let staged = match entry {
        Some(item) if !same => {
            let hunks = file.hunks.iter().filter(|hunk| hunk.chosen == Use::Take);
            let hunks = hunks.filter(|hunk| hunk.mode.is_none());
            let parts = hunks.map(|hunk| (hunk.old_start, hunk.new_start, hunk.lines.clone()));
            let content = repository.objects.blob(&item.id)?;
            apply::onto(&content, parts, mode.reverse)
        }
        _ if same => Ok(made.clone()),
        _ => Err(0),
    };
    if let Err(line) = staged {
        repository.say(prompt::does_not_apply(&path, line));
        repository
            .out
            .put("The selected hunks do not apply to the index!\n");
        if !prompt::agrees(repository, "Apply them to the worktree anyway? ")? {
            repository.out.put("Nothing was applied.\n");
            return Ok(());
        }
    }
    match bits {
        Some(bits) => repository.put(&path, &made, bits)?,
        None => repository.take_away(&path)?,
    }
    if let Ok(staged) = staged {
        let item = match bits {
            Some(mode) => Some(Item {
                mode,
                id: repository.objects.write(Kind::Blob, &staged)?,
            }),
            None => None,
        };
        enter(index, &path, item);
        repository.save(index)?;
    }
    Ok(())
}
