//! `git commit` (Documentation/git-commit).
//!
//! The index becomes a tree, a message is found, the commit is written, then the branch is moved and the notes of a
//! merge or pick are removed: an error before the branch moves leaves everything but objects, and what `-a` staged.
//! With paths, a second index is made from `HEAD` and these paths, and what else is staged stays staged (`--only`).
//!
//! The hooks are `pre-commit`, before anything is made, `prepare-commit-msg` and `commit-msg`, which work on the
//! message, and `post-commit` and `post-rewrite`, which may look at what was made. Not here: signatures.

mod message;

use gix_object::Kind;

use super::flags::Flags;
use super::hooks::{self, Hook};
use super::index::{Entry, Index};
use super::objects::{Commit, Id, Person, none, parse_id};
use super::pathspec::Pathspec;
use super::repository::{Repository, parse_date};
use super::revision;
use super::status::{self, Status, Untracked};
use super::stop::{Outcome, error, fatal, quiet, usage};
use super::tree;
use super::worktree::State;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("m", "message", Value::Required),
    Opt("F", "file", Value::Required),
    Opt("C", "reuse-message", Value::Required),
    Opt("c", "reedit-message", Value::Required),
    Opt("", "author", Value::Required),
    Opt("", "date", Value::Required),
    Opt("a", "all", Value::No),
    Opt("i", "include", Value::No),
    Opt("o", "only", Value::No),
    Opt("", "amend", Value::No),
    Opt("", "reset-author", Value::No),
    Opt("", "allow-empty", Value::No),
    Opt("", "allow-empty-message", Value::No),
    Opt("", "edit", Value::No),
    Opt("e", "", Value::No),
    Opt("s", "signoff", Value::No),
    Opt("n", "no-verify", Value::No),
    Opt("", "verify", Value::No),
    Opt("", "post-rewrite", Value::No),
    Opt("", "dry-run", Value::No),
    Opt("", "short", Value::No),
    Opt("", "branch", Value::No),
    Opt("", "long", Value::No),
    Opt("z", "null", Value::No),
    Opt("", "porcelain", Value::No),
    Opt("", "fixup", Value::Required),
    Opt("", "squash", Value::Required),
    Opt("", "cleanup", Value::Required),
    Opt("", "trailer", Value::Required),
    Opt("", "gpg-sign", Value::No),
    Opt("", "status", Value::No),
    Opt("t", "template", Value::Required),
    Opt("u", "untracked-files", Value::Optional),
];

/// `git commit`. Status 1, with the status shown, where there is nothing to commit; also for `--dry-run` where
/// nothing is staged. `am`, `merge --continue` and others call it with words as the user would.
pub fn commit(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    commit_with(repository, arguments, true)
}

/// The same; `hooks` says whether hooks are run, as they are not where `am` commits.
pub fn commit_with(
    repository: &mut Repository,
    arguments: &[Vec<u8>],
    hooks: bool,
) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    repository.root()?;
    check(&flags)?;
    let base = Base::new(repository, flags.has("amend"))?;
    let mut staging = Staging::new(repository, &flags, &base)?;
    refuse_unmerged(repository, &staging.index)?;
    if hooks && !flags.has("n") {
        staging.check_by_hook(repository, "pre-commit")?;
    }
    let items = staging.index.items();
    let tree = tree::write(&repository.objects, &items)?;
    let unchanged = match base.tree_before(repository)? {
        Some(old) => old == tree,
        None => items.is_empty(),
    };
    let dry = is_dry(&flags);
    if staging.later.is_none() && !dry {
        repository.save(&staging.index)?;
    }
    let is_empty = unchanged && !flags.has("allow-empty") && !base.may_be_empty();
    if is_empty || dry {
        return nothing(repository, &flags, base.amend && unchanged);
    }
    let reused = reused(repository, &flags, &base.head)?.filter(|_| !flags.has("reset-author"));
    let keeps_author = reused.is_some();
    let author = author(repository, &flags, reused)?;
    let committer = repository.committer()?;
    let about = message::About {
        head: &base.head,
        author: &author,
        committer: &committer,
        before: match base.tree_before(repository)? {
            Some(tree) => repository.items(&tree)?,
            None => tree::Items::new(),
        },
        dated: keeps_author || flags.has("date"),
        hooks,
    };
    let message = message::message(repository, &flags, &about)?;
    let mut made = Commit {
        id: none(),
        tree,
        parents: base.parents(),
        author,
        committer: committer.clone(),
        message,
    };
    made.id = repository.objects.write(Kind::Commit, &made.content())?;
    let what = match (base.amend, made.parents.len()) {
        (true, _) => "commit (amend): ",
        (false, 0) => "commit (initial): ",
        (false, 1) if repository.note("CHERRY_PICK_HEAD").is_some() => "commit (cherry-pick): ",
        (false, 1) => "commit: ",
        (false, _) => "commit (merge): ",
    };
    let why = bytes!(what, made.subject());
    repository
        .refs
        .update(b"HEAD", &made.id, &committer, &why)?;
    repository.save(&staging.index_after())?;
    repository.forget_progress();
    if hooks {
        announce(repository, &flags, &base, &made.id);
    }
    if !flags.has("q") {
        let shows_date = keeps_author || flags.has("date");
        let extra = if shows_date { "date" } else { "" };
        let mut text = status::report(repository, &made, extra, true)?;
        if base.amend && made.parents.is_empty() {
            // Only the first commit of a branch is called that.
            let note = b" (root-commit)";
            if let Some(at) = text.windows(note.len()).position(|part| part == note) {
                text.drain(at..at + note.len());
            }
        }
        repository.out.put(&text);
    }
    Ok(0)
}

