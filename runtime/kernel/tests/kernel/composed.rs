//! Components made of components: what crosses between them arrives, or it ends the program (T32).

use offshoot_kernel::{ProcessEnd, Program, marker};

use crate::support::{Result, Sandbox, engine};

/// How a component has its strings.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Utf8,
    Utf16,
    Compact,
}

/// The mark of UTF-16 in the length of a compact string.
const TAG: u32 = 1 << 31;

impl Encoding {
    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Compact];

    fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf8",
            Encoding::Utf16 => "utf16",
            Encoding::Compact => "latin1+utf16",
        }
    }

    /// The bytes of a text and the length that goes with them.
    fn encode(self, text: &str) -> (Vec<u8>, u32) {
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let units = wide.len() as u32 / 2;
        let narrow: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
        match (self, narrow) {
            (Encoding::Utf8, _) => (text.into(), text.len() as u32),
            (Encoding::Utf16, _) => (wide, units),
            (Encoding::Compact, Some(narrow)) => (narrow, units),
            (Encoding::Compact, None) => (wide, units | TAG),
        }
    }

    /// Computes the bytes of a string from its length.
    fn bytes(self) -> &'static str {
        match self {
            Encoding::Utf8 => "(local.get $units)",
            Encoding::Utf16 => "(i32.shl (local.get $units) (i32.const 1))",
            Encoding::Compact => {
                "(select (i32.shl (local.get $units) (i32.const 1)) (local.get $units)
                    (i32.lt_s (local.get $units) (i32.const 0)))"
            }
        }
    }
}

fn digest(bytes: &[u8]) -> i32 {
    bytes.iter().fold(7, |sum: i32, byte| {
        sum.wrapping_mul(31).wrapping_add(i32::from(*byte))
    })
}

/// What the caller passes and the callee is to find; `realloc` is where the callee puts it.
struct Call {
    caller: Encoding,
    callee: Encoding,
    bytes: Vec<u8>,
    at: u32,
    units: u32,
    expected: i32,
    realloc: &'static str,
}

/// Takes memory where the last one ended.
const REALLOC: &str = "(local.set $new (i32.and
        (i32.add (global.get $next) (i32.sub (local.get $align) (i32.const 1)))
        (i32.sub (i32.const 0) (local.get $align))))
    (memory.copy (local.get $new) (local.get $old) (local.get $size))
    (global.set $next (i32.add (local.get $new) (local.get $wanted)))
    (local.get $new)";

