//! `git reflog`: where references were.

use super::flags::Flags;
use super::format::Pretty;
use super::repository::Repository;
use super::selection::{OPTIONS, prepare};
use super::stop::{Outcome, usage};
use super::{revision, upkeep};
use crate::call::bytes;

/// `git log -g` and `git reflog`.
pub fn reflog_lines(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    let mut text = Vec::new();
    {
        let name = flags
            .operands
            .first()
            .cloned()
            .unwrap_or_else(|| b"HEAD".to_vec());
        let full =
            revision::reference(repository, &name).ok_or_else(|| revision::unknown(&name))?;
        let mut fixed = Flags::read(&[], OPTIONS)?;
        fixed.operands = vec![b"HEAD".to_vec()];
        let mut log = prepare(repository, flags)?;
        if flags.last(&["oneline", "pretty", "format"]).is_none() && !flags.has("g") {
            log.pretty = Pretty::Oneline;
            log.abbrev = true;
        }
        let limit = log.limit()?.unwrap_or(usize::MAX);
        let shown = revision::short_reference(&full).to_vec();
        let history = repository.refs.history(&full);
        for (at, moved) in history.iter().rev().enumerate().take(limit) {
            let Ok(commit) = repository.objects.commit(&moved.new) else {
                continue;
            };
            let place = bytes!(shown, format!("@{{{at}}}"));
            let context = log.context(Some((place, moved.why.clone())))?;
            if at > 0 && !log.pretty.terminates() {
                text.push(b'\n');
            }
            text.extend(log.entry(&commit, &context, false)?);
        }
    }
    repository.out.put(&text);
    Ok(0)
}

/// `git reflog`
pub fn reflog(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let arguments = match arguments.first().map(Vec::as_slice) {
        Some(b"show") => &arguments[1..],
        Some(b"exists") => {
            let name = arguments.get(1).cloned().unwrap_or_default();
            return Ok(i32::from(repository.refs.history(&name).is_empty()));
        }
        Some(b"expire") => return upkeep::expire(repository, &arguments[1..]),
        Some(b"delete") => return upkeep::delete(repository, &arguments[1..]),
        Some(word @ (b"list" | b"drop")) => {
            return Err(usage(bytes!("`git reflog ", word, "' is not supported")));
        }
        _ => arguments,
    };
    let flags = Flags::read(arguments, OPTIONS)?;
    reflog_lines(repository, &flags)
}
