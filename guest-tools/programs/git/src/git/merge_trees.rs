//! Merging trees: contents, renames, and what is in conflict, as far as git's strategy `ort` goes
//! (Documentation/technical/directory-rename-detection aside: renamed folders are not followed).
//!
//! Trees are flat maps by path. First renames are found on both sides and the other side's file moved along, so that
//! both have one name; then each path is decided by its three versions:
//!
//! | base, ours, theirs | result |
//! |---|---|
//! | equal, or one side as the base | the side that changed |
//! | both changed, text | merged by lines; conflict where they meet |
//! | both changed, binary, links or submodules | ours stays, conflict |
//! | one changed, one deleted | the changed one stays, conflict modify/delete |
//! | renamed to two names, or renamed and deleted | conflict rename/rename, rename/delete |
//!
//! Contents of conflicts are written as objects, with their marks. Nothing of work tree or index is touched:
//! [`Merged::mark`] and `move_tree` do that. A path that is a file on one side and a folder on the other is fatal.

use std::collections::{BTreeMap, BTreeSet};

use gix_object::Kind;

use super::change::find_renames;
use super::index::Index;
use super::lines::is_binary;
use super::objects::{Id, Objects, none};
use super::quoting::quoted;
use super::repository::Repository;
use super::stop::{Outcome, fatal};
use super::three_way::{Favor, Labels};
use super::tree::{FILE, Item, Items};
use super::walk::merge_bases;
use super::{change, three_way};
use crate::call::bytes;

/// What a path in conflict is after a merge.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Base, ours and theirs: what stages 1, 2 and 3 of the index become. Missing ones are not there.
    sides: [Option<Item>; 3],
    /// What stands in the work tree.
    left: Option<Item>,
}

/// Trees, merged.
#[derive(Default)]
pub struct Merged {
    /// The files, those with conflicts as they are left in the work tree.
    pub items: Items,
    /// The paths in conflict.
    pub conflicts: BTreeMap<Vec<u8>, Conflict>,
    /// What is told on the way, a line each without its end: `Auto-merging a`, `CONFLICT (content): …`.
    pub messages: Vec<Vec<u8>>,
}

impl Merged {
    /// Whether all went well.
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
    }

    /// The comment that lists the conflicts at the end of a commit's message; it is cleaned away unless the user
    /// keeps it.
    pub fn conflict_list(&self) -> Vec<u8> {
        let mut list = b"\n# Conflicts:\n".to_vec();
        for path in self.conflicts.keys() {
            list.extend(bytes!("#\t", path, "\n"));
        }
        list
    }

    /// Notes the conflicts in the index, in place of the settled entries of their paths.
    pub fn mark(&self, index: &mut Index) {
        for (path, conflict) in &self.conflicts {
            index.remove(path);
            for (side, item) in (1..).zip(&conflict.sides) {
                if let Some(item) = item {
                    index.set_stage(path, side, *item);
                }
            }
        }
    }
}

/// How trees are merged.
pub struct Settings<'a> {
    /// The label behind `<<<<<<<`, and the name in messages.
    pub ours: &'a [u8],
    /// The label behind `>>>>>>>`.
    pub theirs: &'a [u8],
    /// The name of the base, where it is shown.
    pub base: Option<&'a [u8]>,
    /// What becomes of lines that both sides changed. Conflicts of whole files stay conflicts, but for binary ones.
    pub favor: Favor,
    /// Whether renames are found, from half of the content on.
    pub renames: bool,
}

/// Merges two trees that come from `base`. Costs the paths of all three, and the contents of those that differ.
pub fn trees(
    objects: &Objects,
    base: &Items,
    ours: &Items,
    theirs: &Items,
    settings: &Settings,
) -> Outcome<Merged> {
    let mut merger = Merger {
        objects,
        settings,
        merged: Merged::default(),
    };
    let (mut base, mut ours, mut theirs) = (base.clone(), ours.clone(), theirs.clone());
    if settings.renames {
        merger.follow_renames(&mut base, &mut ours, &mut theirs)?;
    }
    let paths: BTreeSet<Vec<u8>> = base
        .keys()
        .chain(ours.keys())
        .chain(theirs.keys())
        .cloned()
        .collect();
    for path in paths {
        let sides =
            [base.get(&path), ours.get(&path), theirs.get(&path)].map(Option::<&Item>::copied);
        merger.path(&path, sides)?;
    }
    merger.files_and_folders()?;
    Ok(merger.merged)
}

/// The side that renamed a file.
#[derive(Clone, Copy)]
enum Side {
    Ours,
    Theirs,
}

/// A file that one side renamed.
struct Rename {
    old: Vec<u8>,
    new: Vec<u8>,
}

/// A merge under way.
struct Merger<'a> {
    objects: &'a Objects,
    settings: &'a Settings<'a>,
    merged: Merged,
}

