//! Contexts: interpreters that keep their state from cell to cell.

use std::time::{Duration, Instant};

use offshoot::lifecycle::{Origin, Sandboxes, Store};
use offshoot::{
    CapturedContext, Cell, CellEvent, CellOutcome, Code, Context, ContextOptions, Language, Limits,
    Sandbox,
};

/// A context in Python, where this build has it.
async fn python(sandbox: &Sandbox) -> Option<Context> {
    match sandbox.context(Language::Python).await {
        Ok(context) => Some(context),
        Err(error) => {
            assert_eq!(error.code(), Code::Capability, "{error}");
            eprintln!("this build has no python3, so nothing was run");
            None
        }
    }
}

fn error(outcome: &CellOutcome) -> &str {
    outcome.error.as_ref().map_or("none", |error| &error.name)
}

#[tokio::test]
async fn state_stays_and_the_last_value_is_shown() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    let first = context
        .run("import math\nx = 41\nprint('hi')\nx + 1")
        .await
        .unwrap();
    assert_eq!(first.text(), Some("42"));
    assert_eq!(first.stdout_text(), "hi\n");
    assert_eq!((first.number, first.success()), (1, true));
    let next = context
        .run("def f(n):\n    return math.factorial(n) + x\nf(3);")
        .await
        .unwrap();
    assert_eq!((next.number, next.text()), (2, None));
    assert_eq!(context.run("f(3)").await.unwrap().text(), Some("47"));
    assert_eq!(
        context.run("_ * 2, __name__").await.unwrap().text(),
        Some("(94, '__main__')")
    );
    assert_eq!(context.run("None").await.unwrap().text(), None);
    let waited = "import asyncio\nawait asyncio.sleep(0.01)\nawait asyncio.sleep(0, 'waited')";
    assert_eq!(context.run(waited).await.unwrap().text(), Some("'waited'"));
    let shell = context.run("!echo from $0 | tr a-z A-Z\n5").await.unwrap();
    assert_eq!(
        (&*shell.stdout_text(), shell.text()),
        ("FROM SH\n", Some("5"))
    );
}

#[tokio::test]
async fn values_are_shown_by_their_representations() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    let code = "
class Rich:
    def _repr_html_(self): return '<b>rich</b>'
    def _repr_png_(self): return b'\\x89PNG'
    def _repr_json_(self): return {'a': [1]}
    def _repr_latex_(self): return None
    def _repr_svg_(self): raise ValueError('no picture')
    def __repr__(self): return 'Rich()'
class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None): return {'e2b/chart': {'type': 'line'}}, {}
from IPython.display import HTML, Markdown
display(HTML('<i>h</i>'), Markdown('*m*'))
display({'text/plain': 'raw'}, raw=True)
display(Bundle())
Rich()";
    let outcome = context.run(code).await.unwrap();
    assert_eq!(outcome.error, None);
    let kinds = |at: usize| outcome.results[at].data.keys().cloned().collect::<Vec<_>>();
    assert_eq!(kinds(0), ["text/html", "text/plain"]);
    assert_eq!(outcome.results[1].data["text/markdown"], "*m*");
    assert_eq!(outcome.results[2].text(), Some("raw"));
    assert_eq!(outcome.results[3].data["e2b/chart"]["type"], "line");
    assert_eq!(
        kinds(4),
        ["application/json", "image/png", "text/html", "text/plain"]
    );
    assert_eq!(outcome.results[4].data["image/png"], "iVBORw==");
    assert_eq!(outcome.results[4].data["application/json"]["a"][0], 1);
    assert!(outcome.stderr_text().contains("ValueError: no picture"));
    let main: Vec<bool> = outcome.results.iter().map(|result| result.main).collect();
    assert_eq!(main, [false, false, false, false, true]);
    assert_eq!(outcome.text(), Some("Rich()"));
}

