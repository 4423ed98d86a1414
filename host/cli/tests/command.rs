//! The command as a user types it: statuses, streams, messages.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `offshoot` with these words in `folder`, where its store lies as well.
fn offshoot(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
    command
        .args(words)
        .current_dir(folder)
        .env("OFFSHOOT_STORE", folder.join("store.db"))
        .env("OFFSHOOT_TEST_TOKEN", "t0k3n")
        .stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn run_passes_on_what_the_script_says() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script.sh"), "echo \"$0 $# $2\"; exit 3").unwrap();
    std::fs::write(folder.path().join("input"), "from a file\n").unwrap();
    // Words, status, standard output, a part of standard error.
    let table: &[(&[&str], i32, &str, &str)] = &[
        (
            &["run", "-c", "echo out; echo err >&2; exit 7"],
            7,
            "out\n",
            "err\n",
        ),
        (
            &["run", "-c", "echo $0 $1", "name", "one"],
            0,
            "name one\n",
            "",
        ),
        (
            &["run", "script.sh", "a", "b c"],
            3,
            "script.sh 2 b c\n",
            "",
        ),
        (
            &["run", "--stdin", "input", "-c", "cat"],
            0,
            "from a file\n",
            "",
        ),
        (
            &["run", "-e", "A=1", "--cwd", "/tmp", "-c", "echo $A $PWD"],
            0,
            "1 /tmp\n",
            "",
        ),
        (
            &["run", "--timeout", "100ms", "-c", "while :; do :; done"],
            124,
            "",
            "",
        ),
        (&["run", "-c", "kill -TERM $$"], 143, "", ""),
        (
            &["run", "-c", "nothing-of-this-name"],
            127,
            "",
            "command not found",
        ),
        (&["run", "-c", "if"], 2, "", "syntax error"),
        (&["run", "missing.sh"], 121, "", "missing.sh"),
        (&["run"], 121, "", "nothing to run"),
        (
            &["run", "--no-such-flag"],
            121,
            "",
            "unexpected argument '--no-such-flag'",
        ),
        (
            &["run", "-c", "echo \"$@\"", "name", "-x", "--json"],
            0,
            "-x --json\n",
            "",
        ),
        (
            &["run", "--mount", "/no/such/folder:/x", "-c", ":"],
            121,
            "",
            "--mount",
        ),
        (
            &["run", "--network", "nonsense", "-c", ":"],
            121,
            "",
            "--network",
        ),
        (
            &["run", "--network", "FOO https://a.com", "-c", ":"],
            121,
            "",
            "\"FOO\" is no method of HTTP",
        ),
        (
            &[
                "run",
                "--network",
                "https://a.com",
                "--secret",
                "https://b.com X: y",
                "-c",
                ":",
            ],
            121,
            "",
            "--secret https://b.com: no --network",
        ),
        (
            &[
                "run",
                "--secret",
                "https://a.com X: $OFFSHOOT_NO_SUCH",
                "-c",
                ":",
            ],
            121,
            "",
            "OFFSHOOT_NO_SUCH",
        ),
        (
            &[
                "run",
                "--network",
                "POST https://*.a.com",
                "--secret",
                "https://b.a.com X: Bearer $OFFSHOOT_TEST_TOKEN",
                "-c",
                "env | grep -c t0k3n",
            ],
            1,
            "0\n",
            "",
        ),
        (
            &["run", "-c", "curl -sS http://10.0.0.1/"],
            7,
            "",
            "no network",
        ),
        (
            &["run", "--memory", "5G", "-c", ":"],
            121,
            "",
            "a process can address 4G at most",
        ),
        (&["no-such-command"], 2, "", "no-such-command"),
    ];
    for (words, status, stdout, stderr) in table {
        let output = offshoot(folder.path(), words);
        let shown = format!(
            "{words:?}\n{}\n{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        assert_eq!(output.status.code(), Some(*status), "{shown}");
        assert_eq!(text(&output.stdout), *stdout, "{shown}");
        assert!(text(&output.stderr).contains(stderr), "{shown}");
    }
}

