// One instance of a component: its core module, with imports that are functions of the host.
//
// The modules that `wit-component` adds for indirection are not needed here: a function of JavaScript can be bound to
// a memory that does not exist yet.

import { callable, Handles, GuestHandle, type Callable, type Context, type Core, type Outcome, type Signature } from "./abi.js";
import { Ended, Errno, limited, StreamFailure, wasiCode } from "./errno.js";
import { SIGNATURES } from "./signatures.js";

/** The functions that guests import, by `interface#function`; the first argument is who calls. */
export type Imports<G> = Record<string, (guest: G, ...args: any[]) => unknown>;

interface Wanted {
  module: string;
  name: string;
  key: string;
  kind: "call" | "drop" | "new" | "rep" | "dropOwn" | "raw" | "spend" | "memory";
  call: Callable | undefined;
  /** `error-code` of WASI, and not the errno of our own interfaces. */
  wasi: boolean;
  resource: string;
}

/** Where an import comes from: the number of an earlier step, and the name there where it is another. */
export type Source = number | [number, string];

/** How several modules that share a memory are joined, as `build/compose.mjs` writes it. */
export interface Composition {
  steps: { module: number; imports: Record<string, Record<string, Source>> }[];
  memory: [number, string];
  realloc: [number, string];
  /** The step with the exports of the component. */
  entry: number;
}

/** What a component's code is: one module, or several with how they are joined. */
export type Code = WebAssembly.Module | { modules: WebAssembly.Module[]; plan: Composition };

/** Where a module has its memory from; the name says the pages that it begins with, and has at most. */
const MEMORY = "offshoot:memory";
/** Bytes of a page of memory. */
const PAGE = 65_536;
/** What a module that `meter/` has instrumented asks now and then. */
const SPEND = "offshoot:meter#spend";
/** Rounds of loops, and calls, until it asks again. */
const ROUNDS = 100_000;

const plans = new WeakMap<WebAssembly.Module, Wanted[]>();

const unversioned = (name: string) => name.replace(/@.*$/, "");

function plan(module: WebAssembly.Module): Wanted[] {
  let known = plans.get(module);
  if (!known) {
    known = WebAssembly.Module.imports(module).map(({ module, name }) => wanted(module, name));
    plans.set(module, known);
  }
  return known;
}

function wanted(module: string, name: string): Wanted {
  const own = module.startsWith("[export]");
  const home = unversioned(own ? module.slice(8) : module);
  const key = `${home}#${name}`;
  const dropped = /^\[resource-(drop|new|rep)\](.*)$/.exec(name);
  const base = { module, name, key, call: undefined, wasi: home.startsWith("wasi:"), resource: dropped?.[2] ?? "" };
  if (dropped) {
    const kind = own ? (dropped[1] === "drop" ? "dropOwn" : (dropped[1] as "new" | "rep")) : "drop";
    return { ...base, kind };
  }
  if (module === MEMORY) return { ...base, kind: "memory" };
  if (key === SPEND) return { ...base, kind: "spend" };
  const signature = (SIGNATURES as Record<string, Record<string, Signature>>)[home]?.[name];
  if (!signature) return { ...base, kind: "raw" };
  return { ...base, kind: "call", call: callable(signature) };
}

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** The payload of a `result` for what a function of the host threw; anything else ends the guest. */
function failure(thrown: unknown, wasi: boolean): Outcome {
  if (thrown instanceof Errno) return { ok: false, val: wasi ? wasiCode(thrown.code) : thrown.code };
  if (thrown instanceof StreamFailure) return { ok: false, val: { tag: thrown.tag, val: thrown.val } };
  throw thrown;
}

/** What `WebAssembly` has of JSPI; the types of TypeScript do not know it yet. */
interface Jspi {
  Suspending: new (call: (...args: any[]) => unknown) => WebAssembly.ImportValue;
  promising: (call: unknown) => (...args: any[]) => Promise<any>;
}
const jspi = WebAssembly as unknown as Partial<Jspi>;

/** Whether the engine can suspend a guest that waits. */
export const CAN_SUSPEND = typeof jspi.Suspending === "function" && typeof jspi.promising === "function";

/** Imports that may wait. */
const WAITING = new Set([
  "wasi:io/poll#[method]pollable.block",
  "wasi:io/poll#poll",
  "wasi:io/streams#[method]input-stream.blocking-read",
  "wasi:io/streams#[method]input-stream.blocking-skip",
  "wasi:io/streams#[method]output-stream.blocking-write-and-flush",
  "wasi:io/streams#[method]output-stream.blocking-flush",
  "wasi:io/streams#[method]output-stream.blocking-write-zeroes-and-flush",
  "wasi:filesystem/types#[method]descriptor.read",
  "wasi:filesystem/types#[method]descriptor.write",
  "wasi:filesystem/types#[method]descriptor.open-at",
  "offshoot:sandbox/process#wait",
]);

