//! The main jobs of a sandbox, once each, through the public API.

use offshoot::blocking::Sandbox;
use offshoot::{Code, Exec, Limits, Mount, RemoveOptions};

/// Script, standard output, exit code. Every output is what bash 5.2 and the GNU tools give.
const SCRIPTS: &[(&str, &str, u8)] = &[
    ("echo hi", "hi\n", 0),
    ("yes | head -1", "y\n", 0),
    ("seq 1 1000000 | sort -n | tail -1", "1000000\n", 0),
    (
        "seq 1 10 | while read -r n; do ((n % 2)) || echo $n; done | paste -sd,",
        "2,4,6,8,10\n",
        0,
    ),
    (
        "f() { local x=$1; echo $((x * 2)); }; for i in 1 2 3; do f $i; done",
        "2\n4\n6\n",
        0,
    ),
    ("set -o pipefail; false | true; echo $?", "1\n", 0),
    (
        "yes | head -1 >/dev/null; echo ${PIPESTATUS[0]}",
        "141\n",
        0,
    ),
    ("echo a > f; ln f g; stat -c %h f; rm f; cat g", "2\na\n", 0),
    (
        "printf '#!/bin/sh\\necho \"$0 $1\"\\n' > s; chmod +x s; ./s arg",
        "./s arg\n",
        0,
    ),
    (
        "which ls; type cd | head -1",
        "/usr/bin/ls\ncd is a shell builtin\n",
        0,
    ),
    ("mkdir -p a/b; touch a/b/c; find a -type f", "a/b/c\n", 0),
    ("printf 'b\\na\\n' | sort | xargs -n1 echo", "a\nb\n", 0),
    ("echo one two | sed 's/one/1/' | grep -o '[0-9]'", "1\n", 0),
    (
        "diff <(printf 'a\\n') <(printf 'a\\n') && echo same",
        "same\n",
        0,
    ),
    (
        "cat <<< \"$(id -un):$HOME:$PWD\"",
        "user:/home/user:/home/user\n",
        0,
    ),
    ("nosuchcommand", "", 127),
    // What a program is, its file says, and not what it is called by.
    (
        "cp /usr/bin/factor f; ln -s /usr/bin/factor ls; ./f 6; ./ls 8; (exec -a echo factor 9); bash -c './f 10'",
        "6: 2 3\n8: 2 2 2\n9: 3 3\n10: 2 5\n",
        0,
    ),
    // A directory that is gone holds nothing, and the one above is still above.
    (
        "mkdir d; cd d; rmdir ../d; find . -delete 2>/dev/null; touch x 2>/dev/null; echo $?; cd ..; pwd; ls /bin | head -1",
        "1\n/home/user\n[\n",
        0,
    ),
    (
        "printf '#!/home/user/t\\n' >s; printf '#!/home/user/s\\n' >t; chmod +x s t; ./s 2>&1; echo $?",
        "bash: line 1: ./s: /home/user/t: bad interpreter: Too many levels of symbolic links\n126\n",
        0,
    ),
    (
        "printf '#!/no/such\\n' >s; chmod +x s; ./s 2>&1; echo $?; printf '#!/tmp\\n' >s; ./s 2>&1; echo $?",
        "bash: line 1: ./s: cannot execute: required file not found\n127\nbash: line 1: ./s: /tmp: bad interpreter: Permission denied\n126\n",
        0,
    ),
    (
        "printf '#!/bin/echo -a  b\\n' >s; chmod +x s; ./s c | tr ' ' ,",
        "-a,,b,./s,c\n",
        0,
    ),
    (
        "touch -x 2>&1; echo $?; rm --bogus=1 2>&1 | head -1; cut -d 2>&1 | head -1",
        "touch: invalid option -- 'x'\nTry 'touch --help' for more information.\n1\nrm: unrecognized option '--bogus=1'\ncut: option requires an argument -- 'd'\n",
        0,
    ),
    ("sleep 0.01 & wait; echo done", "done\n", 0),
    ("(exit 3); echo $?; exit 4", "3\n", 4),
    ("bash -c 'echo $0 $1' name one", "name one\n", 0),
    (
        "find . -name '*.none' -exec false {} +; printf x | xargs sh -c 'echo got $0'",
        "got x\n",
        0,
    ),
];

#[test]
fn scripts_give_what_bash_gives() {
    for (script, stdout, status) in SCRIPTS {
        let result = Sandbox::new().unwrap().exec(*script).unwrap();
        assert_eq!(
            result.stdout_text(),
            *stdout,
            "{script}\n{}",
            result.stderr_text()
        );
        assert_eq!(
            result.exit_code,
            *status,
            "{script}\n{}",
            result.stderr_text()
        );
    }
}

