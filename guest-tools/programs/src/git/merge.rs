//! `git merge`, `cherry-pick`, `revert` and `merge-base`.

use std::collections::{BTreeMap, BTreeSet};

use gix_object::Kind;

use super::branch::{identity, noted};
use super::change::{self, find_renames};
use super::commit::{clean, edit, merge_heads};
use super::flags::Flags;
use super::index::Index;
use super::lines::is_binary;
use super::objects::{Commit, Id, Objects, empty_tree, none, write_file};
use super::quoting::quoted;
use super::repository::Repository;
use super::revision;
use super::status;
use super::stop::{Outcome, Stop, error, fatal, usage};
use super::switch::{MERGE, hard};
use super::three_way::{self, Favor, Labels};
use super::tree::{self, FILE, Item, Items};
use super::walk::{is_ancestor, merge_bases};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// What a path is after a merge.
#[derive(Clone, Debug)]
struct Conflict {
    /// Base, ours and theirs.
    sides: [Option<Item>; 3],
    /// What stands in the work tree.
    left: Option<Item>,
}

/// Trees, merged.
#[derive(Default)]
pub struct Merged {
    /// The files, those with conflicts as they are left in the work tree.
    pub items: Items,
    conflicts: BTreeMap<Vec<u8>, Conflict>,
    /// What is told on the way.
    pub messages: Vec<Vec<u8>>,
}

impl Merged {
    /// Whether all went well.
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
    }

    /// Notes the conflicts in the index.
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
    pub ours: &'a [u8],
    pub theirs: &'a [u8],
    /// The name of the base, where it is shown.
    pub base: Option<&'a [u8]>,
    pub favor: Favor,
    pub renames: bool,
}

/// Merges two trees that come from `base`.
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

struct Merger<'a> {
    objects: &'a Objects,
    settings: &'a Settings<'a>,
    merged: Merged,
}