/** An instance of a component for one guest of the host. */
export class Component<G> implements Context {
  readonly handles = new Handles();
  readonly own = new Handles();
  private instance!: WebAssembly.Instance;
  private memory!: WebAssembly.Memory;
  private realloc!: (old: number, oldSize: number, align: number, size: number) => number;
  private buffer: ArrayBuffer | undefined;
  private cachedBytes!: Uint8Array;
  private cachedView!: DataView;

  /** `exported` is the interface that the component implements, if it has resources. */
  constructor(
    private readonly code: Code,
    private readonly guest: G,
    private readonly imports: Imports<G>,
    readonly exported: string | undefined,
    private readonly suspends: boolean,
    /** Called before each call of the host: what it throws ends the guest. */
    private readonly entering: () => void = () => undefined,
    /** Called while it computes: what it throws ends the guest, and where the guest can be suspended, it may wait. */
    private readonly computing: (mayWait: boolean) => void | Promise<void> = () => undefined,
    /** Bytes of memory at most, where that is less than what the module is made for. */
    private readonly most: number = Infinity,
  ) {}

  /** Instantiates in this turn. Engines refuse that for large modules on the main thread of a page. */
  instantiateNow(): void {
    if (this.code instanceof WebAssembly.Module) return this.use(new WebAssembly.Instance(this.code, this.linked(this.code)));
    const { modules, plan } = this.code;
    const done: WebAssembly.Instance[] = [];
    for (const step of plan.steps) done.push(new WebAssembly.Instance(modules[step.module]!, this.joined(modules, step, done)));
    this.useJoined(plan, done);
  }

  /** Instantiates. */
  async instantiate(): Promise<void> {
    if (this.code instanceof WebAssembly.Module) {
      return this.use(await WebAssembly.instantiate(this.code, this.linked(this.code)));
    }
    const { modules, plan } = this.code;
    const done: WebAssembly.Instance[] = [];
    for (const step of plan.steps) {
      done.push(await WebAssembly.instantiate(modules[step.module]!, this.joined(modules, step, done)));
    }
    this.useJoined(plan, done);
  }

  /** The imports of one of several modules. What a later one gives is looked up when it is called. */
  private joined(modules: WebAssembly.Module[], { module, imports }: Composition["steps"][number], done: WebAssembly.Instance[]) {
    const all = this.linked(modules[module]!, (from) => imports[from] === undefined);
    for (const [from, names] of Object.entries(imports)) {
      const given: Record<string, WebAssembly.ImportValue> = (all[from] = {});
      for (const [name, source] of Object.entries(names)) {
        const [step, as] = typeof source === "number" ? [source, name] : source;
        const later = (...args: unknown[]) => (done[step]!.exports[as] as (...args: unknown[]) => unknown)(...args);
        given[name] = done[step] ? (done[step].exports[as] as WebAssembly.ImportValue) : (later as WebAssembly.ImportValue);
      }
    }
    return all;
  }

  private useJoined({ memory, realloc, entry }: Composition, done: WebAssembly.Instance[]): void {
    this.instance = done[entry]!;
    this.memory = done[memory[0]]!.exports[memory[1]] as WebAssembly.Memory;
    this.realloc = done[realloc[0]]!.exports[realloc[1]] as typeof this.realloc;
  }

  private use(instance: WebAssembly.Instance): void {
    this.instance = instance;
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.realloc = instance.exports.cabi_realloc as typeof this.realloc;
  }

  private refresh(): void {
    this.buffer = this.memory.buffer;
    this.cachedBytes = new Uint8Array(this.buffer);
    this.cachedView = new DataView(this.buffer);
  }

  bytes(): Uint8Array {
    if (this.buffer !== this.memory.buffer) this.refresh();
    return this.cachedBytes;
  }

  view(): DataView {
    if (this.buffer !== this.memory.buffer) this.refresh();
    return this.cachedView;
  }

  /** Calls of the host from within a call of the guest: what is below on the stack cannot be suspended. */
  private inner = 0;

  allocate(size: number, align: number): number {
    if (size === 0) return align;
    this.inner += 1;
    try {
      return this.realloc(0, 0, align, size) >>> 0;
    } finally {
      this.inner -= 1;
    }
  }

  /** Bytes of its linear memory. */
  get size(): number {
    return this.memory?.buffer.byteLength ?? 0;
  }
  /** As many as they may become, in whole pages. */
  mostSize = Infinity;