impl Merger<'_> {
    /// Adds a message.
    fn tell(&mut self, message: Vec<u8>) {
        self.merged.messages.push(message);
    }

    /// Puts what a path is into the result; nothing where it is gone.
    fn keep(&mut self, path: &[u8], item: Option<Item>) {
        if let Some(item) = item {
            self.merged.items.insert(path.to_vec(), item);
        }
    }

    /// Lets the other side's changes go along with files that one side renamed, by changing the maps before they are
    /// compared. Equal renames on both sides only move the base.
    fn follow_renames(
        &mut self,
        base: &mut Items,
        ours: &mut Items,
        theirs: &mut Items,
    ) -> Outcome {
        let (own, other) = (self.renames(base, ours)?, self.renames(base, theirs)?);
        for rename in &own {
            match other.iter().find(|also| also.old == rename.old) {
                None => self.follow(rename, Side::Ours, base, ours, theirs),
                Some(also) if also.new == rename.new => {
                    if let Some(item) = base.remove(&rename.old) {
                        base.insert(rename.new.clone(), item);
                    }
                }
                Some(also) => self.renamed_twice(rename, also, base, ours, theirs),
            }
        }
        for rename in &other {
            if own.iter().all(|also| also.old != rename.old) {
                self.follow(rename, Side::Theirs, base, theirs, ours);
            }
        }
        Ok(())
    }

    /// What one side renamed, by content: half of it must be the same. Copies do not count.
    fn renames(&self, base: &Items, side: &Items) -> Outcome<Vec<Rename>> {
        let changes = find_renames(self.objects, change::between(base, side), 50, false)?;
        let renamed = changes
            .iter()
            .filter(|change| change.score.is_some() && !change.copied);
        Ok(renamed
            .map(|change| Rename {
                old: change.old_path().to_vec(),
                new: change.path().to_vec(),
            })
            .collect())
    }

    /// Notes that the two sides gave a file different names: three paths in conflict, each with the one side that has
    /// it.
    fn renamed_twice(
        &mut self,
        own: &Rename,
        other: &Rename,
        base: &Items,
        ours: &Items,
        theirs: &Items,
    ) {
        self.tell(bytes!(
            "CONFLICT (rename/rename): ",
            own.old,
            " renamed to ",
            own.new,
            " in ",
            self.settings.ours,
            " and to ",
            other.new,
            " in ",
            self.settings.theirs,
            "."
        ));
        let item = base.get(&own.old).copied();
        let (a, b) = (ours.get(&own.new).copied(), theirs.get(&other.new).copied());
        for (path, sides, left) in [
            (&own.old, [item, None, None], None),
            (&own.new, [None, a, None], a),
            (&other.new, [None, None, b], b),
        ] {
            let conflict = Conflict { sides, left };
            self.merged.conflicts.insert(path.clone(), conflict);
        }
    }

    /// Renames a file that `side` renamed in `there`, the other side, as well. Where it was removed there, this is a
    /// conflict. Where the new name is taken there, nothing is done: the two are then compared as they are.
    fn follow(
        &mut self,
        rename: &Rename,
        side: Side,
        base: &mut Items,
        here: &Items,
        there: &mut Items,
    ) {
        let Rename { old, new } = rename;
        if there.contains_key(new) {
            return;
        }
        let was = base.remove(old);
        if let Some(item) = there.remove(old) {
            there.insert(new.clone(), item);
            if let Some(item) = was {
                base.insert(new.clone(), item);
            }
            return;
        }
        let left = here.get(new).copied();
        let Settings { ours, theirs, .. } = self.settings;
        let (sides, [renamer, remover]) = match side {
            Side::Ours => ([was, left, None], [ours, theirs]),
            Side::Theirs => ([was, None, left], [theirs, ours]),
        };
        self.tell(bytes!(
            "CONFLICT (rename/delete): ",
            old,
            " renamed to ",
            new,
            " in ",
            renamer,
            ", but deleted in ",
            remover,
            "."
        ));
        self.merged
            .conflicts
            .insert(new.clone(), Conflict { sides, left });
    }

    /// Merges one path, given what it is in the base and on both sides. Modes are merged apart from contents: a side
    /// that changed the mode wins.
    pub fn path(&mut self, path: &[u8], [base, ours, theirs]: [Option<Item>; 3]) -> Outcome {
        if let Some(known) = self.merged.conflicts.get(path) {
            let left = known.left;
            self.keep(path, left);
            return Ok(());
        }
        if ours == theirs || theirs == base {
            self.keep(path, ours);
            return Ok(());
        }
        if ours == base {
            self.keep(path, theirs);
            return Ok(());
        }
        let (Some(own), Some(other)) = (ours, theirs) else {
            return self.modified_and_deleted(path, [base, ours, theirs]);
        };
        let kind = |item: &Item| item.mode & 0o170_000;
        let sides = [base, ours, theirs];
        if kind(&own) != kind(&other)
            || kind(&own)
                != kind(&Item {
                    mode: FILE,
                    id: none(),
                })
        {
            let what = if base.is_none() { "add/add" } else { "content" };
            self.tell(bytes!(
                "CONFLICT (",
                what,
                "): Merge conflict in ",
                quoted(path)
            ));
            let left = Some(own);
            self.merged
                .conflicts
                .insert(path.to_vec(), Conflict { sides, left });
            self.keep(path, left);
            return Ok(());
        }
        let mode = match base {
            Some(base) if base.mode == own.mode => other.mode,
            _ => own.mode,
        };
        let old_id = base
            .filter(|base| kind(base) == kind(&own))
            .map(|base| base.id);
        let (id, clean) = if own.id == other.id || old_id == Some(other.id) {
            (own.id, true)
        } else if old_id == Some(own.id) {
            (other.id, true)
        } else {
            self.content(path, old_id, own.id, other.id)?
        };
        let item = Item { mode, id };
        self.keep(path, Some(item));
        if !clean {
            let what = if base.is_none() { "add/add" } else { "content" };
            self.tell(bytes!(
                "CONFLICT (",
                what,
                "): Merge conflict in ",
                quoted(path)
            ));
            let left = Some(item);
            self.merged
                .conflicts
                .insert(path.to_vec(), Conflict { sides, left });
        }
        Ok(())
    }

    /// Merges the contents of a file; false where conflicts are marked in it. An empty base stands for a file that
    /// both added.
    pub fn content(
        &mut self,
        path: &[u8],
        base: Option<Id>,
        ours: Id,
        theirs: Id,
    ) -> Outcome<(Id, bool)> {
        let read = |id: Id| self.objects.blob(&id);
        let old = match base {
            Some(id) => read(id)?,
            None => std::rc::Rc::from([]),
        };
        let (own, other) = (read(ours)?, read(theirs)?);
        self.tell(bytes!("Auto-merging ", quoted(path)));
        if is_binary(&old) || is_binary(&own) || is_binary(&other) {
            return Ok(match self.settings.favor {
                Favor::Ours => (ours, true),
                Favor::Theirs => (theirs, true),
                _ => {
                    let names =
                        bytes!(" (", self.settings.ours, " vs. ", self.settings.theirs, ")");
                    self.tell(bytes!(
                        "warning: Cannot merge binary files: ",
                        quoted(path),
                        names
                    ));
                    (ours, false)
                }
            });
        }
        let labels = Labels {
            ours: self.settings.ours,
            theirs: self.settings.theirs,
            base: self.settings.base,
            favor: self.settings.favor,
        };
        let (text, conflicts) = three_way::merge(&old, &own, &other, &labels);
        Ok((self.objects.write(Kind::Blob, &text)?, conflicts == 0))
    }

    /// A path that only one side has, and has changed; without a base both sides cannot differ, and it is kept.
    fn modified_and_deleted(&mut self, path: &[u8], sides: [Option<Item>; 3]) -> Outcome {
        let [base, ours, theirs] = sides;
        let (Some(left), Some(_)) = (ours.or(theirs), base) else {
            // Both are gone, or only one was ever there.
            self.keep(path, ours.or(theirs));
            return Ok(());
        };
        let (own, other) = (self.settings.ours, self.settings.theirs);
        let (gone, kept) = if ours.is_none() {
            (own, other)
        } else {
            (other, own)
        };
        self.tell(bytes!(
            "CONFLICT (modify/delete): ",
            quoted(path),
            " deleted in ",
            gone,
            " and modified in ",
            kept,
            ".  Version ",
            kept,
            " of ",
            quoted(path),
            " left in tree."
        ));
        let left = Some(left);
        self.merged
            .conflicts
            .insert(path.to_vec(), Conflict { sides, left });
        self.keep(path, left);
        Ok(())
    }

    /// A path cannot be a file and a folder.
    fn files_and_folders(&mut self) -> Outcome {
        let items = &self.merged.items;
        let clash = items.keys().find(|path| {
            let inside = bytes!(path, "/");
            items
                .range(inside.clone()..)
                .next()
                .is_some_and(|(next, _)| next.starts_with(&inside))
        });
        match clash {
            Some(path) => Err(fatal(bytes!(
                "a merge in which '",
                path,
                "' is a file on one side and a folder on the other is not supported"
            ))),
            None => Ok(()),
        }
    }
}

/// The tree that two commits come from: of several the merge of all, with conflicts left in, which is how `ort` and
/// `recursive` make a virtual base. Also its name for the marks of `diff3`. The bases of the bases are merged the
/// same way.
pub fn base_items(repository: &Repository, bases: &[Id]) -> Outcome<(Items, Vec<u8>)> {
    let Some((first, others)) = bases.split_first() else {
        return Ok((Items::new(), b"empty tree".to_vec()));
    };
    let mut items = repository.items(first)?;
    if others.is_empty() {
        return Ok((items, repository.short(first).into_bytes()));
    }
    let settings = Settings {
        ours: b"Temporary merge branch 1",
        theirs: b"Temporary merge branch 2",
        base: None,
        favor: Favor::None,
        renames: true,
    };
    let mut known = *first;
    for other in others {
        let (inner, _) = base_items(repository, &merge_bases(repository, &known, other)?)?;
        let theirs = repository.items(other)?;
        items = trees(&repository.objects, &inner, &items, &theirs, &settings)?.items;
        known = *other;
    }
    Ok((items, b"merged common ancestors".to_vec()))
}
