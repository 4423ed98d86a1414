//! Bringing a branch's changes home.

use offshoot_vfs::{ChangeKind, Conflict, Error, MergeError, OpenOptions, Options, Quotas, Vfs};

use super::{ROOT, new, read, write};

fn conflict(path: &str, ours: ChangeKind, theirs: ChangeKind) -> Conflict {
    Conflict {
        path: path.into(),
        ours: Some(ours),
        theirs: Some(theirs),
    }
}

fn conflicts(result: Result<Vec<offshoot_vfs::Change>, MergeError>) -> Vec<Conflict> {
    match result {
        Err(MergeError::Conflicts(found)) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn changes_of_both_sides_meet() {
    let main = new();
    write(&main, "/kept", "1");
    write(&main, "/changed", "1");
    write(&main, "/gone", "1");
    let (base, branch) = (main.fork(), main.fork());
    write(&main, "/ours", "2");
    write(&branch, "/changed", "3");
    branch.unlink(&ROOT, branch.root(), b"/gone").unwrap();
    branch
        .create_dir(&ROOT, branch.root(), b"/d", 0o700)
        .unwrap();
    write(&branch, "/d/new", "3");
    branch
        .link(
            &ROOT,
            (branch.root(), b"/d/new"),
            (branch.root(), b"/d/twin"),
            false,
        )
        .unwrap();
    let made: Vec<_> = main.merge(&base, &branch).unwrap();
    let made: Vec<_> = made
        .iter()
        .map(|change| (&change.path[..], change.kind))
        .collect();
    let expected: [(&[u8], ChangeKind); 5] = [
        (b"/changed", ChangeKind::Modified),
        (b"/d", ChangeKind::Added),
        (b"/d/new", ChangeKind::Added),
        (b"/d/twin", ChangeKind::Added),
        (b"/gone", ChangeKind::Removed),
    ];
    assert_eq!(made, expected);
    for (path, content) in [
        ("/ours", "2"),
        ("/changed", "3"),
        ("/kept", "1"),
        ("/d/twin", "3"),
    ] {
        assert_eq!(read(&main, path).unwrap(), content, "{path}");
    }
    let stat = |path: &[u8]| main.stat(&ROOT, main.root(), path, false).unwrap();
    assert_eq!(stat(b"/d/new").inode, stat(b"/d/twin").inode);
    assert_eq!(stat(b"/d").mode, 0o700);
    assert!(main.stat(&ROOT, main.root(), b"/gone", false).is_err());
}

#[test]
fn nothing_happens_where_paths_conflict() {
    use ChangeKind::{Added, Modified, Removed};
    type Step = fn(&Vfs);
    let remove: Step = |fs| fs.remove_tree(&ROOT, fs.root(), b"/d").unwrap();
    let into_file: Step = |fs| {
        fs.remove_tree(&ROOT, fs.root(), b"/d").unwrap();
        write(fs, "/d", "now a file");
    };
    let add_below: Step = |fs| write(fs, "/d/new", "x");
    let cases: [(&str, Step, Step, Vec<Conflict>); 6] = [
        (
            "both wrote",
            |fs| write(fs, "/f", "a"),
            |fs| write(fs, "/f", "b"),
            vec![conflict("/f", Modified, Modified)],
        ),
        (
            "both added",
            |fs| write(fs, "/n", "a"),
            |fs| write(fs, "/n", "b"),
            vec![conflict("/n", Added, Added)],
        ),
        (
            "removed there, added below here",
            add_below,
            remove,
            vec![conflict("/d/new", Added, Removed)],
        ),
        (
            "removed here, added below there",
            remove,
            add_below,
            vec![conflict("/d/new", Removed, Added)],
        ),
        (
            "a file here, added below there",
            into_file,
            add_below,
            vec![conflict("/d/new", Modified, Added)],
        ),
        (
            "a file there, added below here",
            add_below,
            into_file,
            vec![conflict("/d/new", Added, Removed)],
        ),
    ];
    for (name, ours, theirs, expected) in cases {
        let main = new();
        write(&main, "/f", "0");
        main.create_dir(&ROOT, main.root(), b"/d", 0o755).unwrap();
        write(&main, "/d/old", "0");
        let (base, branch) = (main.fork(), main.fork());
        ours(&main);
        theirs(&branch);
        write(&branch, "/z", "not taken over");
        assert_eq!(conflicts(main.merge(&base, &branch)), expected, "{name}");
        assert!(
            main.stat(&ROOT, main.root(), b"/z", false).is_err(),
            "{name}"
        );
    }
}

#[test]
fn what_is_open_is_kept() {
    let main = new();
    write(&main, "/f", "old");
    let (base, branch) = (main.fork(), main.fork());
    let reading = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    let open = main.open(&ROOT, main.root(), b"/f", &reading, 0).unwrap();
    write(&branch, "/f", "new");
    main.merge(&base, &branch).unwrap();
    let mut buffer = [0; 8];
    let count = open.read(&mut buffer).unwrap();
    assert_eq!(&buffer[..count], b"old");
    assert_eq!(read(&main, "/f").unwrap(), "new");
    drop(open);
    main.unlink(&ROOT, main.root(), b"/f").unwrap();
    assert_eq!(main.usage().bytes, 0);
}

#[test]
fn quotas_and_mount_points_hold() {
    let main = super::with_quotas(Quotas {
        bytes: 10_000,
        ..Quotas::default()
    });
    main.create_dir(&ROOT, main.root(), b"/m", 0o755).unwrap();
    let base = main.fork();
    let branch = main.fork_with(Options::default());
    write(&branch, "/big", &"x".repeat(20_000));
    let refused = main.merge(&base, &branch);
    assert!(matches!(refused, Err(MergeError::File(Error::NoSpace))));

    let branch = base.fork();
    branch.remove_dir(&ROOT, branch.root(), b"/m").unwrap();
    main.mount(&ROOT, b"/m", offshoot_vfs::Mount::tree(&new()))
        .unwrap();
    let refused = main.merge(&base, &branch);
    assert!(matches!(refused, Err(MergeError::File(Error::Busy))));
}
