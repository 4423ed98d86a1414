//! `git count-objects`: how many loose objects there are and what they take, and with `-v` what is in packs.

use super::super::flags::Flags;
use super::super::repository::Repository;
use super::super::stop::{Outcome, usage};
use crate::options::{Opt, Value};
use crate::system;

/// `git count-objects`. Sizes are what files take on the disk for loose objects, their lengths for packs, in KiB
/// unless `-H`.
pub fn count_objects(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("v", "verbose", Value::No),
        Opt("H", "human-readable", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    if !flags.operands.is_empty() {
        return Err(usage(
            "usage: git count-objects [-v] [-H | --human-readable]",
        ));
    }
    let (loose, garbage) = repository.objects.loose();
    let bytes: u64 = loose.iter().map(|loose| loose.stat.blocks * 512).sum();
    let human = flags.has("H");
    let size = |bytes: u64| {
        if human {
            humanised(bytes)
        } else {
            (bytes / 1024).to_string()
        }
    };
    if !flags.has("v") {
        let size = if human {
            humanised(bytes)
        } else {
            format!("{} kilobytes", bytes / 1024)
        };
        repository
            .out
            .put(format!("{} objects, {size}\n", loose.len()));
        return Ok(0);
    }
    let packs = repository.objects.stored();
    let packed: usize = packs.iter().map(|pack| pack.ids.len()).sum();
    let both = loose.iter().filter(|l| repository.objects.is_packed(&l.id));
    let wasted = garbage
        .iter()
        .filter_map(|path| system::stat(path, false).ok());
    let text = format!(
        "count: {}\nsize: {}\nin-pack: {packed}\npacks: {}\nsize-pack: {}\nprune-packable: {}\n\
         garbage: {}\nsize-garbage: {}\n",
        loose.len(),
        size(bytes),
        packs.len(),
        size(packs.iter().map(|pack| pack.size()).sum()),
        both.count(),
        garbage.len(),
        size(wasted.map(|stat| stat.size).sum()),
    );
    repository.out.put(text);
    Ok(0)
}

/// A size in the largest unit that it exceeds, with two places: `1.50 KiB`, `1023 bytes`.
fn humanised(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.iter().find(|(shift, _)| bytes > 1 << shift) {
        Some((shift, unit)) => {
            let rounded = bytes + (1 << shift) / 200;
            let rest = rounded & ((1 << shift) - 1);
            format!("{}.{:02} {unit}", rounded >> shift, (rest * 100) >> shift)
        }
        None if bytes == 1 => "1 byte".to_owned(),
        None => format!("{bytes} bytes"),
    }
}
