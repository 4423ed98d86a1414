//! What flows between commands and how far a call reaches: scripts, and what bash prints for them.

use std::time::Duration;

use offshoot::{Code, Exec, Limits, Sandbox};

/// Nothing waits for what has happened: an applet behind another stage and before a program, with more
/// than a pipe holds.
const FLOWS: &[(&str, &str)] = &[
    (
        "seq 200000 > f; cat f | cut -c2- | awk 'END { print NR }'",
        "200000\n",
    ),
    ("seq 200000 | tr -d 1 | awk 'END { print NR }'", "200000\n"),
    ("seq 200000 | tr -s 0 | sed -n '$p'", "20\n"),
    ("yes a-b | head -n 100000 | cut -d- -f2 | sort -u", "b\n"),
    (
        "printf '%s\\n' {1..50000} | cut -c1 | tr -d 1 | env cat | wc -l",
        "50000\n",
    ),
    (
        "seq 100000 | tail -n +2 | tr 1 2 | cut -c1- | env wc -l",
        "99999\n",
    ),
    (
        "seq 100000 | cut -c1- | while read -r l; do [ $l = 9 ] && break; done; echo $l",
        "\n",
    ),
    (
        "x=$(seq 100000 | tr -d 5 | env cat); echo ${#x}",
        "538894\n",
    ),
    // Lines of writers that share a pipe stay whole.
    (
        "l=$(printf '%0999d'); for w in 1 2 3; do for i in {1..100}; do echo $l; done & done | tr -d 1 | sort | uniq -c | grep -c ' 300 '",
        "1\n",
    ),
    // Who opens a FIFO hears of the other side, though that is gone again.
    ("mkfifo p; : > p & cat p; echo $?", "0\n"),
    ("mkfifo p; env true > p & env sort p; echo $?", "0\n"),
    ("mkfifo p; echo hi > p & env sort p; wait", "hi\n"),
];

/// What one call cannot carry is refused to the command, and the shell goes on.
const CALLS: &[(&str, &str)] = &[
    (
        "x=$(seq 200000); /usr/bin/printf '%s\\n' $x 2>&1; echo $?",
        "bash: line 1: /usr/bin/printf: Argument list too long\n126\n",
    ),
    (
        "ls $(seq 400000) 2>&1; echo $?",
        "bash: line 1: /usr/bin/ls: Argument list too long\n126\n",
    ),
    (
        "export x=$(seq 500000); env true 2>&1; echo $?",
        "bash: line 1: /usr/bin/env: Argument list too long\n126\n",
    ),
    ("for i in $(seq 500000); do :; done; echo $i", "500000\n"),
    (
        "x=$(yes abcdefg | head -c 6000000); echo \"$x\" > f; wc -c < f; echo \"$x\" | wc -c",
        "6000000\n6000000\n",
    ),
    (
        "x=$(yes abcdefg | head -c 6000000); [ -e \"$x\" ]; echo $?; { cat < \"$x\"; } 2> /dev/null; echo $?; cd \"$x\" 2> /dev/null; echo $?",
        "1\n1\n1\n",
    ),
    (
        "for i in {1..1500}; do sleep 100 & done; jobs -p | wc -l; kill $(jobs -p); wait; echo done",
        "1500\ndone\n",
    ),
    (
        "echo | stat -L -c %i /dev/stdin | grep -cx '[0-9]\\{1,3\\}'",
        "1\n",
    ),
];

/// Names that are not UTF-8 are names of their own, also where programs are given them.
const NAMES: &[(&str, &str)] = &[
    (
        "a=$'x\\xff' b=$'x\\xfe'; echo 1 > $a; echo 2 > $b; mkdir d; env cp $a $b d; env cat d/$a d/$b; ls d | wc -l",
        "1\n2\n2\n",
    ),
    (
        "mkdir $'d\\xff' $'d\\xfe'; touch $'d\\xff/f'; env rm -rf $'d\\xfe'; ls | od -An -tx1; env mv $'d\\xff' e; ls e",
        " 64 ff 0a\nf\n",
    ),
    (
        "echo hi > $'x\\xff'; grep -c hi $'x\\xff'; wc -c < $'x\\xff'; sort $'x\\xff'; find . -name $'x\\xff' | od -An -tx1; env sh -c 'printf %s \"$1\"' sh $'\\xff' | od -An -tx1",
        "1\n3\nhi\n 2e 2f 78 ff 0a\n ff\n",
    ),
    (
        "export v=$'\\xff'; env bash -c 'printf %s \"$v\"' | od -An -tx1",
        " ff\n",
    ),
];

/// Commands leave what they did not take of an input that they share.
const SHARED: &[(&str, &str)] = &[
    (
        "seq 5 > f; { head -n1; cat; } < f | paste -sd,",
        "1,2,3,4,5\n",
    ),
    (
        "seq 5 > f; { head -n1; env cat; } < f | paste -sd,",
        "1,2,3,4,5\n",
    ),
    (
        "seq 5 > f; { read -r a; env cat; } < f | paste -sd,",
        "2,3,4,5\n",
    ),
    ("seq 5 | { read -r a; env cat; } | paste -sd,", "2,3,4,5\n"),
    (
        "exec 3< <(seq 5); read -r a <&3; read -r b <&3; cat <&3 | paste -sd, ; echo $a$b",
        "3,4,5\n12\n",
    ),
    (
        "exec 3< <(env seq 5); read -r a <&3; env cat <&3 | paste -sd,",
        "2,3,4,5\n",
    ),
    (
        "seq 5 > f; { tail -n +4; echo end; cat; } < f | paste -sd,",
        "4,5,end\n",
    ),
];

