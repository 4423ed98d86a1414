// Stores that need no browser and no Worker, and containers of the native store.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { storeCases } from "./stores.mjs";

const offshoot = await import(`file://${process.env.PACKAGE}/index.js`);
const { decodeSettings, encodeSettings } = await import(`file://${process.env.PACKAGE}/store/settings.js`);
const { DurableObjectStore, MemoryStore, Sandboxes } = offshoot;

/** What a Durable Object's storage does and refuses. */
class Storage {
  kept = new Map();
  #check(keys) {
    assert.ok(keys.length <= 128, "128 keys at a time");
    for (const key of keys) assert.ok(new TextEncoder().encode(key).length <= 2048, "a key of 2 KiB");
  }
  async get(keys) {
    if (typeof keys === "string") return this.kept.get(keys);
    this.#check(keys);
    return new Map(keys.flatMap((key) => (this.kept.has(key) ? [[key, this.kept.get(key)]] : [])));
  }
  async put(entries, value) {
    const all = typeof entries === "string" ? { [entries]: value } : entries;
    this.#check(Object.keys(all));
    for (const [key, one] of Object.entries(all)) {
      assert.ok((one.bytes?.buffer?.byteLength ?? 0) < 128 << 10, "a value of 128 KiB");
      this.kept.set(key, structuredClone(one));
    }
  }
  async delete(keys) {
    this.#check([keys].flat());
    return [keys].flat().filter((key) => this.kept.delete(key)).length;
  }
  async list({ prefix, startAfter = "", limit = Infinity }) {
    const found = [...this.kept].filter(([key]) => key.startsWith(prefix) && key > startAfter);
    return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit));
  }
  #last = Promise.resolve();
  transaction(run) {
    return (this.#last = this.#last.then(() => run(this)));
  }
}

const kinds = { memory: async () => new MemoryStore(), "Durable Object": async () => new DurableObjectStore(new Storage()) };
for (const [kind, make] of Object.entries(kinds)) {
  for (const [name, run] of Object.entries(storeCases(offshoot, kind, make))) test(name, async () => void (await run()));
}

test("a container that the native store wrote, and the same one again", async () => {
  const golden = readFileSync(new URL("../../../runtime/store/tests/golden/container-1.offshoot", import.meta.url));
  const sandboxes = new Sandboxes(new MemoryStore());
  await sandboxes.import("golden", golden);
  const { files } = await sandboxes.info("golden");
  assert.ok(files > 70, "its files");
  const again = await sandboxes.export("golden");
  // Only the epoch of the header and the sum at the end are others.
  const differs = again.filter((byte, n) => n < again.length - 32 && byte !== golden[n]).length;
  assert.deepEqual([again.length, differs], [golden.length, 1]);
});

// OFFSHOOT is the command line, where it has been built.
test("a sandbox suspended natively is resumed here, and back", { skip: !process.env.OFFSHOOT }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "offshoot-store-"));
  const offshoot = (...args) =>
    execFileSync(process.env.OFFSHOOT, args, { cwd: folder, env: { ...process.env, OFFSHOOT_STORE: join(folder, "store") }, encoding: "utf8" });
  try {
    offshoot("create", "box", "-e", "A=1", "--cwd", "/work");
    offshoot("exec", "box", "-c", "echo native > notes; seq 100000 > numbers");
    offshoot("exec", "--session", "main", "box", "-c", "x=5; f() { echo kept $x; }");
    offshoot("suspend", "box");
    offshoot("export", "box", "there.offshoot");
    const sandboxes = new Sandboxes(new MemoryStore());
    await sandboxes.import("box", readFileSync(join(folder, "there.offshoot")));
    const sandbox = await sandboxes.open("box");
    const { stdout } = await sandbox.exec("cat notes; wc -l < numbers; pwd; echo $A; echo web >> notes");
    assert.equal(stdout, "native\n100000\n/work\n1\n");
    assert.equal((await sandboxes.session("box").exec("f; x=6")).stdout, "kept 5\n");
    await sandboxes.suspend("box");
    writeFileSync(join(folder, "back.offshoot"), await sandboxes.export("box"));
    offshoot("import", "back", "back.offshoot");
    assert.equal(offshoot("exec", "back", "-c", "cat notes; pwd; echo $A; wc -l < numbers"), "native\nweb\n/work\n1\n100000\n");
    assert.equal(offshoot("exec", "--session", "main", "back", "-c", "f"), "kept 6\n");
    offshoot("fsck");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what is not stored is stored with the next commit", async () => {
  const store = new MemoryStore();
  const put = store.put.bind(store);
  const sandboxes = new Sandboxes(store);
  await sandboxes.create("main");
  const sandbox = await sandboxes.open("main");
  await sandbox.exec("echo one > notes");
  store.put = async (objects) => {
    await put(objects.slice(0, 1));
    throw new Error("the disk is full");
  };
  await assert.rejects(sandboxes.suspend("main"), /the disk is full/);
  store.put = put;
  assert.equal((await sandbox.exec("cat notes")).stdout, "one\n", "it is awake");
  await sandboxes.suspend("main");
  assert.equal((await new Sandboxes(store).exec("main", "cat notes")).stdout, "one\n");
});

test("settings", () => {
  const kept = { env: { A: "1" }, cwd: "/work", limits: { timeMs: 50, steps: 7, processes: 3, disk: 1 << 20 } };
  const read = decodeSettings(encodeSettings(kept));
  assert.deepEqual([read.env, read.cwd], [kept.env, kept.cwd]);
  for (const [name, value] of Object.entries(kept.limits)) assert.equal(read.limits[name], value);
  const text = new TextDecoder().decode(encodeSettings(kept));
  const bytes = (changed) => new TextEncoder().encode(changed);
  assert.throws(() => decodeSettings(bytes(text.replace('"version":1', '"version":2'))), { code: "TOO_NEW" });
  for (const damaged of ["{}", "no json", text.replace('"/work"', "7"), text.replace('"1"', "null")]) {
    assert.throws(() => decodeSettings(bytes(damaged)), { code: "CORRUPT" }, damaged);
  }
});