#[test]
fn shell_state_is_fresh_and_files_stay() {
    let sandbox = Sandbox::new().unwrap();
    sandbox
        .exec("x=1; set -u; cd /tmp; f() { echo f; }; echo kept > ~/file")
        .unwrap();
    let result = sandbox.exec("echo \"[$x] $PWD\"; cat ~/file; f").unwrap();
    assert_eq!(result.stdout_text(), "[] /home/user\nkept\n");
    assert_eq!(result.exit_code, 127);
}

#[test]
fn a_session_keeps_shell_state() {
    let sandbox = Sandbox::new().unwrap();
    let session = sandbox.session();
    session
        .exec("x=1; a=(p q); cd /tmp; f() { echo f$x; }")
        .unwrap();
    let result = session.exec("echo $x ${a[1]} $PWD; f").unwrap();
    assert_eq!(result.stdout_text(), "1 q /tmp\nf1\n");
    assert_eq!(sandbox.exec("echo [$x]").unwrap().stdout_text(), "[]\n");
}

#[test]
fn an_exported_session_goes_on_elsewhere() {
    let sandbox = Sandbox::new().unwrap();
    let session = sandbox.session();
    let script =
        "shopt -s expand_aliases; alias hi='echo hi'; set -u; trap 'echo bye' EXIT; cd /tmp
        declare -A m=([k]=v); f() { echo \"${m[k]}$1\"; }; printf 'a\\nb\\nc\\n' > in
        exec 3< in 4> out 5>&4; read -u 3 line; echo one >&4";
    session.exec(script).unwrap();
    let state = session.export().unwrap();
    let script = "hi; f !; pwd; read -u 3 line; echo $line; echo two >&5; echo three >&4; cat out
        { true <&0; } 6<&7 || echo closed; echo ${nope-unset}; trap -p";
    let expected =
        "hi\nv!\n/tmp\nb\none\ntwo\nthree\nclosed\nunset\ntrap -- 'echo bye' EXIT\nbye\n";
    let copy = sandbox.fork().import_session(state.clone());
    let original = session.exec(script).unwrap();
    assert_eq!(original.stdout_text(), expected);
    assert_eq!(copy.exec(script).unwrap().stdout_text(), expected);

    // Elsewhere the files are not there, and the descriptors closed.
    let other = Sandbox::new().unwrap().import_session(state);
    let result = other.exec("f ?; read -u 3 line || echo $?").unwrap();
    assert_eq!(result.stdout_text(), "v?\n1\nbye\n");
    for (bytes, code) in [
        (&b"nothing"[..], Code::Corrupt),
        (b"OFFSHELL\xff\0\0\0\xff\0\0\0", Code::TooNew),
    ] {
        let error = sandbox
            .import_session(bytes.to_vec())
            .exec(":")
            .unwrap_err();
        assert_eq!(error.code(), code);
    }
    let fresh = sandbox.session().export().unwrap();
    let result = sandbox.import_session(fresh).exec("echo $?").unwrap();
    assert_eq!(result.stdout_text(), "0\n");
}

#[test]
fn branches_do_not_see_each_other() {
    let parent = Sandbox::builder()
        .file("/home/user/f", "base\n")
        .build_blocking()
        .unwrap();
    let branches: Vec<Sandbox> = (0..20).map(|_| parent.fork()).collect();
    for (number, branch) in branches.iter().enumerate() {
        branch
            .exec(format!("echo {number} >> f; rm -f gone; mkdir d{number}"))
            .unwrap();
    }
    for (number, branch) in branches.iter().enumerate() {
        let seen = branch.exec("cat f; ls -d d*").unwrap();
        assert_eq!(seen.stdout_text(), format!("base\n{number}\nd{number}\n"));
    }
    assert_eq!(parent.exec("cat f; ls").unwrap().stdout_text(), "base\nf\n");
}

#[test]
fn file_operations_follow_the_contract() {
    let sandbox = Sandbox::new().unwrap();
    let all: Vec<u8> = (0..=255).collect();
    sandbox.write_file("a/b/bytes", &all).unwrap();
    assert_eq!(
        sandbox.read_file_buffer("/home/user/a/b/bytes").unwrap(),
        all
    );
    assert_eq!(
        sandbox.read_file("a/b/bytes").unwrap_err().code(),
        Code::NotText
    );
    assert_eq!(sandbox.readdir("a/b").unwrap(), ["bytes"]);
    assert_eq!(sandbox.stat("a/b/bytes").unwrap().size, 256);
    assert!(sandbox.exists("a") && !sandbox.exists("a/none/deeper"));
    let table = [
        (sandbox.mkdir("a", false).unwrap_err(), Code::Conflict),
        (sandbox.mkdir("x/y", false).unwrap_err(), Code::NotFound),
        (
            sandbox.rm("a", RemoveOptions::default()).unwrap_err(),
            Code::Conflict,
        ),
        (
            sandbox.rm("none", RemoveOptions::default()).unwrap_err(),
            Code::NotFound,
        ),
        (sandbox.readdir("a/b/bytes").unwrap_err(), Code::Conflict),
        (
            sandbox.read_file("../../../etc/passwd").unwrap_err(),
            Code::PathEscape,
        ),
        (
            sandbox.write_file("/etc/x", "").unwrap_err(),
            Code::PolicyDenied,
        ),
    ];
    for (error, code) in table {
        assert_eq!(error.code(), code, "{error}");
    }
    sandbox.mkdir("a", true).unwrap();
    sandbox
        .rm(
            "a",
            RemoveOptions {
                recursive: true,
                force: false,
            },
        )
        .unwrap();
    sandbox
        .rm(
            "a",
            RemoveOptions {
                recursive: true,
                force: true,
            },
        )
        .unwrap();
    assert_eq!(sandbox.resolve_path("./x/../y//z"), "/home/user/y/z");
}

#[test]
fn stdin_env_cwd_and_arguments_reach_the_script() {
    let sandbox = Sandbox::builder()
        .env("A", "sandbox")
        .build_blocking()
        .unwrap();
    let exec = Exec::new("cat; echo $A $B $PWD $0 \"$1\"")
        .stdin("in\n")
        .env("B", "exec")
        .cwd("/tmp")
        .name("me")
        .arguments(["two words"]);
    let result = sandbox.exec(exec).unwrap();
    assert_eq!(result.stdout_text(), "in\nsandbox exec /tmp me two words\n");
    let bare = sandbox
        .exec(Exec::new("env | sort").replace_env().env("ONLY", "1"))
        .unwrap();
    assert!(bare.stdout_text().contains("ONLY=1") && !bare.stdout_text().contains("A=sandbox"));
}

#[test]
fn host_folders_are_mounted_as_asked() {
    let host = tempfile::tempdir().unwrap();
    std::fs::write(host.path().join("f"), "host\n").unwrap();
    let sandbox = Sandbox::builder()
        .mount("/ro", Mount::read_only(host.path()).unwrap())
        .mount("/cow", Mount::copy_on_write(host.path()).unwrap())
        .build_blocking()
        .unwrap();
    let result = sandbox
        .exec("cat /ro/f; echo x > /ro/f; echo mine > /cow/f; cat /cow/f /ro/f")
        .unwrap();
    assert_eq!(result.stdout_text(), "host\nmine\nhost\n");
    assert!(
        result.stderr_text().contains("Read-only file system"),
        "{}",
        result.stderr_text()
    );
    assert_eq!(std::fs::read(host.path().join("f")).unwrap(), b"host\n");
}

#[test]
fn equal_seeds_give_equal_runs() {
    let run = |seed| {
        let sandbox = Sandbox::builder()
            .deterministic(seed)
            .build_blocking()
            .unwrap();
        let script =
            "echo $RANDOM $$ $(date +%s%N); head -c 8 /dev/urandom | od -An -tx1; mktemp -u";
        sandbox.exec(script).unwrap().stdout
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn output_before_a_limit_is_delivered() {
    let limits = Limits {
        output: 100_000,
        ..Limits::default()
    };
    let sandbox = Sandbox::builder().limits(limits).build_blocking().unwrap();
    let error = sandbox.exec("echo first; yes").unwrap_err();
    assert_eq!(error.code(), Code::Limit);
    assert!(error.to_string().contains("output"), "{error}");
    assert!(error.output().unwrap().stdout.starts_with(b"first\ny\n"));
    assert_eq!(
        sandbox.exec("echo still here").unwrap().stdout_text(),
        "still here\n"
    );
}

#[test]
fn xargs_waits_where_no_further_process_can_start() {
    let limits = Limits {
        processes: 6,
        ..Limits::default()
    };
    let sandbox = Sandbox::builder().limits(limits).build_blocking().unwrap();
    let script =
        "seq 40 | xargs -n1 -P100 basename > f; echo ${PIPESTATUS[1]}; sort -n f | tail -n1";
    let result = sandbox.exec(script).unwrap();
    assert_eq!(result.stdout_text(), "0\n40\n", "{}", result.stderr_text());
}

/// An applet behind another stage and before a program, with more than the pipes between them hold:
/// what arrives while it writes must not be missed by its next wait.
#[test]
fn applets_between_full_pipes_go_on() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.exec("seq 200000 > f").unwrap();
    for (script, expected) in [
        ("cat f | cut -c2- | awk 'END { print NR }'", "200000\n"),
        ("cat f | tr -d 9 | awk 'END { print NR }'", "200000\n"),
        (
            "seq 200000 | tr -s 0 | LC_ALL=C sort -r | head -n 1",
            "99999\n",
        ),
        ("cat f | cut -d1 -f1 | grep -c .", "88889\n"),
    ] {
        let result = sandbox
            .exec(offshoot::Exec::new(script).timeout_ms(120_000))
            .unwrap();
        assert_eq!(
            (result.stdout_text().as_ref(), result.exit_code),
            (expected, 0),
            "{script}"
        );
    }
}
