//! `git add -i` (Documentation/git-add, "INTERACTIVE MODE"): a menu of what can be done with changed files, and lists
//! to choose from.
//!
//! Commands and files are chosen by number, range, or a beginning that only one has; the shortest such is shown in
//! brackets, as in `[q]uit`. Input that ends is an answer too: it leaves a list without a choice, and the menu with
//! `Bye.`.

use std::collections::BTreeMap;

use super::prompt::answer;
use super::{STAGE, choose, take};
use crate::call::bytes;
use crate::git::diff;
use crate::git::ignore::Ignored;
use crate::git::index::Entry;
use crate::git::patch::{self, Style};
use crate::git::pathspec::Pathspec;
use crate::git::repository::Repository;
use crate::git::stop::Outcome;
use crate::git::worktree::Ask;

/// The commands, in the order in which they are numbered.
const COMMANDS: [&str; 8] = [
    "status",
    "update",
    "revert",
    "add untracked",
    "patch",
    "diff",
    "quit",
    "help",
];

/// What the command `help` shows.
const HELP: &str = "\
status        - show paths with changes
update        - add working tree state to the staged set of changes
revert        - revert staged set of changes back to the HEAD version
patch         - pick hunks and update selectively
diff          - view diff between HEAD and index
add untracked - add contents of untracked files to the staged set of changes
";

/// What `?` shows where one item is asked for.
const HELP_ONE: &str = "\
Prompt help:
1          - select a numbered item
foo        - select item based on unique prefix
           - (empty) select nothing
";

/// What `?` shows where several may be chosen.
const HELP_MANY: &str = "\
Prompt help:
1          - select a single item
3-5        - select a range of items
2-3,6-9    - select multiple ranges
foo        - select item based on unique prefix
-...       - unselect specified items
*          - choose all items
           - (empty) finish selecting
";

/// How long a beginning may be that stands for a name; where it takes more, none is shown.
const LONGEST: usize = 4;

/// A file with changes: what `status` says of both sides of the index, as `+2/-1` or `binary`.
#[derive(Clone, Default)]
struct Changed {
    path: Vec<u8>,
    /// Between `HEAD` and the index.
    staged: Option<String>,
    /// Between the index and the work tree.
    unstaged: Option<String>,
}

/// The files that a list has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    Staged,
    Unstaged,
}

/// A list that the user chooses from.
struct List<'a> {
    prompt: &'a str,
    /// What is chosen from, in the order of the numbers.
    names: Vec<Vec<u8>>,
    /// The files that stand in it, where it is one of changes.
    files: Option<Vec<Changed>>,
    /// One answer is enough.
    immediate: bool,
}

/// `git add -i`. Commands take effect at once; nothing is undone at the end.
pub fn run(repository: &mut Repository, paths: &Pathspec) -> Outcome<i32> {
    status(repository, paths)?;
    loop {
        let Some(command) = command(repository) else {
            continue;
        };
        match COMMANDS.get(command).copied() {
            Some("status") => status(repository, paths)?,
            Some("update") => update(repository, paths)?,
            Some("revert") => revert(repository, paths)?,
            Some("add untracked") => add_untracked(repository, paths)?,
            Some("patch") => pick_hunks(repository, paths)?,
            Some("diff") => show(repository, paths)?,
            Some("help") => repository.out.put(HELP),
            _ => {
                repository.out.put("Bye.\n");
                return Ok(0);
            }
        }
    }
}

/// Asks for a command: its number, the one to leave with at the end of the input, none where there is no such, or
/// help was asked for.
fn command(repository: &mut Repository) -> Option<usize> {
    let names: Vec<Vec<u8>> = COMMANDS
        .iter()
        .map(|name| name.as_bytes().to_vec())
        .collect();
    repository.out.put("*** Commands ***\n");
    for (at, name) in names.iter().enumerate() {
        let last = at % 4 == 3;
        let number = format!("  {}: ", at + 1);
        let end = if last { "\n" } else { "\t" };
        let shown = with_prefix(name, prefix(name, &names));
        repository.out.put(bytes!(number, shown, end));
    }
    repository.out.put("What now> ");
    let Some(line) = answer(repository) else {
        repository.out.put("\n");
        return Some(COMMANDS.len());
    };
    if line.is_empty() {
        return None;
    }
    if line == b"?" {
        repository.out.put(HELP_ONE);
        return None;
    }
    let number = crate::options::number::<usize>(&line).and_then(|number| number.checked_sub(1));
    let found = match number {
        Some(at) => (at < names.len()).then_some(at),
        None => unique(&line, &names),
    };
    if found.is_none() {
        complain(repository, &line);
    }
    found
}

