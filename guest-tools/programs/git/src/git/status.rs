//! `git status`.

use std::collections::BTreeMap;

use super::change::Change;
use super::diff::{self, staged, unstaged};
use super::flags::Flags;
use super::ignore::Ignored;
use super::pathspec::Pathspec;
use super::quoting::{quoted, quoted_with_blanks};
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal, usage};
use super::summary;
use super::tree::COMMIT;
use super::walk::ahead_behind;
use super::worktree::Ask;
use crate::call::bytes;
use crate::options::{Opt, Value};

const OPTIONS: &[Opt] = &[
    Opt("s", "short", Value::No),
    Opt("b", "branch", Value::No),
    Opt("", "show-stash", Value::No),
    Opt("", "porcelain", Value::Optional),
    Opt("", "long", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("u", "untracked-files", Value::Optional),
    Opt("", "ignored", Value::Optional),
    Opt("", "ignore-submodules", Value::Optional),
    Opt("z", "", Value::No),
    Opt("", "column", Value::Optional),
    Opt("", "ahead-behind", Value::No),
    Opt("", "renames", Value::No),
    Opt("", "find-renames", Value::Optional),
];

/// What a status consists of.
pub struct Status {
    pub staged: Vec<Change>,
    pub unstaged: Vec<Change>,
    pub conflicts: BTreeMap<Vec<u8>, u8>,
    pub untracked: Vec<Vec<u8>>,
    pub ignored: Vec<Vec<u8>>,
    /// The submodules among what is not staged.
    pub submodules: BTreeMap<Vec<u8>, Inside>,
}

/// How a submodule differs.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// Another commit is checked out.
    commits: bool,
    modified: bool,
    untracked: bool,
}

impl Inside {
    /// What is said behind the path.
    fn text(self) -> String {
        let parts = [
            (self.commits, "new commits"),
            (self.modified, "modified content"),
            (self.untracked, "untracked content"),
        ];
        let parts: Vec<&str> = parts
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, part)| *part)
            .collect();
        format!(" ({})", parts.join(", "))
    }

    /// The letter of the short format.
    fn letter(self) -> char {
        match self {
            Inside { commits: true, .. } => 'M',
            Inside { modified: true, .. } => 'm',
            _ => '?',
        }
    }
}

/// The submodules that differ. One with nothing but untracked files is added to `unstaged`.
fn submodules(
    repository: &Repository,
    index: &super::index::Index,
    paths: &Pathspec,
    unstaged: &mut Vec<Change>,
) -> Outcome<BTreeMap<Vec<u8>, Inside>> {
    let mut found = BTreeMap::new();
    for (path, stage, entry) in index.all() {
        if stage > 0 || entry.item.mode != COMMIT || !paths.matches(path) {
            continue;
        }
        let Some(work) = repository.submodule_work(path)? else {
            continue;
        };
        let inside = Inside {
            commits: work.head != entry.item.id,
            modified: work.modified,
            untracked: work.untracked,
        };
        if !(inside.commits || inside.modified || inside.untracked) {
            continue;
        }
        if !inside.commits && !inside.modified {
            let side = super::change::side(path, &entry.item);
            unstaged.push(Change {
                old: Some(side.clone()),
                new: Some(side),
                score: None,
                copied: false,
                unmerged: false,
            });
        }
        found.insert(path.to_vec(), inside);
    }
    unstaged.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(found)
}

/// Which untracked files are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Untracked {
    No,
    Folders,
    All,
}