#[tokio::test]
async fn exceptions_have_a_traceback_and_leave_the_state() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    let failed = context
        .run("kept = 1\ndef f():\n    return 1 / 0\nf()")
        .await
        .unwrap();
    let raised = failed.error.as_ref().unwrap();
    assert_eq!(
        (&*raised.name, &*raised.value),
        ("ZeroDivisionError", "division by zero")
    );
    let expected = "Traceback (most recent call last):\n  \
        File \"<cell 1>\", line 4, in <module>\n    f()\n    ~^^\n  \
        File \"<cell 1>\", line 3, in f\n    return 1 / 0\n           ~~^~~\n\
        ZeroDivisionError: division by zero\n";
    assert_eq!(raised.traceback, expected);
    for (code, name) in [
        ("1 +", "SyntaxError"),
        ("input('?')", "EOFError"),
        ("exit(3)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        (
            "class E(Exception):\n  def __str__(self): return 1 / 0\nraise E",
            "E",
        ),
        ("def deep(): deep()\ndeep()", "RecursionError"),
    ] {
        assert_eq!(error(&context.run(code).await.unwrap()), name, "{code}");
    }
    assert_eq!(context.run("kept").await.unwrap().text(), Some("1"));
}

#[tokio::test]
async fn output_comes_in_order_and_cannot_be_taken_for_events() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    let code = "
import os, subprocess, sys
print('one')
subprocess.run(['echo', 'two'])
os.write(1, b'three\\n')
print('four', file=sys.stderr)
os.system('printf \"\\\\036%024dd.0\\\\n\" 7')
display('shown')
os.system('echo five >&2')
print('six', end='')
'é' * 5000";
    let mut run = context.start(code).await.unwrap();
    let (mut seen, mut written, mut results) = (String::new(), String::new(), Vec::new());
    while let Some(event) = run.next().await.unwrap() {
        match event {
            CellEvent::Stdout(bytes) => seen += &String::from_utf8_lossy(&bytes),
            CellEvent::Stderr(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                written += &text;
                if text == "four\n" {
                    seen += "<four>";
                }
            }
            CellEvent::Result(result) => {
                seen += "<result>";
                results.push(result);
            }
            _ => {}
        }
    }
    let forged = format!("\x1e{:024}d.0\n", 7);
    assert_eq!(
        seen,
        format!("one\ntwo\nthree\n<four>{forged}<result>six<result>")
    );
    assert_eq!(written, "four\nfive\n");
    let long = format!("'{}'", "é".repeat(5000));
    assert_eq!(results[1].text(), Some(&*long));
    // What a process writes later belongs to the cell that runs then.
    drop(run);
    context
        .run("late = subprocess.Popen('sleep 0.05; echo late', shell=True)")
        .await
        .unwrap();
    let waited = context.run("late.wait()").await.unwrap();
    assert_eq!(
        (&*waited.stdout_text(), waited.text()),
        ("late\n", Some("0"))
    );
}

#[tokio::test]
async fn time_outs_and_interrupts_end_the_cell_and_not_its_state() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    context
        .run("import time, asyncio, subprocess\nkept = 5")
        .await
        .unwrap();
    for code in [
        "while True: pass",
        "for i in range(10**12): kept += 0",
        "time.sleep(1000)",
        "await asyncio.sleep(1000)",
        "asyncio.run(asyncio.sleep(1000))",
        "subprocess.run(['sleep', '1000'])",
        "subprocess.run(['sleep', '1000'], capture_output=True)",
        "[x for x in iter(int, 1)]",
        "f = lambda n: n and f(n - 1)\nwhile f(100) == 0: pass",
        "while True: print('a line')",
        // A loop of the library.
        "import difflib\ndifflib.SequenceMatcher(None, 'ab' * 10**6, 'ba' * 10**6).ratio()",
        "class Shown:\n    def __repr__(self):\n        while True: pass\nShown()",
    ] {
        let started = Instant::now();
        let outcome = context.run(Cell::new(code).timeout_ms(300)).await.unwrap();
        assert_eq!(
            (error(&outcome), outcome.timed_out),
            ("KeyboardInterrupt", true),
            "{code}"
        );
        assert!(
            started.elapsed() < Duration::from_secs(2),
            "{code}: {:?}",
            started.elapsed()
        );
    }
    // One that is handled comes once.
    let handled = "try:\n    while True: pass\nexcept KeyboardInterrupt: kept += 1\ntime.sleep(0.1)\nsum(range(10**5)) and kept";
    let cell = Cell::new(handled).timeout_ms(100);
    let outcome = context.run(cell).await.unwrap();
    assert_eq!((outcome.text(), &outcome.error), (Some("6"), &None));
    context.run("kept = 5").await.unwrap();
    let other = context.clone();
    let interrupt = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        other.interrupt();
    };
    let (outcome, ()) = tokio::join!(context.run("print('begun')\nwhile 1: pass"), interrupt);
    let outcome = outcome.unwrap();
    assert_eq!(
        (error(&outcome), outcome.timed_out),
        ("KeyboardInterrupt", false)
    );
    assert_eq!(outcome.stdout_text(), "begun\n");
    // One that nobody reads any more is interrupted.
    drop(context.start("while True: pass").await.unwrap());
    assert_eq!(context.run("kept").await.unwrap().text(), Some("5"));
    // Without a cell there is nothing to interrupt.
    context.interrupt();
    assert_eq!(
        context.run("sum(range(10**5))").await.unwrap().text(),
        Some("4999950000")
    );
}

