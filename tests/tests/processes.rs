//! What a shell runs itself is a process to everyone else: it is listed, found by its name and
//! reached by signals.

use offshoot::{Code, Sandbox};

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

/// What scripts read below `/proc`, and what they get on Linux.
const VIEWS: &[(&str, &str)] = &[
    (
        "cat /proc/self/comm; readlink /proc/self/exe",
        "cat\n/usr/bin/readlink\n",
    ),
    (
        "read -r pid rest < /proc/self/stat; [ $pid = $$ ] && echo same",
        "same\n",
    ),
    (
        "(read -r pid rest < /proc/self/stat; [ $pid = $BASHPID ] && echo same)",
        "same\n",
    ),
    (
        "bash -c 'tr \"\\0\" , < /proc/$$/cmdline; :' x y",
        "bash,-c,tr \"\\0\" , < /proc/$$/cmdline; :,x,y,",
    ),
    (
        "bash -c 'readlink /proc/$$/exe; cat /proc/$$/comm; :'",
        "/usr/bin/bash\nbash\n",
    ),
    (
        "cd /tmp; readlink /proc/$$/cwd; (cd /etc; readlink /proc/$BASHPID/cwd /proc/$$/cwd; :)",
        "/tmp\n/etc\n/tmp\n",
    ),
    (
        "cd /tmp; [ /proc/$$/cwd -ef /tmp ] && echo same; cd /etc; [ /proc/$$/cwd -ef /etc ] && echo same",
        "same\nsame\n",
    ),
    (
        "cd /tmp; sleep 100 & sleep 0.01; readlink /proc/$!/{exe,cwd,root}; kill $!",
        "/usr/bin/sleep\n/tmp\n/\n",
    ),
    (
        "sleep 100 & [ -d /proc/$! ] && echo there; kill $!; wait $! 2> /dev/null; [ -e /proc/$! ] || echo gone",
        "there\ngone\n",
    ),
    (
        "sleep 0.05 & while [ -e /proc/$! ]; do sleep .01; done; echo over",
        "over\n",
    ),
    (
        "sleep 100 & for p in /proc/[0-9]*; do [ ${p##*/} = $! ] && echo listed; done; kill $!",
        "listed\n",
    ),
    (
        "ls /proc | grep -cx $$; ls -d /proc/[0-9]* | grep -c \"/$$\\$\"",
        "1\n1\n",
    ),
    (
        "awk '/^PPid/ { print $2 }' /proc/self/status > f; [ $(< f) = $$ ] && echo child",
        "child\n",
    ),
    (
        "awk '/^VmRSS:/ && $2 > 0 { print $3 }' /proc/self/status",
        "kB\n",
    ),
    (
        "sed -n 's/^State:\\t//p' /proc/self/status /proc/$$/status; :",
        "R (running)\nS (sleeping)\n",
    ),
    (
        "awk '{ print NF }' /proc/self/stat /proc/self/statm /proc/uptime /proc/loadavg",
        "52\n7\n2\n5\n",
    ),
    (
        "sleep 100 & sleep 0.01; read -r a b c d e < /proc/$!/stat; [ $d = $(ps -o ppid= -p $!) ] && [ $a = $! ] && echo $b $c; kill $!",
        "(sleep) S\n",
    ),
    (
        "FOO=bar cat /proc/self/environ | tr '\\0' '\\n' | grep ^FOO=",
        "FOO=bar\n",
    ),
    (
        "FOO='a b' env tr '\\0' '\\n' < /proc/self/environ | grep -c ^FOO=",
        "0\n",
    ),
    (
        "ls /proc/self/fd | head -3 | tr '\\n' ' '; echo hi | cat /proc/self/fd/0",
        "0 1 2 hi\n",
    ),
    (
        "exec 7< /etc/hostname; [ -e /proc/self/fd/7 ] && echo open; [ -e /proc/self/fd/9 ] || echo closed",
        "open\nclosed\n",
    ),
    (
        "cat /proc/$$/task/*/comm; ls /proc/thread-self/comm",
        "bash\n/proc/thread-self/comm\n",
    ),
    (
        "readlink /proc/mounts; awk '$2 == \"/proc\" { print $3 }' /proc/mounts",
        "self/mounts\nproc\n",
    ),
    (
        "awk '$5 == \"/\" || $5 == \"/proc\" { print $4 }' /proc/self/mountinfo",
        "/\n/\n",
    ),
    (
        "[ $(cat /proc/sys/kernel/hostname) = $(hostname) ] && echo same",
        "same\n",
    ),
    (
        "[ $(awk '{ print int($1) }' /proc/uptime) -lt 1000000 ] && awk '/^btime/ { print ($2 > 0) }' /proc/stat",
        "1\n",
    ),
    (
        "a=$(cat /proc/sys/kernel/random/uuid); [[ $a =~ ^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$ ]] && [ $a != $(cat /proc/sys/kernel/random/uuid) ] && echo new",
        "new\n",
    ),
    (
        "awk '/^Mem(Total|Free)/ { print $1, ($2 > 0), $3 }' /proc/meminfo",
        "MemTotal: 1 kB\nMemFree: 1 kB\n",
    ),
    (
        "awk '/open files/ { print $4 }' /proc/self/limits | grep -c '^[0-9]*$'",
        "1\n",
    ),
    (
        "find /proc/self/ -maxdepth 1 -name 'stat*' | sort",
        "/proc/self/stat\n/proc/self/statm\n/proc/self/status\n",
    ),
    (
        "(echo x > /proc/uptime) 2>&1; rm -f /proc/version 2> /dev/null; echo $?",
        "bash: line 1: /proc/uptime: Permission denied\n1\n",
    ),
    (
        "cat /proc/999999999/stat /proc/nothing 2>&1",
        "cat: /proc/999999999/stat: No such file or directory\ncat: /proc/nothing: No such file or directory\n",
    ),
    (
        "head -n1 /proc/self/status; wc -l < /proc/self/status | grep -c '[1-9]'; tail -c 1 /proc/self/status | wc -l",
        "Name:\thead\n1\n1\n",
    ),
];

