// What all sandboxes of a program share: compiled modules, the component of the trees, and the tree that every
// sandbox starts with.

import { CAN_SUSPEND, type Code, type Composition } from "./component.js";
import { COMMANDS, COMPOSED } from "./commands.js";
import { Ended } from "./errno.js";
import { populate } from "./layout.js";
import type { ShellInstance } from "./shell.js";
import { Trees, type Quotas, type Tree } from "./tree.js";

/** A module: compiled, as its bytes, or as the answer to a request for them. */
export type ModuleSource = WebAssembly.Module | BufferSource | Response;

/** Where the modules of this package come from, by their names: `tree`, `shell`, and the families of commands. */
export interface Modules {
  load(name: string): ModuleSource | Promise<ModuleSource>;
  /**
   * The same at once. It is asked for where an engine cannot suspend a program, and that starts another one: Node
   * before 24.
   */
  loadNow?(name: string): WebAssembly.Module | BufferSource;
}

/** What a tree may hold, before a sandbox says otherwise. */
export const QUOTAS: Quotas = { bytes: 1n << 30n, inodes: 1_000_000n, fileSize: 1n << 40n };
/** Bytes of memory of one process, and of all: the modules have the first as their maximum. */
export const MOST_MEMORY = 256 << 20;
export const TOTAL_MEMORY = 2 ** 30;

/** Bytes of memory of the instances of the shell that wait for work; the last one waits whatever it has. */
const PARKED = 16 << 20;

async function compile(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === "function" && source instanceof Response) {
    const isWasm = source.headers.get("content-type")?.startsWith("application/wasm");
    return isWasm ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

/**
 * Instances of the shell that wait for the next script of their sandbox. No other sandbox is given them; those that
 * wait longest go first, so that thousands of branches do not hold an instance each.
 */
class Parking {
  private parked: { owner: object; instance: ShellInstance; bytes: number }[] = [];
  /** Bytes of memory of all of them. */
  bytes = 0;
  park(owner: object, instance: ShellInstance): void {
    const bytes = instance.memory;
    this.parked.push({ owner, instance, bytes });
    this.bytes += bytes;
    while (this.bytes > PARKED && this.parked.length > 1) this.bytes -= this.parked.shift()!.bytes;
  }
  take(owner: object): ShellInstance | undefined {
    const at = this.parked.findLastIndex((one) => one.owner === owner);
    if (at < 0) return undefined;
    const [one] = this.parked.splice(at, 1);
    this.bytes -= one!.bytes;
    return one!.instance;
  }
}

/** Loads and compiles what sandboxes consist of, each part when it is first used. */
export class Engine {
  /** Whether programs can wait for each other, so that all stages of a pipeline run at once (JSPI). */
  readonly suspends: boolean = CAN_SUSPEND;
  private readonly modules = new Map<string, Promise<Code>>();
  private readonly compiled = new Map<string, Code>();
  /** Why parts could not be loaded. */
  private readonly failures = new Map<string, unknown>();
  private fresh: Tree | undefined;
  /** @internal */
  readonly parking = new Parking();

  private constructor(
    private readonly source: Modules,
    /** @internal */
    readonly trees: Trees,
  ) {}

  /** Loads the part that a sandbox is made with; shell and commands follow when they are used. */
  static async load(source: Modules): Promise<Engine> {
    return new Engine(source, await Trees.load(await compile(await source.load("tree"))));
  }

  /** Loads parts ahead of their first use; without names all but the languages. */
  async warm(names: Iterable<string> = ["shell", ...new Set(Object.values(COMMANDS).filter((name) => !COMPOSED[name]))]): Promise<void> {
    await Promise.all([...names].map((name) => this.module(name)));
  }

  /** @internal The compiled code of a component. */
  module(name: string): Promise<Code> {
    let known = this.modules.get(name);
    if (!known) {
      known = this.compile(name);
      this.modules.set(name, known);
      known.then(
        (code) => this.compiled.set(name, code),
        (failure) => {
          this.failures.set(name, failure);
          this.modules.delete(name);
        },
      );
    }
    return known;
  }

  private async compile(name: string): Promise<Code> {
    const count = COMPOSED[name];
    if (count === undefined) return compile(await this.source.load(name));
    const parts = Array.from({ length: count }, async (_, n) => compile(await this.source.load(`${name}.${n}`)));
    const { COMPOSITIONS } = await import("./compositions.js");
    return { modules: await Promise.all(parts), plan: COMPOSITIONS[name] as Composition };
  }

  /** @internal The same, in this turn. */
  moduleNow(name: string): Code {
    const known = this.compiled.get(name);
    if (known) return known;
    const source = COMPOSED[name] === undefined ? this.source.loadNow?.(name) : undefined;
    if (!source) {
      const failure = this.failures.get(name);
      const reason = failure ? `it cannot be loaded: ${failure}` : "it is not loaded: call Engine.warm() first";
      throw new Ended({ kind: "fault", reason });
    }
    const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
    this.compiled.set(name, module);
    this.modules.set(name, Promise.resolve(module));
    return module;
  }

  /** @internal The files that every sandbox starts with; made once and forked. */
  template(): Tree {
    if (!this.fresh) populate((this.fresh = this.trees.create(QUOTAS)), Object.keys(COMMANDS));
    return this.fresh;
  }
}