#[tokio::test]
async fn a_cell_that_does_not_follow_takes_the_state_with_it_and_says_so() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    context.run("kept = 1").await.unwrap();
    let stuck = Cell::new("sum(range(10**12))").timeout_ms(200);
    let lost = context.run(stuck).await.unwrap_err();
    assert_eq!(lost.code(), Code::Timeout, "{lost}");
    assert_eq!(context.run("kept").await.unwrap_err().code(), Code::Died);
    context.restart().await.unwrap();
    assert_eq!(error(&context.run("kept").await.unwrap()), "NameError");
    let ended = context.run("import os; os._exit(3)").await.unwrap_err();
    assert_eq!(ended.code(), Code::Died);
    assert!(ended.message().contains("status 3"), "{ended}");
    context.restart().await.unwrap();
    let grown = context.run("x = bytearray(10**9)").await;
    assert_eq!(error(&grown.unwrap()), "MemoryError");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_and_a_close_end_a_cell_that_only_counts() {
    let sandbox = Sandbox::new().unwrap();
    for (language, cell, next) in [
        (
            Language::Python,
            "print('on')\nwhile True: pass",
            "print(6 * 7)",
        ),
        (
            Language::JavaScript,
            "console.log('on'); for (;;);",
            "console.log(6 * 7)",
        ),
        (Language::Bash, "echo on; while :; do :; done", "echo 42"),
    ] {
        let context = match sandbox.context(language).await {
            Ok(context) => context,
            Err(missing) => {
                assert_eq!(missing.code(), Code::Capability, "{missing}");
                continue;
            }
        };
        let mut run = context.start(cell).await.unwrap();
        while !matches!(run.next().await.unwrap(), Some(CellEvent::Stdout(_))) {}
        let reader = tokio::spawn(async move {
            while run.next().await?.is_some() {}
            Ok(())
        });
        context.restart().await.unwrap();
        let ended: Result<(), offshoot::Error> = reader.await.unwrap();
        assert_eq!(ended.unwrap_err().code(), Code::Died, "{language}");
        let outcome = context.run(next).await.unwrap();
        assert_eq!(outcome.stdout_text(), "42\n", "{language}");
        let mut run = context.start(cell).await.unwrap();
        while !matches!(run.next().await.unwrap(), Some(CellEvent::Stdout(_))) {}
        context.close();
        let closed = loop {
            if let Err(error) = run.next().await {
                break error;
            }
        };
        assert_eq!(closed.code(), Code::SandboxUnavailable, "{language}");
    }
}

