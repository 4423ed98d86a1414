// Who has which sandbox awake: waking, leases, storing, putting to sleep.

import type { Engine } from "../engine.js";
import { ConflictError, CorruptError, InvalidError } from "../errors.js";
import type { State } from "../run.js";
import { engineOf, Sandbox, type SandboxOptions } from "../sandbox.js";
import { decodeSettings } from "../store/settings.js";
import type { Ref, Store } from "../store/store.js";
import type { Tree } from "../tree.js";
import { Commits } from "./commits.js";
import type { Point } from "./point.js";
import { asleep, busy, changed, fenced, missing, next } from "./refs.js";

/** What all sandboxes of a store are given when they wake. `limits` come before those that a sandbox was made with. */
export type SandboxesOptions = Pick<SandboxOptions, "commands" | "engine" | "fetch" | "limits" | "mounts" | "network" | "secrets"> & {
  /** Milliseconds that nobody else takes over what is awake here, from each renewal on; 30,000. With 0 anybody may at once. */
  leaseMs?: number;
  /** Milliseconds that a call waits for the lease of somebody else to end; 0. */
  patienceMs?: number;
};

/** One that is awake here. */
export interface Awake {
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

/** What is behind `Sandboxes`. Its functions do not wait for one another, but for `inTurn` and `patiently`. */
export class Keeper {
  readonly engine: Engine;
  readonly commits: Commits;
  readonly awake = new Map<string, Awake>();
  private readonly owner = crypto.randomUUID();
  private last: Promise<unknown> = Promise.resolve();
  private readonly leaseMs: number;
  private readonly patienceMs: number;
  /** Given to each sandbox as it wakes. */
  private readonly options: Omit<SandboxesOptions, "leaseMs" | "patienceMs">;
  /** Gives up that the store shows this owner. */
  private leave: (() => void) | undefined;

  constructor(readonly store: Store, { leaseMs = LEASE, patienceMs = 0, ...options }: SandboxesOptions) {
    this.engine = engineOf(options);
    for (const [name, value] of Object.entries({ leaseMs, patienceMs })) {
      if (!(Number.isSafeInteger(value) && value >= 0)) throw new InvalidError(`${name}: ${value} is no whole number`, { code: "INVALID", operation: "open" });
    }
    this.leaseMs = leaseMs;
    this.patienceMs = patienceMs;
    this.options = options;
    this.commits = new Commits(store, this.engine);
  }