impl Merger<'_> {
    fn tell(&mut self, message: Vec<u8>) {
        self.merged.messages.push(message);
    }

    fn keep(&mut self, path: &[u8], item: Option<Item>) {
        if let Some(item) = item {
            self.merged.items.insert(path.to_vec(), item);
        }
    }

    /// Lets the other side's changes go along with files that one side renamed.
    fn follow_renames(
        &mut self,
        base: &mut Items,
        ours: &mut Items,
        theirs: &mut Items,
    ) -> Outcome {
        let renames = |side: &Items| -> Outcome<Vec<(Vec<u8>, Vec<u8>)>> {
            let changes = find_renames(self.objects, change::between(base, side), 50, false)?;
            let renamed = changes
                .iter()
                .filter(|change| change.score.is_some() && !change.copied);
            Ok(renamed
                .map(|change| (change.old_path().to_vec(), change.path().to_vec()))
                .collect())
        };
        let (own, other) = (renames(ours)?, renames(theirs)?);
        let labels = [self.settings.ours.to_vec(), self.settings.theirs.to_vec()];
        for (side, list) in [(0, &own), (1, &other)] {
            for (old, new) in list {
                let opposite = if side == 0 { &other } else { &own };
                let also = opposite.iter().find(|(path, _)| path == old);
                let (there, here) = if side == 0 {
                    (&mut *theirs, &*ours)
                } else {
                    (&mut *ours, &*theirs)
                };
                match also {
                    Some((_, same)) if same == new => {
                        if let (0, Some(item)) = (side, base.remove(old)) {
                            base.insert(new.clone(), item);
                        }
                        continue;
                    }
                    Some((_, different)) => {
                        if side == 0 {
                            self.merged.messages.push(bytes!(
                                "CONFLICT (rename/rename): ",
                                old,
                                " renamed to ",
                                new,
                                " in ",
                                labels[0],
                                " and to ",
                                different,
                                " in ",
                                labels[1],
                                "."
                            ));
                            let item = base.get(old).copied();
                            let entry = |sides: [Option<Item>; 3], left| Conflict { sides, left };
                            let (a, b) = (here.get(new).copied(), there.get(different).copied());
                            self.merged
                                .conflicts
                                .insert(old.clone(), entry([item, None, None], None));
                            self.merged
                                .conflicts
                                .insert(new.clone(), entry([None, a, None], a));
                            self.merged
                                .conflicts
                                .insert(different.clone(), entry([None, None, b], b));
                        }
                        continue;
                    }
                    None => {}
                }
                let Some(item) = there.get(old).copied() else {
                    // Removed there, renamed here.
                    if there.contains_key(new) {
                        continue;
                    }
                    let (who, other) = if side == 0 { (0, 1) } else { (1, 0) };
                    self.merged.messages.push(bytes!(
                        "CONFLICT (rename/delete): ",
                        old,
                        " renamed to ",
                        new,
                        " in ",
                        labels[who],
                        ", but deleted in ",
                        labels[other],
                        "."
                    ));
                    let left = here.get(new).copied();
                    let was = base.remove(old);
                    let sides = if side == 0 {
                        [was, left, None]
                    } else {
                        [was, None, left]
                    };
                    self.merged
                        .conflicts
                        .insert(new.clone(), Conflict { sides, left });
                    continue;
                };
                if there.contains_key(new) {
                    continue;
                }
                there.remove(old);
                there.insert(new.clone(), item);
                if let Some(item) = base.remove(old) {
                    base.insert(new.clone(), item);
                }
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &[u8], [base, ours, theirs]: [Option<Item>; 3]) -> Outcome {
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

    fn content(
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

/// The tree that two commits come from: of several the merge of all.
fn base_items(repository: &Repository, bases: &[Id]) -> Outcome<(Items, Vec<u8>)> {
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

const OPTIONS: &[Opt] = &[
    Opt("m", "message", Value::Required),
    Opt("F", "file", Value::Required),
    Opt("", "ff", Value::No),
    Opt("", "ff-only", Value::No),
    Opt("", "squash", Value::No),
    Opt("", "commit", Value::No),
    Opt("", "edit", Value::No),
    Opt("e", "", Value::No),
    Opt("", "abort", Value::No),
    Opt("", "quit", Value::No),
    Opt("", "continue", Value::No),
    Opt("s", "strategy", Value::Required),
    Opt("X", "strategy-option", Value::Required),
    Opt("", "stat", Value::No),
    Opt("n", "", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("", "allow-unrelated-histories", Value::No),
    Opt("", "log", Value::Optional),
    Opt("", "signoff", Value::No),
    Opt("", "verify", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "autostash", Value::No),
];

/// `git merge`
pub fn merge(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    repository.root()?;
    if flags.has("abort") || flags.has("quit") {
        return abort(repository, flags.has("quit"));
    }
    if flags.has("continue") {
        if merge_heads(repository).is_empty() {
            return Err(fatal("There is no merge in progress (MERGE_HEAD missing)."));
        }
        return super::commit::commit(repository, &[]);
    }
    if flags.has("log") || flags.has("autostash") || flags.has("signoff") {
        return Err(usage(
            "options `--log', `--autostash' and `--signoff' are not supported",
        ));
    }
    if !merge_heads(repository).is_empty() {
        let conflicts = !repository.index()?.conflicts().is_empty();
        return Err(match conflicts {
            true => unmerged(),
            false => fatal(
                "You have not concluded your merge (MERGE_HEAD exists).\n\
                 Please, commit your changes before you merge.",
            ),
        });
    }
    let names = match flags.operands.as_slice() {
        [] => match repository
            .refs
            .branch()
            .and_then(|branch| revision::upstream(repository, &branch))
        {
            Some(upstream) => vec![revision::short_reference(&upstream).to_vec()],
            None => return Err(fatal("No remote for the current branch.")),
        },
        names => names.to_vec(),
    };
    let [name] = names.as_slice() else {
        return Err(usage(
            "merging more than one branch at once is not supported",
        ));
    };
    let Some(other) = revision::find(repository, name)? else {
        return Err(Stop {
            status: 1,
            message: bytes!("merge: ", name, " - not something we can merge"),
        });
    };
    let other = revision::commit_of(repository, &other)?;
    let Some(head) = repository.head() else {
        let mut index = repository.index()?;
        let new = repository.items(&other.id)?;
        repository.move_tree(&mut index, &Items::new(), &new, false, &MERGE)?;
        repository.save(&index)?;
        let who = identity(repository);
        repository
            .refs
            .update(b"HEAD", &other.id, &who, b"initial pull")?;
        return Ok(0);
    };
    let favor = favor(&flags)?;
    let bases = merge_bases(repository, &head, &other.id)?;
    if bases.is_empty() && !flags.has("allow-unrelated-histories") {
        return Err(fatal("refusing to merge unrelated histories"));
    }
    if bases == [other.id] {
        repository.out.put("Already up to date.\n");
        return Ok(0);
    }
    let who = identity(repository);
    let config_ff = repository.config.get("merge.ff").map(<[u8]>::to_vec);
    let no_ff = flags.denied("ff") || (config_ff.as_deref() == Some(b"false") && !flags.has("ff"));
    let only = flags.has("ff-only") || (config_ff.as_deref() == Some(b"only") && !no_ff);
    let stat = !flags.denied("stat") && !flags.has("n") && !flags.has("q");
    if bases == [head] && (!no_ff || flags.has("squash")) {
        return fast_forward(repository, &flags, name, &head, &other, stat);
    }
    if only {
        return Err(Stop {
            status: 128,
            message: b"hint: Diverging branches can't be fast-forwarded, you need to either:\n\
                       hint:\n\
                       hint: \tgit merge --no-ff\n\
                       hint:\n\
                       hint: or:\n\
                       hint:\n\
                       hint: \tgit rebase\n\
                       hint:\n\
                       hint: Disable this message with \"git config advice.diverging false\"\n\
                       fatal: Not possible to fast-forward, aborting."
                .to_vec(),
        });
    }
    let committer = repository.committer()?;
    let mut index = repository.index()?;
    let ours = repository.items(&head)?;
    check_staged(&index, &ours)?;
    let (base, base_name) = base_items(repository, &bases)?;
    let style = repository.config.text("merge.conflictstyle");
    let own_strategy = flags.value("s") == Some(b"ours");
    let settings = Settings {
        ours: b"HEAD",
        theirs: name,
        base: match style.as_deref() {
            Some("diff3") => Some(&base_name),
            None | Some("merge") => None,
            Some(other) => {
                return Err(usage(format!(
                    "the conflict style {other} is not supported"
                )));
            }
        },
        favor,
        renames: true,
    };
    let merged = if own_strategy {
        Merged {
            items: ours.clone(),
            ..Merged::default()
        }
    } else {
        trees(
            &repository.objects,
            &base,
            &ours,
            &repository.items(&other.id)?,
            &settings,
        )?
    };
    repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE)?;
    merged.mark(&mut index);
    repository.save(&index)?;
    for message in &merged.messages {
        repository.out.put(bytes!(message, "\n"));
    }
    let message = message(repository, &flags, name)?;
    if flags.has("squash") {
        let note = squashed(repository, &head, &other)?;
        write_file(&repository.own("SQUASH_MSG"), &note)?;
        if merged.is_clean() {
            repository.out.put("Squash commit -- not updating HEAD\n");
            repository
                .out
                .put("Automatic merge went well; stopped before committing as requested\n");
            return Ok(0);
        }
        repository.out.put("Squash commit -- not updating HEAD\n");
        repository
            .out
            .put("Automatic merge failed; fix conflicts and then commit the result.\n");
        return Ok(1);
    }
    write_file(&repository.own("ORIG_HEAD"), format!("{head}\n").as_bytes())?;
    if !merged.is_clean() || flags.denied("commit") {
        write_file(
            &repository.own("MERGE_HEAD"),
            format!("{}\n", other.id).as_bytes(),
        )?;
        write_file(
            &repository.own("MERGE_MODE"),
            if no_ff { b"no-ff" } else { b"" },
        )?;
        let mut note = message;
        if !merged.is_clean() {
            note.extend_from_slice(b"\n# Conflicts:\n");
            for path in merged.conflicts.keys() {
                note.extend(bytes!("#\t", path, "\n"));
            }
        }
        write_file(&repository.own("MERGE_MSG"), &note)?;
        return Ok(if merged.is_clean() {
            repository
                .out
                .put("Automatic merge went well; stopped before committing as requested\n");
            0
        } else {
            repository
                .out
                .put("Automatic merge failed; fix conflicts and then commit the result.\n");
            1
        });
    }
    let message = if flags.has("e") || flags.has("edit") {
        edit(repository, &message)?
    } else {
        message
    };
    let mut made = Commit {
        id: none(),
        tree: tree::write(&repository.objects, &merged.items)?,
        parents: vec![head, other.id],
        author: repository.author(None, None)?,
        committer: committer.clone(),
        message,
    };
    made.id = repository.objects.write(Kind::Commit, &made.content())?;
    let strategy = if own_strategy { "ours" } else { "ort" };
    let why = bytes!(
        "merge ",
        name,
        ": Merge made by the '",
        strategy,
        "' strategy."
    );
    repository.refs.update(b"HEAD", &made.id, &who, &why)?;
    if !flags.has("q") {
        repository
            .out
            .put(bytes!("Merge made by the '", strategy, "' strategy.\n"));
    }
    if stat {
        let text = status::changes_between(repository, &head, &made.id)?;
        repository.out.put(&text);
    }
    Ok(0)
}

fn favor(flags: &Flags) -> Outcome<Favor> {
    match flags.value("s") {
        None | Some(b"ort" | b"recursive" | b"resolve" | b"ours") => {}
        Some(other) => {
            return Err(usage(bytes!(
                "option `--strategy=",
                other,
                "' is not supported"
            )));
        }
    }
    match flags.value("X") {
        None | Some(b"patience" | b"histogram" | b"diff-algorithm=histogram") => Ok(Favor::None),
        Some(b"ours") => Ok(Favor::Ours),
        Some(b"theirs") => Ok(Favor::Theirs),
        Some(b"union") => Ok(Favor::Union),
        Some(other) => Err(usage(bytes!(
            "option `--strategy-option=",
            other,
            "' is not supported"
        ))),
    }
}

fn unmerged() -> Stop {
    Stop {
        status: 128,
        message: b"error: Merging is not possible because you have unmerged files.\n\
                   hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n\
                   hint: as appropriate to mark resolution and make a commit.\n\
                   fatal: Exiting because of an unresolved conflict."
            .to_vec(),
    }
}

/// What is staged would be lost in a merge.
fn check_staged(index: &Index, head: &Items) -> Outcome {
    let items = index.items();
    let staged: Vec<Vec<u8>> = change::between(head, &items)
        .iter()
        .map(|change| change.path().to_vec())
        .collect();
    if staged.is_empty() {
        return Ok(());
    }
    let list = staged.join(b"\n  ".as_slice());
    Err(Stop {
        status: 2,
        message: bytes!(
            "error: Your local changes to the following files would be overwritten by merge:\n  ",
            list
        ),
    })
}

fn message(repository: &Repository, flags: &Flags, name: &[u8]) -> Outcome<Vec<u8>> {
    let mut given: Vec<Vec<u8>> = flags.values("m").map(<[u8]>::to_vec).collect();
    if let Some(path) = flags.value("F") {
        let text = crate::system::read_whole(path);
        given
            .push(text.map_err(|failure| super::stop::file("could not read file", path, failure))?);
    }
    if !given.is_empty() {
        return Ok(clean(&given.join(b"\n\n".as_slice()), false));
    }
    let kind = match revision::reference(repository, name) {
        Some(full) if full.starts_with(b"refs/heads/") => "branch",
        Some(full) if full.starts_with(b"refs/tags/") => "tag",
        Some(full) if full.starts_with(b"refs/remotes/") => "remote-tracking branch",
        _ => "commit",
    };
    let into = match repository.refs.branch().unwrap_or_else(|| b"HEAD".to_vec()) {
        branch if branch == b"master" || branch == b"main" => Vec::new(),
        branch => bytes!(" into ", branch),
    };
    Ok(bytes!("Merge ", kind, " '", name, "'", into, "\n"))
}

fn squashed(repository: &Repository, head: &Id, other: &Commit) -> Outcome<Vec<u8>> {
    let mut out = b"Squashed commit of the following:\n".to_vec();
    let mut walk = super::walk::Walk::new(repository, &[other.id], &[*head])?;
    let dates = super::date::DateStyle::default();
    while let Some(commit) = walk.next()? {
        let author = bytes!(commit.author.name, " <", commit.author.mail, ">");
        let date = dates.show(&commit.author);
        out.extend(bytes!(
            "\ncommit ",
            commit.id.to_string(),
            "\nAuthor: ",
            author
        ));
        out.extend(bytes!("\nDate:   ", date, "\n\n"));
        for line in commit.message.trim_ascii_end().split(|&byte| byte == b'\n') {
            out.extend(bytes!("    ", line, "\n"));
        }
    }
    Ok(out)
}

fn fast_forward(
    repository: &mut Repository,
    flags: &Flags,
    name: &[u8],
    head: &Id,
    other: &Commit,
    stat: bool,
) -> Outcome<i32> {
    let mut index = repository.index()?;
    let (old, new) = (repository.items(head)?, repository.items(&other.id)?);
    if !flags.has("q") {
        let (from, to) = (repository.short(head), repository.short(&other.id));
        repository.out.put(format!("Updating {from}..{to}\n"));
    }
    repository.move_tree(&mut index, &old, &new, false, &MERGE)?;
    repository.save(&index)?;
    if flags.has("squash") {
        let note = squashed(repository, head, other)?;
        write_file(&repository.own("SQUASH_MSG"), &note)?;
        repository
            .out
            .put("Fast-forward\nSquash commit -- not updating HEAD\n");
    } else {
        write_file(&repository.own("ORIG_HEAD"), format!("{head}\n").as_bytes())?;
        let why = bytes!("merge ", name, ": Fast-forward");
        repository
            .refs
            .update(b"HEAD", &other.id, &identity(repository), &why)?;
        if !flags.has("q") {
            repository.out.put("Fast-forward\n");
        }
    }
    if stat {
        let text = status::changes_between(repository, head, &other.id)?;
        repository.out.put(&text);
    }
    Ok(0)
}

fn abort(repository: &mut Repository, quit: bool) -> Outcome<i32> {
    if merge_heads(repository).is_empty() {
        if quit {
            return Ok(0);
        }
        return Err(fatal("There is no merge to abort (MERGE_HEAD missing)."));
    }
    if !quit {
        super::switch::reset(repository, &[b"-q".to_vec(), b"--merge".to_vec()])?;
    }
    for note in ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"] {
        repository.forget(note);
    }
    Ok(0)
}

const PICK: &[Opt] = &[
    Opt("n", "no-commit", Value::No),
    Opt("e", "edit", Value::No),
    Opt("x", "", Value::No),
    Opt("m", "mainline", Value::Required),
    Opt("", "abort", Value::No),
    Opt("", "continue", Value::No),
    Opt("", "skip", Value::No),
    Opt("", "quit", Value::No),
    Opt("s", "signoff", Value::No),
    Opt("X", "strategy-option", Value::Required),
    Opt("", "strategy", Value::Required),
    Opt("", "allow-empty", Value::No),
];

/// `git cherry-pick`
pub fn cherry_pick(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    pick(repository, arguments, false)
}

/// `git revert`
pub fn revert(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    pick(repository, arguments, true)
}

fn pick(repository: &mut Repository, arguments: &[Vec<u8>], revert: bool) -> Outcome<i32> {
    let flags = Flags::read(arguments, PICK)?;
    let (what, note) = if revert {
        ("revert", "REVERT_HEAD")
    } else {
        ("cherry-pick", "CHERRY_PICK_HEAD")
    };
    if flags.has("s") || flags.has("strategy") {
        return Err(usage(
            "options `--signoff' and `--strategy' are not supported",
        ));
    }
    if flags.has("continue") {
        if noted(repository, note).is_none() {
            return Err(error("no cherry-pick or revert in progress"));
        }
        return super::commit::commit(repository, &[b"--no-edit".to_vec()]);
    }
    if flags.has("abort") || flags.has("skip") || flags.has("quit") {
        if noted(repository, note).is_none() {
            return Err(error("no cherry-pick or revert in progress"));
        }
        if !flags.has("quit") {
            hard(repository, &repository.head_items()?)?;
        }
        repository.forget(note);
        repository.forget("MERGE_MSG");
        return Ok(0);
    }
    let mut commits = Vec::new();
    for word in &flags.operands {
        match revision::split_range(word) {
            Some((left, right, false)) => {
                let exclude = revision::commit(repository, left)?.id;
                let include = revision::commit(repository, right)?.id;
                let mut walk = super::walk::Walk::new(repository, &[include], &[exclude])?;
                let mut found = Vec::new();
                while let Some(commit) = walk.next()? {
                    found.push(commit);
                }
                if !revert {
                    found.reverse();
                }
                commits.extend(found);
            }
            _ => match revision::find(repository, word)? {
                Some(id) => commits.push(revision::commit_of(repository, &id)?),
                None => return Err(fatal(bytes!("bad revision '", word, "'"))),
            },
        }
    }
    if commits.is_empty() {
        return Err(usage(format!("usage: git {what} <commit>...")));
    }
    let rest = commits.len();
    for (at, commit) in commits.into_iter().enumerate() {
        let status = pick_one(repository, &flags, &commit, revert)?;
        if status != 0 {
            if at + 1 < rest {
                repository.say(format!(
                    "hint: {} commits behind this one were not begun",
                    rest - at - 1
                ));
            }
            return Ok(status);
        }
    }
    Ok(0)
}

fn pick_one(
    repository: &mut Repository,
    flags: &Flags,
    commit: &Commit,
    revert: bool,
) -> Outcome<i32> {
    let what = if revert { "revert" } else { "cherry-pick" };
    let mainline = flags.number("m")?;
    let parent = match (commit.parents.len(), mainline) {
        (0, _) => None,
        (1, None | Some(1)) => Some(commit.parents[0]),
        (1, Some(_)) => {
            return Err(error(format!(
                "mainline was specified but commit {} is not a merge.",
                commit.id
            )));
        }
        (_, None) => {
            return Err(Stop {
                status: 128,
                message: format!(
                    "error: commit {} is a merge but no -m option was given.\nfatal: {what} failed",
                    commit.id
                )
                .into_bytes(),
            });
        }
        (_, Some(number)) => match commit.parents.get(number.wrapping_sub(1)) {
            Some(parent) => Some(*parent),
            None => {
                return Err(error(format!(
                    "commit {} does not have parent {number}",
                    commit.id
                )));
            }
        },
    };
    let head = repository.head_commit()?;
    let mut index = repository.index()?;
    let ours = if flags.has("n") {
        index.items()
    } else {
        repository.items(&head.id)?
    };
    if !flags.has("n") {
        let staged = change::between(&ours, &index.items());
        if !staged.is_empty() || !index.conflicts().is_empty() {
            return Err(Stop {
                status: 128,
                message: format!(
                    "error: your local changes would be overwritten by {what}.\n\
                     hint: commit your changes or stash them to proceed.\nfatal: {what} failed"
                )
                .into_bytes(),
            });
        }
    }
    let committer = repository.committer()?;
    let parent_items = match parent {
        Some(parent) => repository.items(&parent)?,
        None => repository.items(&empty_tree())?,
    };
    let own = repository.items(&commit.id)?;
    let (base, theirs) = if revert {
        (own, parent_items)
    } else {
        (parent_items, own)
    };
    let subject = commit.subject();
    let short = repository.short(&commit.id);
    let label = if revert {
        bytes!("parent of ", short, " (", subject, ")")
    } else {
        bytes!(short, " (", subject, ")")
    };
    let settings = Settings {
        ours: b"HEAD",
        theirs: &label,
        base: None,
        favor: favor(flags)?,
        renames: true,
    };
    let merged = trees(&repository.objects, &base, &ours, &theirs, &settings)?;
    repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE)?;
    merged.mark(&mut index);
    repository.save(&index)?;
    for message in &merged.messages {
        repository.out.put(bytes!(message, "\n"));
    }
    repository.out.flush();
    let mut message = if revert {
        let title = match subject.strip_prefix(b"Revert \"") {
            Some(rest) if !rest.starts_with(b"Revert \"") => {
                bytes!("Reapply \"", rest)
            }
            _ => bytes!("Revert \"", subject, "\""),
        };
        let merge_note = match parent.filter(|_| commit.parents.len() > 1) {
            Some(parent) => format!(", reversing\nchanges made to {parent}"),
            None => String::new(),
        };
        bytes!(
            title,
            "\n\nThis reverts commit ",
            commit.id.to_string(),
            merge_note,
            ".\n"
        )
    } else {
        commit.message.clone()
    };
    if flags.has("x") && !revert {
        let body = message.trim_ascii_end().to_vec();
        message = bytes!(
            body,
            "\n\n(cherry picked from commit ",
            commit.id.to_string(),
            ")\n"
        );
    }
    if !merged.is_clean() {
        let mut note = message.clone();
        note.extend_from_slice(b"\n# Conflicts:\n");
        for path in merged.conflicts.keys() {
            note.extend(bytes!("#\t", path, "\n"));
        }
        write_file(&repository.own("MERGE_MSG"), &note)?;
        if !flags.has("n") {
            let name = if revert {
                "REVERT_HEAD"
            } else {
                "CHERRY_PICK_HEAD"
            };
            write_file(&repository.own(name), format!("{}\n", commit.id).as_bytes())?;
        }
        let verb = if revert { "revert" } else { "apply" };
        repository.say(bytes!(
            format!("error: could not {verb} {short}... "),
            subject
        ));
        repository.say("hint: After resolving the conflicts, mark them with");
        repository.say("hint: \"git add/rm <pathspec>\", then run");
        repository.say(format!("hint: \"git {what} --continue\"."));
        repository.say(format!(
            "hint: You can instead skip this commit with \"git {what} --skip\"."
        ));
        repository.say(format!(
            "hint: To abort and get back to the state before \"git {what}\","
        ));
        repository.say(format!("hint: run \"git {what} --abort\"."));
        repository.say("hint: Disable this message with \"git config advice.mergeConflict false\"");
        return Ok(1);
    }
    if flags.has("n") {
        return Ok(0);
    }
    let tree = tree::write(&repository.objects, &merged.items)?;
    if tree == head.tree && !flags.has("allow-empty") {
        let name = if revert {
            "REVERT_HEAD"
        } else {
            "CHERRY_PICK_HEAD"
        };
        write_file(&repository.own(name), format!("{}\n", commit.id).as_bytes())?;
        repository.say(format!(
            "The previous {what} is now empty, possibly due to conflict resolution.\n\
                          If you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\n\
             Otherwise, please use 'git {what} --skip'"
        ));
        let paths = super::pathspec::Pathspec::default();
        let untracked = status::Untracked::Folders;
        let state = status::Status::new(repository, &paths, untracked, false, true)?;
        let text = status::long(repository, &state, untracked, true)?;
        repository.out.put(&text);
        return Ok(1);
    }
    if flags.has("e") {
        message = edit(repository, &message)?;
    }
    let author = if revert {
        repository.author(None, None)?
    } else {
        commit.author.clone()
    };
    let mut made = Commit {
        id: none(),
        tree,
        parents: vec![head.id],
        author,
        committer: committer.clone(),
        message,
    };
    made.id = repository.objects.write(Kind::Commit, &made.content())?;
    let why = bytes!(what, ": ", made.subject());
    repository
        .refs
        .update(b"HEAD", &made.id, &committer, &why)?;
    let text = status::report(repository, &made, "date", true)?;
    repository.out.put(&text);
    Ok(0)
}

/// `git merge-base`
pub fn merge_base(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("a", "all", Value::No),
        Opt("", "is-ancestor", Value::No),
        Opt("", "octopus", Value::No),
        Opt("", "fork-point", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if flags.has("fork-point") || flags.has("octopus") {
        return Err(usage(
            "options `--fork-point' and `--octopus' are not supported",
        ));
    }
    let mut ids = Vec::new();
    for word in &flags.operands {
        match revision::find(repository, word)? {
            Some(id) => ids.push(revision::commit_of(repository, &id)?.id),
            None => return Err(fatal(bytes!("Not a valid object name ", word))),
        }
    }
    let [one, two] = ids.as_slice() else {
        return Err(usage(
            "usage: git merge-base [-a | --all] <commit> <commit>",
        ));
    };
    if flags.has("is-ancestor") {
        return Ok(i32::from(!is_ancestor(repository, one, two)?));
    }
    let bases = merge_bases(repository, one, two)?;
    let count = if flags.has("a") { usize::MAX } else { 1 };
    for base in bases.iter().take(count) {
        repository.out.put(format!("{base}\n"));
    }
    Ok(i32::from(bases.is_empty()))
}

/// `git merge-file`
pub fn merge_file(repository: Option<&mut Repository>, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("p", "stdout", Value::No),
        Opt("L", "", Value::Required),
        Opt("q", "quiet", Value::No),
        Opt("", "diff3", Value::No),
        Opt("", "ours", Value::No),
        Opt("", "theirs", Value::No),
        Opt("", "union", Value::No),
    ];
    let _ = repository;
    let flags = Flags::read(arguments, OPTIONS)?;
    let paths = flags.all_paths();
    let [ours, base, theirs] = paths.as_slice() else {
        return Err(usage(
            "usage: git merge-file [<options>] <file1> <orig-file> <file2>",
        ));
    };
    let read = |path: &[u8]| {
        let text = crate::system::read_whole(path);
        text.map_err(|failure| super::stop::file("Could not stat", path, failure))
    };
    let names: Vec<&[u8]> = flags.values("L").collect();
    let label = |at: usize, path: &'_ [u8]| {
        names
            .get(at)
            .map_or_else(|| path.to_vec(), |name| name.to_vec())
    };
    let (own, old, other) = (label(0, ours), label(1, base), label(2, theirs));
    let labels = Labels {
        ours: &own,
        theirs: &other,
        base: flags.has("diff3").then_some(old.as_slice()),
        favor: match flags.last(&["ours", "theirs", "union"]) {
            Some("ours") => Favor::Ours,
            Some("theirs") => Favor::Theirs,
            Some(_) => Favor::Union,
            None => Favor::None,
        },
    };
    let (text, conflicts) = three_way::merge(&read(base)?, &read(ours)?, &read(theirs)?, &labels);
    if flags.has("p") {
        use std::io::Write as _;
        // A reader that went away wants no more.
        let _ = std::io::stdout().write_all(&text);
    } else {
        write_file(ours, &text)?;
    }
    Ok(conflicts.min(127) as i32)
}