#[tokio::test]
async fn contexts_are_apart_and_listed() {
    let sandbox = Sandbox::new().unwrap();
    let Some(one) = python(&sandbox).await else {
        return;
    };
    sandbox.exec("mkdir sub").await.unwrap();
    let options = ContextOptions::new(Language::Python)
        .cwd("sub")
        .env("WHO", "two");
    let two = sandbox.context(options).await.unwrap();
    let (first, second) = tokio::join!(
        one.run(
            Cell::new("import os\nx = 1\nopen('f', 'w').write('one')\nos.environ['A']")
                .env("A", "a")
        ),
        two.run("import os\nx = 2\nos.environ['WHO'], os.getcwd()"),
    );
    assert_eq!(first.unwrap().text(), Some("'a'"));
    assert_eq!(second.unwrap().text(), Some("('two', '/home/user/sub')"));
    assert_eq!(
        one.run("x, os.environ.get('A')").await.unwrap().text(),
        Some("(1, None)")
    );
    assert_eq!(
        two.run("x, open('../f').read()").await.unwrap().text(),
        Some("(2, 'one')")
    );
    let mut listed: Vec<String> = sandbox
        .contexts()
        .iter()
        .map(|one| one.id().to_owned())
        .collect();
    let mut expected = [one.id().to_owned(), two.id().to_owned()];
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
    one.restart().await.unwrap();
    assert_eq!(error(&one.run("x").await.unwrap()), "NameError");
    assert_eq!(two.run("x").await.unwrap().text(), Some("2"));
    two.close();
    assert_eq!(
        two.run("x").await.unwrap_err().code(),
        Code::SandboxUnavailable
    );
    assert_eq!(
        sandbox.find_context(two.id()).unwrap_err().code(),
        Code::NotFound
    );
    assert_eq!(sandbox.find_context(one.id()).unwrap().id(), one.id());
    drop(one);
    assert!(sandbox.contexts().is_empty());
    let refused = "cobol".parse::<Language>().unwrap_err();
    assert_eq!(refused.code(), Code::Capability);
    let nowhere = ContextOptions::new(Language::Bash).cwd("nowhere");
    assert_eq!(
        sandbox.context(nowhere).await.unwrap_err().code(),
        Code::NotFound
    );
}

/// What of Python's is not in files: variables, functions, imports, a generator half-way, a coroutine's loop.
const STATE: &str = "
import json, collections, random
seen = collections.Counter('abba')
def double(n):
    return n * 2
class Box:
    def __init__(self): self.inside = [self]
box = Box()
def steps():
    for n in range(100):
        yield n * 10
going = steps()
next(going), next(going)
random.seed(1)
open('f', 'w').write('kept')
import asyncio
await asyncio.sleep(0)
x = 1";

const PROBE: &str =
    "x, double(x), box.inside[0] is box, next(going), seen['a'], json.dumps([x]), open('f').read()";

#[tokio::test]
async fn a_fork_has_the_contexts_and_both_sides_go_on() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    assert_eq!(context.run(STATE).await.unwrap().error, None);
    let bash = sandbox.context(Language::Bash).await.unwrap();
    bash.run("n=41").await.unwrap();
    let fresh = sandbox.context(Language::Python).await.unwrap();
    let fork = sandbox.fork();
    assert_eq!(fork.contexts().len(), 3);
    let twin = fork.find_context(context.id()).unwrap();
    assert_eq!(
        (twin.id(), twin.language()),
        (context.id(), Language::Python)
    );
    // What one side does, the other does not see.
    let changed = "x = 7; box.inside.clear(); next(going); open('f', 'w').write('changed')";
    assert_eq!(context.run(changed).await.unwrap().error, None);
    let expected = "(1, 2, True, 20, 2, '[1]', 'kept')";
    let seen = twin.run(PROBE).await.unwrap();
    assert_eq!((seen.text(), seen.number), (Some(expected), 2));
    assert_eq!(
        context.run("x, next(going)").await.unwrap().text(),
        Some("(7, 30)")
    );
    // A fork of the fork, whose cell is interrupted and whose exceptions have tracebacks.
    let third = fork.fork().find_context(context.id()).unwrap();
    let late = third.run(Cell::new("while True: x += 1").timeout_ms(300));
    let late = late.await.unwrap();
    assert_eq!((error(&late), late.timed_out), ("KeyboardInterrupt", true));
    let failed = third.run("double(None)").await.unwrap();
    let traceback = failed.error.unwrap().traceback;
    assert!(traceback.contains("return n * 2"), "{traceback}");
    assert_eq!(
        twin.run("x, next(going)").await.unwrap().text(),
        Some("(1, 30)")
    );
    let shell = fork.find_context(bash.id()).unwrap();
    bash.run("n=1").await.unwrap();
    assert_eq!(
        shell.run("echo $((n + 1))").await.unwrap().stdout_text(),
        "42\n"
    );
    let fresh = fork.find_context(fresh.id()).unwrap();
    assert_eq!(error(&fresh.run("x").await.unwrap()), "NameError");
    // Until a cell runs in it, a context of a fork stays where nobody has it.
    let last = fork.fork();
    drop(last.find_context(context.id()).unwrap());
    let again = last.find_context(context.id()).unwrap();
    assert_eq!(again.run("x").await.unwrap().text(), Some("1"));
    drop(again);
    assert_eq!(
        last.find_context(context.id()).unwrap_err().code(),
        Code::NotFound
    );
    again_after_much_output(&fork, &twin).await;
}