async fn run(call: Call) -> Result {
    let data: String = call
        .bytes
        .iter()
        .map(|byte| format!("\\{byte:02x}"))
        .collect();
    let (caller, callee) = (call.caller.name(), call.callee.name());
    let (at, units, expected) = (call.at, call.units as i32, call.expected);
    let (bytes, realloc) = (call.callee.bytes(), call.realloc);
    let text = format!(
        r#"(component
        (component $callee
            (core module $m
                (memory (export "memory") 1)
                (global $next (mut i32) (i32.const 1024))
                (func (export "realloc")
                    (param $old i32) (param $size i32) (param $align i32) (param $wanted i32)
                    (result i32) (local $new i32)
                    {realloc})
                (func (export "digest") (param $at i32) (param $units i32) (result i32)
                    (local $end i32) (local $sum i32)
                    (local.set $end (i32.add (local.get $at) {bytes}))
                    (local.set $sum (i32.const 7))
                    (block $done (loop $more
                        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
                        (local.set $sum (i32.add
                            (i32.mul (local.get $sum) (i32.const 31))
                            (i32.load8_u (local.get $at))))
                        (local.set $at (i32.add (local.get $at) (i32.const 1)))
                        (br $more)))
                    (local.get $sum)))
            (core instance $i (instantiate $m))
            (func (export "digest") (param "s" string) (result s32)
                (canon lift (core func $i "digest") (memory (core memory $i "memory"))
                    (realloc (core func $i "realloc")) string-encoding={callee})))
        (component $caller
            (import "digest" (func $digest (param "s" string) (result s32)))
            (core module $libc (memory (export "memory") 1) (data (i32.const 64) "{data}"))
            (core instance $libc (instantiate $libc))
            (core func $lowered
                (canon lower (func $digest) (memory (core memory $libc "memory")) string-encoding={caller}))
            (core module $m
                (import "x" "digest" (func $digest (param i32 i32) (result i32)))
                (func (export "run") (result i32)
                    (i32.ne (call $digest (i32.const {at}) (i32.const {units}))
                        (i32.const {expected}))))
            (core instance $i
                (instantiate $m (with "x" (instance (export "digest" (func $lowered))))))
            (func $run (result (result)) (canon lift (core func $i "run")))
            (instance $e (export "run" (func $run)))
            (export "wasi:cli/run@0.2.12" (instance $e)))
        (instance $a (instantiate $callee))
        (instance $b (instantiate $caller (with "digest" (func $a "digest"))))
        (export "wasi:cli/run@0.2.12" (instance $b "wasi:cli/run@0.2.12")))"#
    );
    let component = wat::parse_str(&text).unwrap();
    let program = Program::component(engine(), &component).unwrap();
    let sandbox = Sandbox::with(|settings| {
        let mut programs = (*settings.programs).clone();
        programs.insert("composed", program);
        settings.programs = programs.into();
    });
    sandbox.write("/bin/composed", &marker("composed"), 0o755);
    let mut options = sandbox.options(&[]);
    options.path = b"/bin/composed".to_vec();
    let result = sandbox.run_with(options, b"").await;
    // Whatever came of it, the sandbox goes on.
    assert_eq!(sandbox.run(&["echo", "on"]).await.stdout, "on\n");
    result
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t32_strings_arrive_in_every_encoding() {
    let mixed = "é日a😀".repeat(300);
    let texts = ["", "plain", "é", "ÿþ\0", "日本", "a😀b", "éé日", &mixed];
    for caller in Encoding::ALL {
        for callee in Encoding::ALL {
            for text in texts {
                let (bytes, units) = caller.encode(text);
                let result = run(Call {
                    caller,
                    callee,
                    bytes,
                    at: 64,
                    units,
                    expected: digest(&callee.encode(text).0),
                    realloc: REALLOC,
                });
                let result = result.await;
                assert_eq!(
                    result.end,
                    ProcessEnd::Exited(0),
                    "{caller:?} to {callee:?}, {text:?}: {}",
                    result.stderr
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t32_what_is_no_string_ends_the_program() {
    use Encoding::{Compact, Utf8, Utf16};
    let outside = "(i32.const 0x7fffff00)";
    let odd = "(i32.const 1025)";
    type Case<'a> = (Encoding, Encoding, &'a [u8], u32, u32, &'static str);
    let cases: &[Case] = &[
        (Utf8, Utf16, b"\xff", 64, 1, REALLOC),
        (Utf8, Utf8, b"\xc3", 64, 1, REALLOC),
        (Utf8, Compact, b"\xed\xa0\x80", 64, 3, REALLOC),
        (Utf16, Utf8, b"\x00\xd8", 64, 1, REALLOC),
        (Utf16, Compact, b"\x00\xdc\x41\x00", 64, 2, REALLOC),
        (Compact, Utf8, b"\x00\xd8", 64, 1 | TAG, REALLOC),
        // Not aligned.
        (Utf16, Utf8, b"aaaa", 65, 1, REALLOC),
        (Compact, Utf16, b"aaaa", 65, 1 | TAG, REALLOC),
        // Beyond the memory of either side.
        (Utf8, Utf16, b"", 65_536, 1, REALLOC),
        (Utf8, Utf8, b"", 0, 0x7fff_ffff, REALLOC),
        (Utf16, Utf8, b"", 0, 0x4000_0001, REALLOC),
        (Compact, Utf8, b"", 0, u32::MAX, REALLOC),
        (Utf8, Utf16, b"text", 64, 4, outside),
        (Utf16, Compact, b"t\0e\0", 64, 2, outside),
        (Utf8, Utf16, b"text", 64, 4, odd),
    ];
    for &(caller, callee, bytes, at, units, realloc) in cases {
        let result = run(Call {
            caller,
            callee,
            bytes: bytes.to_vec(),
            at,
            units,
            expected: 0,
            realloc,
        });
        let result = result.await;
        assert_eq!(
            result.end,
            ProcessEnd::Signalled(6),
            "{caller:?} to {callee:?}, {bytes:?} at {at}, {units} units: {}",
            result.stderr
        );
    }
}
