//! However deep scripts nest, the native stack does not.

use offshoot_shell::machine::{Budgets, Outcome};

use super::Host;

#[test]
fn deep_recursion_needs_no_native_stack() {
    let mut host = Host::new();
    let session = host.session();
    let script = "d() { if (( $1 )); then d $(($1 - 1)); else echo deep; fi; }; d 20000";
    let (outcome, output) = host.run(&session, script, Budgets::default());
    assert_eq!((outcome, output.as_str()), (Outcome::Exited(0), "deep\n"));
}

/// Scripts that go 10,000 deep in every construct that can.
#[test]
fn every_construct_recurses() {
    let deep = [
        "c='(( i++ < 10000 )) && eval \"$c\"; :'; eval \"$c\"; echo $i",
        "echo '(( i++ < 10000 )) && . ./s; :' > s; . ./s; echo $i",
        "f() { if (( $1 )); then echo $(f $(($1 - 1))); else echo 10001; fi; }; f 10000",
        "f() { if (( $1 )); then (f $(($1 - 1))); else echo 10001; fi; }; f 10000",
        "f() { (( i++ < 10000 )) && kill -USR1 $$; :; }; trap f USR1; f; echo $i",
        "f() { local x=$1; (( i++ < 10000 )) && f $i; [[ $x ]]; }; f 0; echo $i",
        "f() { for x in 1; do while (( i++ < 10000 )); do f; break; done; done; }; f; echo $i",
        "f() { if (( i++ < 10000 )); then { f; } 3>&1; fi; }; f; echo $i",
        "f() { (( i++ < 10000 )) && f; return 3; }; f; echo $i",
        "f() { case $(( i++ < 10000 )) in 1) x=1 f ;; esac; }; f; echo $i",
        "eval \"$(printf 'eval %.0s' {1..1000}) echo 10001\"",
        "$(printf 'command %.0s' {1..10000}) echo 10001",
        "$(printf 'builtin %.0s' {1..10000}) echo 10001",
    ];
    on_small_stack(move || {
        for script in deep {
            let mut host = Host::new();
            let session = host.session();
            let (outcome, output) = host.run(&session, script, Budgets::default());
            assert_eq!(
                (outcome, output.trim()),
                (Outcome::Exited(0), "10001"),
                "{script}"
            );
        }
    });
}

/// A thread with half of the stack that a guest has.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(run).unwrap().join().unwrap();
}

/// However deep a text nests, it is run or refused.
#[test]
fn nesting_never_overflows() {
    let around = [
        ("echo ", "$(", "echo x", ")"),
        ("echo ", "\"$(echo ", "x", ")\""),
        ("echo $((", "(", "1", ")"),
        ("echo ", "$((", "1", "))"),
        ("echo $((", "- ", "1", ""),
        ("echo $((", "1 ? ", "1", " : 0"),
        ("echo $((", "a[", "1", "]"),
        ("echo $((", "x = ", "1", ""),
        ("echo ", "{a,", "b", "}"),
        ("echo ", "{", "b", "}"),
        ("echo ", "${x:-", "y", "}"),
        ("echo ", "\"${x:-", "y", "}\""),
        ("echo ", "\"${x:-'$z'", "y", "}\""),
        ("", "{ ", "echo x; ", "}; "),
        ("", "( ", "echo x", " )"),
        ("", "if true; then ", "echo x; ", "fi; "),
        ("", "while true; do ", "echo x; ", "break; done; "),
        ("", "case a in a) ", "echo x ", ";; esac "),
        ("", "f() { ", "echo x; ", "}; "),
        ("[[ ", "( ", "a", " )"),
        ("[[ ", "! ", "a", ""),
        ("[[ ", "a && ", "a", ""),
        ("[[ ", "a || ", "a", ""),
        ("test ", "\\( ", "a", " \\)"),
        ("shopt -s extglob\n[[ a == ", "@(", "a", ")"),
        ("[[ a =~ ", "(", "a", ")"),
        ("", "! ", "true", ""),
        ("cat ", "<(cat ", "/dev/null", ")"),
        ("x='", "a[", "0", "]"),
        ("declare -a 'x=(", "$(echo ", "0", ")"),
    ];
    on_small_stack(move || {
        for (before, open, inner, close) in around {
            for depth in [100, 132, 199, 398, 20_000] {
                let end = match before {
                    _ if before.starts_with("echo $((") => "))",
                    "[[ " | "[[ a =~ " => " ]]",
                    _ if before.ends_with("== ") => " ]]",
                    "x='" => "'; echo $((x))",
                    "declare -a 'x=(" => ")'",
                    _ => "",
                };
                let (open, close) = (open.repeat(depth), close.repeat(depth));
                let script = [before, &open, inner, &close, end].concat();
                let mut host = Host::new();
                let session = host.session();
                let budgets = Budgets {
                    expansion: 10_000_000,
                    ..Budgets::default()
                };
                host.run(&session, &script, budgets);
                assert_eq!(host.run(&session, "echo usable", budgets).1, "usable\n");
            }
        }
    });
}