/// Refuses what does not go together or is not here.
fn check(flags: &Flags) -> Outcome {
    if flags.has("gpg-sign") {
        return Err(usage("option `--gpg-sign' is not supported"));
    }
    let sources = [
        ("m", "-m"),
        ("F", "-F"),
        ("C", "-C"),
        ("c", "-c"),
        ("fixup", "--fixup"),
    ];
    let mut given = sources.iter().filter(|(key, _)| flags.has(key));
    match (given.next(), given.next()) {
        (Some(("m", _)), Some(("fixup", _))) => Ok(()),
        (Some((_, first)), Some((_, second))) => Err(fatal(format!(
            "options '{first}' and '{second}' cannot be used together"
        ))),
        _ => Ok(()),
    }
}

/// Whether it is only asked what would be committed.
fn is_dry(flags: &Flags) -> bool {
    ["dry-run", "short", "porcelain", "long", "z"]
        .iter()
        .any(|key| flags.has(key))
}

/// Runs the hooks that are told of a commit; nothing depends on them.
fn announce(repository: &mut Repository, flags: &Flags, base: &Base, made: &Id) {
    hooks::run(repository, "post-commit", &Hook::default());
    let old = base.head.as_ref().filter(|_| base.amend);
    if let (Some(old), false) = (old, flags.denied("post-rewrite")) {
        let input = format!("{} {made}\n", old.id);
        let hook = Hook {
            arguments: &[b"amend"],
            input: input.as_bytes(),
            ..Hook::default()
        };
        hooks::run(repository, "post-rewrite", &hook);
    }
}

/// What a new commit stands on.
struct Base {
    /// What is checked out; none before the first commit.
    head: Option<Commit>,
    /// Whether it takes the place of `head`.
    amend: bool,
    /// The other commits of a merge; empty where none is under way.
    merging: Vec<Id>,
}

impl Base {
    /// What is checked out.
    ///
    /// # Errors
    /// There is nothing to amend, or a merge is to be committed first.
    fn new(repository: &Repository, amend: bool) -> Outcome<Base> {
        let head = match repository.head() {
            Some(_) => Some(repository.head_commit()?),
            None if amend => return Err(fatal("You have nothing yet to amend.")),
            None => None,
        };
        let merging = merge_heads(repository);
        if amend && !merging.is_empty() {
            return Err(fatal("You are in the middle of a merge -- cannot amend."));
        }
        Ok(Base {
            head,
            amend,
            merging,
        })
    }

    /// The tree to which the new commit's is compared, if there is one: that of `HEAD`, or of its parent for an
    /// amend.
    fn tree_before(&self, repository: &Repository) -> Outcome<Option<Id>> {
        let Some(head) = &self.head else {
            return Ok(None);
        };
        if !self.amend {
            return Ok(Some(head.tree));
        }
        match head.parents.first() {
            Some(parent) => Ok(Some(repository.objects.commit(parent)?.tree)),
            None => Ok(None),
        }
    }

    /// Whether a commit without changes says something: it is a merge.
    fn may_be_empty(&self) -> bool {
        let amends_merge = || {
            let head = self.head.as_ref();
            self.amend && head.is_some_and(|head| head.parents.len() > 1)
        };
        !self.merging.is_empty() || amends_merge()
    }

    /// The parents of the new commit, in their order.
    fn parents(&self) -> Vec<Id> {
        let mut parents = match (&self.head, self.amend) {
            (Some(head), true) => head.parents.clone(),
            (Some(head), false) => vec![head.id],
            (None, _) => Vec::new(),
        };
        parents.extend(&self.merging);
        parents
    }
}

