// What the parts do that no script shows: layouts of the canonical ABI, reading WIT, taking modules apart.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { coreModule, limited } from "../build/core.mjs";
import { interfaces } from "../build/wit.mjs";

const { codec, callable, Handles } = await import(`file://${process.env.PACKAGE}/abi.js`);
const { textOf, bytesOfText } = await import(`file://${process.env.PACKAGE}/text.js`);
const { firstOf } = await import(`file://${process.env.PACKAGE}/signal.js`);
const { Policy, isPublic } = await import(`file://${process.env.PACKAGE}/network/policy.js`);
const { Loopback, Listener, Mailbox, resolve } = await import(`file://${process.env.PACKAGE}/loopback.js`);

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
  for (const most of [300, 40]) {
    const memory = new WebAssembly.Memory({ initial: 2, maximum: most });
    const { m } = new WebAssembly.Instance(new WebAssembly.Module(module), { "offshoot:memory": { "2-300": memory } }).exports;
    assert.equal(m.grow(most - 2), 2);
    assert.throws(() => m.grow(1), RangeError);
  }
  const more = { "offshoot:memory": { "2-300": new WebAssembly.Memory({ initial: 2, maximum: 301 }) } };
  assert.throws(() => new WebAssembly.Instance(new WebAssembly.Module(module), more), WebAssembly.LinkError);
  assert.throws(() => coreModule(component.subarray(0, 12)));
});

const v4 = (port, ...ip) => ({ ip, port });
const here = (port) => v4(port, 127, 0, 0, 1);
const code = (expected) => (thrown) => thrown.code === expected;

test("an address is taken once", () => {
  const loopback = new Loopback();
  const claim = loopback.claim("tcp", here(80));
  for (const taken of [here(80), v4(80, 0, 0, 0, 0)]) {
    assert.throws(() => loopback.claim("tcp", taken), code("address-in-use"));
  }
  for (const free of [v4(80, 127, 0, 0, 2), { ip: [0, 0, 0, 0, 0, 0, 0, 1], port: 80 }]) loopback.claim("tcp", free);
  loopback.claim("udp", here(80));
  assert.throws(() => loopback.claim("tcp", v4(80, 192, 0, 2, 1)), code("address-not-bindable"));
  const [one, two] = [0, 0].map((port) => loopback.claim("tcp", here(port)).address.port);
  assert.ok(one !== two && one >= 32768);
  claim.release();
  loopback.claim("tcp", here(80));
});

test("a connection is two pipes, and ends with its ends", () => {
  const loopback = new Loopback();
  assert.throws(() => loopback.reach([here(80)]), code("connection-refused"));
  assert.throws(() => loopback.reach([v4(80, 192, 0, 2, 1)]), code("access-denied"));
  const listener = loopback.open(loopback.claim("tcp", v4(80, 0, 0, 0, 0)), new Listener());
  const near = loopback.reach([here(80)]).retain();
  const far = listener.waiting.shift();
  assert.equal(loopback.connection(far.local.port, far.remote.port), far);
  near.write(Uint8Array.of(1, 2));
  assert.deepEqual([...far.read(10)], [1, 2]);
  assert.equal(far.read(10), undefined);
  near.shut("send");
  assert.equal(far.read(10).length, 0);
  far.release();
  assert.equal(near.read(10).length, 0);
  assert.throws(() => near.write(Uint8Array.of(1)), code("broken-pipe"));
  near.release();
  assert.deepEqual(loopback.sockets().map(({ remote }) => remote), [undefined]);
  listener.backlog = 1;
  loopback.reach([here(80)]);
  assert.throws(() => loopback.reach([here(80)]), code("connection-refused"));
});

test("a mailbox has bounds and one who may write", () => {
  const loopback = new Loopback();
  const mailbox = loopback.open(loopback.claim("udp", here(9)), new Mailbox());
  for (let n = 0; n < 10; n++) loopback.send(here(7), here(9), new Uint8Array(60_000));
  let count = 0;
  while (mailbox.receive()) count += 1;
  assert.equal(count, 3);
  mailbox.connect(here(8));
  loopback.send(here(7), here(9), Uint8Array.of(1));
  loopback.send(v4(8, 0, 0, 0, 0), here(9), Uint8Array.of(2));
  assert.deepEqual([mailbox.receive().data[0], mailbox.isEmpty], [2, true]);
});

test("names and addresses", () => {
  const six = (...ip) => [ip];
  const both = [[127, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1]];
  const table = [
    ["localhost", both], ["a.localhost.", both], ["SANDBOX", both], ["127.0.0.2", [[127, 0, 0, 2]]], ["300.0.0.1", []],
    ["::1", six(0, 0, 0, 0, 0, 0, 0, 1)], ["[fe80::1:2]", six(0xfe80, 0, 0, 0, 0, 0, 1, 2)], ["1::2::3", []], ["example.com", []],
  ];
  for (const [name, addresses] of table) assert.deepEqual(resolve(name, "sandbox"), addresses, name);
});