impl Status {
    /// Compares the last commit, the index and the work tree.
    pub fn new(
        repository: &Repository,
        paths: &Pathspec,
        untracked: Untracked,
        ignored: bool,
        renames: bool,
    ) -> Outcome<Status> {
        let index = repository.index()?;
        let renamed = |changes: Vec<Change>| {
            if renames {
                super::change::find_renames(&repository.objects, changes, 50, false)
            } else {
                Ok(changes)
            }
        };
        let mut staged = renamed(staged(&repository.head_items()?, &index, paths))?;
        let mut unstaged = renamed(unstaged(repository, &index, paths)?)?;
        staged.retain(|change| !change.unmerged);
        unstaged.retain(|change| !change.unmerged);
        let submodules = submodules(repository, &index, paths, &mut unstaged)?;
        let mut conflicts = index.conflicts();
        conflicts.retain(|path, _| paths.matches(path));
        let ignore = Ignored::new(repository)?;
        let ask = |only_ignored| Ask {
            paths,
            fold: untracked != Untracked::All,
            only_ignored,
            all: false,
        };
        let list = |wanted: bool, only_ignored: bool| {
            if wanted {
                repository.untracked(&index, &ignore, &ask(only_ignored))
            } else {
                Ok(Vec::new())
            }
        };
        Ok(Status {
            submodules,
            staged,
            unstaged,
            conflicts,
            untracked: list(untracked != Untracked::No, false)?,
            ignored: list(ignored, true)?,
        })
    }

    /// Whether there is something for a commit.
    pub fn has_staged(&self) -> bool {
        !self.staged.is_empty()
    }
}

/// `git status`
pub fn status(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    repository.root()?;
    let paths = Pathspec::new(repository, &flags.all_paths())?;
    let wish = flags.value("u").map(<[u8]>::to_vec);
    let wish = wish.or_else(|| {
        repository
            .config
            .get("status.showuntrackedfiles")
            .map(<[u8]>::to_vec)
    });
    let untracked = match wish.as_deref() {
        None | Some(b"normal" | b"true") => Untracked::Folders,
        Some(b"" | b"all") => Untracked::All,
        Some(b"no" | b"false") => Untracked::No,
        Some(other) => {
            return Err(fatal(bytes!("Invalid untracked files mode '", other, "'")));
        }
    };
    let ignored = match flags.value("ignored") {
        None | Some(b"no") => false,
        Some(b"" | b"traditional") => true,
        Some(mode) => {
            return Err(usage(bytes!(
                "option `--ignored=",
                mode,
                "' is not supported"
            )));
        }
    };
    let renames = !flags.denied("renames") && repository.config.truth("status.renames", true);
    let status = Status::new(repository, &paths, untracked, ignored, renames)?;
    let nul = flags.has("z");
    let text = match flags.last(&["porcelain", "s", "long"]) {
        Some("porcelain") => match flags.value("porcelain") {
            Some(b"" | b"v1" | b"1") => short(repository, &status, flags.has("b"), nul, false)?,
            Some(b"v2" | b"2") => version_two(repository, &status, flags.has("b"), nul)?,
            Some(other) => {
                return Err(fatal(bytes!("unsupported porcelain version '", other, "'")));
            }
            None => Vec::new(),
        },
        Some("s") => short(repository, &status, flags.has("b"), nul, true)?,
        None if nul => short(repository, &status, flags.has("b"), nul, false)?,
        None if repository.config.truth("status.short", false) => {
            short(repository, &status, flags.has("b"), nul, true)?
        }
        _ => {
            let mut text = long(repository, &status, untracked, false)?;
            if flags.has("v") {
                for change in &status.staged {
                    let style = super::patch::Style::default();
                    super::patch::print(&mut text, &repository.objects, change, &style)?;
                }
            }
            if flags.has("show-stash") {
                let count = repository.refs.history(b"refs/stash").len();
                if count > 0 {
                    let entries = if count == 1 { "entry" } else { "entries" };
                    text.extend(
                        format!("Your stash currently has {count} {entries}\n").into_bytes(),
                    );
                }
            }
            text
        }
    };
    repository.out.put(&text);
    Ok(0)
}

fn conflict_letters(sides: u8) -> &'static str {
    match sides {
        1 => "DD",
        2 => "AU",
        3 => "UD",
        4 => "UA",
        5 => "DU",
        6 => "AA",
        _ => "UU",
    }
}

/// The two letters of a path, and where it came from.
struct Row {
    letters: [char; 2],
    from: Option<Vec<u8>>,
}

