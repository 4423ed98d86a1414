//! `git prune` and `prune-packed`: loose objects that nobody needs, or that a pack has as well.

use std::collections::HashSet;

use super::super::flags::Flags;
use super::super::objects::Id;
use super::super::repository::Repository;
use super::super::revision;
use super::super::stop::{Outcome, fatal, file};
use super::Expiry;
use super::reach::{Reach, roots};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// How to remove what is in the way.
#[derive(Clone, Copy)]
pub struct Manner {
    /// Only says what it would do.
    pub dry: bool,
    /// Says what it does.
    pub tell: bool,
}

impl Manner {
    /// Removes, and says nothing.
    pub const SILENT: Manner = Manner {
        dry: false,
        tell: false,
    };
}

/// `git prune [--expire TIME] [HEAD…]`: what these and all roots do not reach. Without a time, at once.
pub fn prune(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("n", "dry-run", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("", "progress", Value::No),
        Opt("", "expire", Value::Required),
        Opt("", "exclude-promisor-objects", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let expiry = match flags.value("expire") {
        Some(text) => Expiry::parse(text)?,
        None => Expiry::ALL,
    };
    let mut heads = Vec::new();
    for word in flags.all_paths() {
        let found = revision::find(repository, &word)?;
        heads.push(found.ok_or_else(|| fatal(bytes!("unrecognized argument: ", word)))?);
    }
    let manner = Manner {
        dry: flags.has("n"),
        tell: flags.has("v"),
    };
    prune_older(repository, &heads, expiry, manner)?;
    Ok(0)
}

/// Removes loose objects that nobody needs, if they are old enough, with leftovers of writes that were killed. What a
/// young object needs counts as needed. Commits that are gone leave `.git/shallow`.
pub fn prune_older(
    repository: &mut Repository,
    heads: &[Id],
    expiry: Expiry,
    manner: Manner,
) -> Outcome {
    let mut starts = roots(repository, true)?;
    starts.extend_from_slice(heads);
    let mut reach = Reach::all(&repository.objects, &starts)?;
    let (loose, other) = repository.objects.loose();
    // What a young object needs stays with it, as far as it is there.
    let young = loose.iter().filter(|loose| !expiry.is_old(&loose.stat));
    let young: Vec<Id> = young.map(|loose| loose.id).collect();
    reach.follow(&young)?;
    let used: HashSet<Id> = reach.seen;
    for loose in &loose {
        if used.contains(&loose.id) {
            continue;
        }
        if manner.dry || manner.tell {
            let (kind, _) = repository.objects.read(&loose.id)?;
            repository.out.put(format!("{} {kind}\n", loose.id));
        }
        if !manner.dry {
            remove(&loose.path)?;
        }
    }
    for path in other {
        let stat = system::stat(&path, false);
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        if name.starts_with(b"tmp_obj_")
            && stat.is_ok_and(|stat| expiry.is_old(&stat))
            && !manner.dry
        {
            remove(&path)?;
        }
    }
    if !manner.dry {
        prune_duplicates(repository, manner)?;
        let shallow = repository.objects.shallow();
        let kept = shallow.iter().filter(|id| repository.objects.has(id));
        let kept: HashSet<Id> = kept.copied().collect();
        if kept.len() < shallow.len() {
            repository.objects.set_shallow(kept)?;
        }
    }
    Ok(())
}

/// `git prune-packed`
pub fn prune_packed(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[Opt("n", "dry-run", Value::No), Opt("q", "quiet", Value::No)];
    let flags = Flags::read(arguments, OPTIONS)?;
    let manner = Manner {
        dry: flags.has("n"),
        tell: false,
    };
    prune_duplicates(repository, manner)?;
    Ok(0)
}

/// Removes loose objects that are in a pack as well, and folders that are empty then.
pub fn prune_duplicates(repository: &mut Repository, manner: Manner) -> Outcome {
    let (loose, _) = repository.objects.loose();
    for loose in &loose {
        if !repository.objects.is_packed(&loose.id) {
            continue;
        }
        if manner.dry {
            let path = repository.near(&loose.path);
            repository.out.put(bytes!("rm -f ", path, "\n"));
        } else {
            remove(&loose.path)?;
        }
    }
    if !manner.dry {
        for part in 0..=255_u8 {
            let name = format!("{part:02x}");
            let folder = system::join(repository.objects.folder(), name.as_bytes());
            // One that holds something stays.
            let _ = system::remove_directory(&folder);
        }
    }
    Ok(())
}

fn remove(path: &[u8]) -> Outcome {
    system::unlink(path).map_err(|failure| file("unable to unlink", path, failure))
}