#[test]
fn scripts_print_what_bash_prints() {
    let base = Sandbox::builder().build_blocking().unwrap();
    let mut wrong = String::new();
    for (script, expected) in [FLOWS, CALLS, NAMES, SHARED].into_iter().flatten() {
        let found = match base.fork().exec(*script) {
            Ok(result) => format!("{}{}", result.stdout_text(), result.stderr_text()),
            Err(error) => error.to_string(),
        };
        if found != *expected {
            wrong += &format!("{script}\n{found}---\n");
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn output_that_meets_its_limit_exactly_is_over_it_with_the_next_byte() {
    let limits = Limits {
        output: 128 << 10,
        ..Limits::default()
    };
    let sandbox = Sandbox::builder().limits(limits).build_blocking().unwrap();
    let exact = sandbox.exec("head -c 131072 /dev/zero").unwrap();
    assert_eq!((exact.exit_code, exact.stdout.len()), (0, 128 << 10));
    for script in ["env yes", "yes", "while :; do echo 01234567890123; done"] {
        let error = sandbox.exec(script).unwrap_err();
        assert_eq!(error.code(), Code::Limit, "{script}");
        assert!(error.to_string().contains("output"), "{error}");
        assert_eq!(error.output().unwrap().stdout.len(), 128 << 10, "{script}");
    }
}

/// Scripts that are over while something goes on, which then writes `late`.
const RELEASED: &[&str] = &[
    "(until [ -e go ]; do sleep 0.01; done; echo late > late) > /dev/null 2>&1 & echo early",
    "{ until [ -e go ]; do sleep 0.01; done; echo late > late; } > /dev/null 2>&1 & echo early",
    "f() { until [ -e go ]; do sleep 0.01; done; echo late > late; }; f > /dev/null 2>&1 & disown; echo early",
    "nohup bash -c 'until [ -e go ]; do sleep 0.01; done; echo late > late' > /dev/null 2>&1 & echo early",
    "setsid bash -c 'until [ -e go ]; do sleep 0.01; done; echo late > late' > /dev/null 2>&1 < /dev/null & echo early",
    "bash -c 'until [ -e go ]; do sleep 0.01; done; echo late > late' &> log & echo early",
    "(env sh -c 'until [ -e go ]; do sleep 0.01; done; echo late > late' > /dev/null 2>&1 &) ; echo early",
];

#[tokio::test]
async fn what_let_go_of_its_streams_goes_on_by_itself() {
    let base = Sandbox::new().unwrap();
    for script in RELEASED {
        let sandbox = base.fork();
        let result = sandbox.exec(*script).await.unwrap();
        assert_eq!(result.stdout_text(), "early\n", "{script}");
        assert!(!sandbox.exists("late").await, "{script}");
        let other = "touch go; until [ -s late ]; do sleep 0.01; done; cat late";
        let result = sandbox.exec(other).await.unwrap();
        assert_eq!(result.stdout_text(), "late\n", "{script}");
    }
}

#[tokio::test]
async fn who_holds_a_stream_is_waited_for() {
    let sandbox = Sandbox::new().unwrap();
    let scripts = [
        "(sleep 0.3; echo late) & echo early",
        "(sleep 0.3; echo late >&2) 2>&1 > /dev/null & echo early",
        "{ sleep 0.3 > /dev/null 2>&1; echo late; } & echo early",
        "env sh -c 'sleep 0.3; echo late' & echo early",
        "(env sh -c 'sleep 0.3; echo late' &) ; echo early",
    ];
    for script in scripts {
        let result = sandbox.exec(script).await.unwrap();
        assert_eq!(result.stdout_text(), "early\nlate\n", "{script}");
    }
    let script = "(sleep 0.3; echo late > late) > /dev/null 2>&1 & echo early";
    let exec = Exec::new(script).wait_for_background();
    sandbox.exec(exec).await.unwrap();
    assert_eq!(sandbox.read_file("late").await.unwrap(), "late\n");
}

#[tokio::test]
async fn what_goes_on_is_not_timed_and_ends_with_its_sandbox() {
    let sandbox = Sandbox::new().unwrap();
    let script = "while sleep 0.05; do echo beat >> beats; done > /dev/null 2>&1 &";
    let timed = Exec::new(script).timeout_ms(1_000);
    assert_eq!(sandbox.exec(timed).await.unwrap().exit_code, 0);
    // A session goes on beside it.
    let session = sandbox.session();
    session
        .exec("x=1; sleep 100 > /dev/null 2>&1 &")
        .await
        .unwrap();
    assert_eq!(session.exec("echo $x").await.unwrap().stdout_text(), "1\n");
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let later =
        "rm beats; until [ -s beats ]; do sleep 0.01; done; pgrep -xc sleep > count; echo on";
    assert_eq!(sandbox.exec(later).await.unwrap().stdout_text(), "on\n");
    let files = sandbox.vfs().clone();
    let who = sandbox.caller();
    drop((sandbox, session));
    let beats = || {
        files
            .read_file(&who, files.root(), b"/home/user/beats")
            .unwrap()
    };
    let mut before = beats();
    loop {
        // What was under way when it ended may still write.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = beats();
        if now == before {
            break;
        }
        before = now;
    }
}
