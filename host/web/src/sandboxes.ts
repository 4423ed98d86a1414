// Sandboxes that outlive the process: created by name, put to sleep, woken, branched.

import type { Engine } from "./engine.js";
import { ConflictError, CorruptError, FencedError, InvalidError, NotFoundError, typed } from "./errors.js";
import type { Content } from "./files.js";
import type { ExecResult } from "./result.js";
import type { State } from "./run.js";
import { engineOf, Sandbox, Session, type ExecOptions, type SandboxOptions } from "./sandbox.js";
import type { Ref, Store, StoredObject } from "./store/store.js";
import { decodeSettings, encodeSettings } from "./store/settings.js";

/** What all sandboxes of a store are given when they wake. `limits` come before those that a sandbox was made with. */
export type SandboxesOptions = Pick<SandboxOptions, "commands" | "engine" | "fetch" | "limits" | "mounts" | "network" | "secrets"> & {
  /** Milliseconds that nobody else takes over what is awake here, from each renewal on; 30,000. With 0 anybody may at once. */
  leaseMs?: number;
  /** Milliseconds that `open` and `exec` wait for the lease of somebody else to end; 0. */
  patienceMs?: number;
};
export interface OpenOptions {
  /** Takes it from whoever has it awake, who is fenced. */
  takeOver?: boolean;
}
export type CreateOptions = Pick<SandboxOptions, "clearEnv" | "cwd" | "env" | "files" | "limits">;

export interface SandboxInfo {
  name: string;
  state: Ref["state"];
  /** Of its last commit. */
  bytes: number;
  files: number;
  parent: string | undefined;
  createdMs: number;
}

/** One that is awake here. */
interface Awake {
  sandbox: Sandbox;
  /** As this owner has last written it. */
  ref: Ref;
  settings: Uint8Array;
  sessions: Map<string, State>;
  /** Renews its lease. */
  timer: ReturnType<typeof setInterval> | undefined;
}

const LEASE = 30_000;
const HOUR = 3_600_000;
/** Between two looks whether somebody else has let go. */
const PAUSE = 50;

const ENGINE = "offshoot-web 0.1.0";
const facts = (name: string, { state, bytes, files, parent, created }: Ref): SandboxInfo =>
  ({ name, state, bytes, files, parent, createdMs: created });

/**
 * A store with its sandboxes. What it keeps are the commits of the native runtime.
 *
 * Who opens a sandbox owns it, and holds a lease that is renewed while it is awake: nobody else opens it meanwhile. Where an
 * owner has gone without suspending it, its last commit is opened when the lease has run out, and at once where the store knows
 * that it is gone. An owner that comes back then, or that somebody has taken it from (`takeOver`), is fenced: it fails with
 * `FencedError` when it next suspends or checkpoints. Nothing that was acknowledged is lost by that, and nothing is written by both.
 *
 * ```js
 * const sandboxes = new Sandboxes(await IndexedDbStore.open());
 * await sandboxes.create("main", { files: { notes: "one\n" } });
 * await using sandbox = await sandboxes.open("main"); // suspended at the end of the block
 * ```
 */
export class Sandboxes {
  private readonly engine: Engine;
  private readonly awake = new Map<string, Awake>();
  private readonly owner = crypto.randomUUID();
  private last: Promise<unknown> = Promise.resolve();
  private readonly leaseMs: number;
  private readonly patienceMs: number;
  /** Given to each sandbox as it wakes. */
  private readonly options: Omit<SandboxesOptions, "leaseMs" | "patienceMs">;
  /** Gives up that the store shows this owner. */
  private leave: (() => void) | undefined;

  constructor(private readonly store: Store, { leaseMs = LEASE, patienceMs = 0, ...options }: SandboxesOptions = {}) {
    this.engine = engineOf(options);
    for (const [name, value] of Object.entries({ leaseMs, patienceMs })) {
      if (!(Number.isSafeInteger(value) && value >= 0)) throw new InvalidError(`${name}: ${value} is no whole number`, { code: "INVALID", operation: "open" });
    }
    this.leaseMs = leaseMs;
    this.patienceMs = patienceMs;
    this.options = options;
  }

  /** Makes a sandbox, asleep. */
  create(name: string, options: CreateOptions = {}): Promise<SandboxInfo> {
    return this.inTurn(async () => {
      checkName(name);
      const sandbox = new Sandbox({ ...options, engine: this.engine });
      const settings = encodeSettings(sandbox.parts().kept);
      const ref = await this.commit({ sandbox, settings, sessions: new Map() }, fresh());
      await sandbox.close();
      return this.make(name, ref);
    });
  }