fn rows(status: &Status) -> BTreeMap<Vec<u8>, Row> {
    let mut rows: BTreeMap<Vec<u8>, Row> = BTreeMap::new();
    for (column, changes) in [&status.staged, &status.unstaged].into_iter().enumerate() {
        for change in changes {
            let row = rows.entry(change.path().to_vec()).or_insert(Row {
                letters: [' ', ' '],
                from: None,
            });
            row.letters[column] = change.letter();
            if change.score.is_some() {
                row.from = Some(change.old_path().to_vec());
            }
        }
    }
    for (path, sides) in &status.conflicts {
        let letters: Vec<char> = conflict_letters(*sides).chars().collect();
        rows.insert(
            path.clone(),
            Row {
                letters: [letters[0], letters[1]],
                from: None,
            },
        );
    }
    rows
}

fn short(
    repository: &Repository,
    status: &Status,
    branch: bool,
    nul: bool,
    relative: bool,
) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let end = if nul { "\0" } else { "\n" };
    if branch {
        out.extend(bytes!("## ", branch_line(repository)?, end));
    }
    let show = |path: &[u8]| {
        let path = if relative {
            repository.path_from_here(path)
        } else {
            path.to_vec()
        };
        if nul { path } else { quoted_with_blanks(&path) }
    };
    for (path, mut row) in rows(status) {
        // Programs get the letter of a file.
        if let (Some(inside), true, 'M') = (status.submodules.get(&path), relative, row.letters[1])
        {
            row.letters[1] = inside.letter();
        }
        let letters: String = row.letters.iter().collect();
        out.extend(bytes!(letters, " "));
        match row.from {
            Some(from) if nul => out.extend(bytes!(path, "\0", from, end)),
            Some(from) => out.extend(bytes!(show(&from), " -> ", show(&path), end)),
            None => out.extend(bytes!(show(&path), end)),
        }
    }
    for (mark, paths) in [("?? ", &status.untracked), ("!! ", &status.ignored)] {
        for path in paths {
            out.extend(bytes!(mark, show(path), end));
        }
    }
    Ok(out)
}

fn branch_line(repository: &Repository) -> Outcome<Vec<u8>> {
    let Some(branch) = repository.refs.branch() else {
        return Ok(b"HEAD (no branch)".to_vec());
    };
    let Some(head) = repository.head() else {
        return Ok(bytes!("No commits yet on ", branch));
    };
    let Some(upstream) = revision::upstream(repository, &branch) else {
        return Ok(branch);
    };
    let name = bytes!(branch, "...", revision::short_reference(&upstream));
    let Some(other) = repository.refs.resolve(&upstream) else {
        return Ok(bytes!(name, " [gone]"));
    };
    Ok(match ahead_behind(repository, &head, &other)? {
        (0, 0) => name,
        (ahead, 0) => bytes!(name, format!(" [ahead {ahead}]")),
        (0, behind) => bytes!(name, format!(" [behind {behind}]")),
        (ahead, behind) => bytes!(name, format!(" [ahead {ahead}, behind {behind}]")),
    })
}

