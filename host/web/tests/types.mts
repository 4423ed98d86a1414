// The package's types as its users meet them: compiled by `host/web/tests/run`, never run.

import { DurableObjectStore, Engine, ExecError, FencedError, IndexedDbStore, KvObjects, MemoryStore, OpfsStore, R2Store, Sandbox, Sandboxes, SplitStore, type Bucket, type ExecOptions, type LogEntry, type Modules, type Namespace, type ObjectStorage, type Promotion, type Store } from "@offshoot/web";
import * as core from "@offshoot/web/core";

const modules: Modules = { load: (name) => fetch(`/wasm/${name}.wasm`) };
const engine: core.Engine = await Engine.load(modules);
await using sandbox = new Sandbox({
  engine,
  files: { "/home/user/a": "text", b: Uint8Array.of(1) },
  commands: { lookup: async ({ arguments: [name = ""], text }) => ({ stdout: name + text(), exitCode: 1 }) },
  limits: { steps: 1000, timeMs: 50 },
});
const options: ExecOptions = { cwd: "/tmp", stdin: "x", signal: AbortSignal.timeout(10), onStdout: (piece) => piece.length };
const { stdout, exitCode } = await sandbox.exec("cat", options);
const words: [string, number] = [stdout, exitCode];
try {
  await sandbox.fork().session().exec("false", { check: true });
} catch (error) {
  if (error instanceof ExecError) words[1] = error.result.exitCode;
}
const running = sandbox.spawn("cat");
await new Blob(["x"]).stream().pipeTo(running.stdin);
const restored: Sandbox = await core.Sandbox.restore(await sandbox.snapshot(), { engine });
const info: number = (await restored.files.list())[0]!.size;
// @ts-expect-error: there is no such option.
new Sandbox({ memroy: 1 });
const status: number = await sandbox.terminal({ env: { PS1: "$ " } }).wait();
declare const storage: ObjectStorage;
declare const bucket: Bucket;
declare const namespace: Namespace;
const stores: Store[] = [new MemoryStore(), await IndexedDbStore.open(), await OpfsStore.open("name"), new DurableObjectStore(storage)];
stores.push(new R2Store(bucket, { prefix: "a/" }), new SplitStore({ objects: new KvObjects(namespace), refs: stores[0]! }));
// @ts-expect-error: refs cannot be in KV.
new SplitStore({ objects: stores[0]!, refs: new KvObjects(namespace) });
await using kept = new Sandboxes(stores[0]!, { engine, limits: { steps: 1000 } });
await kept.create("main", { files: { a: "text" } });
await kept.create("one", { template: "base@1", title: "One" });
// @ts-expect-error: a template has its files.
await kept.create("two", { template: "base", files: { a: "text" } });
const promoted: Promotion = await kept.promote("one");
const states: LogEntry[] = await kept.log("main", 3);
words[0] = promoted.conflicts[0] ?? states[0]!.label ?? "";
try {
  const commit: string = await (await kept.open("main")).exec("true").then(() => kept.suspend("main"));
  words[0] = commit;
} catch (error) {
  if (error instanceof FencedError) words[0] = error.code;
}
// @ts-expect-error: files are for `create`.
new Sandboxes(stores[0]!, { files: {} });
export { info, status, words };
