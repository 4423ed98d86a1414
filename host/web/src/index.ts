// The package as Node, Deno, Bun and browsers import it: modules are fetched, or read from where they lie.

import { Engine, useEngine, type Modules } from "./core.js";

export * from "./core.js";

const place = (name: string) => new URL(`./wasm/${name}.wasm`, import.meta.url);

/** Node's module of files, where there is one and the package lies in files. */
const process = (globalThis as { process?: { getBuiltinModule?(name: string): any } }).process;
const fs = import.meta.url.startsWith("file:") ? process?.getBuiltinModule?.("node:fs") : undefined;

const modules: Modules = fs
  ? { load: (name) => fs.promises.readFile(place(name)), loadNow: (name) => fs.readFileSync(place(name)) }
  : { load: (name) => fetch(place(name)) };

/** What sandboxes run on unless they are given another. */
export const engine: Engine = await Engine.load(modules);
useEngine(engine);
