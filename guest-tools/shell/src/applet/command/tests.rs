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

#[test]
fn commands_start_others() {
    let cases = [
        ("seq 3 | xargs", "1 2 3\n"),
        ("seq 4 | xargs -n 2 echo n:", "n: 1 2\nn: 3 4\n"),
        (
            "printf 'a b\\0c\\0' | xargs -0 -I{} echo '<{}>'",
            "<a b>\n<c>\n",
        ),
        ("echo x > f; echo f | xargs cat", "x\n"),
        ("echo a | xargs -I{} sh -c 'echo $0-$1' {} {}", "a-a\n"),
        ("seq 3 | xargs -n1 sh -c 'exit 1'; echo $?", "123\n"),
        (
            "echo a | xargs nosuch; echo $?",
            "127\n[xargs: nosuch: No such file or directory\n]",
        ),
        (
            "touch a b; find . -type f -exec echo {} \\; | sort",
            "./a\n./b\n",
        ),
        ("touch a b; find . -type f -exec ls {} +", "./a\n./b\n"),
        (
            "mkdir d; echo x > d/f; find d -name f -execdir cat {} \\;",
            "x\n",
        ),
        (
            "echo 1 > f; find . -name f -exec sh -c 'cat \"$1\"; echo $(( $(<\"$1\") + 1 ))' _ {} \\;",
            "1\n2\n",
        ),
        (
            "touch a b; find . -type f -exec grep -q x {} \\; -o -type f -print | sort",
            "./a\n./b\n",
        ),
        ("echo in | find / -maxdepth 0 -exec cat \\;", "in\n"),
        ("env -i A=1 env", "A=1\n"),
        ("env -i A=1 /bin/printf '%s\\n' end", "end\n"),
        ("env -i A=1 sh -c 'echo $A-$SHLVL'", "1-1\n"),
        (
            "env -i SHLVL=4 env; env -i SHLVL=4 sh -c 'echo $SHLVL'",
            "SHLVL=4\n5\n",
        ),
        ("env A=1 sh -c 'echo $A'; echo \"[$A]\"", "1\n[]\n"),
        ("export A=1; env -u A sh -c 'echo \"[$A]\"'", "[]\n"),
        ("env -C /tmp pwd", "/tmp\n"),
        ("seq 3 | env head -n 1; echo $?", "1\n0\n"),
        (
            "env nosuch; echo $?",
            "127\n[env: ‘nosuch’: No such file or directory\n]",
        ),
        ("A=b printenv A", "b\n"),
        (
            "/bin/echo hi; /usr/bin/printf '%s\\n' x; /bin/false || echo no",
            "hi\nx\nno\n",
        ),
        (
            "env /usr/bin/printf '%s\\n' x; type -P grep; cd /bin; pwd -P",
            "x\n/usr/bin/grep\n/usr/bin\n",
        ),
        (
            "echo 'echo script $1' > s; chmod +x s; echo a | xargs ./s",
            "script a\n",
        ),
        (
            "awk 'BEGIN { system(\"echo a; exit 3\"); print \"b\" }'",
            "a\nb\n",
        ),
        (
            "awk 'BEGIN { print \"b\\na\" | \"sort\"; close(\"sort\"); print \"c\" }'",
            "a\nb\nc\n",
        ),
        (
            "awk 'BEGIN { \"echo x y\" | getline line; print \"<\" line \">\" }'",
            "<x y>\n",
        ),
        (
            "awk 'BEGIN { print \"q\" |& \"cat\"; close(\"cat\", \"to\"); \"cat\" |& getline l; print l }'",
            "q\n",
        ),
        ("echo 'echo 5' | sed 1e", "5\n"),
        ("seq 4 | split -l 2 --filter='wc -l'", "2\n2\n"),
        (
            "echo a | xargs -I{} sh -c 'echo 1; echo 2 >&2; echo 3' 2>&1",
            "1\n2\n3\n",
        ),
        ("echo 1 | xargs sh -c 'sleep 0.01; echo $0'", "1\n"),
        (
            "export LC_ALL=C.UTF-8; echo é | xargs -n1 env printf '%q\\n'",
            "é\n",
        ),
        (
            "seq 3 > f; { xargs -n1 -a f sh -c 'read l; echo $0 $l'; } < <(seq 7 9)",
            "1 7\n2 8\n3 9\n",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(printed(script), expected, "{script}");
    }
}

#[test]
fn what_is_started_is_bound_by_the_limits_of_who_starts_it() {
    let limited = |steps, output| {
        let budgets = crate::machine::Budgets {
            steps,
            output,
            ..Default::default()
        };
        let options = Options {
            budgets,
            ..Options::default()
        };
        let sandbox = Sandbox::new(options).unwrap();
        move |script: &str| {
            let result = sandbox.exec(script.as_bytes(), &ExecOptions::default());
            result.unwrap().exceeded
        }
    };
    use crate::machine::Limit;
    let endless = "echo | xargs sh -c 'while :; do :; done'";
    assert_eq!(limited(100_000, 0)(endless), Some(Limit::Steps));
    let writes = "echo | xargs sh -c 'while :; do echo y; done'";
    assert_eq!(limited(0, 10_000)(writes), Some(Limit::Output));
    assert_eq!(limited(100_000, 10_000)("echo | xargs"), None);
}

#[test]
fn commands_that_start_themselves_come_to_an_end() {
    let script = "echo 'echo | xargs sh ./s || echo deep' > s; sh ./s";
    let result = run(script);
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(said.contains("xargs: sh: "), "{said}");
    assert!(!result.stdout.is_empty());
}

#[test]
fn dates_are_shown_as_date_shows_them() {
    let cases = [
        ("date -u -d @0", "Thu Jan  1 00:00:00 UTC 1970\n"),
        (
            "date -u -d '2024-02-29 12:34:56' +%F_%T",
            "2024-02-29_12:34:56\n",
        ),
        ("date -d '2024-01-31 + 1 month' +%m/%d", "03/02\n"),
        (
            "TZ=America/New_York date -d '2024-07-01 12:00 UTC' '+%H %Z %z'",
            "08 EDT -0400\n",
        ),
        ("date -u -d @1.5 +%s.%N", "1.500000000\n"),
        ("date -u -R -d @0", "Thu, 01 Jan 1970 00:00:00 +0000\n"),
        (
            "date -u -Iseconds -d @0; date -u -I -d @0",
            "1970-01-01T00:00:00+00:00\n1970-01-01\n",
        ),
        (
            "date -u --rfc-3339=seconds -d @0",
            "1970-01-01 00:00:00+00:00\n",
        ),
        ("touch -d @86400 f; date -u -r f +%j", "002\n"),
        ("printf '@1\\n@2\\n' | date -u -f - +%s", "1\n2\n"),
        (
            "date -d nonsense; echo $?",
            "1\n[date: invalid date ‘nonsense’\n]",
        ),
        (
            "date -d @0 -I +%s; echo $?",
            "1\n[date: multiple output formats specified\n]",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(printed(script), expected, "{script}");
    }
}
