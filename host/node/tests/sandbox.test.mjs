// What the package does, in Node's own test runner.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const lib = process.env.OFFSHOOT_NODE_PACKAGE;
const require = createRequire(import.meta.url);
const offshoot = await import(join(lib, "index.mjs"));
const { Sandbox, Sandboxes, ExecError, LimitError, NotFoundError, ConflictError, InvalidError } = offshoot;
const folder = () => mkdtempSync(join(tmpdir(), "offshoot-node-"));

async function text(stream) {
  let all = "";
  for await (const piece of stream) all += new TextDecoder().decode(piece);
  return all;
}

test("both module systems have the same names", () => {
  const names = Object.keys(require(join(lib, "index.cjs"))).sort();
  assert.deepEqual(Object.keys(offshoot).filter((name) => name !== "default").sort(), names);
});

test("a script gives its output and status", async () => {
  const result = await new Sandbox().exec("echo out; echo err >&2; exit 3");
  assert.deepEqual([result.stdout, result.stderr, result.exitCode, result.ok], ["out\n", "err\n", 3, false]);
});

test("the commands are loaded beforehand", async () => {
  assert.equal(await Sandbox.warm(), undefined);
  assert.equal((await new Sandbox().exec("node -p 1; seq 2 2")).stdout, "1\n2\n");
});

test("bytes, arguments, variables, directory", async () => {
  const sandbox = new Sandbox({ env: { Y: "2" } });
  const every = Uint8Array.from({ length: 256 }, (_, n) => n);
  assert.deepEqual((await sandbox.exec("cat", { stdin: every })).stdoutBytes, every);
  const options = { arguments: ["a b"], env: { X: "1" }, cwd: "/tmp" };
  assert.equal((await sandbox.exec('echo "$1-$X$Y" $PWD', options)).stdout, "a b-12 /tmp\n");
});

test("errors have types and codes", async () => {
  const sandbox = new Sandbox();
  await assert.rejects(sandbox.exec("echo why >&2; exit 7", { check: true }), (error) => {
    assert.ok(error instanceof ExecError);
    return error.result.exitCode === 7 && /exit status 7: why/.test(error.message);
  });
  await assert.rejects(sandbox.files.read("/nowhere"), (e) => e instanceof NotFoundError && e.code === "NOT_FOUND");
  await sandbox.files.write("b", Uint8Array.of(255));
  await assert.rejects(sandbox.files.readText("b"), (e) => e.code === "NOT_TEXT");
  await assert.rejects(new Sandbox({ limits: { output: 1000 } }).exec("yes"), (error) => {
    return error instanceof LimitError && error.output.stdoutBytes.length === 1000;
  });
  assert.throws(() => new Sandbox({ limits: { output: 0.5 } }), InvalidError);
  assert.throws(() => new Sandbox({ limits: { nonsense: 1 } }), InvalidError);
  assert.throws(() => new Sandbox({ memroy: 1 }), TypeError);
});