fn version_two(
    repository: &Repository,
    status: &Status,
    branch: bool,
    nul: bool,
) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let end = if nul { "\0" } else { "\n" };
    if branch {
        let head = repository
            .head()
            .map_or("(initial)".to_owned(), |id| id.to_string());
        out.extend(bytes!("# branch.oid ", head, end));
        let name = repository.refs.branch();
        let shown = name.clone().unwrap_or_else(|| b"(detached)".to_vec());
        out.extend(bytes!("# branch.head ", shown, end));
        if let Some(upstream) = name.and_then(|name| revision::upstream(repository, &name)) {
            out.extend(bytes!(
                "# branch.upstream ",
                revision::short_reference(&upstream),
                end
            ));
            if let (Some(head), Some(other)) =
                (repository.head(), repository.refs.resolve(&upstream))
            {
                let (ahead, behind) = ahead_behind(repository, &head, &other)?;
                out.extend(bytes!(format!("# branch.ab +{ahead} -{behind}"), end));
            }
        }
    }
    let show = |path: &[u8]| if nul { path.to_vec() } else { quoted(path) };
    let index = repository.index()?;
    let head = repository.head_items()?;
    let none = super::objects::none();
    for (path, row) in rows(status) {
        if let Some(sides) = status.conflicts.get(&path) {
            let part = |stage| {
                index
                    .stage(&path, stage)
                    .map_or((0, none), |e| (e.item.mode, e.item.id))
            };
            let parts = [part(1), part(2), part(3)];
            let work = repository
                .item(&path, false)?
                .map_or(0, |(item, _)| item.mode);
            let modes = parts.map(|(mode, _)| format!("{mode:06o}")).join(" ");
            let ids = parts.map(|(_, id)| id.to_string()).join(" ");
            let line = format!(
                "u {} N... {modes} {work:06o} {ids} ",
                conflict_letters(*sides)
            );
            out.extend(bytes!(line, show(&path), end));
            continue;
        }
        let letters: String = row
            .letters
            .iter()
            .map(|letter| if *letter == ' ' { '.' } else { *letter })
            .collect();
        let old_path = row.from.as_ref().unwrap_or(&path);
        let old = head.get(old_path).or_else(|| head.get(&path));
        let old = old.map_or((0, none), |item| (item.mode, item.id));
        let new = index
            .get(&path)
            .map_or((0, none), |entry| (entry.item.mode, entry.item.id));
        let change = status.unstaged.iter().find(|change| change.path() == path);
        let work = match change {
            Some(change) => change.new.as_ref().map_or(0, |side| side.item.mode),
            None => new.0,
        };
        let kind = if row.from.is_some() { 2 } else { 1 };
        let is_submodule = [old.0, new.0].contains(&COMMIT);
        let inside = match (status.submodules.get(&path), is_submodule) {
            (_, false) => "N...".to_owned(),
            (None, true) => "S...".to_owned(),
            (Some(inside), true) => {
                let letter = |is, letter| if is { letter } else { '.' };
                let commits = letter(inside.commits, 'C');
                let modified = letter(inside.modified, 'M');
                format!("S{commits}{modified}{}", letter(inside.untracked, 'U'))
            }
        };
        let line = format!(
            "{kind} {letters} {inside} {:06o} {:06o} {work:06o} {} {} ",
            old.0, new.0, old.1, new.1
        );
        out.extend_from_slice(line.as_bytes());
        match &row.from {
            Some(from) => {
                let both = [&status.staged, &status.unstaged];
                let mut changes = both
                    .into_iter()
                    .flatten()
                    .filter(|change| change.path() == path);
                let score = changes.find_map(|change| change.score).unwrap_or(100);
                let tab = if nul { "\0" } else { "\t" };
                out.extend(bytes!(
                    format!("R{score} "),
                    show(&path),
                    tab,
                    show(from),
                    end
                ));
            }
            None => out.extend(bytes!(show(&path), end)),
        }
    }
    for (mark, paths) in [("? ", &status.untracked), ("! ", &status.ignored)] {
        for path in paths {
            out.extend(bytes!(mark, show(path), end));
        }
    }
    Ok(out)
}