/// Prints what the first cell takes in a fork of a context whose imports are done, and demands nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints what it takes"]
async fn times_of_a_context_from_a_prepared_one() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    let imports = "import asyncio, collections, csv, datetime, json, math, random, re, sqlite3, statistics\nx = 41";
    assert_eq!(context.run(imports).await.unwrap().error, None);
    let mut times = Vec::new();
    for _ in 0..101 {
        let start = Instant::now();
        let fork = sandbox.fork().find_context(context.id()).unwrap();
        let outcome = fork.run("json.dumps(x + 1)").await.unwrap();
        times.push(start.elapsed());
        assert_eq!(outcome.text(), Some("'42'"));
    }
    times.sort_unstable();
    let (median, late) = (times[50], times[99]);
    println!("fork, context and its first cell: median {median:?}, 99th of 101 {late:?}");
}

/// Pipes that were full leave nothing open.
async fn again_after_much_output(sandbox: &Sandbox, context: &Context) {
    let much = "for i in range(20000): print('a line of output')\nimport os\nos.write(1, b'x' * 300000)\nos.system('echo')\n!seq 3";
    assert_eq!(context.run(much).await.unwrap().error, None);
    let fork = sandbox.fork().find_context(context.id()).unwrap();
    assert_eq!(fork.run("x").await.unwrap().text(), Some("1"));
}

#[tokio::test]
async fn what_is_open_stands_against_a_capture_and_is_named() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    context.run("x = 1").await.unwrap();
    for (open, named, close) in [
        (
            "f = open('/tmp/data.txt', 'w')",
            "the file /tmp/data.txt",
            "f.close()",
        ),
        (
            "import socket; s = socket.socket()",
            "a TCP socket",
            "s.close()",
        ),
        (
            "import subprocess; p = subprocess.Popen(['sleep', '1000'])",
            "process ",
            "p.kill(); p.wait()",
        ),
    ] {
        assert_eq!(context.run(open).await.unwrap().error, None, "{open}");
        let refused = context.capture().await.unwrap_err();
        assert_eq!(refused.code(), Code::Conflict, "{refused}");
        assert!(refused.message().contains(named), "{refused}");
        // The fork says the same, and the context goes on.
        let fork = sandbox.fork().find_context(context.id()).unwrap();
        let gone = fork.run("x").await.unwrap_err();
        assert_eq!(gone.code(), Code::Conflict, "{gone}");
        assert!(gone.message().contains(named), "{gone}");
        fork.restart().await.unwrap();
        assert_eq!(error(&fork.run("x").await.unwrap()), "NameError");
        assert_eq!(context.run(close).await.unwrap().error, None, "{close}");
        context.capture().await.unwrap();
    }
    let mut run = context.start("while True: pass").await.unwrap();
    assert!(matches!(run.next().await, Ok(Some(CellEvent::Started(_)))));
    let busy = sandbox.fork().find_context(context.id()).unwrap();
    assert_eq!(busy.run("x").await.unwrap_err().code(), Code::Conflict);
    drop(run);
    assert_eq!(context.run("x").await.unwrap().text(), Some("1"));
    if let Ok(script) = sandbox.context(Language::JavaScript).await {
        script.run("1").await.unwrap();
        assert_eq!(script.capture().await.unwrap_err().code(), Code::Capability);
    }
}

