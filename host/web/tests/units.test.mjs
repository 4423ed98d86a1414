// What the parts do that no script shows: layouts of the canonical ABI, reading WIT, taking modules apart.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { coreModule, limited } from "../build/core.mjs";
import { interfaces } from "../build/wit.mjs";

const { codec, callable, Handles } = await import(`file://${process.env.PACKAGE}/abi.js`);

function context() {
  const memory = new Uint8Array(256);
  let next = 64;
  return {
    memory,
    bytes: () => memory,
    view: () => new DataView(memory.buffer),
    allocate(size, align) {
      const at = Math.ceil(next / align) * align;
      next = at + size;
      return at;
    },
    handles: new Handles(),
    own: new Handles(),
    exported: undefined,
  };
}

// Sizes, alignments and flat forms as the specification of the canonical ABI computes them.
const LAYOUTS = [
  ["u8", 1, 1, ["i32"]],
  ["s64", 8, 8, ["i64"]],
  ["string", 8, 4, ["i32", "i32"]],
  [{ record: [["a", "u8"], ["b", "u64"], ["c", "u16"]] }, 24, 8, ["i32", "i64", "i32"]],
  [{ tuple: ["u8", "u8", "u32"] }, 8, 4, ["i32", "i32", "i32"]],
  [{ option: "u64" }, 16, 8, ["i32", "i64"]],
  [{ result: ["u32", { enum: ["x", "y"] }] }, 8, 4, ["i32", "i32"]],
  [{ variant: [["none", null], ["small", "u32"], ["large", "s64"]] }, 16, 8, ["i32", "i64"]],
  [{ variant: [["text", "string"], ["time", "u64"]] }, 16, 8, ["i32", "i64", "i32"]],
  [{ flags: Array.from({ length: 9 }, (_, n) => `f${n}`) }, 2, 2, ["i32"]],
  [{ list: { tuple: ["string", "u32"] } }, 8, 4, ["i32", "i32"]],
];

test("layouts", () => {
  for (const [type, size, align, flat] of LAYOUTS) {
    const made = codec(type);
    assert.deepEqual([made.size, made.align, made.flat], [size, align, flat], JSON.stringify(type));
  }
});

const VALUES = [
  ["bool", true],
  ["s8", -3],
  ["u64", 2n ** 64n - 1n],
  ["string", "grün 😀"],
  [{ list: "u8" }, Uint8Array.of(0, 255)],
  [{ record: [["a", "u8"], ["b", { list: "string" }]] }, { a: 7, b: ["", "x"] }],
  [{ option: { tuple: ["u32", "s64"] } }, [4, -1n]],
  [{ option: "u8" }, undefined],
  [{ variant: [["small", "u32"], ["large", "s64"]] }, { tag: "small", val: 0xffff_fff0 }],
  [{ variant: [["small", "u32"], ["large", "s64"]] }, { tag: "large", val: -(2n ** 63n) }],
  [{ result: [null, { enum: ["x", "y"] }] }, { ok: false, val: "y" }],
  [{ flags: ["a", "b", "c"] }, 5],
];

test("values come back from memory and from arguments", () => {
  for (const [type, value] of VALUES) {
    const made = codec(type);
    const cx = context();
    made.store(cx, value, 16);
    assert.deepEqual(made.load(cx, 16), value, `memory, ${JSON.stringify(type)}`);
    const flat = [];
    made.lower(cx, value, flat);
    assert.deepEqual(flat.map((core) => (typeof core === "bigint" ? "i64" : "i32")), made.flat);
    assert.deepEqual(made.lift(cx, flat.values()), value, `arguments, ${JSON.stringify(type)}`);
  }
});

test("what is no value is refused", () => {
  const cx = context();
  cx.memory[0] = 9;
  assert.throws(() => codec({ enum: ["x", "y"] }).load(cx, 0), TypeError);
  assert.throws(() => codec({ own: "a:b/c/r" }).load(cx, 0), TypeError);
  assert.throws(() => codec({ enum: ["x"] }).store(cx, "z", 0), TypeError);
});

test("a handle is given out once, and again when it is free", () => {
  const handles = new Handles();
  const [one, two] = [handles.add("a"), handles.add("b")];
  assert.equal(handles.remove(one), "a");
  assert.throws(() => handles.get(one));
  assert.deepEqual([handles.add("c"), handles.get(two)], [one, "b"]);
});

test("too many parameters and results go through memory", () => {
  assert.equal(callable([Array(16).fill("u32"), "u32"]).indirect, false);
  assert.equal(callable([Array(17).fill("u32"), null]).indirect, true);
  assert.equal(callable([[], "string"]).returned, true);
});

test("WIT is read with its names resolved", () => {
  const folder = mkdtempSync(join(tmpdir(), "offshoot-wit-"));
  writeFileSync(
    join(folder, "a.wit"),
    `package a:b@1.2.3;
    /// Words: { not: wit }
    @since(version = 1.0.0)
    interface types { enum kind { one, two-three } record size { in-bytes: u64, } }
    interface use-them {
      use types.{kind, size};
      type alias = list<kind>;
      resource thing { constructor(n: u32); is-it: func(x: alias) -> option<bool>; make: static func() -> result<thing, kind>; }
      go: func(%type: borrow<thing>, p: tuple<u8, string>);
    }
    world w { export use-them; }`,
  );
  const kind = { enum: ["one", "two-three"] };
  const thing = "a:b/use-them/thing";
  assert.deepEqual(interfaces([folder], (name) => name === "a:b/use-them")["a:b/use-them"], {
    "[constructor]thing": [["u32"], { own: thing }],
    "[method]thing.is-it": [[{ borrow: thing }, { list: kind }], { option: "bool" }],
    "[static]thing.make": [[], { result: [{ own: thing }, kind] }],
    go: [[{ borrow: thing }, { tuple: ["u8", "string"] }], null],
  });
  rmSync(folder, { recursive: true });
});

test("a module gets a maximum of memory", () => {
  // (module (memory (export "m") 2))
  const plain = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 2, 7, 5, 1, 1, 109, 2, 0);
  const component = Uint8Array.from([0, 97, 115, 109, 13, 0, 1, 0, 0, 2, 0, 0, 1, plain.length, ...plain]);
  const module = limited(coreModule(component), 300);
  const { m } = new WebAssembly.Instance(new WebAssembly.Module(module)).exports;
  assert.equal(m.grow(298), 2);
  assert.throws(() => m.grow(1), RangeError);
  assert.throws(() => coreModule(component.subarray(0, 12)));
});