  /** A branch of a sandbox: of its present files where it is awake here, otherwise of its last commit. */
  fork(name: string, branch: string): Promise<SandboxInfo> {
    return this.inTurn(async () => {
      checkName(branch);
      if (this.awake.has(name)) await this.keep(name, "running");
      const { commit, bytes, files, foreign } = await this.ref(name);
      return this.make(branch, { ...fresh(), commit, bytes, files, parent: name, ...(foreign ? { foreign } : {}) });
    });
  }

  /**
   * Wakes a sandbox, and keeps it awake until it is closed or suspended. Rejects with `ConflictError` while somebody else has it
   * awake, and with `FencedError` where it was awake here and somebody has taken it; the next call wakes it again.
   */
  async open(name: string, { takeOver = false }: OpenOptions = {}): Promise<Sandbox> {
    const patience = performance.now() + this.patienceMs;
    for (;;) {
      try {
        return await this.inTurn(() => this.wake(name, takeOver));
      } catch (error) {
        const left = patience - performance.now();
        if (!(error instanceof ConflictError && error.retryable) || left <= 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE, left)));
      }
    }
  }

  /** Runs a script in a sandbox, which is woken for it unless it is awake. */
  async exec(name: string, script: Content, options: ExecOptions = {}): Promise<ExecResult> {
    const known = this.awake.has(name);
    const sandbox = await this.open(name);
    try {
      return await sandbox.exec(script, options);
    } finally {
      if (!known) await this.suspend(name);
    }
  }

  /** A session of a sandbox that is awake here; its state is kept with it, by this name. */
  session(name: string, session = "main"): Session {
    const awake = this.awake.get(name);
    if (!awake) throw new ConflictError(`${name}: it is not open`, { code: "CONFLICT", operation: "session" });
    const state = awake.sessions.get(session) ?? { bytes: undefined };
    awake.sessions.set(session, state);
    return new Session(awake.sandbox, state);
  }

  /** Stores what a sandbox is now, which stays awake; the commit. */
  checkpoint(name: string): Promise<string> {
    return this.inTurn(() => this.keep(name, "running"));
  }

  /** Puts a sandbox to sleep, and ends what runs in it; the commit. */
  suspend(name: string): Promise<string> {
    return this.inTurn(async () => {
      if (this.awake.has(name)) return this.keep(name, "suspended");
      const { state, commit } = await this.ref(name);
      if (state === "suspended") return commit;
      throw new ConflictError(`${name}: it is awake elsewhere`, { code: "CONFLICT", operation: "suspend", retryable: true });
    });
  }

  async info(name: string): Promise<SandboxInfo> {
    return facts(name, await this.ref(name));
  }
  async list(): Promise<SandboxInfo[]> {
    return (await this.store.list()).map(([name, ref]) => facts(name, ref));
  }

  /** Forgets a sandbox; `collect` gives its room back. */
  delete(name: string): Promise<void> {
    return this.inTurn(async () => {
      const ref = await this.ref(name);
      if (!(await this.store.swap(name, ref, undefined))) throw changed(name, "delete");
      await this.release(name);
    });
  }

  /** A sandbox as the container that `offshoot` exports and imports. */
  export(name: string): Promise<Uint8Array> {
    return this.inTurn(async () => {
      if (this.awake.has(name)) await this.keep(name, "running");
      const { commit, epoch } = await this.ref(name);
      const objects = await this.objects(commit);
      return this.typed("export", name, () => this.engine.trees.pack({ name, epoch: BigInt(epoch), commit, objects }));
    });
  }

  /** Takes a container without a seal, checked as a whole. What it may take is up to `limits` here. */
  import(name: string, container: Uint8Array): Promise<SandboxInfo> {
    return this.inTurn(async () => {
      checkName(name);
      const { commit, objects } = this.typed("import", name, () =>
        this.engine.trees.unpack(container, this.engine.template().quotas()));
      const found = objects.find(({ id }) => id === commit)!;
      const { bytes, files } = this.engine.trees.facts(found);
      await this.store.put(objects);
      return this.make(name, { ...fresh(), commit, bytes: Number(bytes), files: Number(files), foreign: true });
    });
  }

  /** Removes objects that no sandbox leads to, while nobody else writes to the store; how many. */
  collect(): Promise<number> {
    return this.inTurn(async () => {
      const reached = new Set<string>();
      for (const [, { commit }] of await this.store.list()) {
        for (const { id } of await this.objects(commit, reached)) reached.add(id);
      }
      const unused = (await this.store.ids()).filter((id) => !reached.has(id));
      await this.store.remove(unused);
      // What is awake may count on what is gone.
      for (const { sandbox } of this.awake.values()) sandbox.parts().tree.forget();
      return unused.length;
    });
  }

  /** Suspends what is awake. */
  async close(): Promise<void> {
    try {
      for (const name of [...this.awake.keys()]) await this.suspend(name);
    } finally {
      this.leave?.();
      this.leave = undefined;
    }
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** One operation after the other. */
  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.last.then(run);
    this.last = next.catch(() => undefined);
    return next;
  }

  private typed<T>(operation: string, name: string, run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw typed(thrown, operation, name);
    }
  }

  private async ref(name: string): Promise<Ref> {
    const found = await this.store.read(name);
    if (found) return found;
    throw new NotFoundError(`${name}: there is no such sandbox`, { code: "NOT_FOUND", operation: "open" });
  }

  private async make(name: string, ref: Ref): Promise<SandboxInfo> {
    if (await this.store.swap(name, undefined, ref)) return facts(name, ref);
    throw new ConflictError(`${name}: it exists`, { code: "CONFLICT", operation: "create" });
  }

  /** Everything that a commit leads to, without what is `known` to be there. */
  private async objects(commit: string, known: ReadonlySet<string> = new Set()): Promise<StoredObject[]> {
    const found = new Map<string, StoredObject>();
    for (let level = [commit]; level.length > 0; ) {
      const next = new Set<string>();
      for (const [n, object] of (await this.store.get(level)).entries()) {
        if (!object) throw new CorruptError(`object ${level[n]} is missing`, { code: "CORRUPT", operation: "open" });
        found.set(object.id, object);
        for (const id of this.typed("open", `object ${object.id}`, () => this.engine.trees.links(object))) next.add(id);
      }
      level = [...next].filter((id) => !found.has(id) && !known.has(id));
    }
    return [...found.values()];
  }

  /** Whether nobody has a sandbox awake, or who has may be fenced. */
  private async isFree({ state, owner, leaseUntil = 0 }: Ref): Promise<boolean> {
    if (state === "suspended" || owner === undefined || leaseUntil <= Date.now()) return true;
    return (await this.store.isGone?.(owner)) ?? false;
  }

  /** What a ref says of this owner from now on. */
  private claim(): Pick<Ref, "state" | "owner" | "leaseUntil"> {
    return { state: "running", owner: this.owner, ...(this.leaseMs > 0 ? { leaseUntil: Date.now() + this.leaseMs } : {}) };
  }

  /** Renews the lease while a sandbox is awake. Who finds itself fenced is told when it next stores something. */
  private renewing(name: string): ReturnType<typeof setInterval> | undefined {
    if (this.leaseMs === 0) return undefined;
    const renew = () => this.inTurn(async () => {
      const awake = this.awake.get(name);
      if (!awake || awake.timer !== timer) return clearInterval(timer);
      const ref = next(awake.ref, this.claim());
      if (await this.store.swap(name, awake.ref, ref)) awake.ref = ref;
      else clearInterval(timer);
    });
    // A store that fails now may be there again at the next time.
    const timer = setInterval(() => void renew().catch(() => undefined), Math.min(this.leaseMs / 3, HOUR));
    // In Node nothing is kept alive by it.
    (timer as { unref?(): void }).unref?.();
    return timer;
  }

  private async wake(name: string, takeOver: boolean): Promise<Sandbox> {
    const known = this.awake.get(name);
    const before = await this.ref(name);
    if (known && before.epoch === known.ref.epoch) return known.sandbox;
    if (known) {
      await this.release(name);
      throw fenced(name, "open", before);
    }
    if (!takeOver && !(await this.isFree(before))) {
      const facts = { code: "CONFLICT", operation: "open", retryable: true };
      throw new ConflictError(`${name}: somebody else has it awake`, facts);
    }
    if (this.leaseMs > 0) this.leave ??= await this.store.announce?.(this.owner);
    const objects = await this.objects(before.commit);
    const byId = new Map(objects.map((object) => [object.id, object.payload]));
    const commit = objects.find(({ id }) => id === before.commit)!;
    const { settings: id, sessions } = this.engine.trees.facts(commit);
    const settings = id === undefined ? undefined : byId.get(id);
    if (!settings) throw new CorruptError(`${name}: the commit has no settings`, { code: "CORRUPT", operation: "open" });
    const kept = decodeSettings(settings);
    const limits = { ...(before.foreign ? {} : kept.limits), ...this.options.limits };
    const options = { ...this.options, engine: this.engine, limits };
    const sandbox = Sandbox.over(kept, options, (engine, quotas) => engine.trees.checkout(before.commit, objects, quotas));
    const { leaseUntil: _, ...rest } = before;
    const ref = next(rest, { ...this.claim(), epoch: before.epoch + 1 });
    if (!(await this.store.swap(name, before, ref))) {
      await sandbox.close();
      throw changed(name, "open");
    }
    const states = sessions.map(({ name, id }): [string, State] => [name, { bytes: byId.get(id) }]);
    this.awake.set(name, { sandbox, ref, settings, sessions: new Map(states), timer: this.renewing(name) });
    sandbox.suspend = () => this.suspend(name);
    return sandbox;
  }

  /** Objects first, then the ref that names them. */
  private async commit({ sandbox, settings, sessions }: Omit<Awake, "ref" | "timer">, before: Ref): Promise<Ref> {
    const { tree } = sandbox.parts();
    const created = Date.now();
    const states = [...sessions].flatMap(([name, { bytes }]) => (bytes ? [{ name, bytes }] : []));
    const { commit: parent } = before;
    const capture = { parent: parent === "" ? undefined : parent, settings, sessions: states };
    const objects = this.typed("suspend", "sandbox", () => tree.commit(capture, ENGINE, created));
    try {
      await this.store.put(objects);
    } catch (error) {
      tree.forget();
      throw error;
    }
    const commit = objects.at(-1)!;
    const { bytes, files } = this.engine.trees.facts(commit);
    return { ...before, commit: commit.id, bytes: Number(bytes), files: Number(files) };
  }

  private async keep(name: string, state: Ref["state"]): Promise<string> {
    const awake = this.awake.get(name);
    if (!awake) throw new ConflictError(`${name}: it is not open`, { code: "CONFLICT", operation: "checkpoint" });
    const committed = await this.commit(awake, awake.ref);
    const ref = next(committed, state === "running" ? this.claim() : { state });
    if (state === "suspended") {
      delete ref.owner;
      delete ref.leaseUntil;
    }
    if (!(await this.store.swap(name, awake.ref, ref))) {
      const found = await this.store.read(name);
      // Its files can still be read, but it is nobody's.
      this.forget(name, awake);
      throw fenced(name, state === "suspended" ? "suspend" : "checkpoint", found);
    }
    awake.ref = ref;
    if (state === "suspended") await this.release(name);
    return ref.commit;
  }

  /** Ends what is awake. */
  private async release(name: string): Promise<void> {
    const awake = this.awake.get(name);
    if (!awake) return;
    this.forget(name, awake);
    await awake.sandbox.close();
  }

  private forget(name: string, { sandbox, timer }: Awake): void {
    this.awake.delete(name);
    clearInterval(timer);
    sandbox.suspend = undefined;
  }
}

const fenced = (name: string, operation: string, found: Ref | undefined): FencedError =>
  new FencedError(`${name}: ${found ? "another owner has opened it" : "it was deleted"}`, { code: "FENCED", operation });

function fresh(): Ref {
  const now = Date.now();
  return { state: "suspended", commit: "", epoch: 0, seq: 0, bytes: 0, files: 0, created: now, changed: now };
}

const next = (ref: Ref, change: Partial<Ref>): Ref => ({ ...ref, ...change, seq: ref.seq + 1, changed: Date.now() });

const changed = (name: string, operation: string): ConflictError =>
  new ConflictError(`${name}: it was changed meanwhile`, { code: "CONFLICT", operation, retryable: true });

/** As in the native store: 1 to 255 bytes, no control characters. */
function checkName(name: string): void {
  const { length } = new TextEncoder().encode(name);
  if (length >= 1 && length <= 255 && !/[\x00-\x1f\x7f-\x9f]/.test(name)) return;
  throw new InvalidError("the name of a sandbox has 1 to 255 bytes and no control characters", { code: "INVALID", operation: "create" });
}
