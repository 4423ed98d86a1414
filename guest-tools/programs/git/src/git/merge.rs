//! `git merge` (Documentation/git-merge): two lines of history become one.
//!
//! Merge bases are looked for; one that is `HEAD` makes a fast-forward, several are merged into a virtual one first.
//! The trees are merged by `merge_trees`, as the strategy `ort` does; conflicts are left in the files and as stages
//! of the index, with `MERGE_HEAD`, `MERGE_MODE` and `MERGE_MSG` for `git commit`. Files that changed here are never
//! overwritten: `move_tree` refuses before anything is written.
//!
//! Not here: several branches at once, `--log`, `--autostash`, `--signoff`, other strategies than `ort` (`recursive`
//! and `resolve` mean the same) and `ours`, signatures. `pull` and `submodule update` come in by [`join`].

use gix_object::Kind;

use super::branch::identity;
use super::commit::{clean, merge_heads};
use super::editor::edit;
use super::flags::Flags;
use super::hooks::{self, Hook};
use super::index::Index;
use super::merge_trees::{Merged, Settings, base_items, trees};
use super::move_tree::MERGE;
use super::objects::{Commit, Id, none, write_file};
use super::repository::Repository;
use super::stop::{Outcome, Stop, fatal, usage};
use super::three_way::Favor;
use super::tree::Items;
use super::walk::merge_bases;
use super::{change, revision, status, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options of `git merge`, which `pull` hands on.
pub const OPTIONS: &[Opt] = &[
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

/// `git merge [COMMIT]`; without one, what the branch follows. Status 1 for conflicts, 2 where staged changes would
/// be lost.
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
    refuse_under_way(repository)?;
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
    let merging = Merging {
        message: usual_message(repository, name),
        other,
        label: name.clone(),
        action: bytes!("merge ", name),
    };
    join(repository, &flags, &merging)
}

/// What is merged, and what is said of it.
pub struct Merging {
    /// The commit that comes in.
    pub other: Commit,
    /// Its name beside conflicts.
    pub label: Vec<u8>,
    /// What the history of references says: `merge topic`.
    pub action: Vec<u8>,
    /// The message of the merge where none is given.
    pub message: Vec<u8>,
}

/// Refuses to merge where files are unmerged, or a merge or pick waits to be committed.
pub fn refuse_under_way(repository: &Repository) -> Outcome {
    if !repository.index()?.conflicts().is_empty() {
        return Err(unmerged("Merging"));
    }
    for (note, what) in [("MERGE_HEAD", "merge"), ("CHERRY_PICK_HEAD", "cherry-pick")] {
        if repository.note(note).is_some() {
            return Err(fatal(format!(
                "You have not concluded your {what} ({note} exists).\n\
                 Please, commit your changes before you merge."
            )));
        }
    }
    Ok(())
}

/// Merges a commit into what is checked out. In this order: a branch without commits begins with it, unrelated
/// histories are refused, what is contained already is up to date, a fast-forward unless `--no-ff`, then a merge
/// commit.
///
/// The identity is asked for before files move, so that a merge does not fail half way for want of a name.
pub fn join(repository: &mut Repository, flags: &Flags, merging: &Merging) -> Outcome<i32> {
    let other = &merging.other;
    let Some(head) = repository.head() else {
        return begin(repository, other);
    };
    let favor = favor(flags)?;
    let bases = merge_bases(repository, &head, &other.id)?;
    if bases.is_empty() && !flags.has("allow-unrelated-histories") {
        return Err(fatal("refusing to merge unrelated histories"));
    }
    if bases == [other.id] {
        if !flags.has("q") {
            repository.out.put("Already up to date.\n");
        }
        return Ok(0);
    }
    let config_ff = repository.config.get("merge.ff").map(<[u8]>::to_vec);
    let no_ff = flags.denied("ff") || (config_ff.as_deref() == Some(b"false") && !flags.has("ff"));
    let only = flags.has("ff-only") || (config_ff.as_deref() == Some(b"only") && !no_ff);
    let stat = !flags.denied("stat") && !flags.has("n") && !flags.has("q");
    if bases == [head] && (!no_ff || flags.has("squash")) {
        return fast_forward(repository, flags, &merging.action, &head, other, stat);
    }
    if only {
        return Err(diverged());
    }
    let committer = repository.committer()?;
    let merged = merge_files(repository, flags, merging, &head, &bases, favor)?;
    let message = message(flags, merging)?;
    if flags.has("squash") {
        return leave_squashed(repository, &head, other, &merged);
    }
    write_file(&repository.own("ORIG_HEAD"), format!("{head}\n").as_bytes())?;
    if !merged.is_clean() || flags.denied("commit") {
        return leave(repository, other, &merged, message, no_ff);
    }
    let Some(message) = concluded(repository, flags, message)? else {
        leave_notes(repository, other, &merged, &merging.message, no_ff)?;
        repository.say("Not committing merge; use 'git commit' to complete the merge.");
        return Ok(1);
    };
    let mut made = Commit {
        id: none(),
        tree: tree::write(&repository.objects, &merged.items)?,
        parents: vec![head, other.id],
        author: repository.author(None, None)?,
        committer,
        message,
    };
    made.id = repository.objects.write(Kind::Commit, &made.content())?;
    let strategy = if takes_ours(flags) { "ours" } else { "ort" };
    let done = bytes!("Merge made by the '", strategy, "' strategy.");
    let why = bytes!(merging.action, ": ", done);
    let who = identity(repository);
    repository.refs.update(b"HEAD", &made.id, &who, &why)?;
    if !flags.has("q") {
        repository.out.put(bytes!(done, "\n"));
    }
    if stat {
        let text = status::changes_between(repository, &head, &made.id)?;
        repository.out.put(&text);
    }
    after(repository, false);
    Ok(0)
}

/// The message of a merge as the editor and the hooks leave it; none where a hook refuses the merge.
fn concluded(
    repository: &mut Repository,
    flags: &Flags,
    message: Vec<u8>,
) -> Outcome<Option<Vec<u8>>> {
    let verifies = !flags.denied("verify");
    if verifies && hooks::run(repository, "pre-merge-commit", &Hook::default()) != 0 {
        return Ok(None);
    }
    let edits = flags.has("e") || flags.has("edit");
    let hooked = ["prepare-commit-msg", "commit-msg"]
        .iter()
        .any(|name| hooks::exists(repository, name));
    if !hooked {
        return if edits {
            edit(repository, &message).map(Some)
        } else {
            Ok(Some(message))
        };
    }
    let path = repository.own("MERGE_MSG");
    write_file(&path, &message)?;
    let shown = repository.near(&path);
    let hook = Hook {
        arguments: &[&shown, b"merge"],
        ..Hook::default()
    };
    let mut status = hooks::run(repository, "prepare-commit-msg", &hook);
    if status == 0 && edits {
        super::editor::launch(repository, &path)?;
    }
    if status == 0 && verifies {
        let hook = Hook {
            arguments: &[&shown],
            ..Hook::default()
        };
        status = hooks::run(repository, "commit-msg", &hook);
    }
    let text = repository.note("MERGE_MSG").unwrap_or_default();
    repository.forget("MERGE_MSG");
    Ok((status == 0).then(|| clean(&text, edits)))
}

/// Tells `post-merge` that a merge is done.
fn after(repository: &mut Repository, squash: bool) {
    let flag: &[u8] = if squash { b"1" } else { b"0" };
    let hook = Hook {
        arguments: &[flag],
        ..Hook::default()
    };
    hooks::run(repository, "post-merge", &hook);
}

/// Begins a branch without commits with what was to be merged into it.
fn begin(repository: &Repository, other: &Commit) -> Outcome<i32> {
    let mut index = repository.index()?;
    let new = repository.items(&other.id)?;
    repository.move_tree(&mut index, &Items::new(), &new, false, &MERGE)?;
    repository.save(&index)?;
    let who = identity(repository);
    repository
        .refs
        .update(b"HEAD", &other.id, &who, b"initial pull")?;
    Ok(0)
}

/// Whether the result is what is checked out, whatever the other side changed.
fn takes_ours(flags: &Flags) -> bool {
    flags.value("s") == Some(b"ours")
}

/// Merges the files of both sides into index and work tree, and prints what `merge_trees` has to say.
fn merge_files(
    repository: &mut Repository,
    flags: &Flags,
    merging: &Merging,
    head: &Id,
    bases: &[Id],
    favor: Favor,
) -> Outcome<Merged> {
    let mut index = repository.index()?;
    let ours = repository.items(head)?;
    check_staged(&index, &ours).map_err(failed)?;
    let (base, base_name) = base_items(repository, bases)?;
    let style = repository.config.text("merge.conflictstyle");
    let settings = Settings {
        ours: b"HEAD",
        theirs: &merging.label,
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
    let merged = if takes_ours(flags) {
        Merged {
            items: ours.clone(),
            ..Merged::default()
        }
    } else {
        let theirs = repository.items(&merging.other.id)?;
        trees(&repository.objects, &base, &ours, &theirs, &settings)?
    };
    let moved = repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE);
    moved.map_err(failed)?;
    merged.mark(&mut index);
    repository.save(&index)?;
    for message in &merged.messages {
        repository.out.put(bytes!(message, "\n"));
    }
    Ok(merged)
}

/// Ends a merge that would lose changes, status 2.
fn failed(stop: Stop) -> Stop {
    Stop {
        status: 2,
        message: bytes!(stop.message, "\nMerge with strategy ort failed."),
    }
}

/// Leaves a merge of `--squash` for a usual commit: the files and `SQUASH_MSG`, without `MERGE_HEAD`.
fn leave_squashed(
    repository: &mut Repository,
    head: &Id,
    other: &Commit,
    merged: &Merged,
) -> Outcome<i32> {
    let note = squashed(repository, head, other)?;
    write_file(&repository.own("SQUASH_MSG"), &note)?;
    repository.out.put("Squash commit -- not updating HEAD\n");
    Ok(stopped(repository, merged))
}

/// Leaves a merge to be committed later, with or without conflicts, for `git commit` or `git merge --continue`.
fn leave(
    repository: &mut Repository,
    other: &Commit,
    merged: &Merged,
    message: Vec<u8>,
    no_ff: bool,
) -> Outcome<i32> {
    leave_notes(repository, other, merged, &message, no_ff)?;
    Ok(stopped(repository, merged))
}

/// Writes the notes of a merge that is not committed.
fn leave_notes(
    repository: &Repository,
    other: &Commit,
    merged: &Merged,
    message: &[u8],
    no_ff: bool,
) -> Outcome {
    let head = format!("{}\n", other.id);
    write_file(&repository.own("MERGE_HEAD"), head.as_bytes())?;
    let mode: &[u8] = if no_ff { b"no-ff" } else { b"" };
    write_file(&repository.own("MERGE_MODE"), mode)?;
    let mut note = message.to_vec();
    if !merged.is_clean() {
        note.extend(merged.conflict_list());
    }
    write_file(&repository.own("MERGE_MSG"), &note)
}

/// Says why a merge was not committed, and gives the status to end with.
fn stopped(repository: &mut Repository, merged: &Merged) -> i32 {
    if merged.is_clean() {
        repository.say("Automatic merge went well; stopped before committing as requested");
        return 0;
    }
    repository
        .out
        .put("Automatic merge failed; fix conflicts and then commit the result.\n");
    1
}

/// Only a fast-forward was wanted, and there is none; status 128.
pub fn diverged() -> Stop {
    Stop {
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
    }
}

/// How conflicts are decided: `-X ours`, `theirs`, `union`. Names of algorithms are accepted and without effect.
pub fn favor(flags: &Flags) -> Outcome<Favor> {
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
    favor_of(flags.value("X"))
}

/// How the value of `-X` decides conflicts.
pub fn favor_of(option: Option<&[u8]>) -> Outcome<Favor> {
    match option {
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

/// git's words for a merge or the like while files are unmerged.
pub fn unmerged(doing: &str) -> Stop {
    Stop {
        status: 128,
        message: format!(
            "error: {doing} is not possible because you have unmerged files.\n\
             hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n\
             hint: as appropriate to mark resolution and make a commit.\n\
             fatal: Exiting because of an unresolved conflict."
        )
        .into_bytes(),
    }
}

/// What is staged would be lost in a merge: any difference between index and `HEAD` refuses, status 2.
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

/// The message of a merge: `-m` (several are paragraphs) and `-F`, or the usual one.
fn message(flags: &Flags, merging: &Merging) -> Outcome<Vec<u8>> {
    let mut given: Vec<Vec<u8>> = flags.values("m").map(<[u8]>::to_vec).collect();
    if let Some(path) = flags.value("F") {
        let text = crate::system::read_whole(path);
        given
            .push(text.map_err(|failure| super::stop::file("could not read file", path, failure))?);
    }
    if !given.is_empty() {
        return Ok(clean(&given.join(b"\n\n".as_slice()), false));
    }
    Ok(merging.message.clone())
}

/// `Merge branch 'topic' into dev`, by what kind of reference the name is.
fn usual_message(repository: &Repository, name: &[u8]) -> Vec<u8> {
    let kind = match revision::reference(repository, name) {
        Some(full) if full.starts_with(b"refs/heads/") => "branch",
        Some(full) if full.starts_with(b"refs/tags/") => "tag",
        Some(full) if full.starts_with(b"refs/remotes/") => "remote-tracking branch",
        _ => "commit",
    };
    bytes!("Merge ", kind, " '", name, "'", into(repository), "\n")
}

/// Where a merge goes, for its message; nothing for the main branch.
pub fn into(repository: &Repository) -> Vec<u8> {
    match repository.refs.branch().unwrap_or_else(|| b"HEAD".to_vec()) {
        branch if branch == b"master" || branch == b"main" => Vec::new(),
        branch => bytes!(" into ", branch),
    }
}

/// The message of a squashed merge: the commits that came in, the youngest first, as `git log` shows them.
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

/// Moves branch and files to a commit ahead; with `squash` only the files.
fn fast_forward(
    repository: &mut Repository,
    flags: &Flags,
    action: &[u8],
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
        let why = bytes!(action, ": Fast-forward");
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
    after(repository, flags.has("squash"));
    Ok(0)
}

/// `git merge --abort`: a `reset --merge`, which keeps unstaged changes of other files; with `quit` only the notes
/// go.
pub fn abort(repository: &mut Repository, quit: bool) -> Outcome<i32> {
    if merge_heads(repository).is_empty() {
        if quit {
            return Ok(0);
        }
        return Err(fatal("There is no merge to abort (MERGE_HEAD missing)."));
    }
    if !quit {
        super::reset::reset(repository, &[b"-q".to_vec(), b"--merge".to_vec()])?;
    }
    for note in ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"] {
        repository.forget(note);
    }
    Ok(0)
}
