//! Kept sandboxes as a user has them: odd changes, conflicts, several terminals, keys, archives.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
    command
        .args(words)
        .current_dir(folder)
        .env("OFFSHOOT_STORE", folder.join("store"))
        .stdin(Stdio::null());
    command
}

fn offshoot(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a command says, which must end with this status.
fn says(folder: &Path, status: i32, words: &[&str]) -> String {
    let output = offshoot(folder, words);
    let shown = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{words:?}\n{shown}");
    text(&output.stdout)
}

fn json(folder: &Path, status: i32, words: &[&str]) -> Value {
    // Behind a script stand its arguments.
    let words = [&words[..1], &["--json"], &words[1..]].concat();
    let said = says(folder, status, &words);
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{words:?}: {error}: {said}"))
}

/// The lines that are about files of the user.
fn own(said: &str) -> Vec<&str> {
    let mut lines: Vec<_> = said
        .lines()
        .filter(|line| line.contains("/home/user/"))
        .collect();
    lines.sort_unstable();
    lines
}

#[test]
fn odd_changes_are_seen_and_merged() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "main"]);
    let make = "mkdir d; echo a > d/a; echo b > b; echo c > c; ln -s b link; ln b hard; : > gone";
    says(folder, 0, &["exec", "main", "-c", make]);
    says(folder, 0, &["snapshot", "main", "before"]);
    says(folder, 0, &["fork", "main", "idea"]);
    assert_eq!(says(folder, 0, &["diff", "main", "idea"]), "");
    let change = "rm -r d gone; chmod 755 c; ln -sf c link; mkdir n; echo n > n/new; mkfifo pipe";
    says(folder, 0, &["exec", "idea", "-c", change]);
    let expected = [
        "A /home/user/n",
        "A /home/user/n/new",
        "A /home/user/pipe",
        "D /home/user/d",
        "D /home/user/d/a",
        "D /home/user/gone",
        "M /home/user/c",
        "M /home/user/link",
    ];
    assert_eq!(own(&says(folder, 1, &["diff", "main", "idea"])), expected);
    // The parent moves on as well, and elsewhere.
    says(folder, 0, &["exec", "main", "-c", "echo more >> b"]);
    assert_eq!(own(&says(folder, 0, &["promote", "idea"])), expected);
    let look = "cat hard; readlink link; stat -c %a c; test -p pipe && ls -d d gone 2>/dev/null; cat n/new";
    let seen = says(folder, 0, &["exec", "main", "-c", look]);
    assert_eq!(seen, "b\nmore\nc\n755\nn\n");
    let patch = says(folder, 1, &["diff", "--patch", "main@before", "main"]);
    for line in [
        "+++ b/home/user/n/new",
        "+n",
        "-b",
        "+c",
        "diff --git a/home/user/c b/home/user/c",
        "new mode 100755",
        "deleted file mode 100644",
    ] {
        assert!(
            patch.lines().any(|found| found.starts_with(line)),
            "{line}: {patch}"
        );
    }
    // Once more there is nothing to bring.
    assert_eq!(own(&says(folder, 0, &["promote", "idea"])), [""; 0]);
    says(folder, 0, &["fsck"]);
}

#[test]
fn templates_are_published_listed_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "draft"]);
    for round in ["1", "2"] {
        let script = format!("echo {round} > state");
        says(folder, 0, &["exec", "draft", "-c", &script]);
        says(
            folder,
            0,
            &["publish", "draft", "base", "--alias", "newest"],
        );
    }
    assert_eq!(says(folder, 0, &["templates"]), "base\n");
    let listed = says(folder, 0, &["templates", "base"]);
    assert_eq!(listed, "base@1\nbase@2 newest\n");
    says(folder, 0, &["create", "one", "--template", "base@1"]);
    says(folder, 0, &["create", "two", "--template", "base@newest"]);
    for (name, state) in [("one", "1\n"), ("two", "2\n")] {
        assert_eq!(says(folder, 0, &["exec", name, "-c", "cat state"]), state);
    }
    let described = json(folder, 0, &["templates", "base"]);
    assert_eq!(described[1]["aliases"][0], "newest");
    says(folder, 0, &["templates", "base", "--remove", "2"]);
    says(folder, 2, &["templates", "base", "--remove", "2"]);
    says(folder, 2, &["create", "three", "--template", "base@2"]);
    says(folder, 2, &["templates", "none"]);
    says(folder, 2, &["templates", "--remove", "1"]);
}

