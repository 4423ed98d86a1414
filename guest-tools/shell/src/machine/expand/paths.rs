//! The end of a word: pathname expansion, and fields for the list of words.

use super::{Expansion, Field};
use crate::machine::Machine;
use crate::machine::message::{expansion_fault, report};
use crate::machine::option::{SetOption, Shopt};
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::symbol::known;
use crate::machine::task::Task;
use crate::os::{DirectoryEntry, FileKind, Os};
use crate::pattern::{self, Entry, EntryKind, GlobOptions, Pattern, TooManyNames};
use crate::text::Text;

impl Machine {
    /// Ends the word under way and adds its fields to the words.
    pub(in crate::machine) fn end_fields(&mut self, task: &mut Task) -> Run {
        let Some(expansion) = task.stacks.expansions.pop() else {
            return Ok(());
        };
        self.check_expansion(task, expansion.size())?;
        let Expansion {
            fields, current, ..
        } = expansion;
        for field in fields {
            self.end_field(task, field)?;
        }
        if current.started() {
            self.end_field(task, current)?;
        }
        Ok(())
    }

    fn end_field(&mut self, task: &mut Task, field: Field) -> Run {
        if field.glob && !task.state.options.on(SetOption::Noglob) {
            return self.paths(task, field);
        }
        task.stacks.words.push(Text::from(field.text));
        Ok(())
    }

    /// How patterns are read, with the present options.
    pub(in crate::machine) fn pattern_options(&mut self, task: &Task) -> pattern::Options {
        pattern::Options {
            extended: task.state.options.shopt(Shopt::Extglob),
            ignore_case: false,
            bytewise: self.bytewise(task),
        }
    }

    fn paths(&mut self, task: &mut Task, field: Field) -> Run {
        let pattern = field.pattern();
        let options = task.state.options;
        let extended = options.shopt(Shopt::Extglob);
        if !pattern::has_magic(&pattern, extended) {
            task.stacks.words.push(Text::from(field.text));
            return Ok(());
        }
        let ignore = scope::get(self, task, known::GLOBIGNORE).filter(|text| !text.is_empty());
        let dots = options.shopt(Shopt::Dotglob) || ignore.is_some();
        let found = self.matching_paths(task, &pattern, dots);
        let Ok(mut found) = found else {
            report(task, b"pathname expansion: too many file names");
            return Err(Trouble::Exceeded(crate::machine::Limit::Expansion));
        };
        if let Some(ignore) = ignore {
            let mut matching = self.pattern_options(task);
            matching.ignore_case = options.shopt(Shopt::Nocaseglob);
            remove_ignored(&mut found, &ignore, matching);
        }
        self.check_expansion(task, found.iter().map(Vec::len).sum())?;
        if !found.is_empty() {
            task.stacks.words.extend(found.into_iter().map(Text::from));
            return Ok(());
        }
        if options.shopt(Shopt::Failglob) {
            expansion_fault(self, task, &[b"no match: ", field.text.as_slice()].concat());
            return Err(Trouble::Discard(1));
        }
        if !options.shopt(Shopt::Nullglob) {
            task.stacks.words.push(Text::from(field.text));
        }
        Ok(())
    }
}

impl Machine {
    /// The paths that match a pattern, in order; with `dots` also hidden ones.
    pub(crate) fn matching_paths(
        &mut self,
        task: &Task,
        pattern: &[u8],
        dots: bool,
    ) -> Result<Vec<Vec<u8>>, TooManyNames> {
        let options = task.state.options;
        let mut matching = self.pattern_options(task);
        matching.ignore_case = options.shopt(Shopt::Nocaseglob);
        let settings = GlobOptions {
            dots,
            skip_dots: options.shopt(Shopt::Globskipdots),
            globstar: options.shopt(Shopt::Globstar),
            matching,
            ..GlobOptions::default()
        };
        let inside = |path: &[u8]| path.starts_with(b"/proc");
        if inside(pattern) || inside(&task.state.directory) {
            self.announce(Some(task));
        }
        let os = self.os.clone();
        pattern::glob(&Found(&*os), &task.state.directory, pattern, &settings)
    }
}

/// The files of the system, as patterns see them.
struct Found<'a>(&'a dyn Os);

impl pattern::Files for Found<'_> {
    fn exists(&self, path: &[u8]) -> bool {
        self.0.stat(path, false).is_ok()
    }

    fn is_directory(&self, path: &[u8]) -> bool {
        let stat = self.0.stat(path, true);
        stat.is_ok_and(|stat| stat.kind == FileKind::Directory)
    }

    fn entries(&self, path: &[u8]) -> Vec<Entry> {
        let entries = self.0.read_directory(path).unwrap_or_default();
        let entry = |entry: DirectoryEntry| Entry {
            name: entry.name,
            kind: match entry.kind {
                FileKind::Directory => EntryKind::Directory,
                FileKind::Symlink => EntryKind::Symlink,
                FileKind::Regular | FileKind::Fifo | FileKind::CharacterDevice => EntryKind::Other,
            },
        };
        entries.into_iter().map(entry).collect()
    }
}

fn count_slashes(path: &[u8]) -> usize {
    path.iter().filter(|byte| **byte == b'/').count()
}

/// The patterns of `GLOBIGNORE`: a `:` between brackets or after a backslash divides nothing.
fn ignored_patterns(ignore: &[u8]) -> Vec<&[u8]> {
    let mut patterns = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < ignore.len() {
        match ignore[at] {
            b'\\' => at += 1,
            b'[' => at += pattern::bracket_length(&ignore[at..]).saturating_sub(1),
            b':' => {
                patterns.push(&ignore[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    patterns.push(&ignore[start..]);
    patterns
}

/// `GLOBIGNORE`: names that match one of its patterns, and `.` and `..`, are left out.
fn remove_ignored(found: &mut Vec<Vec<u8>>, ignore: &[u8], options: pattern::Options) {
    let patterns: Vec<(usize, Pattern)> = ignored_patterns(ignore)
        .into_iter()
        .filter(|pattern| !pattern.is_empty())
        .map(|pattern| (count_slashes(pattern), Pattern::new(pattern, options)))
        .collect();
    found.retain(|path| {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        !matches!(name, b"." | b"..")
            && !patterns.iter().any(|(slashes, pattern)| {
                // A `*` does not match a slash.
                *slashes == count_slashes(path) && pattern.matches(path)
            })
    });
}
