//! Attacks of the threat list in their smallest form; a test's name carries the attack's id.

use offshoot::blocking::Sandbox;
use offshoot::{Exec, Limits, Quotas};
use std::time::{Duration, Instant};

fn sandbox() -> Sandbox {
    Sandbox::new().unwrap()
}

#[test]
fn t01_t02_t33_nothing_of_the_host_is_seen() {
    let sandbox = sandbox();
    let own = sandbox
        .exec("cat /../../../etc/passwd; ln -s /etc/passwd x; cat x")
        .unwrap();
    assert!(
        own.stdout_text()
            .starts_with("root:x:0:0:root:/root:/bin/bash\nuser:x:1000")
    );
    let host = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    assert_ne!(own.stdout_text(), host.repeat(2));
    let manifest = env!("CARGO_MANIFEST_DIR");
    let seen = sandbox
        .exec(format!(
            "env; set; declare -p; cat /proc/self/environ; ls {manifest}"
        ))
        .unwrap();
    assert!(
        !seen.stdout_text().contains("CARGO"),
        "{}",
        seen.stdout_text()
    );
}

#[test]
fn t03_link_loops_end() {
    let result = sandbox().exec("ln -s b a; ln -s a b; cat a").unwrap();
    assert_eq!(result.exit_code, 1);
    assert!(
        result
            .stderr_text()
            .contains("Too many levels of symbolic links")
    );
}

#[test]
fn t15_huge_sizes_allocate_nothing() {
    let result = sandbox()
        .exec("truncate -s 8E f; echo $?; wc -c < f 2>/dev/null")
        .unwrap();
    assert!(
        result.stdout_text().starts_with('1'),
        "{}",
        result.stdout_text()
    );
}

#[test]
fn t14_t25_a_full_disk_is_an_error_inside() {
    let quotas = Quotas {
        bytes: 10 << 20,
        ..Quotas::default()
    };
    let sandbox = Sandbox::builder().quotas(quotas).build_blocking().unwrap();
    let result = sandbox
        .exec("cat /dev/zero > f; echo $?; rm f; echo ok > g; cat g")
        .unwrap();
    assert_eq!(result.stdout_text(), "1\nok\n");
    assert!(
        result.stderr_text().contains("No space left on device"),
        "{}",
        result.stderr_text()
    );
}

#[test]
fn t14_t25_programs_name_a_full_disk() {
    let quotas = Quotas {
        bytes: 2 << 20,
        ..Quotas::default()
    };
    let sandbox = Sandbox::builder().quotas(quotas).build_blocking().unwrap();
    for script in [
        "awk 'BEGIN { while (n++ < 1000000) print n }' > f",
        "seq 1000000 | sort -o f",
        "seq 1000000 | grep . > f",
        "seq 1000000 | sed 's/1/2/' > f",
        "seq 1000000 | split -l 1000000 - f",
        "seq 1000000 | tee f > /dev/null",
        "seq 1000000 | /usr/bin/cat > f",
        "seq 1000000 | cat -u > f",
    ] {
        let result = sandbox.fork().exec(script).unwrap();
        let said = result.stderr_text();
        assert_ne!(result.exit_code, 0, "{script}");
        assert!(said.contains("No space left on device"), "{script}: {said}");
    }
}

#[test]
fn t19_t39_endless_loops_end_at_the_deadline() {
    let sandbox = sandbox();
    for script in [
        "while :; do :; done",
        "trap '' TERM INT; while :; do :; done",
        "yes > /dev/null",
        "sleep 100",
        "sleep 100 & wait",
        "while :; do sleep 0.01; done | cat",
        "timeout 1000 sleep 1000",
    ] {
        let started = Instant::now();
        let result = sandbox.exec(Exec::new(script).timeout_ms(300)).unwrap();
        assert_eq!(
            (result.exit_code, result.timed_out),
            (124, true),
            "{script}"
        );
        assert!(started.elapsed() < Duration::from_secs(30), "{script}");
    }
    assert_eq!(sandbox.exec("echo alive").unwrap().stdout_text(), "alive\n");
}

