//! What a shell runs itself is a process to everyone else: it is listed, found by its name and
//! reached by signals.

use offshoot::Sandbox;

/// Scripts and what bash and the system's tools print for them.
const CASES: &[(&str, &str)] = &[
    // A background job has the number of what it runs.
    ("sleep 100 & env kill $!; wait $!; echo $?", "143\n"),
    (
        "sleep 100 & [ $(pgrep -x sleep) = $! ] && echo same; pkill sleep; wait $!; echo $?",
        "same\n143\n",
    ),
    (
        "sleep 100 & sleep 0.01; ps -o comm= -p $!; ps -o args= -p $!; kill $!",
        "sleep\nsleep 100\n",
    ),
    (
        "yes > /dev/null & [ $(pgrep -x yes) = $! ] && echo same; kill $!; wait $!; echo $?",
        "same\n143\n",
    ),
    ("sleep 100 & xargs kill <<< $!; wait $!; echo $?", "143\n"),
    // A script in the background is the process that its caller knows.
    (
        "bash -c 'echo $$' > f & wait; [ $(< f) = $! ] && echo same",
        "same\n",
    ),
    (
        "printf '#!/bin/bash\\nsleep 0.2; echo still\\n' > s; chmod +x s; ./s & kill $!; wait $!; echo $?; sleep 0.3",
        "143\n",
    ),
    (
        "bash -c 'trap \"echo got; exit 3\" TERM; : > up; while :; do sleep 0.01; done' & until [ -e up ]; do sleep 0.01; done; kill $!; wait $!; echo $?",
        "got\n3\n",
    ),
    (
        "printf '#!/bin/bash\\nwhile :; do sleep 0.01; done\\n' > serve; chmod +x serve; ./serve a b & pgrep -f 'serve a' | wc -l; ps -o args= -p $!; pkill -f 'serve a b'; wait $!; echo $?",
        "1\n/bin/bash ./serve a b\n143\n",
    ),
    (
        "(exec bash -c 'echo $BASHPID $$') > f & wait; read -r a b < f; [ $a = $b ] && [ $a = $! ] && echo same",
        "same\n",
    ),
    // A subshell and the command that it waits for are two.
    (
        "(sleep 100; echo on) & until pgrep -x sleep > f; do :; done; [ $(< f) = $! ] || echo other; pkill sleep; wait $!; echo $?",
        "other\non\n0\n",
    ),
    (
        "(trap '' TERM; sleep 0.2; echo done) & until pgrep -x sleep > f; do :; done; kill $(< f); wait $!; echo $?",
        "done\n0\n",
    ),
    (
        "(while :; do :; done) & ps -o ppid= -p $! | tr -d ' ' > f; [ $(< f) = $$ ] && echo child; kill $!; wait $!; echo $?",
        "child\n143\n",
    ),
    // Whoever has ended is gone.
    (
        "true & wait; env kill -0 $! 2>&1 | grep -c 'No such process'",
        "1\n",
    ),
    (
        "sleep 0.01 & p=$!; wait; pgrep -x sleep; echo $?; kill -0 $p 2> /dev/null; echo $?",
        "1\n1\n",
    ),
    // Two shells number theirs differently.
    (
        "env bash -c 'sleep 100 & echo $!; wait' > f & sleep 100 & p=$!; until [ -s f ]; do sleep 0.01; done; [ $(< f) != $p ] && echo different; pgrep -xc sleep; pkill sleep; wait",
        "different\n2\n",
    ),
];

#[test]
fn what_a_shell_runs_is_listed_and_signalled() {
    let base = Sandbox::builder().build_blocking().unwrap();
    for (script, expected) in CASES {
        let result = base.fork().exec(*script).unwrap();
        let output = result.stdout_text();
        assert_eq!(output, *expected, "{script}\n{}", result.stderr_text());
    }
}