test("a time-out is a result, an abort rejects", async () => {
  const sandbox = new Sandbox();
  const late = await sandbox.exec("echo before; sleep 60", { timeoutMs: 300 });
  assert.deepEqual([late.exitCode, late.timedOut, late.stdout], [124, true, "before\n"]);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(sandbox.exec("sleep 60", { signal: controller.signal }), { name: "AbortError" });
  await assert.rejects(sandbox.exec("true", { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal((await sandbox.exec("echo alive")).stdout, "alive\n");
});

test("files", async () => {
  const { files } = new Sandbox();
  await files.write("a/b", "text");
  await files.writeMany({ "a/c": "x", "a/d": Uint8Array.of(1, 2) });
  assert.deepEqual((await files.list("a")).map(({ name, kind, size }) => [name, kind, size]), [
    ["b", "file", 4],
    ["c", "file", 1],
    ["d", "file", 2],
  ]);
  await files.copy("a", "e", { recursive: true });
  await files.rename("e/b", "f");
  assert.equal(await files.readText("f"), "text");
  await files.remove("a", { recursive: true });
  await files.remove("a", { missingOk: true });
  assert.equal(await files.exists("a"), false);
  assert.ok((await files.info("f")).modifiedMs > 1.7e12);
  await assert.rejects(files.makeDir("/tmp", { parents: false }), ConflictError);
});

test("branches and sessions", async () => {
  const sandbox = new Sandbox({ files: { "/home/user/state": "0" } });
  const [first, second] = sandbox.forkMany(2);
  await first.exec("echo 1 > state; touch new");
  assert.equal(await second.files.readText("state"), "0");
  assert.ok(sandbox.diff(first).some(({ kind, path }) => kind === "added" && path === "/home/user/new"));
  const session = sandbox.session();
  await session.exec("cd /tmp; x=1");
  const branch = await session.fork();
  assert.equal((await branch.exec("echo $x $PWD")).stdout, "1 /tmp\n");
  assert.equal((await sandbox.loadSession(await session.export()).exec("echo $x")).stdout, "1\n");
});

test("a process streams both ways and takes signals", async () => {
  const sandbox = new Sandbox();
  const process = sandbox.spawn("while read -r x; do echo \"<$x>\"; done; echo e >&2; exit 5");
  const writer = process.stdin.getWriter();
  await writer.write("a\n");
  await writer.close();
  assert.equal(await text(process.stdout), "<a>\n");
  assert.equal(await text(process.stderr), "e\n");
  assert.equal(await process.wait(), 5);
  const trapped = sandbox.spawn("trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done");
  const reader = trapped.stdout.getReader();
  await reader.read();
  trapped.signal("SIGTERM");
  assert.equal(await trapped.wait(), 9);
});

test("output is seen as it comes", async () => {
  const seen = [];
  const result = await new Sandbox().exec("echo a; echo b", { onStdout: (piece) => seen.push(...piece) });
  assert.equal(Buffer.from(seen).toString(), "a\nb\n");
  assert.equal(result.stdout, "a\nb\n");
  const fails = () => {
    throw new Error("enough");
  };
  await assert.rejects(new Sandbox().exec("yes", { onStdout: fails }), /enough/);
});

test("commands are functions", async () => {
  const commands = {
    double: ({ arguments: [number] }) => `${number * 2}\n`,
    later: async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { exitCode: 4, stdout: call.text().toUpperCase(), stderr: "done\n" };
    },
    fails: () => {
      throw new Error("no");
    },
  };
  const sandbox = new Sandbox({ commands });
  assert.equal((await sandbox.exec("double 21 | cat")).stdout, "42\n");
  const result = await sandbox.exec("echo hi | later");
  assert.deepEqual([result.stdout, result.stderr, result.exitCode], ["HI\n", "done\n", 4]);
  const failed = await sandbox.exec("fails");
  assert.deepEqual([failed.exitCode, failed.stderr], [1, "fails: no\n"]);
});

test("mounts keep the host's folder as it is", async () => {
  const host = folder();
  writeFileSync(join(host, "x"), "host");
  const sandbox = new Sandbox({ mounts: [{ host, path: "/work", mode: "cow" }] });
  assert.equal((await sandbox.exec("cat /work/x; echo new > /work/x; cat /work/x")).stdout, "hostnew\n");
  assert.equal(readFileSync(join(host, "x"), "utf8"), "host");
});

test("sandboxes are kept by name", async () => {
  const store = join(folder(), "store");
  const kept = new Sandboxes(store, { secret: "a secret of 16 bytes and more" });
  await kept.create("main", { files: { "/home/user/notes": "one\n" }, title: "The main one" });
  await kept.fork("main", "idea");
  await kept.exec("idea", "echo two >> notes", { check: true });
  assert.deepEqual(await kept.diff("main", "idea"), [{ kind: "modified", path: "/home/user/notes" }]);
  assert.deepEqual((await kept.promote("idea")).conflicts, []);
  await kept.suspend("main");
  await kept.snapshot("main", "good");
  const awake = await kept.open("main");
  await awake.exec("rm notes");
  await awake.close();
  await kept.restore("main", "main@good");
  assert.equal((await kept.exec("main", "cat notes")).stdout, "one\ntwo\n");
  await kept.suspend("main");
  assert.equal((await kept.info("idea")).parent, "main");
  assert.ok((await kept.log("main")).length > 1);
  const script = `const { Sandboxes } = require(${JSON.stringify(join(lib, "index.cjs"))});
    new Sandboxes(${JSON.stringify(store)}, { secret: "a secret of 16 bytes and more" })
      .exec("main", "cat notes").then((r) => process.stdout.write(r.stdout));`;
  assert.equal(execFileSync(process.execPath, ["-e", script]).toString(), "one\ntwo\n");
});

test("sandboxes are made from templates", async () => {
  const kept = new Sandboxes();
  await kept.create("draft");
  await kept.exec("draft", "echo ready > state", { check: true });
  assert.equal(await kept.publish("draft", "base"), 1);
  assert.deepEqual(await kept.templates(), ["base"]);
  await kept.create("one", { template: "base@1" });
  assert.equal((await kept.exec("one", "cat state")).stdout, "ready\n");
  await assert.rejects(kept.create("two", { template: "none" }), { code: "NOT_FOUND" });
  assert.throws(() => kept.create("two", { template: "base", cwd: "/" }), TypeError);
});

test("a terminal reads while somebody types", async () => {
  const terminal = new Sandbox({ env: { PS1: "$ " } }).terminal();
  const seen = text(terminal.output);
  await terminal.write("x=5\n");
  await terminal.write("echo $((x * 2))\n");
  await terminal.write("exit 3\n");
  assert.ok((await seen).startsWith("$ $ 10\n$ "));
  assert.equal(await terminal.wait(), 3);
});

test("changes of files are told, a directory is an archive", async () => {
  const sandbox = new Sandbox();
  const watcher = await sandbox.files.watch(".", { recursive: true, exclude: ["*.log"] });
  assert.deepEqual(await watcher.look(), []);
  await sandbox.exec("mkdir d; echo 1 > d/new; : > skipped.log");
  const told = (await watcher.next()).map(({ kind, path }) => `${kind} ${path}`);
  assert.ok(told.includes("added /home/user/d/new") && !told.join().includes("skipped"), told.join());
  const other = new Sandbox();
  await other.files.makeDir("copy");
  await other.files.importTar(await sandbox.files.exportTar("d"), "copy");
  assert.equal(await other.files.readText("copy/new"), "1\n");
});

test("the shape of just-bash", async () => {
  const { Bash } = require(join(lib, "bash.cjs"));
  const bash = new Bash({ files: { "/data/x": "1" }, cwd: "/data" });
  assert.deepEqual(await bash.exec("cat x; exit 2"), { stdout: "1", stderr: "", exitCode: 2 });
  await bash.fs.appendFile("/data/x", "2");
  assert.equal(await bash.readFile("/data/x"), "12");
  await assert.rejects(bash.fs.readFile("/data/none"), { code: "ENOENT" });
});

test("the session of the AI SDK", async () => {
  const { createSandboxSession } = require(join(lib, "ai-sdk.cjs"));
  const session = createSandboxSession();
  await session.writeTextFile({ path: "x", content: "a\nb\nc\n" });
  assert.equal(await session.readTextFile({ path: "x", startLine: 2, endLine: 3 }), "b\nc");
  assert.equal(await session.readTextFile({ path: "none" }), null);
  assert.deepEqual(await session.stat({ path: "x" }), { type: "file", size: 6 });
  assert.deepEqual(await session.run({ command: "wc -l < x" }), { exitCode: 0, stdout: "3\n", stderr: "" });
  const running = await session.spawn({ command: "cat x" });
  assert.equal(await text(running.stdout), "a\nb\nc\n");
  assert.deepEqual(await running.wait(), { exitCode: 0 });
  assert.deepEqual([await session.deleteFile({ path: "x" }), await session.deleteFile({ path: "x" })], [true, false]);
});