#[test]
fn t20_a_fork_bomb_is_bounded() {
    let sandbox = sandbox();
    let result = sandbox.exec(Exec::new(":(){ :|:& };:").timeout_ms(3_000));
    if let Err(error) = &result {
        assert_eq!(error.code(), offshoot::Code::Limit, "{error}");
    }
    assert_eq!(sandbox.exec("echo alive").unwrap().stdout_text(), "alive\n");
}

#[test]
fn t21_recursion_ends_cleanly() {
    let sandbox = sandbox();
    for script in [
        "f() { f; }; f",
        "echo '. ./s' > s; . ./s",
        "x='eval \"$x\"'; eval \"$x\"",
        &format!("echo {}1{}", "$(echo ".repeat(1_000), ")".repeat(1_000)),
        &format!("echo $(({}1{}))", "(".repeat(10_000), ")".repeat(10_000)),
    ] {
        let shown: String = script.chars().take(60).collect();
        match sandbox.exec(Exec::new(script).timeout_ms(20_000)) {
            Ok(result) => assert_ne!(result.exit_code, 134, "{shown}: {}", result.stderr_text()),
            Err(error) => assert_eq!(error.code(), offshoot::Code::Limit, "{shown}: {error}"),
        }
        assert_eq!(
            sandbox.exec("echo alive").unwrap().stdout_text(),
            "alive\n",
            "{shown}"
        );
    }
}

#[test]
fn t22_t23_expansion_bombs_end_before_they_are_made() {
    let sandbox = sandbox();
    for script in [
        "echo {1..1000000000}",
        "echo {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}{a..z}{a..z}",
        "x=aaaaaaaaaaaaaaaa; while :; do x=${x//a/aaaaaaaaaaaaaaaa}; done",
        "printf %0999999999999d 1",
    ] {
        match sandbox.exec(Exec::new(script).timeout_ms(20_000)) {
            Ok(result) => assert_ne!(result.exit_code, 0, "{script}"),
            Err(error) => assert_eq!(error.code(), offshoot::Code::Limit, "{script}: {error}"),
        }
        assert_eq!(
            sandbox.exec("echo alive").unwrap().stdout_text(),
            "alive\n",
            "{script}"
        );
    }
}

#[test]
fn t27_memory_is_limited() {
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    let sandbox = Sandbox::builder().limits(limits).build_blocking().unwrap();
    let script = "seq 1 20000000 | sort -n | tail -1; echo ${PIPESTATUS[1]}";
    let result = sandbox.exec(Exec::new(script).timeout_ms(60_000)).unwrap();
    assert_ne!(
        result.stdout_text().lines().last(),
        Some("0"),
        "{}",
        result.stdout_text()
    );
}

#[test]
fn t38_descriptors_are_limited() {
    let script = "i=0; while exec {n}>f && ((i++ < 100000)); do :; done; echo $((i < 100000))";
    let result = sandbox()
        .exec(Exec::new(script).timeout_ms(60_000))
        .unwrap();
    assert_eq!(result.stdout_text().lines().last().unwrap_or("1"), "1");
}

#[test]
fn t40_nothing_leaks_between_executions() {
    let sandbox = sandbox();
    sandbox
        .exec("trap 'echo leaked' EXIT; set -eu; readonly r=1; f() { :; }; false")
        .unwrap();
    let result = sandbox.exec("r=2; echo $? $-; trap; declare -f").unwrap();
    assert_eq!(result.stdout_text(), "0 hBc\n");
}

#[test]
fn t46_forks_draw_different_randomness() {
    let parent = sandbox();
    let draw = |sandbox: &Sandbox| {
        let script = "echo $RANDOM$RANDOM$SRANDOM; head -c 16 /dev/urandom | od -An -tx1";
        sandbox.exec(script).unwrap().stdout
    };
    let (left, right) = (parent.fork(), parent.fork());
    assert_ne!(draw(&left), draw(&right));
}
