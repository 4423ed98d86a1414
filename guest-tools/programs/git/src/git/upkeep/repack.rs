//! `git repack` (Documentation/git-repack): objects of many packs and files in one pack, as differences where that is
//! smaller.

use std::collections::HashSet;

use super::super::flags::Flags;
use super::super::objects::{Id, Stored, write_file};
use super::super::refs::make_parents;
use super::super::remote::{Member, pack_small, store_named};
use super::super::repository::Repository;
use super::super::stop::{Outcome, usage};
use super::Expiry;
use super::prune::{Manner, prune_duplicates};
use super::reach::{Reach, roots};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// How many others an object is compared with, git's default.
const WINDOW: usize = 10;

/// What goes into the pack, and what becomes of the rest.
pub struct Plan {
    /// All in use, not only what is in no pack.
    pub all: bool,
    /// Packs that are superseded, and loose objects that are packed, go.
    pub delete: bool,
    /// Unused objects of packs that go become loose, unless they are older than this.
    pub loosen: Option<Expiry>,
    /// Unused objects are packed as well.
    pub keep: bool,
    /// Objects that are borrowed stay where they are.
    pub local: bool,
    /// How many others an object is compared with.
    pub window: usize,
}

impl Plan {
    /// What `git gc` does: one pack, and unused objects loose until they are old enough.
    pub fn of_gc(expiry: Expiry, window: Option<usize>) -> Plan {
        Plan {
            all: true,
            delete: true,
            loosen: (expiry != Expiry::ALL).then_some(expiry),
            keep: false,
            local: true,
            window: window.unwrap_or(WINDOW),
        }
    }
}

/// `git repack`
pub fn repack(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("a", "", Value::No),
        Opt("A", "", Value::No),
        Opt("d", "", Value::No),
        Opt("f", "", Value::No),
        Opt("F", "", Value::No),
        Opt("n", "", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("l", "local", Value::No),
        Opt("k", "keep-unreachable", Value::No),
        Opt("", "unpack-unreachable", Value::Required),
        Opt("", "window", Value::Required),
        Opt("", "window-memory", Value::Required),
        Opt("", "depth", Value::Required),
        Opt("", "threads", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if !flags.operands.is_empty() {
        return Err(usage("usage: git repack [<options>]"));
    }
    let loosen = match flags.value("unpack-unreachable") {
        Some(text) => Some(Expiry::parse(text)?),
        None => flags.has("A").then_some(Expiry::NEVER),
    };
    let plan = Plan {
        all: flags.has("a") || flags.has("A"),
        delete: flags.has("d"),
        loosen: loosen.filter(|_| flags.has("A")),
        keep: flags.has("k"),
        local: flags.has("l"),
        window: flags.number("window")?.unwrap_or(WINDOW),
    };
    if !run(repository, &plan)? && !flags.has("q") {
        repository.out.put("Nothing new to pack.\n");
    }
    if !flags.has("n") {
        list_for_servers(repository)?;
    }
    Ok(0)
}

/// Packs as planned; whether there was anything to pack. The new pack is in place before an old one goes.
pub fn run(repository: &mut Repository, plan: &Plan) -> Outcome<bool> {
    let packs = repository.objects.stored();
    let kept: HashSet<Id> = ids(packs.iter().filter(|pack| pack.kept));
    let starts = roots(repository, true)?;
    let mut reach = Reach::all(&repository.objects, &starts)?;
    let used = reach.seen.clone();
    // With no pack that goes, nothing in use is lost, and git leaves the rest alone.
    if plan.keep && plan.delete && packs.iter().any(|pack| !pack.kept) {
        let (loose, _) = repository.objects.loose();
        let own: Vec<Id> = ids(packs.iter()).into_iter().collect();
        reach.follow(&own)?;
        reach.follow(&loose.iter().map(|loose| loose.id).collect::<Vec<_>>())?;
    }
    let objects = &repository.objects;
    let wanted = |member: &Member| {
        let stays = match plan.all {
            true => kept.contains(&member.id) || (plan.local && !objects.is_own(&member.id)),
            false => objects.is_packed(&member.id),
        };
        !stays
    };
    reach.members.retain(wanted);
    let members = reach.members;
    let mut new = None;
    if !members.is_empty() {
        let pack = pack_small(objects, &members, plan.window)?;
        new = Some(store_named(repository, &pack)?);
    }
    if plan.delete {
        if plan.all {
            supersede(repository, &packs, new, plan, &used)?;
        }
        prune_duplicates(repository, Manner::SILENT)?;
    }
    Ok(new.is_some())
}

/// The objects of packs.
fn ids<'a>(packs: impl Iterator<Item = &'a Stored>) -> HashSet<Id> {
    packs.flat_map(|pack| pack.ids.iter().copied()).collect()
}

/// Removes the packs that the new one stands for, and what was written about them. Unused objects of them become
/// loose first, with the age of the pack, if they are to stay. Packs with a `.keep` stay.
fn supersede(
    repository: &mut Repository,
    packs: &[Stored],
    new: Option<Id>,
    plan: &Plan,
    used: &HashSet<Id>,
) -> Outcome {
    let name = new.map(|id| format!("pack-{id}"));
    let is_new = |pack: &&Stored| {
        name.as_ref()
            .is_some_and(|name| pack.stem.ends_with(name.as_bytes()))
    };
    let old: Vec<&Stored> = packs
        .iter()
        .filter(|pack| !pack.kept && !is_new(pack))
        .collect();
    if old.is_empty() {
        return Ok(());
    }
    if let Some(expiry) = plan.loosen {
        for pack in old.iter().filter(|pack| !expiry.is_old(&pack.stat)) {
            for id in pack.ids.iter().filter(|id| !used.contains(*id)) {
                repository.objects.loosen(id, &pack.stat)?;
            }
        }
    }
    let many = system::join(repository.objects.folder(), b"pack/multi-pack-index");
    // Often there is none.
    let _ = system::unlink(&many);
    for pack in old {
        pack.remove()?;
    }
    repository.objects.refresh();
    Ok(())
}

/// What servers without git show of the repository (`git update-server-info`): `info/refs` and `objects/info/packs`.
pub fn list_for_servers(repository: &mut Repository) -> Outcome {
    let mut lines = Vec::new();
    for (name, id) in repository.refs.list(b"refs/") {
        lines.extend(bytes!(format!("{id}\t"), name, "\n"));
        if let Ok((peeled, _)) = repository.objects.peel(&id)
            && peeled != id
        {
            lines.extend(bytes!(format!("{peeled}\t"), name, "^{}\n"));
        }
    }
    let refs = system::join(&repository.common, b"info/refs");
    make_parents(&refs)?;
    write_file(&refs, &lines)?;
    let mut packs = Vec::new();
    for pack in repository.objects.stored() {
        let name = pack.stem.rsplit(|&byte| byte == b'/').next();
        packs.extend(bytes!("P ", name.unwrap_or_default(), ".pack\n"));
    }
    packs.push(b'\n');
    let list = system::join(repository.objects.folder(), b"info/packs");
    make_parents(&list)?;
    write_file(&list, &packs)
}