/// What is committed, and what is staged afterwards.
struct Staging {
    /// The index whose files are committed.
    index: Index,
    /// What stays staged where only some paths are committed.
    later: Option<Index>,
}

impl Staging {
    /// What the command line says: the index, with `-a` all changes, or the changes of some paths.
    fn new(repository: &Repository, flags: &Flags, base: &Base) -> Outcome<Staging> {
        let paths = flags.all_paths();
        let mut index = repository.index()?;
        if let (true, Some(path)) = (flags.has("a"), paths.first()) {
            return Err(fatal(bytes!(
                "paths '",
                path,
                " ...' with -a does not make sense"
            )));
        }
        if flags.has("a") {
            stage(repository, &mut index, &Pathspec::default())?;
        }
        if paths.is_empty() {
            return Ok(Staging { index, later: None });
        }
        if !base.merging.is_empty() && !flags.has("i") {
            return Err(fatal("cannot do a partial commit during a merge."));
        }
        let spec = Pathspec::new(repository, &paths)?;
        let mut known = index.paths();
        known.extend(repository.head_items()?.into_keys());
        if let Some(lost) = spec.unmatched(&known).first() {
            return Err(error(bytes!(
                "pathspec '",
                lost,
                "' did not match any file(s) known to git"
            )));
        }
        stage(repository, &mut index, &spec)?;
        if flags.has("i") {
            return Ok(Staging { index, later: None });
        }
        let mut partial = Index::of_tree(&repository.head_items()?, &index);
        for path in known.iter().filter(|path| spec.matches(path)) {
            match index.get(path) {
                Some(entry) => partial.set(path, entry.clone()),
                None => {
                    partial.remove(path);
                }
            }
        }
        Ok(Staging {
            index: partial,
            later: Some(index),
        })
    }

    /// Runs a hook that may refuse the commit, with status 1, and may change what is committed. It sees the files
    /// that are committed in an index, which is the usual one unless some are picked by the command line.
    fn check_by_hook(&mut self, repository: &mut Repository, name: &str) -> Outcome {
        if !hooks::exists(repository, name) {
            return Ok(());
        }
        let usual = self.later.is_none() && self.index.items() == repository.index()?.items();
        let file = match (usual, &self.later) {
            (true, _) => "index",
            (false, None) => "index.lock",
            (false, Some(_)) => "next-index.lock",
        };
        let path = repository.own(file);
        self.index.write(&path)?;
        let shown = if usual {
            repository.near(&path)
        } else {
            path.clone()
        };
        let hook = Hook {
            variables: &[("GIT_INDEX_FILE", &shown), ("GIT_EDITOR", b":")],
            ..Hook::default()
        };
        let status = hooks::run(repository, name, &hook);
        let read = Index::read(&path);
        if !usual {
            repository.forget(file);
        }
        if status != 0 {
            return Err(quiet(1));
        }
        self.index = read?;
        Ok(())
    }

    /// The index once the commit is made: what was committed is also staged, the rest as it was.
    fn index_after(self) -> Index {
        let Some(mut later) = self.later else {
            return self.index;
        };
        for (path, _, entry) in self.index.all() {
            if later.get(path).is_none_or(|old| old.item == entry.item) {
                later.set(path, entry.clone());
            }
        }
        later
    }
}

/// Ends the command where files are in conflict.
fn refuse_unmerged(repository: &mut Repository, index: &Index) -> Outcome {
    let conflicts = index.conflicts();
    if conflicts.is_empty() {
        return Ok(());
    }
    for path in conflicts.keys() {
        repository.out.put(bytes!("U\t", path, "\n"));
    }
    repository.say("error: Committing is not possible because you have unmerged files.");
    repository.say("hint: Fix them up in the work tree, and then use 'git add/rm <file>'");
    repository.say("hint: as appropriate to mark resolution and make a commit.");
    Err(fatal("Exiting because of an unresolved conflict."))
}

/// The author: as it was before and changed by `--author` and `--date`, or of these and the settings.
fn author(repository: &Repository, flags: &Flags, before: Option<Person>) -> Outcome<Person> {
    let Some(mut author) = before else {
        return repository.author(flags.value("author"), flags.value("date"));
    };
    if let Some(given) = flags.value("author") {
        let parsed = repository.author(Some(given), None)?;
        (author.name, author.mail) = (parsed.name, parsed.mail);
    }
    if let Some(date) = flags.value("date") {
        let (time, zone) =
            parse_date(date).ok_or_else(|| fatal(bytes!("invalid date format: ", date)))?;
        (author.time, author.zone) = (time, zone);
    }
    Ok(author)
}