#[test]
fn conflicts_are_named_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "main"]);
    let make = "echo 1 > both; echo 1 > mode; mkdir dir; echo 1 > dir/file; echo 1 > mine";
    says(folder, 0, &["exec", "main", "-c", make]);
    says(folder, 0, &["fork", "main", "idea"]);
    let ours = "echo ours > both; chmod 600 mode; echo ours > dir/file";
    says(folder, 0, &["exec", "main", "-c", ours]);
    let theirs = "echo theirs > both; chmod 700 mode; rm -r dir; echo theirs > mine";
    says(folder, 0, &["exec", "idea", "-c", theirs]);
    let said = says(folder, 1, &["promote", "idea"]);
    for line in [
        "C /home/user/both: modified in main, modified in idea",
        "C /home/user/mode: modified in main, modified in idea",
        "C /home/user/dir/file: modified in main, deleted in idea",
    ] {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
    assert!(!said.contains("mine"), "{said}");
    let found = json(folder, 1, &["promote", "idea"]);
    assert!(found["conflicts"].as_array().unwrap().len() >= 3);
    // Nothing of it is there.
    let look = "cat both mine dir/file; stat -c %a mode";
    let seen = says(folder, 0, &["exec", "main", "-c", look]);
    assert_eq!(seen, "ours\n1\nours\n600\n");
    // With the same on both sides it goes.
    says(
        folder,
        0,
        &[
            "exec",
            "idea",
            "-c",
            "echo ours > both; chmod 600 mode; mkdir dir; echo ours > dir/file",
        ],
    );
    says(folder, 0, &["promote", "idea"]);
    assert_eq!(
        says(folder, 0, &["exec", "main", "-c", "cat mine"]),
        "theirs\n"
    );
}

#[test]
fn every_state_of_a_history_can_be_gone_back_to() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "box", "--history"]);
    for number in 1..4 {
        let script = format!("echo {number} >> log");
        says(folder, 0, &["exec", "box", "-c", &script]);
    }
    let log = says(folder, 0, &["log", "box"]);
    assert!(log.contains("echo 2 >> log"), "{log}");
    says(folder, 0, &["snapshot", "box", "three"]);
    says(folder, 0, &["checkout", "box", "box~1"]);
    let lines = |name: &str| says(folder, 0, &["exec", name, "-c", "wc -l < log"]);
    let before = lines("box");
    assert!(before != "3\n", "{before}");
    // What was left is still there.
    says(folder, 0, &["restore", "box", "box@three"]);
    assert_eq!(lines("box"), "3\n");
    let log = json(folder, 0, &["log", "box"]);
    assert!(log.as_array().unwrap().len() > 4);
    let labels = log.as_array().unwrap().iter().map(|entry| &entry["label"]);
    assert!(
        labels
            .into_iter()
            .any(|label| label == "restored box@three")
    );
    says(folder, 0, &["fork", "box@three", "branch"]);
    assert_eq!(lines("branch"), "3\n");
    says(folder, 2, &["restore", "box", "box@never"]);
}

