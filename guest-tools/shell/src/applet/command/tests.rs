//! Commands of the families in a sandbox without processes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use crate::sandbox::{ExecOptions, ExecResult, Options, Sandbox};

fn run(script: &str) -> ExecResult {
    let sandbox = Sandbox::new(Options::default()).unwrap();
    sandbox
        .exec(script.as_bytes(), &ExecOptions::default())
        .unwrap()
}

/// What a script prints, and on standard error in brackets.
fn printed(script: &str) -> String {
    let result = run(script);
    let (out, errors) = (
        String::from_utf8_lossy(&result.stdout).into_owned(),
        String::from_utf8_lossy(&result.stderr).into_owned(),
    );
    if errors.is_empty() {
        out
    } else {
        format!("{out}[{errors}]")
    }
}

#[test]
fn commands_work_in_pipelines() {
    let cases = [
        (
            "printf 'b\\na\\nb\\n' | sort | uniq -c | sed 's/^ *//'",
            "1 a\n2 b\n",
        ),
        ("echo 'a b' | awk '{print $2}'", "b\n"),
        ("seq 100000 | grep -c 7", "40951\n"),
        ("seq 200000 | sort -rn | head -n 1", "200000\n"),
        ("seq 3 > f; grep 2 < f; grep -n 3 f", "2\n3:3\n"),
        ("diff <(seq 3) <(seq 4)", "3a4\n> 4\n"),
        ("echo '{\"a\":[1,2]}' | jq -c .a", "[1,2]\n"),
        (
            "mkdir d; touch d/x; cp d/x d/y; mv d/y d/z; ls d; rm -r d; ls",
            "x\nz\n",
        ),
        ("mkdir -p a/b; touch a/b/c; find a -type f", "a/b/c\n"),
        ("echo x > f; sed -i s/x/y/ f; cat f", "y\n"),
        ("echo b | sort -o f; cat f", "b\n"),
        (
            "printf '1\\n2\\n' | while read x; do sed s/$/$x/ /dev/null; grep -c q /dev/null; echo $x; done",
            "0\n1\n0\n2\n",
        ),
        (
            "awk 'BEGIN { print ENVIRON[\"HOME\"]; print ARGV[0] }'",
            "/home/user\nawk\n",
        ),
        (
            "cd /tmp; mkdir w; cd w; echo 1 > one; grep -r 1 .",
            "./one:1\n",
        ),
        ("seq 3 | tee f g | tail -n 1; cat f g | wc -l", "3\n6\n"),
        (
            "nosuch=1 grep x missing",
            "[grep: missing: No such file or directory\n]",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(printed(script), expected, "{script}");
    }
}

#[test]
fn an_endless_input_is_read_in_pieces() {
    assert_eq!(printed("while :; do echo y; done | sed 2q"), "y\ny\n");
    assert_eq!(printed("while :; do echo y; done | grep -m 1 y"), "y\n");
}

#[test]
fn input_that_a_command_leaves_is_there_for_the_next() {
    let script = "seq 5 | { read a; grep -c x /dev/null; read b; echo $a $b; }";
    assert_eq!(printed(script), "0\n1 2\n");
}

#[test]
fn statics_do_not_last() {
    let script =
        "echo 0x11 | awk --non-decimal-data '{print $1+0}'; echo 0x11 | gawk '{print $1+0}'";
    assert_eq!(printed(script), "17\n0\n");
}
