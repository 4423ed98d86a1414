// Runs the cases of stores on R2, and on KV beside a Durable Object, in Workers: buckets.mjs MINIFLARE PACKAGE
// (the folder `dist`). Miniflare runs workerd with what it has for buckets and namespaces, on the loopback.
//
// OFFSHOOT is the command line, where it has been built: a sandbox that it has suspended is resumed from a bucket, and back.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const [miniflare, dist] = process.argv.slice(2);
const { Miniflare } = await import(pathToFileURL(miniflare));
const RACES = 10;

const WORKER = `import { DurableObject } from "cloudflare:workers";
import { runCases } from "./behaviour.mjs";
import { storeCases } from "./stores.mjs";
import * as offshoot from "./dist/workerd.js";
const { DurableObjectStore, KvObjects, R2Store, Sandboxes, SplitStore } = offshoot;

/** Objects in KV, refs here. */
export class Cases extends DurableObject {
  async fetch() {
    const { ctx: { storage }, env } = this;
    const prefixes = new Map();
    const at = (prefix) => {
      const store = new SplitStore({ objects: new KvObjects(env.NAMESPACE, { prefix, patienceMs: 100 }), refs: new DurableObjectStore(storage) });
      return (prefixes.set(store, prefix), store);
    };
    const make = async () => (await storage.deleteAll(), at(crypto.randomUUID() + "/"));
    const cases = storeCases(offshoot, "objects in KV, refs in a Durable Object", make, async (store) => at(prefixes.get(store)));
    cases["KV: what is missing may be late"] = async () => {
      const store = await make();
      const sandboxes = new Sandboxes(store);
      await sandboxes.create("main");
      const { commit } = await store.read("main");
      await store.remove([commit]);
      const thrown = await sandboxes.open("main").catch((error) => error);
      if (thrown.code !== "SANDBOX_UNAVAILABLE" || !thrown.retryable) throw thrown;
      if ((await sandboxes.info("main")).state !== "suspended") throw new Error("it is taken");
    };
    return Response.json(await runCases(cases));
  }
}

/** One of two Workers that change the same ref: how often it did. */
async function race(store, owner) {
  let done = 0;
  while (done < ${RACES}) {
    const ref = await store.read("race");
    if (await store.swap("race", ref, { ...ref, seq: ref.seq + 1, owner })) done += 1;
  }
  return { done };
}

async function bucketCases(env) {
  const prefixes = new Map();
  const at = (prefix, bucket = env.BUCKET) => {
    const store = new R2Store(bucket, { prefix });
    return (prefixes.set(store, prefix), store);
  };
  const make = async () => at(crypto.randomUUID() + "/");
  const cases = storeCases(offshoot, "R2", make, async (store) => at(prefixes.get(store)));
  const REF = { state: "suspended", commit: "aa", epoch: 1, seq: 1, bytes: 0, files: 0, created: 1, changed: 1 };
  const keys = async (store) => (await env.BUCKET.list({ prefix: prefixes.get(store) })).objects.length;
  cases["R2: more than a page, and what removed refs leave"] = async () => {
    const store = await make();
    const objects = Array.from({ length: 1100 }, (_, n) => ({ id: n.toString(16).padStart(64, "0"), kind: 1, payload: Uint8Array.of(n % 256) }));
    await store.put(objects);
    const ids = await store.ids();
    if (ids.length !== 1100 || new Set(ids).size !== 1100) throw new Error(ids.length + " ids");
    await store.remove(ids);
    if (await keys(store) !== 0) throw new Error("they are there");
    await store.swap("box", undefined, REF);
    await store.swap("box", REF, undefined);
    if (await keys(store) !== 1 || (await store.list()).length !== 0) throw new Error("a mark of what was removed");
    // Whoever saw it before finds that it is gone; whoever makes it anew does so once.
    const again = await Promise.all([1, 2].map(() => store.swap("box", undefined, REF)));
    if (again.filter((done) => done).length !== 1 || await store.swap("none", REF, REF)) throw new Error("made anew: " + again);
    await store.swap("box", REF, undefined);
    await store.tidy();
    if (await keys(store) !== 0) throw new Error("the mark is there");
  };
  cases["R2: a write that is refused as too fast is tried again"] = async () => {
    const prefix = crypto.randomUUID() + "/";
    let refused = 0;
    const bucket = {
      get: (key) => env.BUCKET.get(key),
      async put(...call) {
        if (refused++ < 1) throw new Error("put: Reduce your concurrent request rate for the same object. (10058)");
        return env.BUCKET.put(...call);
      },
    };
    const store = at(prefix, bucket);
    if (!(await store.swap("box", undefined, REF)) || refused !== 2) throw new Error("refused " + refused);
    if ((await store.read("box")).seq !== 1) throw new Error("it is not there");
    bucket.put = async () => { throw new Error("put: We encountered an internal error. (10001)"); };
    const thrown = await store.swap("box", REF, undefined).catch((error) => error);
    if (!/10001/.test(thrown.message)) throw new Error("another error is passed on: " + thrown);
  };
  return runCases(cases);
}

/** A sandbox of the native runtime: taken into the bucket, resumed from there, changed, suspended, given back. */
async function resumed(env, container) {
  const store = () => new R2Store(env.BUCKET, { prefix: "native/" });
  await new Sandboxes(store()).import("box", container);
  const here = new Sandboxes(store());
  const sandbox = await here.open("box");
  const { stdout } = await sandbox.exec("cat notes; wc -l < numbers; pwd; echo $A; echo edge >> notes");
  const session = await here.session("box").exec("f; x=6");
  await here.suspend("box");
  const there = new Sandboxes(store());
  return { seen: stdout + session.stdout, back: await there.export("box") };
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/race") return Response.json(await race(new R2Store(env.BUCKET, { prefix: "race/" }), env.NAME));
    if (pathname === "/begin") {
      const ref = { state: "suspended", commit: "aa", epoch: 1, seq: 0, bytes: 0, files: 0, created: 1, changed: 1 };
      return Response.json(await new R2Store(env.BUCKET, { prefix: "race/" }).swap("race", undefined, ref));
    }
    if (pathname === "/end") return Response.json(await new R2Store(env.BUCKET, { prefix: "race/" }).read("race"));
    if (pathname === "/split") return env.CASES.get(env.CASES.idFromName("cases")).fetch(request);
    if (pathname === "/bucket") return Response.json(await bucketCases(env));
    const { seen, back } = await resumed(env, new Uint8Array(await request.arrayBuffer()));
    return new Response(back, { headers: { seen: encodeURIComponent(seen) } });
  },
};
`;