#[test]
fn every_verb_answers_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let made = json(
        folder,
        0,
        &[
            "create", "main", "--tag", "a", "--idle", "30", "--ttl", "1d",
        ],
    );
    assert_eq!(
        (made["state"].as_str(), made["idle_ms"].as_u64()),
        (Some("suspended"), Some(30_000))
    );
    assert_eq!(made["warnings"].as_array().unwrap().len(), 1);
    let set = json(
        folder,
        0,
        &[
            "set", "main", "--title", "first", "--idle", "never", "--ttl", "never",
        ],
    );
    assert_eq!(
        (&set["title"], &set["idle_ms"], &set["expires"]),
        (&"first".into(), &Value::Null, &Value::Null)
    );
    assert_eq!(set["tags"][0], "a");
    let ran = json(folder, 0, &["exec", "main", "-c", "echo out"]);
    assert_eq!(ran["stdout"], "out\n");
    assert_eq!(json(folder, 0, &["fork", "main", "idea"])["parent"], "main");
    json(folder, 0, &["snapshot", "main", "label"]);
    assert_eq!(json(folder, 0, &["snapshot", "main"])[0]["label"], "label");
    json(folder, 0, &["restore", "main", "main@label"]);
    json(folder, 0, &["suspend", "main"]);
    assert_eq!(json(folder, 0, &["resume", "main"])["bootup"], "RESUME");
    assert_eq!(json(folder, 0, &["ls"]).as_array().unwrap().len(), 2);
    assert_eq!(
        json(folder, 0, &["ls", "--tag", "a"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(json(folder, 0, &["tree"]).as_array().unwrap().len(), 2);
    says(folder, 0, &["exec", "idea", "-c", "echo x > file"]);
    let changes = json(folder, 1, &["diff", "main", "idea"]);
    let added = changes.as_array().unwrap().iter();
    assert!(
        added
            .into_iter()
            .any(|change| change["path"] == "/home/user/file" && change["kind"] == "A")
    );
    assert!(json(folder, 0, &["promote", "idea"])["changes"].is_array());
    assert!(json(folder, 0, &["log", "main"]).as_array().unwrap().len() > 1);
    json(folder, 0, &["export", "main", "file.offshoot"]);
    assert_eq!(
        json(folder, 0, &["import", "again", "file.offshoot"])["name"],
        "again"
    );
    assert_eq!(
        json(folder, 0, &["rm", "again", "idea"])["deleted"][1],
        "idea"
    );
    assert!(json(folder, 0, &["gc", "--grace", "0"])["objects"].is_u64());
    assert_eq!(
        json(folder, 0, &["fsck"])["damaged"],
        Value::Array(Vec::new())
    );
}

#[test]
fn folders_travel_as_tar_archives() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "box"]);
    let make = "mkdir d; echo a > d/a; chmod 700 d/a; ln -s d/a link";
    says(folder, 0, &["exec", "box", "-c", make]);
    says(folder, 0, &["export", "box", "all.tar", "--tar"]);
    says(
        folder,
        0,
        &["export", "box", "d.tar", "--tar", "/home/user/d"],
    );
    says(folder, 0, &["import", "other", "all.tar", "--tar"]);
    says(folder, 0, &["import", "other", "d.tar", "--tar", "/tmp"]);
    let look = "cat link; stat -c %a d/a /tmp/a";
    assert_eq!(
        says(folder, 0, &["exec", "other", "-c", look]),
        "a\n700\n700\n"
    );
    std::fs::write(folder.join("no.tar"), [b'x'; 2000]).unwrap();
    says(folder, 2, &["import", "other", "no.tar", "--tar"]);
    says(folder, 2, &["export", "box", "no/folder.tar", "--tar"]);
}

#[test]
fn a_store_is_encrypted_with_a_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("key"), "a key that nobody guesses\n").unwrap();
    std::fs::write(folder.join("other"), "a key that is another one\n").unwrap();
    std::fs::write(folder.join("short"), "short").unwrap();
    let with = |key: &'static str, words: &[&'static str]| {
        [&words[..1], &["--key-file", key], &words[1..]].concat()
    };
    says(folder, 0, &with("key", &["create", "box"]));
    says(
        folder,
        0,
        &with(
            "key",
            &["exec", "box", "-c", "echo needle-in-a-haystack > file"],
        )[..],
    );
    let hidden = |bytes: &[u8]| {
        !bytes
            .windows(18)
            .any(|window| window == b"needle-in-a-haysta")
    };
    for entry in std::fs::read_dir(folder.join("store")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            assert!(hidden(&std::fs::read(&path).unwrap()), "{}", path.display());
        }
    }
    for key in ["other", "short", "missing"] {
        says(folder, 2, &with(key, &["ls"]));
    }
    says(folder, 2, &["ls"]);
    let ran = offshoot(
        folder,
        &["exec", "--key-file", "key", "box", "-c", "cat file"],
    );
    assert_eq!(text(&ran.stdout), "needle-in-a-haystack\n");
    says(folder, 0, &with("key", &["fsck"]));
}

/// Several terminals at once: on one sandbox they wait for each other, and nothing is lost.
#[test]
fn several_terminals_share_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "box"]);
    let run = |number: usize| {
        let script = format!("echo {number} >> log");
        let branch = format!("branch-{number}");
        says(folder, 0, &["exec", "box", "-c", &script]);
        says(folder, 0, &["create", &branch]);
        says(folder, 0, &["exec", &branch, "-c", &script]);
        says(folder, 0, &["ls"]);
    };
    std::thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || run(number));
        }
    });
    assert_eq!(
        says(folder, 0, &["exec", "box", "-c", "sort log"]),
        "0\n1\n2\n3\n"
    );
    for number in 0..4 {
        let seen = says(
            folder,
            0,
            &["exec", &format!("branch-{number}"), "-c", "cat log"],
        );
        assert_eq!(seen, format!("{number}\n"));
    }
    says(folder, 0, &["fsck"]);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "main"]);
    says(folder, 0, &["exec", "main", "-c", "echo 0 > f; echo 0 > g"]);
    says(folder, 0, &["fork", "main", "idea"]);
    says(
        folder,
        0,
        &["exec", "main", "-c", "echo 1 > f; rm g; echo m > new"],
    );
    says(
        folder,
        0,
        &["exec", "idea", "-c", "echo 2 > f; echo 2 > g; echo i > new"],
    );
    let told = says(folder, 1, &["promote", "idea"]);
    let expected = [
        "C /home/user/f: modified in main, modified in idea",
        "C /home/user/g: deleted in main, modified in idea",
        "C /home/user/new: added in main, added in idea",
    ];
    assert_eq!(own(&told), expected);
    assert_eq!(
        says(folder, 0, &["exec", "main", "-c", "cat f new"]),
        "1\nm\n"
    );
    let told = says(folder, 0, &["rm", "main"]);
    assert_eq!(told, "branches of it stay: idea\n");
    assert_eq!(says(folder, 0, &["rm", "idea"]), "");
    // A folder of the host is not kept, and the help does not offer it.
    let help = says(folder, 0, &["create", "--help"]);
    assert!(!help.contains("--mount"), "{help}");
}