/// Says that an answer was not understood.
fn complain(repository: &mut Repository, word: &[u8]) {
    repository.out.flush();
    repository.say(bytes!("Huh (", word, ")?"));
}

/// How many bytes of a name stand for it alone; none where that are too many, or it looks like a number, a range, or
/// one of the marks of an answer.
fn prefix(name: &[u8], names: &[Vec<u8>]) -> Option<usize> {
    let same = |other: &Vec<u8>| other.iter().zip(name).take_while(|(a, b)| a == b).count();
    let others = names.iter().filter(|other| other.as_slice() != name);
    let length = others.map(same).max().unwrap_or(0) + 1;
    let start = name.get(..length)?;
    let odd = start.iter().any(|byte| b" \t\r\n,".contains(byte))
        || start[0] == b'-'
        || start[0].is_ascii_digit()
        || matches!(start, b"*" | b"?");
    (length <= LONGEST && !odd).then_some(length)
}

/// A name with the part in brackets that is enough.
fn with_prefix(name: &[u8], length: Option<usize>) -> Vec<u8> {
    match length {
        Some(length) => bytes!("[", &name[..length], "]", &name[length..]),
        None => name.to_vec(),
    }
}

/// The place of the only name that begins so, or that is so.
fn unique(word: &[u8], names: &[Vec<u8>]) -> Option<usize> {
    let mut found = names
        .iter()
        .enumerate()
        .filter(|(_, name)| name.starts_with(word));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => names.iter().position(|name| name == word),
    }
}

/// The files with changes, in the order of paths, with the lines that were added and removed.
fn changed(repository: &Repository, paths: &Pathspec, which: Which) -> Outcome<Vec<Changed>> {
    let index = repository.index()?;
    let style = Style::default();
    let mut found: BTreeMap<Vec<u8>, Changed> = BTreeMap::new();
    let sides = [
        diff::staged(&repository.head_items()?, &index, paths),
        diff::unstaged(repository, &index, paths)?,
    ];
    for (side, changes) in sides.into_iter().enumerate() {
        for change in changes {
            let path = change.path().to_vec();
            let file = found.entry(path.clone()).or_default();
            file.path = path;
            let text = match patch::count(&repository.objects, &change, &style)? {
                Some((added, gone)) => format!("+{added}/-{gone}"),
                None => "binary".to_owned(),
            };
            match side {
                0 => file.staged = Some(text),
                _ => file.unstaged = Some(text),
            }
        }
    }
    let wanted = |file: &Changed| match which {
        Which::All => true,
        Which::Staged => file.staged.is_some(),
        Which::Unstaged => file.unstaged.is_some(),
    };
    Ok(found.into_values().filter(wanted).collect())
}

/// A row of a list: mark, number, what is staged, what is not, name.
fn row(repository: &mut Repository, mark: char, at: usize, file: &Changed, name: &[u8]) {
    let staged = file.staged.as_deref().unwrap_or("unchanged");
    let unstaged = file.unstaged.as_deref().unwrap_or("nothing");
    let start = format!("{mark}{:2}: {staged:>12} {unstaged:>12} ", at + 1);
    repository.out.put(bytes!(start, name, "\n"));
}

fn heading(repository: &mut Repository) {
    let text = format!("     {:>12} {:>12} path\n", "staged", "unstaged");
    repository.out.put(text);
}

fn status(repository: &mut Repository, paths: &Pathspec) -> Outcome {
    let files = changed(repository, paths, Which::All)?;
    if !files.is_empty() {
        heading(repository);
    }
    for (at, file) in files.iter().enumerate() {
        row(repository, ' ', at, file, &file.path);
    }
    repository.out.put("\n");
    Ok(())
}

