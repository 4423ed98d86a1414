//! `git pack-refs`: references in one file instead of one each.

use gix_glob::wildmatch;
use gix_glob::wildmatch::Mode;

use super::super::flags::Flags;
use super::super::repository::Repository;
use super::super::stop::{Outcome, usage};
use crate::options::{Opt, Value};

/// `git pack-refs`: tags, unless `--all` or `--include` say otherwise; loose files go, unless `--no-prune`.
pub fn pack_refs(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("", "all", Value::No),
        Opt("", "prune", Value::No),
        Opt("", "auto", Value::No),
        Opt("", "include", Value::Required),
        Opt("", "exclude", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if !flags.operands.is_empty() {
        return Err(usage("usage: git pack-refs [<options>]"));
    }
    let fits = |key: &'static str, name: &[u8]| {
        flags
            .values(key)
            .any(|glob| wildmatch(glob.into(), name.into(), Mode::empty()))
    };
    let usual = flags.value("include").is_none();
    let chosen = |name: &[u8]| {
        let tag = usual && name.starts_with(b"refs/tags/");
        (flags.has("all") || tag || fits("include", name)) && !fits("exclude", name)
    };
    pack(repository, chosen, !flags.denied("prune"))?;
    Ok(0)
}

/// Puts references that are `chosen` into `packed-refs`; with `prune` their files go.
pub fn pack(repository: &Repository, chosen: impl Fn(&[u8]) -> bool, prune: bool) -> Outcome {
    let peel = |id: &_| repository.objects.peel(id).ok().map(|(id, _)| id);
    repository.refs.pack(chosen, peel, prune)
}