#[tokio::test]
async fn a_suspended_sandbox_wakes_with_its_contexts() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes
        .create("box", Origin::template(Sandbox::builder()))
        .await
        .unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    let Some(context) = python(&lease).await else {
        return;
    };
    assert_eq!(context.run(STATE).await.unwrap().error, None);
    let bash = lease.context(Language::Bash).await.unwrap();
    bash.run("n=41").await.unwrap();
    let open = lease.context(Language::Python).await.unwrap();
    open.run("f = open('/tmp/data.txt', 'w')").await.unwrap();
    drop(lease);
    sandboxes.suspend("box").await.unwrap();
    for gone in [
        context.run("x").await.unwrap_err(),
        context.restart().await.unwrap_err(),
    ] {
        assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    }
    let origin = Origin::sandbox("box");
    sandboxes.create("branch", origin).await.unwrap();
    for name in ["box", "branch"] {
        let lease = sandboxes.lease(name).await.unwrap();
        assert_eq!(lease.contexts().len(), 3);
        let again = lease.find_context(context.id()).unwrap();
        let seen = again.run(PROBE).await.unwrap();
        let expected = "(1, 2, True, 20, 2, '[1]', 'kept')";
        assert_eq!(seen.text(), Some(expected), "{name}: {:?}", seen.error);
        let shell = lease.find_context(bash.id()).unwrap();
        assert_eq!(shell.run("echo $n").await.unwrap().stdout_text(), "41\n");
        let lost = lease.find_context(open.id()).unwrap();
        let lost = lost.run("1").await.unwrap_err();
        assert_eq!(lost.code(), Code::Conflict);
        assert!(lost.message().contains("/tmp/data.txt"), "{lost}");
    }
    // And once more, also where nobody has asked for them.
    sandboxes.suspend("branch").await.unwrap();
    drop(sandboxes.lease("branch").await.unwrap());
    sandboxes.suspend("branch").await.unwrap();
    let lease = sandboxes.lease("branch").await.unwrap();
    let again = lease.find_context(context.id());
    assert_eq!(
        again.unwrap_err().code(),
        Code::NotFound,
        "it was dropped when it had run"
    );
    drop(lease);
    let lease = sandboxes.lease("box").await.unwrap();
    let kept = lease.context(Language::Python).await.unwrap();
    kept.run("y = 5").await.unwrap();
    let id = kept.id().to_owned();
    drop(lease);
    for _ in 0..2 {
        sandboxes.suspend("box").await.unwrap();
        drop(sandboxes.lease("box").await.unwrap());
    }
    let lease = sandboxes.lease("box").await.unwrap();
    let kept = lease.find_context(&id).unwrap();
    assert_eq!(kept.run("y").await.unwrap().text(), Some("5"));
}

#[tokio::test]
async fn a_suspend_ends_a_cell_that_runs_and_its_context_says_so() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes
        .create("box", Origin::template(Sandbox::builder()))
        .await
        .unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    let Some(context) = python(&lease).await else {
        return;
    };
    drop(lease);
    let mut run = context.start("while True: pass").await.unwrap();
    assert!(matches!(run.next().await, Ok(Some(CellEvent::Started(1)))));
    let (ended, suspended) = tokio::join!(run.next(), sandboxes.suspend("box"));
    suspended.unwrap();
    assert_eq!(ended.unwrap_err().code(), Code::SandboxUnavailable);
    drop(run);
    let lease = sandboxes.lease("box").await.unwrap();
    let again = lease.find_context(context.id()).unwrap();
    let lost = again.run("1").await.unwrap_err();
    assert_eq!(lost.code(), Code::Conflict);
    assert!(lost.message().contains("running"), "{lost}");
    again.restart().await.unwrap();
    assert_eq!(again.run("1").await.unwrap().text(), Some("1"));
}

