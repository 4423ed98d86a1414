//! Comparing and merging trees that a guest made deep or wide: T47 and T48.

use std::cell::Cell;

use offshoot_vfs::{ChangeKind, Changes, Error, NodeId, Quotas, Vfs, diff};

use crate::{ROOT, new, with_quotas, write};

/// Makes directories in each other, as a guest would, and returns the innermost.
fn dig(fs: &Vfs, levels: usize) -> NodeId {
    let mut at = fs.root();
    for _ in 0..levels {
        if fs.resolve(&ROOT, at, b"d", true).is_err() {
            fs.create_dir(&ROOT, at, b"d", 0o755).unwrap();
        }
        at = fs.resolve(&ROOT, at, b"d", true).unwrap();
    }
    at
}

fn large() -> Vfs {
    with_quotas(Quotas {
        inodes: 1_000_000,
        ..Quotas::default()
    })
}

/// The slices of work that a comparison takes, as it asks once for each.
fn slices(before: &Vfs, after: &Vfs) -> (usize, Changes) {
    let asked = Cell::new(0);
    let count = || {
        asked.set(asked.get() + 1);
        false
    };
    let changes = Changes::between(before, after, &count).unwrap();
    (asked.get(), changes)
}

#[test]
fn t47_comparing_deep_trees_is_linear() {
    for changed in [false, true] {
        let taken = [20_000, 40_000].map(|levels| {
            let (before, after) = (large(), large());
            if changed {
                let deepest = dig(&before, levels);
                let after = before.fork();
                after.write_file(&ROOT, deepest, b"f", b"x", 0o644).unwrap();
                return slices(&before, &after).0;
            }
            dig(&after, levels);
            slices(&before, &after).0
        });
        assert!(taken[1] <= taken[0] * 2 + 2, "{changed}: {taken:?}");
    }
}

#[test]
fn t47_what_no_path_names_counts_for_the_directory_above() {
    let before = large();
    let deepest = dig(&before, 20_000);
    let after = before.fork();
    after.write_file(&ROOT, deepest, b"f", b"x", 0o644).unwrap();
    let changes = diff(&before, &after).unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].kind, ChangeKind::Modified);
    assert_eq!(changes[0].path, b"/d".repeat(2047));
    let all = diff(&large(), &after).unwrap();
    assert_eq!(all.len(), 2047);
    assert!(all.iter().all(|change| change.kind == ChangeKind::Added));
}

#[test]
fn t47_deep_changes_are_merged() {
    let main = large();
    let base = main.fork();
    let branch = main.fork();
    let deepest = dig(&branch, 30_000);
    branch
        .write_file(&ROOT, deepest, b"f", b"x", 0o644)
        .unwrap();
    write(&main, "/own", "y");
    main.merge(&base, &branch).unwrap();
    let here = dig(&main, 30_000);
    assert_eq!(main.read_file(&ROOT, here, b"f").unwrap(), b"x");
    assert_eq!(main.usage().inodes, branch.usage().inodes + 1);
    // Both sides changed what no path names.
    let (base, branch) = (main.fork(), main.fork());
    let there = dig(&branch, 30_000);
    branch
        .write_file(&ROOT, there, b"f", b"theirs", 0o644)
        .unwrap();
    main.write_file(&ROOT, here, b"f", b"ours", 0o644).unwrap();
    let refused = main.merge(&base, &branch);
    let Err(offshoot_vfs::MergeError::Conflicts(found)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(found.len(), 1);
    assert!(found[0].path.len() < 4096);
}

#[test]
fn t47_a_comparison_ends_when_nobody_waits() {
    let after = large();
    dig(&after, 20_000);
    let cancelled = Changes::between(&new(), &after, &|| true);
    assert_eq!(cancelled.err(), Some(Error::Cancelled));
}

#[test]
fn t48_moving_a_wide_directory_is_linear() {
    let files = [20_000, 40_000];
    let taken = files.map(|files| {
        let before = large();
        before
            .create_dir(&ROOT, before.root(), b"/a", 0o755)
            .unwrap();
        let directory = before.resolve(&ROOT, before.root(), b"/a", true).unwrap();
        for index in 0..files {
            let name = format!("f{index}");
            before
                .write_file(&ROOT, directory, name.as_bytes(), b"", 0o644)
                .unwrap();
        }
        let after = before.fork();
        after
            .rename(&ROOT, (after.root(), b"/a"), (after.root(), b"/b"))
            .unwrap();
        let (taken, mut changes) = slices(&before, &after);
        let mut moved = 0;
        while let Some(difference) = changes.advance() {
            assert_eq!(difference.moved, difference.kind == ChangeKind::Removed);
            moved += usize::from(difference.moved);
        }
        assert_eq!(moved, files + 1);
        taken
    });
    assert!(taken[1] <= taken[0] * 2 + 2, "{taken:?}");
}