/// The text that `git status` prints, and that a commit message is edited with.
pub fn long(
    repository: &Repository,
    status: &Status,
    untracked: Untracked,
    committing: bool,
) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let head = repository.head();
    match repository.refs.branch() {
        Some(branch) => out.extend(bytes!("On branch ", branch, "\n")),
        None => out.extend(detached(repository)),
    }
    if let (Some(head), Some(branch)) = (head, repository.refs.branch()) {
        out.extend(tracking(repository, &branch, &head)?);
    }
    progress(repository, status, &mut out);
    if head.is_none() {
        out.extend_from_slice(if committing {
            b"\nInitial commit\n\n"
        } else {
            b"\nNo commits yet\n\n"
        });
    }
    let combining = ["MERGE_HEAD", "CHERRY_PICK_HEAD"];
    let unstage = if combining.iter().any(|note| repository.note(note).is_some()) {
        ""
    } else if head.is_some() {
        "  (use \"git restore --staged <file>...\" to unstage)\n"
    } else {
        "  (use \"git rm --cached <file>...\" to unstage)\n"
    };
    let here = |path: &[u8]| quoted(&repository.path_from_here(path));
    let section = |out: &mut Vec<u8>, title: &str, hints: &str, lines: Vec<Vec<u8>>| {
        out.extend(bytes!(title, "\n", hints));
        for line in lines {
            out.extend(bytes!("\t", line, "\n"));
        }
        out.push(b'\n');
    };
    let line = |change: &Change| {
        let what = match change.letter() {
            'A' => "new file:   ",
            'D' => "deleted:    ",
            'R' => "renamed:    ",
            'C' => "copied:     ",
            'T' => "typechange: ",
            _ => "modified:   ",
        };
        if change.score.is_some() {
            return bytes!(what, here(change.old_path()), " -> ", here(change.path()));
        }
        bytes!(what, here(change.path()))
    };
    let outside = |change: &Change| {
        let inside = status.submodules.get(change.path());
        let text = inside.map(|inside| inside.text()).unwrap_or_default();
        bytes!(line(change), text)
    };
    if status.has_staged() {
        let lines = status.staged.iter().map(line).collect();
        section(&mut out, "Changes to be committed:", unstage, lines);
    }
    if !status.conflicts.is_empty() {
        let width = 17;
        let lines = status.conflicts.iter().map(|(path, sides)| {
            let what = match sides {
                1 => "both deleted:",
                2 => "added by us:",
                3 => "deleted by them:",
                4 => "added by them:",
                5 => "deleted by us:",
                6 => "both added:",
                _ => "both modified:",
            };
            bytes!(format!("{what:<width$}"), here(path))
        });
        let gone = status
            .conflicts
            .values()
            .any(|sides| *sides != 7 && *sides != 6);
        let both_gone = status.conflicts.values().all(|sides| *sides == 1);
        let resolve = match (gone, both_gone) {
            (false, _) => "  (use \"git add <file>...\" to mark resolution)\n",
            (true, true) => "  (use \"git rm <file>...\" to mark resolution)\n",
            (true, false) => "  (use \"git add/rm <file>...\" as appropriate to mark resolution)\n",
        };
        let hint = format!("{unstage}{resolve}");
        let lines = lines.collect();
        section(&mut out, "Unmerged paths:", &hint, lines);
    }
    if !status.unstaged.is_empty() {
        let gone = status.unstaged.iter().any(|change| change.letter() == 'D');
        let add = if gone { "add/rm" } else { "add" };
        let mut inside = status.submodules.values();
        let content = match inside.any(|inside| inside.modified || inside.untracked) {
            true => "  (commit or discard the untracked or modified content in submodules)\n",
            false => "",
        };
        let hints = format!(
            "  (use \"git {add} <file>...\" to update what will be committed)\n  \
             (use \"git restore <file>...\" to discard changes in working directory)\n{content}"
        );
        let lines = status.unstaged.iter().map(outside).collect();
        section(&mut out, "Changes not staged for commit:", &hints, lines);
    }
    let list = |paths: &[Vec<u8>]| paths.iter().map(|path| here(path)).collect::<Vec<_>>();
    if !status.untracked.is_empty() {
        let hint = "  (use \"git add <file>...\" to include in what will be committed)\n";
        section(&mut out, "Untracked files:", hint, list(&status.untracked));
    }
    if !status.ignored.is_empty() {
        let hint = "  (use \"git add -f <file>...\" to include in what will be committed)\n";
        section(&mut out, "Ignored files:", hint, list(&status.ignored));
    }
    if untracked == Untracked::No && (status.has_staged() || !status.unstaged.is_empty()) {
        out.extend_from_slice(
            b"Untracked files not listed (use -u option to show untracked files)\n",
        );
    }

    out.extend_from_slice(conclusion(repository, status, untracked).as_bytes());
    Ok(out)
}