#[test]
fn a_process_has_the_memory_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    // 256 MiB of text in one process, and what it is made of.
    let script =
        r#"awk 'BEGIN { s = "x"; while (length(s) < 200000000) s = s s; print length(s) }'"#;
    let ends = |memory| {
        let output = offshoot(folder.path(), &["run", "--memory", memory, "-c", script]);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(ends("1G"), (Some(0), "268435456\n".to_owned()));
    assert_eq!(ends("256M"), (Some(2), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn output_for_which_there_is_no_room_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    assert!(offshoot(store, &["create", "main"]).status.success());
    for words in [
        &["run", "-c", "echo text"][..],
        &["run", "--json", "-c", "echo text"],
        &["exec", "main", "-c", "echo text"],
        &["exec", "main", "--session", "s", "-c", "printf text"],
        &["export", "main", "-"],
        &["ls"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let child = command(store, words)
            .stdout(full.unwrap())
            .stderr(Stdio::piped())
            .spawn();
        let output = child.unwrap().wait_with_output().unwrap();
        let errors = text(&output.stderr);
        let status = if words[0] == "run" || words[0] == "exec" {
            121
        } else {
            2
        };
        assert_eq!(output.status.code(), Some(status), "{words:?}: {errors}");
        assert!(errors.contains("No space left"), "{words:?}: {errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_script_may_come_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let offshoot = env!("CARGO_BIN_EXE_offshoot");
    let output = Command::new("bash")
        .args(["-c", &format!("{offshoot} run <(echo 'echo hi $1') there")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        text(&output.stdout),
        "hi there\n",
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_script_is_run_by_what_its_first_line_names() {
    let folder = tempfile::tempdir().unwrap();
    let script = "#!/usr/bin/awk -f\nBEGIN { print ARGV[1]; exit 4 }\n";
    std::fs::write(folder.path().join("script.awk"), script).unwrap();
    let output = offshoot(folder.path(), &["run", "script.awk", "a b"]);
    assert_eq!(text(&output.stdout), "a b\n", "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(4));
    let script = "#!/usr/bin/no-such-thing\n";
    std::fs::write(folder.path().join("script"), script).unwrap();
    let output = offshoot(folder.path(), &["run", "script"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(127), "{errors}");
    assert!(errors.contains("required file not found"), "{errors}");
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(b"\xff.sh");
    std::fs::write(folder.path().join(odd), "echo hi").unwrap();
    for (words, status) in [
        (&[OsStr::new("run"), odd][..], 121),
        (&[OsStr::new("run"), OsStr::new("-c"), odd], 121),
        (&[OsStr::new("ls"), OsStr::new("--store"), odd], 2),
        (&[odd], 2),
    ] {
        let output = command(folder.path(), &[]).args(words).output().unwrap();
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {errors}");
        assert!(!errors.contains("panicked"), "{words:?}: {errors}");
    }
}

#[test]
fn a_script_of_a_file_is_one_as_for_bash() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"main() { echo "main $* ${FUNCNAME[*]} ${BASH_SOURCE[*]}"; caller 0; nosuch; }
if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then main "$@"; fi
echo "$- ${#BASH_SOURCE[@]}"
fi
"#;
    std::fs::write(folder.path().join("script.sh"), script).unwrap();
    let ours = offshoot(folder.path(), &["run", "script.sh", "a", "b"]);
    let bash = Command::new("bash")
        .args(["script.sh", "a", "b"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(text(&ours.stdout), text(&bash.stdout));
    assert_eq!(text(&ours.stderr), text(&bash.stderr));
    assert_eq!(ours.status.code(), bash.status.code());
}

#[test]
fn run_streams_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(
        folder.path(),
        &["run", "-c", "read a; echo got $a; cat | wc -c"],
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"first\n").unwrap();
    stdin.write_all(&vec![b'x'; 1 << 20]).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "got first\n1048576\n");
}

#[test]
fn mounts_show_the_host_and_keep_writes_inside() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "host\n").unwrap();
    let script = "cat a; echo new > a; cat a; echo x > b; ls";
    let words = [
        "run",
        "--mount",
        ".:/work:cow",
        "--cwd",
        "/work",
        "-c",
        script,
    ];
    let output = offshoot(folder.path(), &words);
    assert_eq!(
        text(&output.stdout),
        "host\nnew\na\nb\n",
        "{}",
        text(&output.stderr)
    );
    assert_eq!(
        std::fs::read_to_string(folder.path().join("a")).unwrap(),
        "host\n"
    );
    let words = [
        "run",
        "--mount",
        ".:/work",
        "--cwd",
        "/work",
        "-c",
        "echo new > a",
    ];
    let output = offshoot(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Read-only file system"));
}

#[test]
fn what_a_script_changed_in_a_mount_is_written_back_where_it_succeeded() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    std::fs::create_dir(&work).unwrap();
    std::fs::write(work.join("a"), "one\n").unwrap();
    std::fs::write(work.join("gone"), "").unwrap();
    let apply = |script: &str| {
        let mut words = vec![
            "run",
            "--apply",
            "--mount",
            "work:/work:cow",
            "--cwd",
            "/work",
        ];
        words.extend(["-c", script]);
        let output = offshoot(folder.path(), &words);
        (output.status.code(), text(&output.stderr))
    };
    // Nothing where it failed, and nothing where a change would make the host run something.
    let (status, errors) = apply("echo two > a; exit 3");
    assert_eq!(status, Some(3));
    assert!(errors.contains("none of 1 changes is written"), "{errors}");
    let (status, errors) =
        apply("echo two > a; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit");
    assert_eq!(status, Some(121), "{errors}");
    assert_eq!(std::fs::read_to_string(work.join("a")).unwrap(), "one\n");
    let (status, errors) = apply("echo two > a; mkdir d; echo new > d/b; rm gone");
    assert_eq!(status, Some(0), "{errors}");
    for line in ["M work/a", "A work/d/b", "D work/gone"] {
        assert!(errors.contains(line), "{errors}");
    }
    assert_eq!(std::fs::read_to_string(work.join("a")).unwrap(), "two\n");
    assert_eq!(std::fs::read_to_string(work.join("d/b")).unwrap(), "new\n");
    assert!(!work.join("gone").exists());
}

#[test]
fn kept_sandboxes_are_branched_and_promoted() {
    let folder = tempfile::tempdir().unwrap();
    let table: &[(&[&str], i32, &str)] = &[
        (&["create", "main"], 0, ""),
        (&["create", "main"], 2, ""),
        (
            &["exec", "main", "-c", "echo draft > notes; echo made"],
            0,
            "made\n",
        ),
        (&["fork", "main", "idea"], 0, ""),
        (
            &["exec", "idea", "-c", "echo more >> notes; cat notes"],
            0,
            "draft\nmore\n",
        ),
        (&["exec", "main", "-c", "cat notes; exit 5"], 5, "draft\n"),
        (&["promote", "idea"], 0, ""),
        (&["exec", "main", "-c", "cat notes"], 0, "draft\nmore\n"),
        (&["rm", "idea"], 0, ""),
        (&["exec", "idea", "-c", ":"], 121, ""),
        (&["fsck"], 0, ""),
    ];
    for (words, status, stdout) in table {
        let output = offshoot(folder.path(), words);
        let shown = format!(
            "{words:?}\n{}\n{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        assert_eq!(output.status.code(), Some(*status), "{shown}");
        if !stdout.is_empty() {
            assert_eq!(text(&output.stdout), *stdout, "{shown}");
        }
    }
}

/// A command that succeeds.
const COMPONENT: &str = r#"(component
    (core module $module (func (export "run") (result i32) i32.const 0))
    (core instance $instance (instantiate $module))
    (func $run (result (result)) (canon lift (core func $instance "run")))
    (instance $exports (export "run" (func $run)))
    (export "wasi:cli/run@0.2.12" (instance $exports)))"#;

#[test]
fn a_command_of_the_host_is_compiled_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("noop.wasm"),
        wat::parse_str(COMPONENT).unwrap(),
    )
    .unwrap();
    let run = || {
        let words = [
            "run",
            "--command",
            "noop=noop.wasm",
            "-c",
            "noop && echo ok",
        ];
        let mut command = command(folder.path(), &words);
        let output = command.env("XDG_CACHE_HOME", folder.path()).output();
        assert_eq!(text(&output.unwrap().stdout), "ok\n");
        let compiled = folder.path().join("offshoot/compiled");
        let entries = std::fs::read_dir(compiled).unwrap();
        entries
            .map(|entry| {
                let entry = entry.unwrap();
                (
                    entry.file_name(),
                    entry.metadata().unwrap().modified().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    let first = run();
    assert_eq!(first.len(), 1);
    assert_eq!(run(), first);
}
