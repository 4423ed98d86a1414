// Other backends by name: native ones, and a connector against the service of this repository.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const offshoot = await import(join(process.env.OFFSHOOT_NODE_PACKAGE, "index.mjs"));
const { Backend, BackendSandbox, CapabilityError, ConflictError, ExecError, InvalidError } = offshoot;
const { NotFoundError, OffshootError, PathEscapeError, PolicyDeniedError, UnavailableError } = offshoot;
const target = process.env.OFFSHOOT_TARGET;
const KEY = "e2b_local_key";

async function text(stream) {
  let all = "";
  for await (const piece of stream) all += new TextDecoder().decode(piece);
  return all;
}

/** A process of the host and the first line that it writes; it ends with the tests. */
async function started(command, words, options = {}) {
  const child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], ...options });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, line };
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve) => Object.assign(made, { resolve }));
  return made;
}

/** Waits until a script has made a file. */
async function begun(sandbox, path) {
  while (!(await sandbox.files.exists(path))) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** What a backend with everything does, whatever it is; the sandbox that is left. */
async function exercised(backend) {
  const can = backend.capabilities;
  assert.ok(can.exec && can.filesystem && can.streaming && can.snapshot && can.fork && can.cancel && can.timeoutUnitMs >= 1);
  const sandbox = await backend.create({ env: { GREETING: "hello" } });
  assert.ok(sandbox instanceof BackendSandbox && sandbox.backend === backend.name && sandbox.capabilities.exec);
  // Commands.
  const every = Uint8Array.from({ length: 256 }, (_, n) => n);
  assert.deepEqual((await sandbox.exec("cat", { stdin: every })).stdoutBytes, every);
  const options = { arguments: ["a b"], env: { X: "1" } };
  const ended = await sandbox.exec('echo "$GREETING $1 $X"; echo err >&2; exit 3', options);
  assert.deepEqual([ended.stdout, ended.stderr, ended.exitCode], ["hello a b 1\n", "err\n", 3]);
  await assert.rejects(sandbox.exec("exit 3", { check: true }), ExecError);
  const seen = [];
  const streamed = await sandbox.exec("echo a; cat", { stdin: "b", onStdout: (piece) => seen.push(...piece) });
  assert.deepEqual([streamed.stdout, Buffer.from(seen).toString()], ["a\nb", "a\nb"]);
  const late = await sandbox.exec("echo before; sleep 60", { timeoutMs: 1000 });
  assert.deepEqual([late.exitCode, late.timedOut, late.stdout], [124, true, "before\n"]);
  // Signals of the caller.
  for (const more of [{}, { onStdout() {} }]) {
    const controller = new AbortController();
    const call = sandbox.exec("echo > called; sleep 60", { signal: controller.signal, ...more });
    await begun(sandbox, "called");
    controller.abort();
    await assert.rejects(call, { name: "AbortError" });
    await sandbox.files.remove("called");
  }
  await assert.rejects(sandbox.exec("true", { signal: AbortSignal.abort() }), { name: "AbortError" });
  // Streams.
  const process = await sandbox.spawn('while read -r x; do echo "<$x>"; done; echo e >&2; exit 5');
  const writer = process.stdin.getWriter();
  await writer.write("in\n");
  await writer.close();
  const all = await Promise.all([text(process.stdout), text(process.stderr), process.wait()]);
  assert.deepEqual(all, ["<in>\n", "e\n", 5]);
  const killed = await sandbox.spawn("echo > began; sleep 60");
  await begun(sandbox, "began");
  await killed.kill();
  assert.equal(await killed.wait(), 137);
  await assert.rejects(killed.signal("USR1"), CapabilityError);
  await assert.rejects(killed.signal("nonsense"), TypeError);
  // Files.
  const { files } = sandbox;
  await files.write("a/b", "text");
  await files.write("a/c", every);
  assert.equal(await files.readText("a/b"), "text");
  assert.deepEqual(Uint8Array.from(await files.read("a/c")), every);
  await assert.rejects(files.readText("a/c"), InvalidError);
  assert.deepEqual((await files.list("a")).map(({ name, kind, size }) => [name, kind, size]), [
    ["b", "file", 4],
    ["c", "file", 256],
  ]);
  await files.rename("a/b", "a/c");
  const info = await files.info("a/c");
  assert.deepEqual([info.name, info.kind, info.size], ["c", "file", 4]);
  assert.ok(info.modifiedMs > 1.7e12);
  await assert.rejects(files.rename("a/none", "a/x"), NotFoundError);
  await assert.rejects(files.rename("a/c", "a"), ConflictError);
  await files.makeDir("d/e");
  await assert.rejects(files.makeDir("d", { parents: false }), ConflictError);
  await assert.rejects(files.remove("d"), ConflictError);
  await files.remove("d", { recursive: true });
  await files.remove("d", { missingOk: true });
  await assert.rejects(files.read("d"), (error) => error instanceof NotFoundError && error.code === "NOT_FOUND");
  // Branches, snapshots, sleep.
  await files.write("state", "0");
  const snapshot = await sandbox.snapshot("base");
  assert.deepEqual([snapshot.backend, snapshot.label], [backend.name, "base"]);
  assert.ok(Math.abs(snapshot.createdMs - Date.now()) < 3600e3);
  const branch = await sandbox.fork();
  await branch.files.write("state", "1");
  assert.equal(await files.readText("state"), "0");
  await branch.destroy();
  await files.write("state", "2");
  await sandbox.restore(JSON.parse(JSON.stringify(snapshot)));
  assert.equal(await files.readText("state"), "0");
  const again = await backend.create({ snapshot });
  assert.equal(await again.files.readText("state"), "0");
  await again.destroy();
  await sandbox.deleteSnapshot(snapshot);
  await assert.rejects(sandbox.restore(snapshot), NotFoundError);
  if (can.suspend) {
    await sandbox.suspend();
    assert.equal(await sandbox.state(), "suspended");
    await sandbox.resume();
    assert.equal(await sandbox.state(), "running");
  }
  return sandbox;
}

/** A second holder sees the same sandbox, and only lets it go. */
async function reconnected(another, sandbox) {
  const reference = await sandbox.reference();
  const second = await another.reconnect(reference);
  await second.files.write("seen", "by both");
  await second.destroy();
  assert.equal(await sandbox.files.readText("seen"), "by both");
  await assert.rejects(second.exec("true"), UnavailableError);
  await assert.rejects(new Backend("empty").reconnect(reference), NotFoundError);
  await sandbox.destroy();
  await sandbox.destroy();
  await assert.rejects(sandbox.exec("true"), (e) => e instanceof UnavailableError && e.code === "SANDBOX_UNAVAILABLE");
  await assert.rejects(another.reconnect(reference), NotFoundError);
}

test("the host's own shell does everything", async () => {
  await reconnected(new Backend("local"), await exercised(new Backend("local")));
});

test("a virtual sandbox is a backend too", async () => {
  const sandbox = await exercised(new Backend("virtual"));
  await assert.rejects(sandbox.suspend(), CapabilityError);
  await sandbox.destroy();
});

test("docker", async (t) => {
  if (!process.env.OFFSHOOT_DOCKER_TESTS) return t.skip("OFFSHOOT_DOCKER_TESTS is not set");
  const directory = mkdtempSync(join(tmpdir(), "offshoot-engine-"));
  const script = fileURLToPath(new URL("../../backends/tests/engine", import.meta.url));
  const { child, line } = await started("python3", [script, directory]);
  const over = child.exitCode === null ? once(child, "exit") : undefined;
  try {
    if (line !== "ready") return t.skip(line);
    const settings = { socket: join(directory, "socket"), image: "offshoot-test/busybox:1" };
    const backend = new Backend("docker", settings);
    assert.equal(backend.capabilities.isolation, "container");
    await reconnected(new Backend("docker", settings), await exercised(backend));
    const limited = await backend.create({ memory: 64 << 20, settings: { workspace: "/elsewhere" } });
    assert.equal(limited.cwd, "/elsewhere");
    await limited.destroy();
  } finally {
    child.stdin.end();
    await over;
    rmSync(directory, { recursive: true, force: true });
  }
});

test("empty grants nothing", async () => {
  const backend = new Backend("empty");
  assert.equal(backend.capabilities.exec, false);
  const sandbox = await backend.create();
  for (const operation of [
    () => sandbox.exec("true"),
    () => sandbox.exec("true", { onStdout() {} }),
    () => sandbox.spawn("true"),
    () => sandbox.files.read("x"),
    () => sandbox.files.list(),
    () => sandbox.files.rename("x", "y"),
    () => sandbox.suspend(),
    () => sandbox.reference(),
  ]) {
    await assert.rejects(operation(), (error) => error instanceof CapabilityError && error.code === "CAPABILITY");
  }
  await sandbox.restore(await sandbox.snapshot());
  await (await sandbox.fork()).destroy();
  await sandbox.destroy();
  await assert.rejects(sandbox.fork(), UnavailableError);
  await assert.rejects(backend.create({ memory: 1 << 20 }), CapabilityError);
  await assert.rejects(new Backend("empty", { image: "x" }).create(), /there is no setting image/);
});

test("names and what makes no sense", async () => {
  const names = Backend.names();
  for (const name of ["virtual", "empty", "local", "docker", "e2b", "databricks-sql"]) assert.ok(names.includes(name));
  for (const name of names) assert.equal(Object.keys(new Backend(name).capabilities).length, 33);
  assert.throws(() => new Backend("nobody"), (e) => e instanceof NotFoundError && /there are: azure-containers, /.test(e.message));
  assert.throws(() => new Backend("local", {}, { variables: { X: "1" } }), InvalidError);
  assert.throws(() => new Backend("local", {}, { secrets: {} }), TypeError);
  assert.throws(() => new BackendSandbox({}), TypeError);
  await assert.rejects(new Backend("local").create({ nonsense: 1 }), TypeError);
  await assert.rejects(new Backend("local", { direktory: "/tmp" }).create(), InvalidError);
  await assert.rejects(new Backend("local").create({ network: "everywhere" }), InvalidError);
  await assert.rejects(new Backend("local").reconnect("no reference"), InvalidError);
  const missing = new Backend("docker", { socket: "/nowhere/socket", image: "x" });
  await assert.rejects(missing.create(), (error) => error instanceof OffshootError && /docker/.test(error.message));
});

test("nothing of the host, and less under a policy", async () => {
  const open = await new Backend("local").create();
  await assert.rejects(open.files.read("/etc/passwd"), PathEscapeError);
  await open.destroy();
  const sandbox = await new Backend("local").create({ policies: [{ exec: "deny", write: ["**/open/**"] }] });
  await assert.rejects(sandbox.exec("true"), CapabilityError);
  await sandbox.files.write("open/x", "1");
  await sandbox.files.rename("open/x", "open/y");
  await assert.rejects(sandbox.files.rename("open/y", "y"), PolicyDeniedError);
  assert.equal(await sandbox.files.readText("open/y"), "1");
  await sandbox.destroy();
});

test("what is given up while it is made is ended", async () => {
  // A service that takes its time to make a sandbox, and hears of its end.
  const [asked, ended] = [deferred(), deferred()];
  const server = createServer((request, answer) => {
    const json = (status, value) => answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const made = { sandboxID: "held", templateID: "base", envdVersion: "0.4.0", envdAccessToken: "t0k3n" };
    if (request.method === "DELETE") {
      ended.resolve(request.url);
      answer.writeHead(204).end();
    } else if (request.url.endsWith("/sandboxes")) {
      asked.resolve(() => json(201, made));
    } else {
      json(404, { message: "there is nothing" });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  const variables = { E2B_API_URL: url, E2B_SANDBOX_URL: url, E2B_API_KEY: KEY };
  const controller = new AbortController();
  const call = new Backend("e2b", {}, { variables }).create({ signal: controller.signal });
  const answer = await asked.promise;
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
  answer();
  assert.match(await ended.promise, /\/sandboxes\/held$/);
  server.closeAllConnections();
  server.close();
  await assert.rejects(new Backend("local").create({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("output waits for its reader", async () => {
  const sandbox = await new Backend("local").create();
  const process = await sandbox.spawn("yes | head -c 20000000");
  let size = 0;
  for await (const piece of process.stdout) size += piece.length;
  assert.deepEqual([size, await process.wait()], [20_000_000, 0]);
  await sandbox.destroy();
});

test("connectors, by name and of a file", async (t) => {
  if (!target) return t.skip("OFFSHOOT_TARGET is not set");
  const words = ["serve", "--e2b", "--listen", "127.0.0.1:0"];
  const env = { ...process.env, OFFSHOOT_E2B_KEY: KEY };
  const { child, line } = await started(join(target, "debug/offshoot"), words, { env });
  after(() => child.kill());
  const url = line.split("=")[1];
  const variables = { E2B_API_URL: url, E2B_SANDBOX_URL: url, E2B_API_KEY: KEY };
  const backend = new Backend("e2b", {}, { variables });
  const sandbox = await exercised(backend);
  const reference = await sandbox.reference();
  assert.ok(!reference.includes(KEY));
  const second = await new Backend("e2b", {}, { variables }).reconnect(reference);
  assert.equal(await second.files.readText("state"), "0");
  await second.destroy();
  await sandbox.destroy();

  const guests = readdirSync(join(target, "guest"), { recursive: true });
  const component = guests.find((path) => path.endsWith("offshoot_connector_e2b.wasm"));
  assert.ok(component, "the build has the connector as a component");
  const directory = mkdtempSync(join(tmpdir(), "offshoot-node-"));
  const file = join(directory, "boxes.wasm");
  copyFileSync(join(target, "guest", component), file);
  const paths = ["/sandboxes", "/templates", "/v2/sandboxes"];
  const manifest = {
    hosts: ["${BOXES_URL}"],
    credentials: paths.map((path) => ({ origin: url + path, header: "X-API-Key", env: "BOXES_KEY" })),
    tokens: paths.map((path) => ({ field: "envdAccessToken", origin: url + path, use: url })),
    settings: { api: "${BOXES_URL}", sandbox: "${BOXES_URL}" },
  };
  const own = { BOXES_URL: url, BOXES_KEY: KEY };
  assert.throws(() => new Backend(file, {}, { variables: own }), NotFoundError);
  const boxes = await new Backend(file, {}, { variables: own, manifest }).create();
  assert.equal(boxes.backend, "boxes");
  assert.equal((await boxes.exec("echo $((6 * 7))")).stdout, "42\n");
  await boxes.destroy();
  const elsewhere = new Backend(file, {}, { variables: own, manifest: { ...manifest, hosts: ["https://a.example"] } });
  await assert.rejects(elsewhere.create(), PolicyDeniedError);
});
