//! Attacks that need more than a script, and the page that lists all of them.

use offshoot::blocking::Sandbox;
use offshoot::{Code, Exec, FileEventKind, Limits, Quotas, WatchOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Thirty letters that no pattern below matches, each of which can be split in 2³⁰ ways.
const LETTERS: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";

#[test]
fn t24_patterns_of_every_tool_are_linear_or_end() {
    let sandbox = Sandbox::new().unwrap();
    let setup = format!("printf '%s\\n' {LETTERS} > text; printf '\"%s\"' {LETTERS} > json");
    sandbox.exec(setup).unwrap();
    // Each says 1, or what its tool says for "no match".
    for (script, expected) in [
        ("grep -E '(a+)+$' text; echo $?", "1\n"),
        ("grep -E '(a|aa)+$' text; echo $?", "1\n"),
        ("grep -E '^(a?){40}a{41}$' text; echo $?", "1\n"),
        ("grep '\\(a*\\)*c' text; echo $?", "1\n"),
        (
            "grep -P '(a+)+$' text > out 2> err; echo $(($? != 0))",
            "1\n",
        ),
        ("rg '(a+)+$' text; echo $?", "1\n"),
        ("sed -nE '/(a+)+$/p' text; echo $?", "0\n"),
        ("sed -E 's/(a|a?)+$/x/' text | grep -c x; echo $?", "1\n0\n"),
        ("awk '/(a+)+$/' text; echo $?", "0\n"),
        ("awk '{ print gsub(/(a|aa)+c/, \"\") }' text", "0\n"),
        ("[[ $(< text) =~ (a+)+$ ]]; echo $?", "1\n"),
        ("[[ $(< text) =~ ^(a|aa)+$ ]]; echo $?", "1\n"),
        ("expr \"$(< text)\" : '\\(a*\\)*$'", "\n"),
        ("jq 'test(\"^(a+)+$\")' json", "false\n"),
        ("find . -regex '\\./\\(a+\\)+$'; echo $?", "0\n"),
        (
            "shopt -s extglob; [[ $(< text) == +(a|aa) ]]; echo $?",
            "1\n",
        ),
        (
            "shopt -s extglob; x=$(< text); echo \"${x/#*(a|aa)c/}\" | wc -c",
            "42\n",
        ),
        (
            "case $(< text) in *a*a*a*a*a*a*a*a*a*a*a*c) ;; *) echo 1;; esac",
            "1\n",
        ),
    ] {
        let result = sandbox.exec(Exec::new(script).timeout_ms(120_000)).unwrap();
        assert!(!result.timed_out, "{script}");
        assert_eq!(
            result.stdout_text(),
            expected,
            "{script}: {}",
            result.stderr_text()
        );
    }
}

#[test]
fn t24_huge_patterns_and_references_end() {
    let sandbox = Sandbox::new().unwrap();
    let setup =
        format!("printf '%s\\n' {LETTERS} > text; head -c 1000000 /dev/zero | tr '\\0' '(' > p");
    sandbox.exec(setup).unwrap();
    // What they answer is theirs to say; that they answer, or are ended by name, is not.
    for script in [
        "grep -E -f p text",
        "grep -E \"$(tr '(' a < p | head -c 100000)\" text",
        "grep -E '(((a{1,100}){1,100}){1,100}){1,100}' text",
        "sed -E \"s/$(head -c 100000 p)//\" text",
        "awk \"/$(head -c 100000 p)/\" text",
        "[[ x =~ $(head -c 100000 p) ]]",
        "grep '\\(a*\\)*\\1b\\1c' text",
        "sed -n '/^\\(a*\\)*\\1\\1c/p' text",
        "jq \"test(\\\"$(tr '(' a < p | head -c 50000)\\\")\" <<< '\"a\"'",
    ] {
        match sandbox.exec(Exec::new(script).timeout_ms(120_000)) {
            Ok(result) => {
                let said = result.stderr_text();
                assert!(!result.timed_out, "{script}");
                assert!(!said.contains("RUST_BACKTRACE"), "{script}: {said}");
            }
            Err(error) => assert_eq!(error.code(), Code::Limit, "{script}: {error}"),
        }
        let alive = sandbox.exec("echo alive").unwrap();
        assert_eq!(alive.stdout_text(), "alive\n", "{script}");
    }
}

/// The n-th growth of memory fails, inside: everything between "the shell does not even start" and
/// "enough" is a typed error or a status, and the files are as if it had not been tried or whole.
#[test]
fn t30_memory_ends_at_any_point() {
    let script = "seq 2000 | sort -n > new && mv new done; x=$(printf %1000000s x); echo ${#x}";
    let mut outcomes = BTreeSet::new();
    for megabytes in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64] {
        let parent = Sandbox::builder().file("/home/user/kept", "kept");
        let parent = parent.build_blocking().unwrap();
        let limits = Limits {
            memory: megabytes << 20,
            total_memory: megabytes << 21,
            ..Limits::default()
        };
        let tight = Sandbox::builder().limits(limits).build_blocking();
        let fork = match tight {
            Ok(sandbox) => sandbox,
            Err(error) => {
                assert_eq!(error.code(), Code::Limit, "{error}");
                outcomes.insert("not made");
                continue;
            }
        };
        match fork.exec(Exec::new(script).timeout_ms(120_000)) {
            Ok(result) => {
                assert!(!result.timed_out, "{megabytes}");
                outcomes.insert(if result.success() { "done" } else { "status" });
            }
            Err(error) => {
                assert_eq!(error.code(), Code::Limit, "{megabytes}: {error}");
                outcomes.insert("limit");
            }
        }
        // Moved into its place whole, or not at all.
        match fork.read_file("/home/user/done") {
            Ok(text) => assert_eq!(text.len(), 8_893, "{megabytes}"),
            Err(error) => assert_eq!(error.code(), Code::NotFound),
        }
        // A neighbour has what it had.
        let kept = parent.fork().exec("cat kept").unwrap();
        assert_eq!(kept.stdout_text(), "kept", "{megabytes}");
    }
    assert!(
        outcomes.contains("done") && outcomes.len() > 1,
        "{outcomes:?}"
    );
}