impl<'a> List<'a> {
    /// A list of changed files.
    fn of_changes(prompt: &'a str, files: Vec<Changed>) -> List<'a> {
        List {
            prompt,
            names: files.iter().map(|file| file.path.clone()).collect(),
            files: Some(files),
            immediate: false,
        }
    }

    /// Shows the list, with `*` before what is chosen.
    fn show(&self, repository: &mut Repository, chosen: &[bool]) {
        heading(repository);
        for (at, name) in self.names.iter().enumerate() {
            let mark = if chosen[at] { '*' } else { ' ' };
            let shown = with_prefix(name, prefix(name, &self.names));
            match &self.files {
                Some(files) => row(repository, mark, at, &files[at], &shown),
                None => {
                    let start = format!("{mark}{:2}: ", at + 1);
                    repository.out.put(bytes!(start, shown, "\n"));
                }
            }
        }
    }

    /// The places that the user chose, from any number of answers until an empty one; none at the end of the input. A
    /// word that is not understood drops the rest of its line.
    fn ask(&self, repository: &mut Repository) -> Option<Vec<usize>> {
        let mut chosen = vec![false; self.names.len()];
        loop {
            self.show(repository, &chosen);
            repository.out.put(bytes!(self.prompt, ">> "));
            let Some(line) = answer(repository) else {
                repository.out.put("\n");
                return None;
            };
            if line.is_empty() {
                break;
            }
            if line == b"?" {
                repository.out.put(HELP_MANY);
                continue;
            }
            let words = line.split(|byte| b" \t\r\n,".contains(byte));
            let mut understood = true;
            for word in words.filter(|word| !word.is_empty()) {
                let (on, rest) = match word.strip_prefix(b"-") {
                    Some(rest) => (false, rest),
                    None => (true, word),
                };
                let Some(range) = self.range(rest) else {
                    complain(repository, rest);
                    understood = false;
                    break;
                };
                chosen[range].fill(on);
            }
            if (self.immediate && understood) || line == b"*" {
                break;
            }
        }
        let places = (0..chosen.len()).filter(|at| chosen[*at]);
        Some(places.collect())
    }

    /// The places that `3`, `3-5`, `3-`, `*` or a beginning stand for; none for what is nowhere in the list.
    fn range(&self, word: &[u8]) -> Option<std::ops::Range<usize>> {
        let count = self.names.len();
        if word == b"*" {
            return Some(0..count);
        }
        let number = |text: &[u8]| crate::options::number::<usize>(text);
        let dash = word.iter().position(|&byte| byte == b'-');
        let (from, to) = match (number(word), dash) {
            (Some(at), _) => (at, at),
            (None, Some(dash)) if number(&word[..dash]).is_some() => {
                let end = &word[dash + 1..];
                let to = if end.is_empty() { count } else { number(end)? };
                (number(&word[..dash])?, to)
            }
            _ => {
                let at = unique(word, &self.names)?;
                (at + 1, at + 1)
            }
        };
        let from = from.checked_sub(1)?;
        (from < count && from < to).then(|| from..to.min(count))
    }
}

/// `1 path`, `2 paths`
fn paths_text(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} path{plural}")
}

/// Stages the chosen files as they are in the work tree.
fn update(repository: &mut Repository, paths: &Pathspec) -> Outcome {
    let files = changed(repository, paths, Which::Unstaged)?;
    if files.is_empty() {
        repository.out.put("\n");
        return Ok(());
    }
    let list = List::of_changes("Update", files);
    let chosen = list.ask(repository).unwrap_or_default();
    if !chosen.is_empty() {
        let mut index = repository.index()?;
        for at in &chosen {
            let path = &list.names[*at];
            match repository.item(path, true)? {
                Some((item, stat)) => index.set(path, Entry::seen(item, &stat)),
                None => {
                    index.remove(path);
                }
            }
        }
        repository.save(&index)?;
        let text = format!("updated {}\n", paths_text(chosen.len()));
        repository.out.put(text);
    }
    repository.out.put("\n");
    Ok(())
}