function files(below) {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
const module = (path, contents) => [path, { type: path.endsWith(".wasm") ? "wasm" : "esm", contents }];
const modules = Object.fromEntries([
  module("worker.js", WORKER),
  ...["behaviour.mjs", "stores.mjs"].map((name) => module(name, readFileSync(new URL(name, import.meta.url), "utf8"))),
  ...files(dist)
    .filter((path) => /\.(js|wasm)$/.test(path) && !/python3\.\d+\.wasm$/.test(path))
    .map((path) => module(join("dist", relative(dist, path)), readFileSync(path))),
]);
const worker = (name) => ({
  config: {
    name,
    compatibilityDate: "2026-11-01",
    manifest: { mainModule: "worker.js", modulesRoot: "/", modules },
    env: {
      NAME: { type: "text", value: name },
      BUCKET: { type: "r2", name: "bucket" },
      NAMESPACE: { type: "kv", id: "namespace" },
      CASES: { type: "durable-object", worker: name, exportName: "Cases" },
    },
    exports: { Cases: { type: "durable-object", storage: "sqlite" } },
  },
});
const server = new Miniflare({ host: "127.0.0.1", cf: false, workers: [worker("one"), worker("two")] });

const passed = [];
const failed = [];
const check = async (name, run) => {
  try {
    await run();
    passed.push(name);
  } catch (error) {
    failed.push(`${name}: ${error?.stack ?? error}`);
  }
};
const equal = (found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
};

async function ask(worker, path, body) {
  const answer = await worker.fetch(`http://localhost${path}`, body === undefined ? {} : { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}
const told = async (worker, path) => (await ask(worker, path)).json();

try {
  const [one, two] = await Promise.all(["one", "two"].map((name) => server.getWorker(name)));
  for (const path of ["/bucket", "/split"]) {
    const result = await told(one, path);
    passed.push(...result.passed);
    failed.push(...result.failed);
  }
  await check("R2: two Workers race for a ref, and no change is lost", async () => {
    equal(await told(one, "/begin"), true);
    const done = await Promise.all([one, two].map((worker) => told(worker, "/race")));
    equal(done, [{ done: RACES }, { done: RACES }]);
    equal((await told(two, "/end")).seq, 2 * RACES);
  });
  if (process.env.OFFSHOOT) {
    await check("R2: a sandbox suspended natively is resumed from a bucket, and back", async () => {
      const folder = mkdtempSync(join(tmpdir(), "offshoot-bucket-"));
      const env = { ...process.env, OFFSHOOT_STORE: join(folder, "store") };
      const offshoot = (...args) => execFileSync(process.env.OFFSHOOT, args, { cwd: folder, env, encoding: "utf8" });
      try {
        offshoot("create", "box", "-e", "A=1", "--cwd", "/work");
        offshoot("exec", "box", "-c", "echo native > notes; seq 100000 > numbers");
        offshoot("exec", "--session", "main", "box", "-c", "x=5; f() { echo kept $x; }");
        offshoot("suspend", "box");
        offshoot("export", "box", "there.offshoot");
        const answer = await ask(one, "/native", readFileSync(join(folder, "there.offshoot")));
        equal(decodeURIComponent(answer.headers.get("seen")), "native\n100000\n/work\n1\nkept 5\n");
        writeFileSync(join(folder, "back.offshoot"), new Uint8Array(await answer.arrayBuffer()));
        offshoot("import", "back", "back.offshoot");
        equal(offshoot("exec", "back", "-c", "cat notes; pwd; echo $A; wc -l < numbers"), "native\nedge\n/work\n1\n100000\n");
        equal(offshoot("exec", "--session", "main", "back", "-c", "f"), "kept 6\n");
        offshoot("fsck");
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  } else {
    console.log("left out: a native sandbox in a bucket, since the command line is not built");
  }
} finally {
  await server.dispose();
}
for (const name of passed) console.log(`ok ${name}`);
for (const name of failed) console.log(`not ok ${name}`);
console.log(`${passed.length} of ${passed.length + failed.length} hold`);
process.exitCode = failed.length > 0 ? 1 : 0;