/// The commits that are being merged, from `MERGE_HEAD`; empty where no merge is under way.
pub fn merge_heads(repository: &Repository) -> Vec<Id> {
    let text = repository.note("MERGE_HEAD").unwrap_or_default();
    text.split(|&byte| byte == b'\n')
        .filter_map(parse_id)
        .collect()
}

/// Takes changed files of the index from the work tree, also those in conflict; what is gone there is removed.
/// Untracked files are not looked at.
pub fn stage(repository: &Repository, index: &mut Index, paths: &Pathspec) -> Outcome {
    let mut changed = repository.changed(index, paths)?;
    for path in index.conflicts().keys().filter(|path| paths.matches(path)) {
        let there = repository.item(path, false)?;
        let state = there.map_or(State::Gone, |(item, _)| State::Changed(item));
        changed.insert(path.clone(), state);
    }
    for (path, state) in changed {
        if state == State::Gone {
            index.remove(&path);
        } else if let Some((item, stat)) = repository.item(&path, true)? {
            index.set(&path, Entry::seen(item, &stat));
        }
    }
    Ok(())
}

/// There is nothing to commit, or it was only asked: the status says so. 0 for `--dry-run` with staged changes,
/// otherwise 1.
fn nothing(repository: &mut Repository, flags: &Flags, amend: bool) -> Outcome<i32> {
    if amend {
        repository.say(
            "You asked to amend the most recent commit, but doing so would make\n\
             it empty. You can repeat your command with --allow-empty, or you can\n\
             remove the commit entirely with \"git reset HEAD^\".",
        );
    }
    if !is_dry(flags) && repository.note("CHERRY_PICK_HEAD").is_some() {
        super::pick::say_empty(repository);
    }
    let paths = Pathspec::default();
    let status = Status::new(repository, &paths, Untracked::Folders, false, true)?;
    let code = i32::from(!(is_dry(flags) && status.has_staged()));
    if let Some(key) = flags.last(&["short", "porcelain", "z"]) {
        let people = key == "short";
        let nul = flags.has("z");
        let text = status::short(repository, &status, flags.has("branch"), nul, people)?;
        repository.out.put(&text);
        return Ok(code);
    }
    let mut text = status::long(repository, &status, Untracked::Folders, true)?;
    if amend && let Some(rest) = text.strip_suffix(b"nothing to commit, working tree clean\n") {
        text = bytes!(rest, "No changes\n");
    }
    repository.out.put(&text);
    Ok(code)
}

/// The author that `-C`, `--amend` or a pick under way keeps; none for a new one.
fn reused(
    repository: &Repository,
    flags: &Flags,
    head: &Option<Commit>,
) -> Outcome<Option<Person>> {
    if let Some(name) = flags.last(&["C", "c"]).and_then(|key| flags.value(key)) {
        return Ok(Some(revision::commit(repository, name)?.author));
    }
    if flags.has("amend") {
        return Ok(head.as_ref().map(|head| head.author.clone()));
    }
    let picked = repository.note("CHERRY_PICK_HEAD");
    match picked.and_then(|text| parse_id(text.trim_ascii())) {
        Some(id) => Ok(Some(repository.objects.commit(&id)?.author)),
        None => Ok(None),
    }
}

/// Adds the name of the committer as the one who signs off.
pub fn sign(text: &mut Vec<u8>, who: &Person) {
    trailer(
        text,
        &bytes!("Signed-off-by: ", who.name, " <", who.mail, ">"),
    );
}

/// Adds a line to the block of lines such as `Signed-off-by:` at the end.
pub fn trailer(text: &mut Vec<u8>, line: &[u8]) {
    let body = text.trim_ascii_end().to_vec();
    let last = body
        .split(|&byte| byte == b'\n')
        .next_back()
        .unwrap_or_default();
    if last == line {
        return;
    }
    let key = last.iter().position(|&byte| byte == b':');
    let is_key = |key: &[u8]| {
        key.iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    let in_block = body.contains(&b'\n')
        && (key.is_some_and(|at| is_key(&last[..at]))
            || last.starts_with(b"(cherry picked from commit "));
    *text = bytes!(body, if in_block { "\n" } else { "\n\n" }, line, "\n");
}

/// The message without blanks at the ends of lines and more than one blank line, and with `comments`
/// also without lines that begin with `#`.
pub fn clean(text: &[u8], comments: bool) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut blank = false;
    for line in text.split(|&byte| byte == b'\n') {
        if comments && line.starts_with(b"#") {
            continue;
        }
        let line = line.trim_ascii_end();
        if line.is_empty() {
            blank = !out.is_empty();
            continue;
        }
        if blank {
            out.push(b'\n');
        }
        blank = false;
        out.extend(bytes!(line, "\n"));
    }
    out
}
