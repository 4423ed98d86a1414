//! `git am -3`: a patch that does not apply is put onto the files that it was made from, and the result merged.

use crate::call::bytes;
use crate::git::merge_trees::{Settings, trees};
use crate::git::move_tree::MERGE;
use crate::git::objects::Id;
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, Stop, error};
use crate::git::three_way::Favor;
use crate::git::tree::{Item, Items};
use crate::git::{apply, change};

/// Whether a patch does not apply to the index as it is.
pub(super) fn is_needed(repository: &Repository, patch: &[u8]) -> bool {
    let Ok(index) = repository.index() else {
        return false;
    };
    apply::to_items(repository, patch, &index.items()).is_err()
}

/// Merges a patch into index and work tree; false where all of it is there already.
///
/// # Errors
/// The files that it was made from are not here, or there are conflicts, which are left in the files.
pub(super) fn merge(repository: &mut Repository, patch: &[u8], subject: &[u8]) -> Outcome<bool> {
    repository.out.flush();
    let ours = repository.head_items()?;
    let lacking = |path: &[u8]| {
        let what = bytes!("sha1 information is lacking or useless (", path, ").\n");
        error(bytes!(what, "error: could not build fake ancestor"))
    };
    let mut base = Items::new();
    for (path, digits) in apply::old_files(patch)? {
        let found = repository.objects.starting_with(&digits);
        let id: Id = match (found.as_slice(), ours.get(&path)) {
            ([only], _) => *only,
            (_, Some(item)) if item.id.to_string().as_bytes().starts_with(&digits) => item.id,
            _ => return Err(lacking(&path)),
        };
        let mode = ours
            .get(&path)
            .map_or(crate::git::tree::FILE, |item| item.mode);
        base.insert(path, Item { mode, id });
    }
    repository
        .out
        .line("Using index info to reconstruct a base tree...");
    for (path, item) in &base {
        match ours.get(path) {
            Some(own) if own == item => {}
            Some(_) => repository.out.line(bytes!("M\t", path)),
            None => repository.out.line(bytes!("A\t", path)),
        }
    }
    let theirs = apply::to_items(repository, patch, &base).map_err(|stop| Stop {
        message: bytes!(
            "error: Did you hand edit your patch?\n\
             It does not apply to blobs recorded in its index.\n",
            stop.message
        ),
        ..stop
    })?;
    repository
        .out
        .line("Falling back to patching base and 3-way merge...");
    // What the patch does not touch is the same on both sides.
    let (mut whole_base, mut whole_theirs) = (ours.clone(), ours.clone());
    for path in base.keys().chain(theirs.keys()) {
        whole_base.remove(path);
        whole_theirs.remove(path);
    }
    whole_base.extend(base);
    whole_theirs.extend(theirs);
    let settings = Settings {
        ours: b"HEAD",
        theirs: subject,
        base: None,
        favor: Favor::None,
        renames: true,
    };
    let merged = trees(
        &repository.objects,
        &whole_base,
        &ours,
        &whole_theirs,
        &settings,
    )?;
    let mut index = repository.index()?;
    repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE)?;
    merged.mark(&mut index);
    repository.save(&index)?;
    for message in &merged.messages {
        repository.out.line(message);
    }
    repository.out.flush();
    if !merged.is_clean() {
        return Err(error("Failed to merge in the changes."));
    }
    let changes = !change::between(&ours, &merged.items).is_empty();
    if !changes {
        repository.out.line("No changes -- Patch already applied.");
    }
    Ok(changes)
}
