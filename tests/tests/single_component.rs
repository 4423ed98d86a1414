//! `sandbox.wasm`: shell, applets and filesystem in one component, driven through generated
//! bindings as a host without a filesystem would.

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::{Config, Engine, Store};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "sandbox-guest" });
}

use bindings::SandboxGuest;
use bindings::exports::offshoot::sandbox::sandbox::{ExecOptions, Guest, Options};

/// What the component may import: clocks, randomness and standard streams, and what these are
/// made of. No file, no socket.
const ALLOWED: &[&str] = &[
    "wasi:cli/",
    "wasi:clocks/",
    "wasi:io/",
    "wasi:random/",
    "offshoot:sandbox/types",
];

struct Host {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

/// Standard input, nothing else set.
fn options(stdin: &str) -> ExecOptions {
    ExecOptions {
        directory: None,
        environment: Vec::new(),
        stdin: stdin.as_bytes().to_vec(),
        timeout_ms: None,
    }
}

#[test]
fn a_host_drives_the_single_component() {
    let mut config = Config::new();
    config.wasm_component_model(true);
    let engine = Engine::new(&config).unwrap();
    let component = Component::from_file(&engine, env!("SANDBOX_WASM")).unwrap();
    for (name, _) in component.component_type().imports(&engine) {
        assert!(
            ALLOWED.iter().any(|allowed| name.starts_with(allowed)),
            "imports {name}"
        );
    }
    let mut linker: Linker<Host> = Linker::new(&engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker).unwrap();
    let host = Host {
        wasi: WasiCtx::builder().build(),
        table: ResourceTable::new(),
    };
    let mut store = Store::new(&engine, host);
    let guest = SandboxGuest::instantiate(&mut store, &component, &linker).unwrap();
    drive(guest.offshoot_sandbox_sandbox(), &mut store);
}

/// Create, write, run a pipeline of applets, fork, read both branches.
fn drive(guest: &Guest, store: &mut Store<Host>) {
    let defaults = Options {
        environment: vec![("GREETING".to_owned(), "hello".to_owned())],
        directory: None,
        max_bytes: None,
        max_inodes: None,
        budgets: None,
        seed: None,
    };
    let sandbox = guest.sandbox();
    let parent = sandbox
        .call_create(&mut *store, &defaults)
        .unwrap()
        .unwrap();
    sandbox
        .call_write_file(&mut *store, parent, "a/words", b"one two\nthree\n")
        .unwrap()
        .unwrap();
    let script = "cat a/words | tr a-z A-Z | head -n 1 | cut -d ' ' -f 2; echo $GREETING; cat";
    let result = sandbox
        .call_exec(&mut *store, parent, script, &options("in\n"))
        .unwrap()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&result.stdout), "TWO\nhello\nin\n");
    assert_eq!((result.status, result.exceeded), (0, None));

    let branch = sandbox.call_fork(&mut *store, parent).unwrap();
    let change = "echo branch > a/words; exit 7";
    let result = sandbox
        .call_exec(&mut *store, branch, change, &options(""))
        .unwrap()
        .unwrap();
    assert_eq!(result.status, 7);
    let read = |store: &mut Store<Host>, which| {
        sandbox
            .call_read_file(store, which, "a/words")
            .unwrap()
            .unwrap()
    };
    assert_eq!(read(store, branch), b"branch\n");
    assert_eq!(read(store, parent), b"one two\nthree\n");

    let endless = ExecOptions {
        timeout_ms: Some(50),
        ..options("")
    };
    let stopped = sandbox.call_exec(&mut *store, parent, "while :; do :; done", &endless);
    assert_eq!(stopped.unwrap().unwrap().status, 124);
    let piped = sandbox.call_exec(
        &mut *store,
        parent,
        "while :; do echo y; done | head -n 2",
        &options(""),
    );
    assert_eq!(piped.unwrap().unwrap().stdout, b"y\ny\n");

    // Commands of the families, on a pipe without an end as well.
    let cases = [
        (
            "printf 'b\\na\\nb\\n' | sort | uniq -c | sed 's/^ *//'",
            "1 a\n2 b\n",
        ),
        ("while :; do echo y; done | grep -m 2 y", "y\ny\n"),
        ("awk '{ n += NF } END { print n }' a/words", "3\n"),
        (
            "mkdir d; cp a/words d; mv d/words d/w; find d -type f; rm -r d",
            "d/w\n",
        ),
        ("diff <(seq 2) <(seq 3); echo $?", "2a3\n> 3\n1\n"),
        (
            "echo '{\"a\": [1, 2]}' | jq -c .a | tee t; cat t",
            "[1,2]\n[1,2]\n",
        ),
    ];
    for (script, expected) in cases {
        let result = sandbox.call_exec(&mut *store, parent, script, &options(""));
        let result = result.unwrap().unwrap();
        let said = String::from_utf8_lossy(&result.stderr).into_owned();
        let printed = String::from_utf8_lossy(&result.stdout).into_owned();
        assert_eq!((&*printed, &*said), (expected, ""), "{script}");
    }

    // What it lacks is named, with who has it.
    let lacking = sandbox.call_exec(&mut *store, parent, "git log", &options(""));
    let lacking = lacking.unwrap().unwrap();
    let said = String::from_utf8_lossy(&lacking.stderr).into_owned();
    assert_eq!(lacking.status, 127, "{said}");
    assert!(said.contains("git: command not found"), "{said}");
    assert!(said.contains("@offshoot/web"), "{said}");
}