/// The same for the n-th inode and the n-th block of the disk.
#[test]
fn t30_the_disk_ends_at_any_point() {
    let script = "mkdir -p a/b && printf %5000s x > a/b/f && ln a/b/f a/g && cp -r a c && rm -r a";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let run = |sandbox: &offshoot::Sandbox, script: &str| {
        runtime.block_on(sandbox.exec(script)).unwrap().success()
    };
    let usage = |sandbox: &offshoot::Sandbox| sandbox.vfs().usage();
    let empty = usage(&offshoot::Sandbox::new().unwrap());
    let mut failed = 0;
    for step in 0..14 {
        for by_bytes in [true, false] {
            let mut quotas = Quotas::default();
            match by_bytes {
                true => quotas.bytes = empty.bytes + step * 1_000,
                false => quotas.inodes = empty.inodes + step,
            }
            let sandbox = offshoot::Sandbox::builder().quotas(quotas).build().unwrap();
            let before = usage(&sandbox);
            failed += usize::from(!run(&sandbox, script));
            assert_eq!(usage(&sandbox.fork()), usage(&sandbox));
            // Nothing is lost to the accounts.
            assert!(run(&sandbox, "rm -rf a c"));
            assert_eq!(usage(&sandbox), before, "{step}, {by_bytes}");
        }
    }
    assert!((4..28).contains(&failed), "{failed}");
}

#[test]
fn t48_watching_a_wide_directory_that_moves() {
    let quotas = Quotas {
        inodes: 100_000,
        ..Quotas::default()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let sandbox = offshoot::Sandbox::builder().quotas(quotas).build().unwrap();
        let make = "mkdir a; cd a; seq 20000 | xargs touch";
        assert!(sandbox.exec(make).await.unwrap().success());
        let options = WatchOptions::new().recursive();
        let mut watcher = sandbox.watch("/home/user", options).await.unwrap();
        sandbox.exec("mv a b").await.unwrap();
        let (mut moved, mut added) = (0, 0);
        while moved + added < 2 * 20_001 {
            let events = watcher.next().await.unwrap();
            assert!(events.len() <= 4_096);
            for event in events {
                match event.kind {
                    FileEventKind::Moved => moved += 1,
                    FileEventKind::Added => added += 1,
                    other => assert_eq!(event.path, "/home/user", "{other:?}"),
                }
            }
        }
        assert_eq!((moved, added), (20_001, 20_001));
        assert!(watcher.look().unwrap().is_empty());
    });
}

/// Bytes of this process that are in memory; none where the system does not tell.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn t53_memory_goes_back_to_the_system() {
    const FILLED: u64 = 384 << 20;
    let sandbox = Sandbox::new().unwrap();
    // In small files, so that what goes lies between what stays.
    let script = "for i in {1..48}; do head -c 8388608 /dev/urandom > f$i; done; echo $?";
    let filled = sandbox.exec(Exec::new(script).timeout_ms(300_000)).unwrap();
    assert_eq!(filled.stdout_text(), "0\n", "{}", filled.stderr_text());
    let full = resident().unwrap();
    drop(sandbox);
    let start = Instant::now();
    // Other tests run beside this one: most of it is enough.
    while resident().unwrap() > full - FILLED / 2 {
        let now = resident().unwrap();
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{full} before, {now} now"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Folders with sources, from the root of the repository.
const SOURCES: [&str; 4] = ["tests", "runtime", "host", "guest-tools"];

/// Ids in the names of tests (`t14_t25_…`) and of cases (`"T01 …"`), by file.
fn in_tests(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut pending: Vec<PathBuf> = SOURCES.iter().map(|folder| root.join(folder)).collect();
    while let Some(path) = pending.pop() {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            let entries = std::fs::read_dir(&path).unwrap();
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            for line in text.lines() {
                for id in ids_of(line) {
                    found.entry(id).or_default().insert(name.clone());
                }
            }
        }
    }
    found
}

fn ids_of(line: &str) -> Vec<String> {
    let line = line.trim_start();
    let name = line.strip_prefix("async ").unwrap_or(line);
    let words: Vec<&str> = match (name.strip_prefix("fn "), line.strip_prefix("\"T")) {
        (Some(name), _) => name.split('_').collect(),
        (None, Some(_)) => vec![line[1..].split(' ').next().unwrap_or_default()],
        _ => return Vec::new(),
    };
    let id = |word: &&str| {
        let digits = word.strip_prefix(['t', 'T'])?;
        let two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        two.then(|| format!("T{digits}"))
    };
    words.iter().map_while(id).collect()
}

#[test]
fn the_list_of_threats_and_the_tests_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("docs/threats.md")).unwrap();
    let tests = in_tests(root);
    let mut listed = BTreeSet::new();
    for row in page.lines().filter(|line| line.starts_with("| T")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (id, places) = (cells[1], cells[3]);
        assert!(listed.insert(id.to_owned()), "{id} is listed twice");
        for place in places.split(", ").map(|place| place.trim_matches('`')) {
            let has = tests.get(id).is_some_and(|files| files.contains(place));
            assert!(has, "{id}: {place} has no test of this name");
        }
    }
    let tested: BTreeSet<String> = tests.keys().cloned().collect();
    assert_eq!(listed, tested);
}
