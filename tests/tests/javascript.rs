//! `node` in a sandbox against what Node 20 prints.

use std::path::Path;

use offshoot::Quotas;
use offshoot::blocking::Sandbox;

/// What is run, the status, and the output.
const CASES: &[(&str, u8, &str)] = &[
    (r#"node -p '[1, 2, {a: "x"}]'"#, 0, "[ 1, 2, { a: 'x' } ]\n"),
    (
        r#"echo 'console.log("%s is %d", "x", 42, [undefined, null])' | node"#,
        0,
        "x is 42 [ undefined, null ]\n",
    ),
    (r#"node -e 'process.exit(7)'"#, 7, ""),
    (
        r#"node -e 'throw new TypeError("bad")' 2>&1"#,
        1,
        "[eval]:1\nthrow new TypeError(\"bad\")\n^\n\nTypeError: bad\n    at [eval]:1:7\n\nNode.js v20.19.0\n",
    ),
    (
        r#"printf 'function f() {\n  throw 5;\n}\n  f();\n' > v.js; node v.js 2>&1"#,
        1,
        "/home/user/v.js:2\n  throw 5;\n  ^\n5\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v20.19.0\n",
    ),
    (r#"node -e 'function f() { f() } f()' 2>/dev/null"#, 1, ""),
    (
        r#"node -e 'function f() { f() } try { f() } catch (e) { console.log(e.name, e.message) }'"#,
        0,
        "RangeError Maximum call stack size exceeded\n",
    ),
    // Whatever the engine's stack is used for, the program ends by an error of its own.
    (
        r#"node -e 'function f() { [1].map(f) } f()' 2>&1 | grep -c '^RangeError: Maximum call stack size exceeded'"#,
        0,
        "1\n",
    ),
    (
        r#"TZ=Europe/Berlin node -p 'String(new Date("2024/07/01 12:00"))'"#,
        0,
        "Mon Jul 01 2024 12:00:00 GMT+0200 (Central European Summer Time)\n",
    ),
    (
        r#"echo 'await new Promise(() => {})' > waits.mjs; node waits.mjs 2>/dev/null"#,
        13,
        "",
    ),
    (
        r#"printf 'throw {a: 1}' | node - 2>&1 | tail -n +3"#,
        0,
        "^\n{ a: 1 }\n\nNode.js v20.19.0\n",
    ),
    (
        r#"node -e '(async () => { throw new Error("late") })()' 2>/dev/null"#,
        1,
        "",
    ),
    (r#"node -e 'process.exitCode = 3'"#, 3, ""),
    (
        r#"mkdir -p d; cd d; node -e 'const fs = require("fs"); fs.writeFileSync("a.txt", "héllo"); console.log(fs.readFileSync("a.txt", "utf8"), fs.readdirSync("."), fs.existsSync("no"), process.cwd())'; cat a.txt"#,
        0,
        "héllo [ 'a.txt' ] false /home/user/d\nhéllo",
    ),
    (
        r#"node -e 'try { require("fs").readFileSync("no") } catch (e) { console.log(e.code, e.message) }'"#,
        0,
        "ENOENT ENOENT: no such file or directory, open 'no'\n",
    ),
    (
        r#"echo abc | node -e 'let d = ""; process.stdin.on("data", c => d += c).on("end", () => console.log(d.toUpperCase().trim()))'"#,
        0,
        "ABC\n",
    ),
    (
        r#"echo 'exports.f = x => x * 2' > m.js; echo '{"k": [1]}' > j.json; node -e 'console.log(require("./m").f(21), require("./j.json"))'"#,
        0,
        "42 { k: [ 1 ] }\n",
    ),
    (
        r#"echo 'export const x = 42' > x.mjs; echo 'import fs, {existsSync} from "node:fs"; import {x} from "./x.mjs"; console.log(x, existsSync("x.mjs"), await Promise.resolve(5))' > m.mjs; node m.mjs"#,
        0,
        "42 true 5\n",
    ),
    (
        r#"node -e 'setTimeout(() => console.log("timer"), 1); process.nextTick(() => console.log("tick")); console.log("now")'"#,
        0,
        "now\ntick\ntimer\n",
    ),
    (
        r#"echo 'console.log(process.argv.slice(2), process.env.FOO, require.main === module)' > a.js; FOO=bar node a.js one 'two three'"#,
        0,
        "[ 'one', 'two three' ] bar true\n",
    ),
    (
        r#"node -p 'Buffer.from("hello").toString("base64") + require("path").join("a", "..", "b")'"#,
        0,
        "aGVsbG8=b\n",
    ),
    // Nothing random is of the memory that all of them begin with.
    (
        r#"for i in 1 2 3; do node -p 'Math.random()'; node -p 'crypto.randomUUID()'; done | sort -u | wc -l"#,
        0,
        "6\n",
    ),
    (r#"node --nope 2>&1"#, 9, "node: bad option: --nope\n"),
];

fn sandbox() -> Sandbox {
    Sandbox::builder().build_blocking().unwrap()
}

/// Programs of several lines, each beside what Node 20 prints.
#[test]
fn programs_print_what_node_prints() {
    let sandbox = sandbox();
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-tools/javascript/tests/cases");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let program = entry.unwrap().path();
        if program.extension().is_none_or(|end| end != "js") {
            continue;
        }
        let text = std::fs::read(&program).unwrap();
        let expected = std::fs::read_to_string(program.with_extension("txt")).unwrap();
        sandbox.write_file("program.js", text).unwrap();
        let result = sandbox.exec("node program.js").unwrap();
        let errors = result.stderr_text();
        assert_eq!(result.stdout_text(), expected, "{program:?}: {errors}");
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

/// What is behind a context, as the runtime calls it.
const CELLS: &[(&str, &str)] = &[
    (
        "let x = 41; const y = { a: 1 }; class A { m() { return 7 } }",
        "",
    ),
    ("x + 1", r#"r {"main":true,"data":{"text/plain":"42"}}"#),
    (
        "y",
        r#"r {"main":true,"data":{"text/plain":"{ a: 1 }","application/json":{"a":1}}}"#,
    ),
    (
        "let x = new A().m(); x",
        r#"r {"main":true,"data":{"text/plain":"7"}}"#,
    ),
    (
        "const z = await Promise.resolve(5); z * 2",
        r#"r {"main":true,"data":{"text/plain":"10"}}"#,
    ),
    ("z", r#"r {"main":true,"data":{"text/plain":"5"}}"#),
    (
        "import { existsSync } from 'fs'; existsSync('/')",
        r#"r {"main":true,"data":{"text/plain":"true"}}"#,
    ),
    ("console.log('out')", "o out"),
    (
        "display.html('<b>')",
        r#"r {"main":false,"data":{"text/html":"<b>","text/plain":"<b>"}}"#,
    ),
    (
        "throw new TypeError('bad')",
        r#"x {"name":"TypeError","value":"bad","traceback":"TypeError: bad\n    at [cell 10]:1:7"}"#,
    ),
    (
        "process.env.V",
        r#"r {"main":true,"data":{"text/plain":"'v'"}}"#,
    ),
];

#[test]
fn cells_share_what_they_declare() {
    let sandbox = sandbox();
    let mut lines = String::new();
    let mut expected = String::new();
    for (index, (code, told)) in CELLS.iter().enumerate() {
        let cell = serde_json::json!({ "token": "T", "code": code, "variables": { "V": "v" } });
        lines.push_str(&format!("{cell}\n"));
        expected.push_str(&format!("n {}\n", index + 1));
        if !told.is_empty() {
            expected.push_str(&format!("{told}\n"));
        }
        expected.push_str("d \n");
    }
    sandbox.write_file("cells", lines).unwrap();
    let script = "node --cells /tmp/flag true 3<cells </dev/null";
    let result = sandbox.exec(script).unwrap();
    let output = result.stdout_text().into_owned();
    let frames = output.split("\x1eT").skip(1).map(|frame| {
        let (head, content) = frame.split_once('\n').unwrap();
        format!("{} {}\n", &head[..1], content.trim_end())
    });
    assert_eq!(
        frames.collect::<String>(),
        expected,
        "{}",
        result.stderr_text()
    );
}

#[test]
fn scripts_print_what_node_prints() {
    let sandbox = sandbox();
    for (script, status, expected) in CASES {
        let result = sandbox.exec(*script).unwrap();
        assert_eq!(
            result.stdout_text(),
            *expected,
            "{script}: {}",
            result.stderr_text()
        );
        assert_eq!(result.exit_code, *status, "{script}");
    }
}

#[test]
fn a_full_disk_has_its_name() {
    let quotas = Quotas {
        bytes: 2 << 20,
        ..Quotas::default()
    };
    let sandbox = Sandbox::builder().quotas(quotas).build_blocking().unwrap();
    let script = r#"node -e 'try { fs.writeFileSync("f", "x".repeat(8 << 20)) } catch (e) { console.log(e.code, e.message) }'"#;
    let result = sandbox.exec(script).unwrap();
    assert_eq!(
        result.stdout_text(),
        "ENOSPC ENOSPC: no space left on device, write\n",
        "{}",
        result.stderr_text()
    );
}