/// Brings the chosen files of the index back to `HEAD`; what is not there becomes untracked.
fn revert(repository: &mut Repository, paths: &Pathspec) -> Outcome {
    let files = changed(repository, paths, Which::Staged)?;
    if files.is_empty() {
        repository.out.put("\n");
        return Ok(());
    }
    let list = List::of_changes("Revert", files);
    let chosen = list.ask(repository).unwrap_or_default();
    if !chosen.is_empty() {
        let mut index = repository.index()?;
        let head = repository.head_items()?;
        for at in &chosen {
            let path = &list.names[*at];
            match head.get(path) {
                Some(item) => index.set(path, Entry::new(*item)),
                None => {
                    index.remove(path);
                    let line = bytes!("note: ", path, " is untracked now.\n");
                    repository.out.put(line);
                }
            }
        }
        repository.save(&index)?;
        let text = format!("reverted {}\n", paths_text(chosen.len()));
        repository.out.put(text);
    }
    repository.out.put("\n");
    Ok(())
}

/// Stages chosen files that git does not know.
fn add_untracked(repository: &mut Repository, paths: &Pathspec) -> Outcome {
    let mut index = repository.index()?;
    let ignored = Ignored::new(repository)?;
    let ask = Ask {
        paths,
        fold: false,
        only_ignored: false,
        all: false,
    };
    let names = repository.untracked(&index, &ignored, &ask)?;
    if names.is_empty() {
        repository.out.put("No untracked files.\n\n");
        return Ok(());
    }
    let list = List {
        prompt: "Add untracked",
        names,
        files: None,
        immediate: false,
    };
    let chosen = list.ask(repository).unwrap_or_default();
    if !chosen.is_empty() {
        for at in &chosen {
            let path = &list.names[*at];
            if let Some((item, stat)) = repository.item(path, true)? {
                index.set(path, Entry::seen(item, &stat));
            }
        }
        repository.save(&index)?;
        let text = format!("added {}\n", paths_text(chosen.len()));
        repository.out.put(text);
    }
    repository.out.put("\n");
    Ok(())
}

/// Paths of the work tree, as they are.
fn exactly(repository: &Repository, names: &[Vec<u8>]) -> Outcome<Pathspec> {
    let words: Vec<Vec<u8>> = names
        .iter()
        .map(|name| bytes!(":(top,literal)", name))
        .collect();
    Pathspec::new(repository, &words)
}

fn pick_hunks(repository: &mut Repository, paths: &Pathspec) -> Outcome {
    let files = changed(repository, paths, Which::Unstaged)?;
    let (binary, files): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|file| file.unstaged.as_deref() == Some("binary"));
    if files.is_empty() {
        let text = match binary.is_empty() {
            true => "No changes.",
            false => "Only binary files changed.",
        };
        repository.out.flush();
        repository.say(text);
        return Ok(());
    }
    let list = List::of_changes("Patch update", files);
    let chosen = list.ask(repository).unwrap_or_default();
    if chosen.is_empty() {
        return Ok(());
    }
    let names: Vec<Vec<u8>> = chosen.iter().map(|at| list.names[*at].clone()).collect();
    let index = repository.index()?;
    let paths = exactly(repository, &names)?;
    let changes = diff::unstaged(repository, &index, &paths)?;
    choose(repository, STAGE, changes, &mut |repository, file| {
        take(repository, STAGE, &file)
    })
}

fn show(repository: &mut Repository, paths: &Pathspec) -> Outcome {
    let files = changed(repository, paths, Which::Staged)?;
    if files.is_empty() {
        repository.out.put("\n");
        return Ok(());
    }
    let mut list = List::of_changes("Review diff", files);
    list.immediate = true;
    let chosen = list.ask(repository).unwrap_or_default();
    if !chosen.is_empty() {
        let names: Vec<Vec<u8>> = chosen.iter().map(|at| list.names[*at].clone()).collect();
        let paths = exactly(repository, &names)?;
        let index = repository.index()?;
        let mut text = Vec::new();
        for change in diff::staged(&repository.head_items()?, &index, &paths) {
            patch::print(&mut text, &repository.objects, &change, &Style::default())?;
        }
        repository.out.put(&text);
    }
    repository.out.put("\n");
    Ok(())
}