test("a policy allows what its rules say", () => {
  const table = [
    ["https://a.com", "https://a.com/x?y", true], ["https://a.com", "https://A.COM:443/", true], ["https://a.com", "https://a.com:8443/", false],
    ["https://a.com", "http://a.com/", false], ["https://a.com", "https://a.com.evil.org/", false], ["https://a.com", "https://b.a.com/", false],
    ["https://*.a.com", "https://c.b.a.com/", true], ["https://*.a.com", "https://a.com/", false], ["https://*.a.com", "https://evila.com/", false],
    ["https://*", "https://anything.example/", true], ["https://*", "https://10.0.0.1/", false], ["https://*", "https://localhost/", false],
    ["http://127.0.0.1:80", "http://2130706433/", true], ["http://127.0.0.1:80", "http://127.0.0.2/", false],
    ["http://localhost:8080", "http://localhost:8080/", true], ["https://bücher.example", "https://xn--bcher-kva.example/", true],
    ["https://a.com/v1", "https://a.com/v1/x", true], ["https://a.com/v1", "https://a.com/v10", false],
    ["https://a.com/v1/", "https://a.com/v1/../v2/x", false], ["https://a.com/v1/", "https://a.com/v1/..%2fx", false],
  ];
  for (const [rule, url, allowed] of table) {
    let allows = true;
    try {
      new Policy([rule], []).check("GET", new URL(url));
    } catch {
      allows = false;
    }
    assert.equal(allows, allowed, `${rule} ${url}`);
  }
  for (const text of ["a.com", "ftp://a.com", "https://a*.com", "https://*a.com", "https://a.*.com", "https://u:p@a.com", "https://a.com/?q=1", "G:T https://a.com"]) {
    assert.throws(() => new Policy([text], []), { code: "INVALID" }, text);
  }
  assert.throws(() => new Policy([], [{ origin: "https://a.com", header: "a", value: "b" }]), { code: "INVALID" });
});

test("addresses of the host's networks are not public", () => {
  const table = [
    [[8, 8, 8, 8], true], [[172, 16, 0, 1], false], [[172, 32, 0, 1], true], [[100, 64, 0, 1], false], [[224, 0, 0, 1], false],
    [[0x2606, 0x4700, 0, 0, 0, 0, 0, 1], true], [[0xfe80, 0, 0, 0, 0, 0, 0, 1], false], [[0, 0, 0, 0, 0, 0xffff, 0x7f00, 1], false],
    [[0x64, 0xff9b, 0, 0, 0, 0, 0x808, 0x808], true], [[0x2002, 0xa00, 1, 0, 0, 0, 0, 1], false], [[0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], false],
  ];
  for (const [address, expected] of table) assert.equal(isPublic(address), expected, address.join());
});

test("every string of bytes comes back as itself", () => {
  const bytes = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const cases = [
    bytes(), bytes("plain"), bytes("é \u{fffd} \u{10ffff}"), bytes("a", [0xff], "b", [0x80]), bytes([0xe2, 0x82]), bytes("\u{10fe80}"),
    bytes("\u{10feff}"), bytes([0xed, 0xa0, 0x80]), bytes("\u{feff}x"),
  ];
  const texts = cases.map(textOf);
  cases.forEach((one, n) => assert.deepEqual(Buffer.from(bytesOfText(texts[n])), one));
  assert.equal(new Set(texts).size, cases.length);
  assert.equal(texts[2], "é \u{fffd} \u{10ffff}");
});

test("a signal of several comes where nobody else holds it", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const controller = new AbortController();
  let seen;
  firstOf(controller.signal, AbortSignal.timeout(1_000_000)).addEventListener("abort", ({ target }) => (seen = target.reason));
  for (let round = 0; round < 10; round++) {
    gc();
    await setImmediate();
  }
  controller.abort("stop");
  assert.equal(seen, "stop");
  assert.equal(firstOf(controller.signal).reason, "stop");
});

test("shells that wait have 16 MiB, and the last one waits whatever it has", async () => {
  const { engine, Sandbox } = await import(`file://${process.env.PACKAGE}/index.js`);
  const sandboxes = Array.from({ length: 20 }, () => new Sandbox());
  for (const sandbox of sandboxes) await sandbox.exec("x=1");
  assert.ok(engine.parking.bytes > 8 << 20 && engine.parking.bytes <= 16 << 20, `${engine.parking.bytes}`);
  const [first] = sandboxes;
  await first.exec("x=$(printf '%*s' 12000000 ''); y=$x$x");
  const { bytes } = engine.parking;
  assert.ok(bytes > 16 << 20, `one alone: ${bytes}`);
  await first.exec("x=1");
  assert.equal(engine.parking.bytes, bytes, "it is the one that is used again");
  for (const sandbox of sandboxes) await sandbox.close();
  assert.equal(engine.parking.bytes, 0);
});