#[tokio::test]
async fn a_captured_context_starts_others() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    assert_eq!(context.run(STATE).await.unwrap().error, None);
    let captured = context.capture().await.unwrap();
    let bytes = captured.to_bytes().unwrap();
    let read = CapturedContext::from_bytes(bytes.clone()).unwrap();
    let (one, two) = (
        sandbox.restore_context(&captured).unwrap(),
        sandbox.restore_context(&read).unwrap(),
    );
    assert_ne!(one.id(), two.id());
    one.run("x = 5").await.unwrap();
    assert_eq!(
        two.run("x, next(going)").await.unwrap().text(),
        Some("(1, 20)")
    );
    // An interrupt is for one of them.
    let (late, other) = tokio::join!(
        one.run(Cell::new("while True: pass").timeout_ms(200)),
        two.run("sum(range(10**6))"),
    );
    assert_eq!(error(&late.unwrap()), "KeyboardInterrupt");
    assert_eq!(other.unwrap().text(), Some("499999500000"));
    // Memory counts where it goes on.
    let large = context.run("large = bytearray(64 << 20); len(large)").await;
    assert_eq!(large.unwrap().text(), Some("67108864"));
    let captured = context.capture().await.unwrap();
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    let small = Sandbox::builder().limits(limits).build().unwrap();
    let refused = small.restore_context(&captured).unwrap();
    let refused = refused.run("x").await.unwrap_err();
    assert_eq!(refused.code(), Code::Limit, "{refused}");
    let again = sandbox.restore_context(&captured).unwrap();
    let length = again.run("len(large), large[-1]").await.unwrap();
    assert_eq!(length.text(), Some("(67108864, 0)"));
}

#[tokio::test]
async fn what_waits_for_its_first_cell_counts_as_memory() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    context.run("x = 1").await.unwrap();
    let captured = context.capture().await.unwrap();
    let size = captured.size();
    let fork = sandbox.fork();
    assert_eq!(fork.memory_used(), size);
    let twin = fork.find_context(context.id()).unwrap();
    assert_eq!(fork.fork().memory_used(), size);
    assert_eq!(twin.run("x").await.unwrap().text(), Some("1"));
    assert!(fork.memory_used() > size, "the interpreter's own");
    // Where it does not fit, a restore is refused and a fork goes on without.
    let tight = Limits {
        total_memory: size - 1,
        ..Limits::default()
    };
    let small = Sandbox::builder().limits(tight.clone()).build().unwrap();
    let refused = small.restore_context(&captured).unwrap_err();
    assert_eq!(refused.code(), Code::Limit, "{refused}");
    sandbox.set_limits(tight);
    let without = sandbox.fork();
    assert_eq!(without.memory_used(), 0);
    let lost = without.find_context(context.id()).unwrap();
    let lost = lost.run("x").await.unwrap_err();
    assert_eq!(lost.code(), Code::Conflict, "{lost}");
    assert!(lost.message().contains("total_memory"), "{lost}");
    assert_eq!(context.run("x").await.unwrap().text(), Some("1"));
}

#[tokio::test]
async fn a_checkpoint_has_the_contexts_and_says_what_it_did_not_take() {
    let store = Store::memory();
    let gone = Sandboxes::builder(store.clone());
    let gone = gone.lease(Duration::ZERO).build();
    gone.create("box", Origin::template(Sandbox::builder()))
        .await
        .unwrap();
    let lease = gone.lease("box").await.unwrap();
    let Some(context) = python(&lease).await else {
        return;
    };
    context.run("x = 1").await.unwrap();
    let fresh = lease.context(Language::Python).await.unwrap();
    let taken = lease.context(Language::Python).await.unwrap();
    taken.run("y = 2").await.unwrap();
    taken.capture().await.unwrap();
    let bash = lease.context(Language::Bash).await.unwrap();
    bash.run("n=41").await.unwrap();
    gone.checkpoint("box").await.unwrap();
    assert_eq!(context.run("x").await.unwrap().text(), Some("1"));
    tokio::time::sleep(Duration::from_millis(10)).await;

    // Its process is gone, as far as another one can tell.
    let sandboxes = Sandboxes::builder(store).build();
    let lease = sandboxes.lease("box").await.unwrap();
    assert_eq!(lease.contexts().len(), 4);
    let again = lease.find_context(context.id()).unwrap();
    let lost = again.run("x").await.unwrap_err();
    assert_eq!(lost.code(), Code::Conflict, "{lost}");
    assert!(lost.message().contains("checkpoint"), "{lost}");
    again.restart().await.unwrap();
    assert_eq!(error(&again.run("x").await.unwrap()), "NameError");
    let fresh = lease.find_context(fresh.id()).unwrap();
    assert_eq!(fresh.run("1").await.unwrap().text(), Some("1"));
    let taken = lease.find_context(taken.id()).unwrap();
    assert_eq!(taken.run("y").await.unwrap().text(), Some("2"));
    let bash = lease.find_context(bash.id()).unwrap();
    assert_eq!(bash.run("echo $n").await.unwrap().stdout_text(), "41\n");
}