/// The last line, where nothing is there to commit.
fn conclusion(repository: &Repository, status: &Status, untracked: Untracked) -> &'static str {
    if status.has_staged() || repository.note("MERGE_HEAD").is_some() && status.conflicts.is_empty()
    {
        return "";
    }
    if !status.unstaged.is_empty() || !status.conflicts.is_empty() {
        return "no changes added to commit (use \"git add\" and/or \"git commit -a\")\n";
    }
    if !status.untracked.is_empty() {
        return "nothing added to commit but untracked files present (use \"git add\" to track)\n";
    }
    if repository.head().is_none() {
        return "nothing to commit (create/copy files and use \"git add\" to track)\n";
    }
    if untracked == Untracked::No {
        return "nothing to commit (use -u to show untracked files)\n";
    }
    "nothing to commit, working tree clean\n"
}

fn detached(repository: &Repository) -> Vec<u8> {
    let switched = |moved: &super::refs::Moved| moved.why.starts_with(b"checkout: moving from ");
    match repository.head() {
        Some(id) if repository.refs.history(b"HEAD").iter().any(switched) => {
            bytes!(detached_name(repository, &id), "\n")
        }
        _ => b"Not currently on any branch.\n".to_vec(),
    }
}

/// `HEAD detached at abc1234`
pub fn detached_name(repository: &Repository, head: &super::objects::Id) -> Vec<u8> {
    let history = repository.refs.history(b"HEAD");
    let moved = history
        .iter()
        .rev()
        .find(|moved| moved.why.starts_with(b"checkout: moving from "));
    let Some(moved) = moved else {
        return bytes!("HEAD detached at ", repository.short(head));
    };
    let name = moved
        .why
        .rsplit(|&byte| byte == b' ')
        .next()
        .unwrap_or_default();
    let name = match revision::reference(repository, name) {
        Some(full) if name != b"HEAD" => {
            let folders = [b"refs/tags/".as_slice(), b"refs/remotes/"];
            let mut short = folders
                .iter()
                .filter_map(|folder| full.strip_prefix(*folder));
            short.next().unwrap_or(&full).to_vec()
        }
        _ => repository.short(&moved.new).into_bytes(),
    };
    let place = if *head == moved.new { "at" } else { "from" };
    bytes!("HEAD detached ", place, " ", name)
}

