//! `git merge-file` and `merge-base`.

use super::flags::Flags;
use super::objects::write_file;
use super::repository::Repository;
use super::stop::{Outcome, fatal, usage};
use super::three_way::{Favor, Labels};
use super::walk::{is_ancestor, merge_bases};
use super::{revision, three_way};
use crate::call::bytes;
use crate::options::{Opt, Value};

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
