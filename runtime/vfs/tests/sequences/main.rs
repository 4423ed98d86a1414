//! Random sequences of operations: the filesystem, a simple model and a real directory agree on
//! every result and every error, and forks never see each other.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed step is a failed test"
)]

#[cfg(unix)]
mod host;
mod merge;
mod model;
mod operation;
mod subject;

use offshoot_vfs::{Caller, Quotas};
use operation::{Operation, Outcome, Value, sequence};
use proptest::prelude::*;

/// Whatever runs operations.
trait Filesystem {
    fn run(&mut self, caller: &Caller, operation: &Operation) -> Outcome;
    /// Every path with what `lstat` and the content say.
    fn dump(&mut self) -> Vec<(Vec<u8>, Outcome, Outcome)>;
}

/// All that a walk by the filesystem's own operations finds.
fn dump(fs: &mut impl Filesystem) -> Vec<(Vec<u8>, Outcome, Outcome)> {
    let (mut found, mut pending) = (Vec::new(), vec![b".".to_vec()]);
    while let Some(path) = pending.pop() {
        let stat = fs.run(&Caller::ROOT, &Operation::Stat(path.clone(), false));
        let content = match &stat {
            Ok(Value::Stat(stat)) => fs.run(&Caller::ROOT, &operation::content(stat.kind, &path)),
            _ => stat.clone(),
        };
        if let Ok(Value::Names(names)) = &content {
            pending.extend(
                names
                    .iter()
                    .map(|(name, _)| [&path[..], b"/", name].concat()),
            );
        }
        found.push((path, stat, content));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

const QUOTAS: Quotas = Quotas {
    bytes: 300_000,
    inodes: 40,
    file_size: 1 << 40,
    name_length: 255,
    path_length: 4096,
};

fn caller(index: usize) -> Caller {
    [
        Caller::ROOT,
        Caller {
            uid: 0,
            gid: 0,
            umask: 0o022,
            process: 0,
        },
        Caller {
            uid: 1000,
            gid: 1000,
            umask: 0o022,
            process: 0,
        },
        Caller {
            uid: 1001,
            gid: 1000,
            umask: 0o027,
            process: 0,
        },
        Caller {
            uid: 1002,
            gid: 1002,
            umask: 0,
            process: 0,
        },
    ][index % 5]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn same_as_the_model(steps in sequence(true)) {
        let mut branches = vec![(subject::Subject::new(QUOTAS), model::Model::new(QUOTAS))];
        let mut current = 0;
        for (who, step) in &steps {
            let caller = caller(*who);
            match step {
                Operation::Fork => {
                    let (subject, model) = &branches[current];
                    let fork = (subject.fork(), model.fork());
                    branches.push(fork);
                }
                Operation::Switch(branch) => current = branch % branches.len(),
                step => {
                    let (subject, model) = &mut branches[current];
                    let expected = model.run(&caller, step);
                    prop_assert_eq!(subject.run(&caller, step), expected, "{:?} by {}", step, caller.uid);
                    prop_assert_eq!(subject.usage(), model.usage(), "after {:?}", step);
                }
            }
        }
        for (subject, model) in &mut branches {
            prop_assert_eq!(subject.dump(), model.dump());
        }
        let (first, last) = (&branches[0], &branches[branches.len() - 1]);
        prop_assert_eq!(first.0.diff(&last.0), model::diff(&first.1, &last.1));
        for (subject, _) in branches {
            subject.check_emptied();
        }
    }

    #[test]
    fn merges_path_by_path(
        base in sequence(true),
        ours in sequence(true),
        theirs in sequence(true),
    ) {
        let run = |subject: &mut subject::Subject, steps: &[(usize, Operation)]| {
            for (who, step) in steps {
                let _ = subject.run(&caller(*who), step);
            }
        };
        let mut before = subject::Subject::new(Quotas::default());
        run(&mut before, &base);
        let (mut main, mut branch) = (before.fork(), before.fork());
        run(&mut main, &ours);
        run(&mut branch, &theirs);
        let unmerged = main.paths();
        let expected = merge::merge(&before.paths(), &unmerged, &branch.paths());
        match (main.merge(&before, &branch), expected) {
            (true, Some(expected)) => prop_assert_eq!(main.paths(), expected),
            (false, None) => prop_assert_eq!(main.paths(), unmerged),
            (merged, expected) => prop_assert!(false, "merged: {}, expected {:?}", merged, expected),
        }
        main.check_emptied();
    }

    #[cfg(all(feature = "host", unix))]
    #[test]
    fn same_through_an_overlay_and_written_back(
        before in sequence(false),
        steps in sequence(false),
        late in sequence(false),
    ) {
        let fits = |steps: Vec<(usize, Operation)>| {
            steps.into_iter().map(|(_, step)| step).filter(operation::fits_overlay).collect::<Vec<_>>()
        };
        let hosts = [(); 2].map(|()| host::directory());
        let paths = [0, 1].map(|index| hosts[index].path().to_owned());
        let mut hosts = hosts.into_iter().zip(&paths).map(|(top, path)| host::Host::at(top, path));
        let (mut lower, mut host) = (hosts.next().unwrap(), hosts.next().unwrap());
        for step in fits(before) {
            prop_assert_eq!(lower.run(&Caller::ROOT, &step), host.run(&Caller::ROOT, &step));
        }
        // Files that were open are the host's alone.
        for slot in 0..operation::SLOTS {
            host.run(&Caller::ROOT, &Operation::Close(slot)).unwrap();
        }
        let mut subject = subject::Subject::overlay(&paths[0]);
        for steps in [fits(steps), fits(late)] {
            for step in steps {
                let expected = host.run(&Caller::ROOT, &step).map(host::plain);
                let result = subject.run(&host.caller(), &step).map(|value| host::plain(host.comparable(value)));
                prop_assert_eq!(result, expected, "{:?}", step);
            }
            subject.apply(&paths[0]);
            let plain = |dump: Vec<(Vec<u8>, Outcome, Outcome)>| -> Vec<_> {
                let part = |(path, stat, content): (_, Outcome, Outcome)| (path, stat.map(host::plain), content);
                dump.into_iter().map(part).collect()
            };
            prop_assert_eq!(plain(lower.dump()), plain(host.dump()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn same_as_a_real_directory(steps in sequence(false)) {
        let mut host = host::Host::new();
        let mut subject = subject::Subject::new(Quotas::default());
        for (_, step) in &steps {
            let expected = host.run(&Caller::ROOT, step);
            let result = subject.run(&host.caller(), step).map(|value| host.comparable(value));
            prop_assert_eq!(result, expected, "{:?}", step);
        }
        let found = subject.dump().into_iter().map(|(path, stat, content)| {
            (path, stat.map(|value| host.comparable(value)), content)
        });
        prop_assert_eq!(found.collect::<Vec<_>>(), host.dump());
    }
}