  /** One operation after the other. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.last.then(run);
    this.last = next.catch(() => undefined);
    return next;
  }

  /** An operation in its turn, and again while somebody else is in the way. */
  async patiently<T>(run: () => Promise<T>): Promise<T> {
    const patience = performance.now() + this.patienceMs;
    for (;;) {
      try {
        return await this.inTurn(run);
      } catch (error) {
        const left = patience - performance.now();
        if (!(error instanceof ConflictError && error.retryable) || left <= 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE, left)));
      }
    }
  }

  async ref(name: string): Promise<Ref> {
    const found = await this.store.read(name);
    if (found) return found;
    throw missing(`${name}: there is no such sandbox`, "open");
  }

  /** The commit of what a sandbox is now. */
  async present(name: string, operation: string): Promise<string> {
    if (this.awake.has(name)) return this.keep(name, "running");
    const found = await this.ref(name);
    if (await this.isFree(found)) return found.commit;
    throw busy(name, operation);
  }

  /** The commit of a point. */
  async find({ name, label, before }: Point, operation: string): Promise<string> {
    if (label !== undefined) {
      const { snapshots = {} } = await this.ref(name);
      if (Object.hasOwn(snapshots, label)) return snapshots[label]!;
      throw missing(`${name} has no snapshot ${label}`, "point");
    }
    if (before === undefined) return this.present(name, operation);
    const { commit } = await this.ref(name);
    const entry = (await this.commits.log(commit, before + 1))[before];
    if (entry) return entry.commit;
    throw missing(`${name} has no state ${before} before its last`, "point");
  }

  /** Uses the files of a point. */
  async files<T>(point: Point, operation: string, use: (tree: Tree) => Promise<T>): Promise<T> {
    const live = point.label === undefined && point.before === undefined ? this.awake.get(point.name) : undefined;
    if (live) return use(live.sandbox.parts().tree);
    return this.checkouts([await this.find(point, operation)], ([tree]) => use(tree!));
  }

  /** Uses the files of commits. */
  async checkouts<T>(commits: string[], use: (trees: Tree[]) => Promise<T>): Promise<T> {
    const trees: Tree[] = [];
    try {
      for (const commit of commits) trees.push(await this.commits.checkout(commit));
      return await use(trees);
    } finally {
      for (const tree of trees) tree.drop();
    }
  }

  /** Changes what is known of a sandbox that nobody else has awake. */
  async amend(name: string, operation: string, change: (ref: Ref) => Partial<Ref>): Promise<void> {
    const awake = this.awake.get(name);
    const before = awake?.ref ?? (await this.ref(name));
    if (!awake && !(await this.isFree(before))) throw busy(name, operation);
    const ref = next(before, change(before));
    if (!(await this.store.swap(name, before, ref))) throw changed(name, operation);
    if (awake) awake.ref = ref;
  }

  /** Whether nobody has a sandbox awake, or who has may be fenced. */
  async isFree({ state, owner, leaseUntil = 0 }: Ref): Promise<boolean> {
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

  /** Wakes a sandbox, or finds it awake. */
  async wake(name: string, takeOver = false): Promise<Sandbox> {
    const known = this.awake.get(name);
    const before = await this.ref(name);
    if (known && before.epoch === known.ref.epoch) return known.sandbox;
    if (known) {
      await this.release(name);
      throw fenced(name, "open", before);
    }
    if (!takeOver && !(await this.isFree(before))) throw busy(name, "open");
    if (this.leaseMs > 0) this.leave ??= await this.store.announce?.(this.owner);
    const objects = await this.commits.objects(before.commit);
    const byId = new Map(objects.map((object) => [object.id, object.payload]));
    const commit = objects.find(({ id }) => id === before.commit)!;
    const { settings: id, sessions } = this.commits.factsOf(commit);
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
    sandbox.suspend = () => this.inTurn(() => this.suspend(name));
    return sandbox;
  }

  /** Objects first, then the ref that names them. */
  async commit({ sandbox, settings, sessions }: Omit<Awake, "ref" | "timer">, before: Ref): Promise<Ref> {
    const { tree } = sandbox.parts();
    const created = Date.now();
    const states = [...sessions].flatMap(([name, { bytes }]) => (bytes ? [{ name, bytes }] : []));
    const { commit: parent } = before;
    const capture = { parent: parent === "" ? undefined : parent, settings, sessions: states };
    const objects = this.commits.typed("suspend", "sandbox", () => tree.commit(capture, ENGINE, created));
    try {
      await this.store.put(objects);
    } catch (error) {
      tree.forget();
      throw error;
    }
    const commit = objects.at(-1)!;
    const { bytes, files } = this.commits.factsOf(commit);
    return { ...before, commit: commit.id, bytes: Number(bytes), files: Number(files) };
  }

  /** Stores what a sandbox is now, and goes on or ends it. */
  async keep(name: string, state: Ref["state"]): Promise<string> {
    const awake = this.awake.get(name);
    if (!awake) throw new ConflictError(`${name}: it is not open`, { code: "CONFLICT", operation: "checkpoint" });
    const committed = await this.commit(awake, awake.ref);
    const ref = state === "running" ? next(committed, this.claim()) : asleep(next(committed, {}));
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

  /** Puts to sleep what is awake here; the commit. */
  async suspend(name: string): Promise<string> {
    if (this.awake.has(name)) return this.keep(name, "suspended");
    const { state, commit } = await this.ref(name);
    if (state === "suspended") return commit;
    throw new ConflictError(`${name}: it is awake elsewhere`, { code: "CONFLICT", operation: "suspend", retryable: true });
  }

  /** Ends what is awake. */
  async release(name: string): Promise<void> {
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

  /** Suspends what is awake. */
  async close(): Promise<void> {
    try {
      for (const name of [...this.awake.keys()]) await this.inTurn(() => this.suspend(name));
    } finally {
      this.leave?.();
      this.leave = undefined;
    }
  }
}
