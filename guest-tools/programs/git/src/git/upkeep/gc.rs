//! `git gc` and `git maintenance run`: references packed, histories expired, objects in one pack, what nobody needs
//! removed.
//!
//! Everything is done in the foreground and at once; there is no lock against another gc, and no scheduler. Unused
//! objects stay for two weeks (`gc.pruneExpire`), since a command that runs may be about to name them.

use super::super::flags::Flags;
use super::super::repository::Repository;
use super::super::stop::{Outcome, fatal, usage};
use super::super::worktrees;
use super::Expiry;
use super::expire::expire_usual;
use super::pack_refs::pack;
use super::prune::{Manner, prune_older};
use super::repack::{Plan, list_for_servers, run};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// How long unused objects stay.
const KEPT: &[u8] = b"2.weeks.ago";
/// What `--aggressive` compares an object with.
const MANY: usize = 250;

/// `git gc`. With `--auto` it does nothing unless there is enough to do.
pub fn gc(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "quiet", Value::No),
        Opt("", "prune", Value::Optional),
        Opt("", "auto", Value::No),
        Opt("", "aggressive", Value::No),
        Opt("", "force", Value::No),
        Opt("", "cruft", Value::No),
        Opt("", "detach", Value::No),
        Opt("", "keep-largest-pack", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if !flags.operands.is_empty() {
        return Err(usage("usage: git gc [<options>]"));
    }
    if flags.has("keep-largest-pack") {
        return Err(usage("option `--keep-largest-pack' is not supported"));
    }
    if flags.has("auto") {
        if !is_due(repository)? {
            return Ok(0);
        }
        if !flags.has("q") {
            repository.say("Auto packing the repository for optimum performance.");
            repository.say("See \"git help gc\" for manual housekeeping.");
        }
    }
    let given = flags.value("prune").filter(|text| !text.is_empty());
    let text = given.or_else(|| repository.config.get("gc.pruneexpire"));
    let expiry = if flags.denied("prune") {
        Expiry::NEVER
    } else {
        Expiry::parse(text.unwrap_or(KEPT)).map_err(|_| {
            let text = given.unwrap_or_default();
            fatal(bytes!("failed to parse prune expiry value ", text))
        })?
    };
    if !collect(repository, expiry, flags.has("aggressive"))? && !flags.has("q") {
        repository.out.put("Nothing new to pack.\n");
    }
    Ok(0)
}

/// Does all of it, in git's order; whether there was anything to pack.
fn collect(repository: &mut Repository, expiry: Expiry, aggressive: bool) -> Outcome<bool> {
    if repository.config.get("gc.packrefs") != Some(b"false") {
        pack(repository, |_| true, true)?;
    }
    expire_usual(repository)?;
    let packed = run(repository, &Plan::of_gc(expiry, aggressive.then_some(MANY)))?;
    if expiry != Expiry::NEVER {
        prune_older(repository, &[], expiry, Manner::SILENT)?;
    }
    worktrees::prune_all(repository)?;
    // It may name commits that are gone; who wants one writes it anew.
    let graph = system::join(repository.objects.folder(), b"info/commit-graph");
    let _ = system::unlink(&graph);
    list_for_servers(repository)?;
    Ok(packed)
}

/// Whether there is enough to do: a guess by one folder of 256, as git makes it (`gc.auto`, 6,700 objects), or too
/// many packs (`gc.autoPackLimit`, 50).
fn is_due(repository: &Repository) -> Outcome<bool> {
    let number = |key: &str, usual: usize| {
        let text = repository.config.text(key);
        match text.map(|text| text.parse::<i64>()) {
            // A negative number turns it off, as 0 does.
            Some(Ok(number)) => usize::try_from(number).unwrap_or(0),
            _ => usual,
        }
    };
    let most = number("gc.auto", 6700);
    if most == 0 {
        return Ok(false);
    }
    let folder = system::join(repository.objects.folder(), b"17");
    let names = system::read_directory(&folder).unwrap_or_default();
    let loose = names.iter().filter(|entry| entry.name.len() == 38).count();
    let packs = number("gc.autopacklimit", 50);
    let held = repository.objects.stored();
    let held = held.iter().filter(|pack| !pack.kept).count();
    Ok(loose > most.div_ceil(256) || (packs > 0 && held > packs))
}

/// `git maintenance run` with the tasks `gc` and `pack-refs`; what a scheduler would do is not here.
pub fn maintenance(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("", "auto", Value::No),
        Opt("", "quiet", Value::No),
        Opt("", "detach", Value::No),
        Opt("", "task", Value::Required),
    ];
    let Some((verb, rest)) = arguments.split_first() else {
        return Err(usage("need a subcommand"));
    };
    if verb != b"run" {
        return Err(usage(bytes!("subcommand `", verb, "' is not supported")));
    }
    let flags = Flags::read(rest, OPTIONS)?;
    let mut tasks: Vec<&[u8]> = flags.values("task").collect();
    if tasks.is_empty() {
        tasks.push(b"gc");
    }
    for task in tasks {
        match task {
            b"gc" if flags.has("auto") && !is_due(repository)? => {}
            b"gc" => {
                collect(repository, Expiry::parse(KEPT)?, false)?;
            }
            b"pack-refs" => pack(repository, |_| true, true)?,
            // They make caches, and fetch ahead; nothing here needs either.
            b"commit-graph" | b"prefetch" | b"incremental-repack" | b"loose-objects" => {
                return Err(usage(bytes!("task '", task, "' is not supported")));
            }
            _ => return Err(usage(bytes!("'", task, "' is not a valid task"))),
        }
    }
    Ok(0)
}
