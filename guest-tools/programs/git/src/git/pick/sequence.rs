//! The commits that are left of a `cherry-pick` or `revert` of several, in `.git/sequencer` as git keeps them: `head`
//! (where it began), `todo` (a line `pick ID SUBJECT` for each, the one that stopped in front), `opts` (the options) and
//! `abort-safety` (where `HEAD` was when it stopped).

use super::{Action, PICK};
use crate::call::bytes;
use crate::git::config;
use crate::git::flags::Flags;
use crate::git::objects::{Commit, Id, parse_id, write_file};
use crate::git::refs::make_parents;
use crate::git::repository::Repository;
use crate::git::revision;
use crate::git::stop::{Outcome, fatal};
use crate::git::worktrees::remove_all;

/// The options that a sequence goes on with: their keys in the list of options, and in `opts`.
const KEPT: [(&str, &str); 8] = [
    ("n", "no-commit"),
    ("e", "edit"),
    ("x", "record-origin"),
    ("s", "signoff"),
    ("allow-empty", "allow-empty"),
    ("keep-redundant-commits", "keep-redundant-commits"),
    ("m", "mainline"),
    ("X", "strategy-option"),
];

/// What is left.
pub struct Sequence {
    /// Where `HEAD` was before the first commit.
    pub original: Id,
    /// The commits, the one that stopped in front.
    pub commits: Vec<Commit>,
    pub action: Action,
    pub flags: Flags,
}

impl Sequence {
    /// The one that is under way. A line of `todo` that names no commit is fatal.
    pub fn read(repository: &Repository) -> Outcome<Option<Sequence>> {
        let Some(head) = repository.note("sequencer/head") else {
            return Ok(None);
        };
        let original = parse_id(head.trim_ascii());
        let original = original.ok_or_else(|| fatal("cannot read 'sequencer/head'"))?;
        let text = repository.note("sequencer/todo").unwrap_or_default();
        let mut commits = Vec::new();
        let mut action = Action::CherryPick;
        for line in text.split(|&byte| byte == b'\n') {
            let mut words = line.splitn(3, |&byte| byte == b' ');
            let (Some(verb), Some(name)) = (words.next(), words.next()) else {
                continue;
            };
            if verb == b"revert" {
                action = Action::Revert;
            }
            commits.push(revision::commit(repository, name)?);
        }
        Ok(Some(Sequence {
            original,
            commits,
            action,
            flags: options(repository)?,
        }))
    }

    /// Keeps it in front of a commit that stopped.
    pub fn save(&self, repository: &Repository) -> Outcome {
        make_parents(&repository.own("sequencer/"))?;
        let verb = match self.action {
            Action::CherryPick => "pick ",
            Action::Revert => "revert ",
        };
        let mut todo = Vec::new();
        for commit in &self.commits {
            let name = repository.short(&commit.id);
            todo.extend(bytes!(verb, name, " ", commit.subject(), "\n"));
        }
        let mut opts = Vec::new();
        for (key, name) in KEPT {
            let name = bytes!("options.", name);
            for value in self.flags.values(key) {
                let value = if value.is_empty() { b"true" } else { value };
                opts = config::set(&opts, b"opts", &name, value, true)?;
            }
        }
        let head = repository.head().unwrap_or(self.original);
        for (name, text) in [
            ("head", format!("{}\n", self.original).into_bytes()),
            ("todo", todo),
            ("opts", opts),
            ("abort-safety", format!("{head}\n").into_bytes()),
        ] {
            if !text.is_empty() {
                write_file(&repository.own(&format!("sequencer/{name}")), &text)?;
            }
        }
        Ok(())
    }
}

/// Reads the options that a sequence was begun with.
fn options(repository: &Repository) -> Outcome<Flags> {
    let text = repository.note("sequencer/opts").unwrap_or_default();
    let mut words = Vec::new();
    for setting in config::parse(&text, b"sequencer/opts")? {
        let name = setting.name.strip_prefix("options.").unwrap_or_default();
        let value = setting.value.as_deref().unwrap_or(b"true");
        let Some((key, _)) = KEPT.iter().find(|(_, kept)| *kept == name) else {
            continue;
        };
        let dashes = if key.len() == 1 { "-" } else { "--" };
        match value {
            b"false" => {}
            b"true" => words.push(bytes!(dashes, key)),
            value if key.len() == 1 => words.extend([bytes!("-", key), value.to_vec()]),
            value => words.push(bytes!("--", key, "=", value)),
        }
    }
    Flags::read(&words, PICK)
}

/// Which command has commits left; none where nothing is under way.
pub fn under_way(repository: &Repository) -> Option<&'static str> {
    let todo = repository.note("sequencer/todo")?;
    let action = match todo.starts_with(b"revert ") {
        true => Action::Revert,
        false => Action::CherryPick,
    };
    Some(action.name())
}

/// Whether `HEAD` is where the sequence left it.
pub fn is_untouched(repository: &Repository) -> bool {
    let kept = repository.note("sequencer/abort-safety");
    kept.and_then(|text| parse_id(text.trim_ascii())) == repository.head()
}

/// Forgets what is left.
pub fn forget(repository: &Repository) -> Outcome {
    remove_all(&repository.own("sequencer"))
}

/// Forgets what is left where that is only the commit that was just made by other means.
pub fn forget_last(repository: &Repository) {
    let todo = repository.note("sequencer/todo").unwrap_or_default();
    if todo.iter().filter(|&&byte| byte == b'\n').count() < 2 {
        // What remains is said to be under way, and can be left.
        let _ = forget(repository);
    }
}