#[tokio::test]
async fn forged_captures_are_refused_or_harm_their_own_context_only() {
    let sandbox = Sandbox::new().unwrap();
    let Some(context) = python(&sandbox).await else {
        return;
    };
    context.run("x = 1").await.unwrap();
    let bytes = context.capture().await.unwrap().to_bytes().unwrap();
    let read = |bytes: &[u8]| CapturedContext::from_bytes(bytes.to_vec());
    for length in [0, 3, 10, 200, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(
            read(&bytes[..length]).unwrap_err().code(),
            Code::Corrupt,
            "{length}"
        );
    }
    let mut newer = bytes.to_vec();
    let at = newer.windows(5).position(|part| part == b"[1,1]").unwrap();
    newer[at..at + 5].copy_from_slice(b"[2,2]");
    assert_eq!(read(&newer).unwrap_err().code(), Code::TooNew);
    // Another component.
    let mark = newer
        .windows(8)
        .position(|part| part == b"offimage")
        .unwrap();
    let mut other = bytes.to_vec();
    other[mark + 14] ^= 1;
    let refused = sandbox.restore_context(&read(&other).unwrap()).unwrap();
    let refused = refused.run("x").await.unwrap_err();
    assert_eq!(refused.code(), Code::Died, "{refused}");
    // Memory that makes no sense: whatever happens, it happens to that context.
    let mut broken = bytes.to_vec();
    let half = broken.len() / 2;
    broken[half..].fill(0x7f);
    if let Ok(read) = read(&broken) {
        let wrong = sandbox.restore_context(&read).unwrap();
        let _ = wrong.run(Cell::new("x").timeout_ms(500)).await;
    }
    assert_eq!(context.run("x").await.unwrap().text(), Some("1"));
}

#[tokio::test]
async fn bash_keeps_the_shells_state() {
    let sandbox = Sandbox::new().unwrap();
    let context = sandbox.context(Language::Bash).await.unwrap();
    let first = context
        .run("cd /tmp; n=41; echo out; echo err >&2; false")
        .await
        .unwrap();
    assert_eq!(
        (&*first.stdout_text(), &*first.stderr_text()),
        ("out\n", "err\n")
    );
    let raised = first.error.as_ref().unwrap();
    assert_eq!((&*raised.name, &*raised.value), ("ExitStatus", "1"));
    let next = context
        .run(Cell::new("echo $((n + 1)) $PWD $A").env("A", "a"))
        .await
        .unwrap();
    assert_eq!((&*next.stdout_text(), next.number), ("42 /tmp a\n", 2));
    let late = context
        .run(Cell::new("m=1; echo begun; sleep 1000").timeout_ms(200))
        .await
        .unwrap();
    assert_eq!((&*late.stdout_text(), late.timed_out), ("begun\n", true));
    assert_eq!(late.error.unwrap().value, "130");
    drop(context.start("sleep 1000").await.unwrap());
    assert_eq!(context.run("echo $n").await.unwrap().stdout_text(), "41\n");
    context.restart().await.unwrap();
    assert_eq!(
        context
            .run("echo ${n-unset} $PWD")
            .await
            .unwrap()
            .stdout_text(),
        "unset /home/user\n"
    );
}

#[tokio::test]
async fn what_may_not_be_interrupted_is_ended() {
    let sandbox = Sandbox::new().unwrap();
    let options = ContextOptions::new(Language::Python).uninterruptible();
    let Ok(context) = sandbox.context(options).await else {
        return;
    };
    let lost = context
        .run(Cell::new("while True: pass").timeout_ms(100))
        .await
        .unwrap_err();
    assert_eq!(lost.code(), Code::Timeout);
}