/// How the branch stands to the one that it follows.
pub fn tracking(
    repository: &Repository,
    branch: &[u8],
    head: &super::objects::Id,
) -> Outcome<Vec<u8>> {
    let Some(upstream) = revision::upstream(repository, branch) else {
        return Ok(Vec::new());
    };
    let name = bytes!("'", revision::short_reference(&upstream), "'");
    let Some(other) = repository.refs.resolve(&upstream) else {
        return Ok(bytes!(
            "Your branch is based on ",
            name,
            ", but the upstream is gone.\n  (use \"git branch --unset-upstream\" to fixup)\n\n"
        ));
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    Ok(match ahead_behind(repository, head, &other)? {
        (0, 0) => bytes!("Your branch is up to date with ", name, ".\n\n"),
        (ahead, 0) => bytes!(
            "Your branch is ahead of ",
            name,
            format!(" by {ahead} commit{}.\n", plural(ahead)),
            "  (use \"git push\" to publish your local commits)\n\n"
        ),
        (0, behind) => bytes!(
            "Your branch is behind ",
            name,
            format!(
                " by {behind} commit{}, and can be fast-forwarded.\n",
                plural(behind)
            ),
            "  (use \"git pull\" to update your local branch)\n\n"
        ),
        (ahead, behind) => bytes!(
            "Your branch and ",
            name,
            " have diverged,\n",
            format!("and have {ahead} and {behind} different commits each, respectively.\n"),
            "  (use \"git pull\" if you want to integrate the remote branch with yours)\n\n"
        ),
    })
}

/// What is going on: a merge and the like.
fn progress(repository: &Repository, status: &Status, out: &mut Vec<u8>) {
    if repository.note("MERGE_HEAD").is_some() {
        out.extend_from_slice(if status.conflicts.is_empty() {
            b"All conflicts fixed but you are still merging.\n  (use \"git commit\" to conclude merge)\n\n"
                .as_slice()
        } else {
            b"You have unmerged paths.\n  (fix conflicts and run \"git commit\")\n  \
              (use \"git merge --abort\" to abort the merge)\n\n"
        });
    }
    for (note, what) in [
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ] {
        let id = repository
            .note(note)
            .and_then(|text| super::objects::parse_id(text.trim_ascii()));
        let Some(id) = id else { continue };
        let doing = if what == "revert" {
            "reverting"
        } else {
            "cherry-picking"
        };
        let next = if status.conflicts.is_empty() {
            format!("  (all conflicts fixed: run \"git {what} --continue\")\n")
        } else {
            format!("  (fix conflicts and run \"git {what} --continue\")\n")
        };
        out.extend(bytes!(
            format!(
                "You are currently {doing} commit {}.\n",
                repository.short(&id)
            ),
            next,
            format!("  (use \"git {what} --skip\" to skip this patch)\n"),
            format!("  (use \"git {what} --abort\" to cancel the {what} operation)\n\n")
        ));
    }
}

/// `[branch abc1234] subject` and what changed: what a commit prints.
pub fn report(
    repository: &Repository,
    commit: &super::objects::Commit,
    extra: &str,
    detailed: bool,
) -> Outcome<Vec<u8>> {
    let branch = repository
        .refs
        .branch()
        .unwrap_or_else(|| b"detached HEAD".to_vec());
    let root = if commit.parents.is_empty() {
        " (root-commit)"
    } else {
        ""
    };
    let mut out = bytes!(
        "[",
        branch,
        root,
        " ",
        repository.short(&commit.id),
        "] ",
        commit.subject(),
        "\n"
    );
    if commit.author.name != commit.committer.name || commit.author.mail != commit.committer.mail {
        out.extend(bytes!(
            " Author: ",
            commit.author.name,
            " <",
            commit.author.mail,
            ">\n"
        ));
    }
    let dates = super::date::DateStyle::default();
    if extra == "date" {
        out.extend(bytes!(" Date: ", dates.show(&commit.author), "\n"));
    }
    if detailed && commit.parents.len() < 2 {
        let old = match commit.parents.first() {
            Some(parent) => repository.objects.commit(parent)?.tree,
            None => super::objects::empty_tree(),
        };
        let (gone, come) = super::tree::differences(&repository.objects, &old, &commit.tree)?;
        let changes = super::change::between(&gone, &come);
        let changes = super::change::find_renames(&repository.objects, changes, 50, false)?;
        let counted = summary::count(&repository.objects, &changes, &Default::default())?;
        if !counted.is_empty() {
            out.extend_from_slice(summary::total(&counted).as_bytes());
        }
        out.extend(summary::news(&changes));
    }
    Ok(out)
}

/// `--stat` and `--summary` between two commits, as a merge shows them.
pub fn changes_between(
    repository: &Repository,
    old: &super::objects::Id,
    new: &super::objects::Id,
) -> Outcome<Vec<u8>> {
    let (old, new) = (
        repository.objects.tree_of(old)?,
        repository.objects.tree_of(new)?,
    );
    let (gone, come) = super::tree::differences(&repository.objects, &old, &new)?;
    let changes = super::change::between(&gone, &come);
    let changes = super::change::find_renames(&repository.objects, changes, 50, false)?;
    let counted = summary::count(&repository.objects, &changes, &Default::default())?;
    let mut out = summary::graph(&counted, diff::columns(), false);
    out.extend(summary::news(&changes));
    Ok(out)
}
