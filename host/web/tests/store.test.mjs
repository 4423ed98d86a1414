// Stores that need no browser and no Worker, and containers of the native store.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
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

// Branches, earlier states and templates: each step natively and here, with the same outcome, and then on what the other made.
test("branches, states and templates are the native ones", { skip: !process.env.OFFSHOOT }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "offshoot-store-"));
  const run = (args, options) =>
    spawnSync(process.env.OFFSHOOT, args, { cwd: folder, env: { ...process.env, OFFSHOOT_STORE: join(folder, "store") }, encoding: "utf8", ...options });
  const offshoot = (...args) => {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  // The status is that of `diff`.
  const differ = (...args) => run(["diff", ...args]).stdout;
  const LETTERS = { added: "A", modified: "M", removed: "D" };
  const printed = (changes) => changes.map(({ kind, path }) => `${LETTERS[kind]} ${path}\n`).join("");
  const moved = (name) => {
    offshoot("export", name, "moved.offshoot");
    return readFileSync(join(folder, "moved.offshoot"));
  };
  const sandboxes = new Sandboxes(new MemoryStore());
  /** The same script on both sides. */
  const both = async (name, script) => {
    const here = await sandboxes.exec(name, script, { check: true });
    assert.equal(here.stdout, offshoot("exec", name, "-c", script), script);
    return here.stdout;
  };
  try {
    // One state, on both sides.
    offshoot("create", "main", "--cwd", "/work");
    offshoot("exec", "main", "-c", "mkdir d; seq 3 > d/x; echo 1 > a; echo 1 > b; ln -s a l");
    await sandboxes.import("main", moved("main"));

    offshoot("fork", "main", "idea");
    await sandboxes.fork("main", "idea");
    await both("idea", "rm -r d; echo 2 > a; mkdir e; echo new > e/f; chmod 600 b; ln -sf b l");
    await both("main", "echo c > c");
    const changes = printed(await sandboxes.diff("main", "idea"));
    assert.equal(changes, differ("main", "idea"));
    assert.ok(changes.includes("D /work/d/x\n"), changes);
    const { changes: brought } = await sandboxes.promote("idea");
    assert.equal(printed(brought), offshoot("promote", "idea"));
    const home = await both("main", "find . -printf '%p %m %l %s\\n' | sort; cat a b c e/f");
    assert.ok(home.includes("./e/f 644"), home);

    // Both sides of a branch: the same paths are named, and nothing happened.
    await both("main", "echo main > a; echo main > e/f");
    await both("idea", "echo idea > a; rm e/f; echo 3 > g");
    const { conflicts } = await sandboxes.promote("idea");
    const refused = run(["promote", "--json", "idea"]);
    assert.notEqual(refused.status, 0);
    for (const path of conflicts) assert.ok((refused.stdout + refused.stderr).includes(path), `${path}: ${refused.stdout}${refused.stderr}`);
    assert.deepEqual(conflicts, ["/work/a", "/work/e/f"]);
    await both("main", "cat a e/f; ls");

    // Earlier states, by number and by label.
    const labels = (log) => log.map(({ label, files }) => [label?.startsWith("restored") ? label : null, files]);
    await sandboxes.snapshot("main", "good");
    offshoot("snapshot", "main", "good");
    await both("main", "rm -r e; echo last > a");
    for (const point of ["main~1", "main@good", "main~2"]) {
      await sandboxes.restore("main", point);
      offshoot("restore", "main", point);
      await both("main", "cat a; ls -R");
    }
    const [here, there] = [await sandboxes.log("main"), JSON.parse(offshoot("log", "--json", "main"))];
    const length = Math.min(here.length, there.length);
    assert.ok(length > 5, "several states");
    assert.deepEqual(labels(here).slice(0, length), labels(there).slice(0, length));
    assert.equal(printed(await sandboxes.diff("main~3", "main@good")), differ("main~3", "main@good"));

    // Templates.
    assert.equal(await sandboxes.publish("main", "base"), 1);
    offshoot("publish", "main", "base");
    await both("main", "echo later > a");
    assert.equal(await sandboxes.publish("main", "base"), 2);
    offshoot("publish", "main", "base");
    for (const template of ["base@1", "base"]) {
      const name = template.replace("@", "-");
      await sandboxes.create(name, { template });
      offshoot("create", name, "--template", template);
      await both(name, "cat a; pwd; ls");
    }

    // What was promoted, restored and made from a template here is a native sandbox, and goes on as one.
    for (const name of ["main", "base-1"]) {
      writeFileSync(join(folder, "back.offshoot"), await sandboxes.export(name));
      offshoot("import", `${name}.here`, "back.offshoot");
      assert.equal(differ(name, `${name}.here`).replace(/^M .*\n/gm, ""), "", "the same paths");
      assert.equal(JSON.parse(offshoot("log", "--json", `${name}.here`))[0].commit, (await sandboxes.log(name))[0].commit);
    }
    offshoot("fork", "main.here", "again");
    offshoot("exec", "again", "-c", "echo native > n");
    assert.equal(offshoot("promote", "again"), "A /work/n\n");
    await sandboxes.import("native", moved("main.here"));
    assert.equal((await sandboxes.exec("native", "cat n")).stdout, "native\n");
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
