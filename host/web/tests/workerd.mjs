// Runs the cases in a Worker: `workerd serve` with the modules of the package, and one request.
//
// usage: workerd.mjs WORKERD PACKAGE (the folder `dist`)

import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";

const [workerd, dist] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "offshoot-workerd-"));
cpSync(dist, join(folder, "dist"), { recursive: true });
mkdirSync(join(folder, "storage"));
for (const name of ["behaviour.mjs", "stores.mjs", "../examples/durable-object/worker.js"]) {
  copyFileSync(new URL(name, import.meta.url), join(folder, basename(name) === "worker.js" ? "example.js" : name));
}
// The package by its name, as a bundler finds it.
writeFileSync(join(folder, "package.js"), `export * from "../dist/workerd.js";\n`);
writeFileSync(
  join(folder, "worker.js"),
  `import { DurableObject } from "cloudflare:workers";
import { runAll, runCases } from "./behaviour.mjs";
import { storeCases } from "./stores.mjs";
import * as offshoot from "./dist/workerd.js";
import example from "./example.js";
export { Box } from "./example.js";
export class Cases extends DurableObject {
  async fetch() {
    const { storage } = this.ctx;
    const store = () => new offshoot.DurableObjectStore(storage);
    const make = async () => (await storage.deleteAll(), store());
    return Response.json(await runCases(storeCases(offshoot, "Durable Object", make, async () => store())));
  }
}
/** All families of commands loaded and used, and 1,000 sandboxes by fork; the bytes of memory that they hold. */
async function many() {
  const { engine, Sandbox } = offshoot;
  await engine.warm();
  const sandbox = new Sandbox({ files: Object.fromEntries(Array.from({ length: 500 }, (_, n) => ["f" + n, "text " + n])) });
  const used = ["sort f1", "jq -n 1", "awk 'BEGIN { print 1 }'", "grep text f2", "git init -q g", "tar -c f3 | gzip", "bc <<< 1", "find . -name f4", "ps"];
  for (const script of used) if ((await sandbox.exec(script + " > out")).exitCode !== 0) throw new Error(script);
  const branches = sandbox.forkMany(1000);
  for (const [n, branch] of branches.entries()) if ((await branch.exec("echo " + n + " > f0; cat f0")).stdout !== n + "\\n") throw new Error("branch " + n);
  const texts = await Promise.all(branches.map((branch) => branch.files.readText("f0")));
  return { differ: new Set(texts).size, trees: engine.trees.memory };
}
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return Response.json({ ...(await runAll(offshoot)), suspends: offshoot.engine.suspends });
    if (pathname === "/many") return Response.json(await many());
    if (pathname === "/cases") return env.CASES.get(env.CASES.idFromName("cases")).fetch(request);
    return example.fetch(request, env);
  },
};
`,
);

function files(below) {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
const own = ["worker.js", "behaviour.mjs", "stores.mjs", "example.js"];
// Without Python, which the entry for Workers leaves out.
const built = files(join(folder, "dist")).map((path) => relative(folder, path)).filter((name) => /\.(m?js|wasm)$/.test(name) && !/python3\.\d+\.wasm$/.test(name));
const wasm = built.filter((name) => name.endsWith(".wasm"));
const modules = [...own, ...built]
  .map((name) => `(name = "${name}", ${name.endsWith(".wasm") ? "wasm" : "esModule"} = embed "${name}")`)
  .concat('(name = "@offshoot/web", esModule = embed "package.js")');
writeFileSync(
  join(folder, "config.capnp"),
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = "${join(folder, "storage")}", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${modules.join(", ")}],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "BOXES", durableObjectNamespace = "Box"),
    (name = "CASES", durableObjectNamespace = "Cases"),
  ],
  durableObjectNamespaces = [(className = "Box", uniqueKey = "box"), (className = "Cases", uniqueKey = "cases")],
  durableObjectStorage = (localDisk = "disk"),
);
`,
);

/** Starts a server, uses it, and ends it without a warning. */
async function serve(use) {
  // The port is told on descriptor 3.
  const child = spawn(workerd, ["serve", "--experimental", "--control-fd=3", join(folder, "config.capnp")], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  try {
    let told = "";
    for await (const piece of child.stdio[3]) {
      told += piece;
      if (told.includes('"listen"')) break;
    }
    const { port } = JSON.parse(told.split("\n").find((line) => line.includes('"listen"')));
    return await use(async (path, script) => {
      if (path === "resident") return resident(child.pid);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, script === undefined ? {} : { method: "POST", body: script });
      const body = await answer.text();
      if (!answer.ok) throw new Error(body);
      return JSON.parse(body);
    });
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

/** Bytes that a process has in memory, and has had at most; none where nobody tells. */
function resident(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Object.fromEntries(["VmRSS", "VmHWM"].map((name) => [name, Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)[1]) * 1024]));
  } catch {
    return undefined;
  }
}

let failed = 1;
try {
  const results = await serve(async (ask) => [
    await ask("/"),
    await ask("/cases"),
    await ask("/one", "seq 100000 > numbers; echo one > notes"),
    await ask("/two", "cat notes"),
  ]);
  const [behaviour, cases, , two] = results;
  const one = await serve((ask) => ask("/one", "cat notes; wc -l < numbers"));
  const [idle, many, full] = await serve(async (ask) => {
    await ask("/none", "true");
    return [await ask("resident"), await ask("/many"), await ask("resident")];
  });
  const mib = (bytes) => Math.round(bytes / 2 ** 20);
  const told = full ? `, resident ${mib(idle.VmRSS)} MiB before, ${mib(full.VmRSS)} after, ${mib(full.VmHWM)} at most` : "";
  // Beside what grows, an isolate has its modules: V8 keeps their bytes, and compiles a function when it is first called.
  const code = wasm.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const isolate = full ? `, an isolate ${mib(code + full.VmRSS - idle.VmRSS)} MiB with modules of ${mib(code)}, ${mib(code + full.VmHWM - idle.VmRSS)} at most` : "";
  console.log(`1,000 sandboxes by fork, all families loaded: ${mib(many.trees)} MiB of files${told}${isolate}`);
  const restart = "a sandbox in a Durable Object outlives the server";
  const held = one.stdout === "one\n100000\n" && two.exitCode === 1;
  // The rest of what the process begins with are the server, and its copies of the modules as it has read them.
  const fits = many.differ === 1000 && (!full || code + full.VmRSS - idle.VmRSS < 128 << 20);
  const forks = "1,000 sandboxes by fork take less than 128 MiB";
  const more = [[restart, held, [one, two]], [forks, fits, [idle, many, full]]];
  const passed = [...behaviour.passed, ...cases.passed, ...more.flatMap(([name, held]) => (held ? [name] : []))];
  const not = [...behaviour.failed, ...cases.failed, ...more.flatMap(([name, held, seen]) => (held ? [] : [`${name}: ${JSON.stringify(seen)}`]))];
  for (const name of passed) console.log(`ok ${name}`);
  for (const name of not) console.log(`not ok ${name}`);
  failed = not.length;
  console.log(`${passed.length} of ${passed.length + failed} hold, ${behaviour.suspends ? "stages at once" : "stages in turn"}`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;