/// Without the key nothing is put aside; what was put aside comes back.
#[test]
fn t55_a_check_without_the_key_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("key"), "a key of more than 16 bytes").unwrap();
    let with_key = ["--key-file", "key"];
    let keyed = |words: &[&'static str]| [&words[..1], &with_key, &words[1..]].concat();
    says(folder, 0, &keyed(&["create", "box"]));
    says(
        folder,
        0,
        &keyed(&["exec", "box", "-c", "seq 20000 > file"]),
    );
    for words in [&["fsck"][..], &["fsck", "--quarantine"]] {
        let refused = offshoot(folder, words);
        assert_eq!(refused.status.code(), Some(2));
        let errors = text(&refused.stderr);
        assert!(errors.contains("no key was given"), "{errors}");
    }
    says(folder, 0, &keyed(&["fsck", "--quarantine"]));
    says(folder, 0, &keyed(&["fsck", "--release"]));
    let read = says(folder, 0, &keyed(&["exec", "box", "-c", "tail -1 file"]));
    assert_eq!(read, "20000\n");
}

#[test]
fn a_store_is_made_where_something_is_to_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for words in [
        &["ls"][..],
        &["tree"],
        &["exec", "main", "-c", ":"],
        &["fork", "main", "b"],
        &["gc"],
        &["fsck"],
    ] {
        let output = offshoot(folder, words);
        assert!(!output.status.success(), "{words:?}");
        let errors = text(&output.stderr);
        assert!(
            errors.contains("no store is in") && errors.contains("store"),
            "{errors}"
        );
    }
    let elsewhere = says(folder, 2, &["ls", "--store", "elsewhere"]);
    assert_eq!(elsewhere, "");
    // An empty variable is as good as none, and the store that nobody named lists as empty.
    let unnamed = |words: &[&str]| {
        let mut command = command(folder, words);
        let command = command
            .env("OFFSHOOT_STORE", "")
            .env("OFFSHOOT_KEY_FILE", "");
        let output = command.env("XDG_DATA_HOME", folder.join("data")).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(
        unnamed(&["ls"]) + &unnamed(&["tree"]) + &unnamed(&["templates"]),
        ""
    );
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
    unnamed(&["create", "main"]);
    assert!(unnamed(&["ls"]).starts_with("main "));
    assert!(folder.join("data/offshoot").is_dir());
    says(folder, 2, &["ls", "--store", ""]);
}

#[test]
fn an_archive_that_is_refused_leaves_no_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "main"]);
    std::fs::write(folder.join("no.tar"), vec![b'x'; 2048]).unwrap();
    says(folder, 2, &["import", "half", "no.tar", "--tar"]);
    says(folder, 2, &["import", "half", "no.tar"]);
    says(folder, 2, &["import", "half", "main.tar", "--tar"]);
    says(folder, 2, &["import", "main", "no.tar", "--tar"]);
    let listed = json(folder, 0, &["ls"]);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["name"], "main");
}

#[test]
fn sandboxes_go_through_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, 0, &["create", "main"]);
    says(folder, 0, &["exec", "main", "-c", "echo text > notes"]);
    for (flag, name) in [(None, "whole"), (Some("--tar"), "packed")] {
        let words = |first, second| [&[first, second, "-"][..], flag.as_slice()].concat();
        let exported = offshoot(folder, &words("export", "main"));
        assert_eq!(text(&exported.stderr), "");
        let mut child = command(folder, &words("import", name))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&exported.stdout).unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        assert_eq!(
            says(folder, 0, &["exec", name, "-c", "cat notes"]),
            "text\n"
        );
    }
    assert!(!folder.join("-").exists() && !folder.join("-.partial").exists());
    let refused = offshoot(folder, &["export", "--json", "main", "-"]);
    assert!(text(&refused.stdout).contains("--json"));
}