#[test]
fn scripts_find_processes_below_proc() {
    let base = Sandbox::builder().build_blocking().unwrap();
    let mut wrong = String::new();
    for (script, expected) in VIEWS {
        let result = base.fork().exec(*script).unwrap();
        let output = result.stdout_text();
        if output != *expected {
            wrong += &format!("{script}\n{output}{}---\n", result.stderr_text());
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn a_sandbox_shows_its_own_processes_only() {
    let base = Sandbox::builder().build_blocking().unwrap();
    let show =
        "printf '%s ' /proc/[0-9]*; sleep 0; for p in /proc/[0-9]*; do cat $p/comm; done | sort -u";
    let first = base.exec(show).unwrap().stdout_text().into_owned();
    let fork = base.fork();
    // Nobody runs in the fork, and who looks from outside is no process.
    assert!(fork.read_file("/proc/self/stat").is_err());
    assert!(
        fork.read_file("/proc/loadavg")
            .unwrap()
            .ends_with("1/0 0\n")
    );
    assert_eq!(fork.exec(show).unwrap().stdout_text(), first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_ends_with_its_sandbox_is_no_result() {
    let sandbox = Sandbox::new().unwrap();
    let runs = sandbox.exec("echo so far; : > started; sleep 600");
    let cleanup = async {
        while !sandbox.exists("started").await {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        sandbox.cleanup().await;
    };
    let (ended, ()) = tokio::join!(runs, cleanup);
    let error = ended.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    assert_eq!(error.output().unwrap().stdout, b"so far\n");

    let sandbox = Sandbox::new().unwrap();
    let mut execution = sandbox.spawn("kill -9 $$").unwrap();
    assert_eq!(execution.wait().await.unwrap(), 137);
    let mut execution = sandbox.spawn("sleep 600").unwrap();
    sandbox.cleanup().await;
    for _ in 0..2 {
        let error = execution.wait().await.unwrap_err();
        assert_eq!(error.code(), Code::SandboxUnavailable);
    }
}