  private linked(module: WebAssembly.Module, isHost: (from: string) => boolean = () => true) {
    const all: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const want of plan(module)) if (isHost(want.module)) (all[want.module] ??= {})[want.name] = this.link(want);
    return all;
  }

  private link(want: Wanted): WebAssembly.ImportValue {
    switch (want.kind) {
      case "new":
        return (rep: number) => this.own.add(new GuestHandle(rep));
      case "rep":
        return (handle: number) => (this.own.get(handle) as GuestHandle).rep;
      case "dropOwn":
        return (handle: number) => this.destroy(want.key.split("#")[0]!, want.resource, this.own.remove(handle) as GuestHandle);
      case "drop":
        return (handle: number) => (this.handles.remove(handle) as { drop?(): void }).drop?.();
      case "raw":
        return this.raw(want);
      case "spend":
        return this.spend();
      case "memory":
        return this.memoryOf(want.name);
      case "call":
        return this.call(want, want.call!);
    }
  }

  /** Throws where not even what the module begins with is allowed. */
  private memoryOf(pages: string): WebAssembly.Memory {
    const [initial = 0, most = 0] = pages.split("-").map(Number);
    const maximum = Math.min(most, Math.floor(this.most / PAGE));
    if (maximum < initial) throw new Ended(limited("memory"));
    this.mostSize = maximum * PAGE;
    return new WebAssembly.Memory({ initial, maximum });
  }

  private spend(): WebAssembly.ImportValue {
    const ask = () => {
      const waited = this.computing(this.suspends && this.inner === 0);
      return waited instanceof Promise ? waited.then(() => ROUNDS) : ROUNDS;
    };
    return this.suspends ? new jspi.Suspending!(ask) : (ask as WebAssembly.ImportValue);
  }

  private raw(want: Wanted): WebAssembly.ImportValue {
    const run = this.imports[want.key];
    return (...args: Core[]) => {
      if (!run) throw new TypeError(`the host has no ${want.key}`);
      return run(this.guest, this, ...args);
    };
  }

  private call(want: Wanted, call: Callable): WebAssembly.ImportValue {
    const run = this.imports[want.key];
    const answer = (value: unknown, failed: Outcome | undefined, at: number): Core | undefined => {
      const outcome = call.fallible ? (failed ?? { ok: true, val: value }) : value;
      if (!call.result) return undefined;
      if (call.returned) {
        call.result.store(this, outcome, at);
        return undefined;
      }
      const flat: Core[] = [];
      call.result.lower(this, outcome, flat);
      return flat[0];
    };
    const caught = (thrown: unknown) => {
      if (!call.fallible) throw thrown;
      return failure(thrown, want.wasi);
    };
    const enter = (...args: Core[]): unknown => {
      if (!run) throw new TypeError(`the host has no ${want.key}`);
      const at = call.returned ? (args[args.length - 1] as number) >>> 0 : 0;
      const params = (
        call.indirect ? call.params.load(this, (args[0] as number) >>> 0) : call.params.lift(this, args.values())
      ) as unknown[];
      let value: unknown;
      this.entering();
      try {
        value = run(this.guest, ...params);
      } catch (thrown) {
        return answer(undefined, caught(thrown), at);
      }
      if (!isPromise(value)) return answer(value, undefined, at);
      return value.then(
        (value) => answer(value, undefined, at),
        (thrown) => answer(undefined, caught(thrown), at),
      );
    };
    const waits = this.suspends && WAITING.has(want.key);
    return waits ? new jspi.Suspending!(enter) : (enter as WebAssembly.ImportValue);
  }

  /** Calls an exported function of the interface that the component implements. */
  invoke(name: string, call: Callable, args: unknown[]): unknown {
    const exports = this.instance.exports as Record<string, (...args: Core[]) => Core>;
    const full = this.exportName(name);
    let flat: Core[] = [];
    if (call.indirect) {
      const at = this.allocate(call.params.size, call.params.align);
      call.params.store(this, args, at);
      flat = [at];
    } else {
      call.params.lower(this, args, flat);
    }
    const returned = exports[full]!(...flat);
    if (!call.result) return undefined;
    const value = call.returned
      ? call.result.load(this, (returned as number) >>> 0)
      : call.result.lift(this, [returned][Symbol.iterator]());
    exports[`cabi_post_${full}`]?.(returned);
    return value;
  }

  private readonly names = new Map<string, string>();

  /** The full name of an export of the component's own interface. */
  private exportName(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const full = Object.keys(this.instance.exports).find((full) => {
      const [home, own] = full.split("#");
      return own === name && unversioned(home!) === this.exported;
    });
    if (full === undefined) throw new TypeError(`the component has no ${name}`);
    this.names.set(name, full);
    return full;
  }

  /** Drops a resource of the component. */
  release(resource: string, handle: GuestHandle): void {
    this.destroy(this.exported!, resource, handle);
  }

  private destroy(_home: string, resource: string, handle: GuestHandle): void {
    const exports = this.instance.exports as Record<string, (rep: number) => void>;
    exports[this.exportName(`[dtor]${resource}`)]?.(handle.rep);
  }

  /** Runs `wasi:cli/run`: whether it succeeded. With an engine that can suspend, what it returns is a promise. */
  run(): number | Promise<number> {
    const exports = this.instance.exports as Record<string, () => number>;
    const name = Object.keys(exports).find((name) => /^wasi:cli\/run@[\d.]+#run$/.test(name));
    if (!name) throw new TypeError("no command: it does not export wasi:cli/run");
    return this.suspends ? jspi.promising!(exports[name])() : exports[name]!();
  }
}
