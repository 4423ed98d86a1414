// Sandboxes that outlive the process: created by name, put to sleep, woken, branched.

import { ConflictError, InvalidError } from "./errors.js";
import type { Content } from "./files.js";
import { diff, promote, type Promotion } from "./lifecycle/branches.js";
import type { LogEntry } from "./lifecycle/commits.js";
import { Keeper, type SandboxesOptions } from "./lifecycle/keeper.js";
import { checkName, parsePoint } from "./lifecycle/point.js";
import { changed, fresh, TEMPLATE } from "./lifecycle/refs.js";
import { restore, snapshot } from "./lifecycle/snapshots.js";
import { publish, published, removeVersion, setAlias, templates, versions, type TemplateVersion } from "./lifecycle/templates.js";
import type { ExecResult } from "./result.js";
import { known, Sandbox, Session, type Change, type ExecOptions, type SandboxOptions } from "./sandbox.js";
import type { Ref, Store } from "./store/store.js";
import { encodeSettings } from "./store/settings.js";

export interface OpenOptions {
  /** Takes it from whoever has it awake, who is fenced. */
  takeOver?: boolean;
}
export type CreateOptions = {
  /** A text for people. */
  title?: string;
  /** At most ten. */
  tags?: string[];
} & (
  | (Pick<SandboxOptions, "clearEnv" | "cwd" | "env" | "files" | "limits"> & { template?: never })
  | { /** `NAME`, `NAME@3` or `NAME@ALIAS`. */ template: string }
);

export interface SandboxInfo {
  name: string;
  state: Ref["state"];
  /** Of its last commit. */
  bytes: number;
  files: number;
  parent: string | undefined;
  createdMs: number;
  /** The version that it was made from: `NAME@3`. */
  template: string | undefined;
  title: string | undefined;
  tags: string[];
}

const OPTIONS = ["clearEnv", "cwd", "env", "files", "limits"];
const MOST_TAGS = 10;
/** Earlier states of a sandbox that `collect` keeps, as natively. */
const HISTORY = 32;

const facts = (name: string, { state, bytes, files, parent, created, template, title, tags = [] }: Ref): SandboxInfo =>
  ({ name, state, bytes, files, parent, createdMs: created, template, title, tags });

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
  private readonly keeper: Keeper;

  constructor(private readonly store: Store, options: SandboxesOptions = {}) {
    this.keeper = new Keeper(store, options);
  }

  /** Makes a sandbox, asleep. */
  create(name: string, options: CreateOptions = {}): Promise<SandboxInfo> {
    const { title, tags = [], template, ...made } = options;
    known(made, template === undefined ? OPTIONS : []);
    return this.keeper.inTurn(async () => {
      checkName(name);
      if (tags.length > MOST_TAGS) throw new InvalidError("more than ten tags", { code: "INVALID", operation: "create" });
      const ref = template === undefined ? await this.filled(made) : await published(this.keeper, template);
      return this.make(name, { ...ref, ...(title === undefined ? {} : { title }), ...(tags.length === 0 ? {} : { tags }) });
    });
  }

  /** Keeps the present state as a new version of a template, for `create`; the version's number. */
  publish(name: string, template: string): Promise<number> {
    return this.keeper.patiently(() => publish(this.keeper, name, template));
  }

  /** The names of all templates. */
  templates(): Promise<string[]> {
    return templates(this.store);
  }

  /** The versions of a template, oldest first. */
  templateVersions(template: string): Promise<TemplateVersion[]> {
    return versions(this.store, template);
  }

  /** Gives a version another name, for `create`; a version that had it loses it in the same step. */
  setAlias(template: string, alias: string, version: number): Promise<void> {
    return setAlias(this.store, template, alias, version);
  }

  /** Forgets a version and its aliases; whether there was one. Sandboxes that were made from it are not affected. */
  removeTemplateVersion(template: string, version: number): Promise<boolean> {
    return removeVersion(this.store, template, version);
  }

  /**
   * A branch of a sandbox, of a snapshot (`NAME@LABEL`) or of an earlier state (`NAME~2`). Of a sandbox: of its present files
   * where it is awake here, otherwise of its last commit.
   */
  fork(point: string, branch: string): Promise<SandboxInfo> {
    return this.keeper.inTurn(async () => {
      checkName(branch);
      const parsed = parsePoint(point);
      const isNow = parsed.label === undefined && parsed.before === undefined;
      if (isNow && this.keeper.awake.has(point)) await this.keeper.keep(point, "running");
      const parent = await this.keeper.ref(parsed.name);
      const commit = isNow ? parent.commit : await this.keeper.find(parsed, "fork");
      const { bytes, files } = await this.keeper.commits.facts(commit);
      const made = { commit, base: commit, bytes: Number(bytes), files: Number(files), parent: parsed.name };
      return this.make(branch, fresh(parent.foreign ? { ...made, foreign: true } : made));
    });
  }

  /**
   * Wakes a sandbox, and keeps it awake until it is closed or suspended. Rejects with `ConflictError` while somebody else has it
   * awake, and with `FencedError` where it was awake here and somebody has taken it; the next call wakes it again.
   */
  open(name: string, { takeOver = false }: OpenOptions = {}): Promise<Sandbox> {
    return this.keeper.patiently(() => this.keeper.wake(name, takeOver));
  }

  /** Runs a script in a sandbox, which is woken for it unless it is awake. */
  async exec(name: string, script: Content, options: ExecOptions = {}): Promise<ExecResult> {
    const known = this.keeper.awake.has(name);
    const sandbox = await this.open(name);
    try {
      return await sandbox.exec(script, options);
    } finally {
      if (!known) await this.suspend(name);
    }
  }

  /** A session of a sandbox that is awake here; its state is kept with it, by this name. */
  session(name: string, session = "main"): Session {
    const awake = this.keeper.awake.get(name);
    if (!awake) throw new ConflictError(`${name}: it is not open`, { code: "CONFLICT", operation: "session" });
    const state = awake.sessions.get(session) ?? { bytes: undefined };
    awake.sessions.set(session, state);
    return new Session(awake.sandbox, state);
  }

  /** Stores what a sandbox is now, which stays awake; the commit. */
  checkpoint(name: string): Promise<string> {
    return this.keeper.inTurn(() => this.keeper.keep(name, "running"));
  }

  /** Puts a sandbox to sleep, and ends what runs in it; the commit. */
  suspend(name: string): Promise<string> {
    return this.keeper.inTurn(() => this.keeper.suspend(name));
  }

  async info(name: string): Promise<SandboxInfo> {
    return facts(name, await this.keeper.ref(name));
  }
  async list(): Promise<SandboxInfo[]> {
    const all = (await this.store.list()).filter(([name]) => !name.startsWith(TEMPLATE));
    return all.map(([name, ref]) => facts(name, ref));
  }

  /** Forgets a sandbox with its snapshots; one that is not there is fine. `collect` gives its room back. */
  delete(name: string): Promise<void> {
    return this.keeper.inTurn(async () => {
      const ref = await this.store.read(name);
      if (ref && !(await this.store.swap(name, ref, undefined))) throw changed(name, "delete");
      await this.keeper.release(name);
    });
  }

  /** What a reader of `after` finds other than in `before`; each is a sandbox or, as for `fork`, a state of one. */
  diff(before: string, after: string): Promise<Change[]> {
    return this.keeper.patiently(() => diff(this.keeper, before, after));
  }

  /**
   * Brings what changed in a branch, since it was forked or last promoted, to its parent: all of it, or nothing where both sides
   * changed a path. The branch stays as it is; its parent is woken for this where it sleeps, and sleeps again after.
   */
  promote(branch: string): Promise<Promotion> {
    return this.keeper.patiently(() => promote(this.keeper, branch));
  }

  /** Keeps the present state under a label until the sandbox is deleted; one of the same label is replaced. */
  snapshot(name: string, label: string): Promise<void> {
    return this.keeper.patiently(() => snapshot(this.keeper, name, label));
  }

  /**
   * Sets a sandbox back to a state of it or of another one; it sleeps afterwards. What it was before is the state before the new
   * one, `NAME~1`. The commit.
   */
  restore(name: string, point: string): Promise<string> {
    return this.keeper.patiently(() => restore(this.keeper, name, point));
  }

  /** At most `limit` stored states of a sandbox, the last one first, as far back as they are there. */
  async log(name: string, limit = 20): Promise<LogEntry[]> {
    return this.keeper.commits.log((await this.keeper.ref(name)).commit, limit);
  }

  /** A sandbox as the container that `offshoot` exports and imports. */
  export(name: string): Promise<Uint8Array> {
    return this.keeper.inTurn(async () => {
      if (this.keeper.awake.has(name)) await this.keeper.keep(name, "running");
      const { commit, epoch } = await this.keeper.ref(name);
      const { commits, engine } = this.keeper;
      const objects = await commits.objects(commit);
      return commits.typed("export", name, () => engine.trees.pack({ name, epoch: BigInt(epoch), commit, objects }));
    });
  }

  /** Takes a container without a seal, checked as a whole. What it may take is up to `limits` here. */
  import(name: string, container: Uint8Array): Promise<SandboxInfo> {
    return this.keeper.inTurn(async () => {
      checkName(name);
      const { commits, engine } = this.keeper;
      const { commit, objects } = commits.typed("import", name, () => engine.trees.unpack(container, engine.template().quotas()));
      const { bytes, files } = commits.factsOf(objects.find(({ id }) => id === commit)!);
      await this.store.put(objects);
      return this.make(name, fresh({ commit, bytes: Number(bytes), files: Number(files), foreign: true }));
    });
  }

  /**
   * Removes what no sandbox, snapshot or template leads to, and states beyond the last `history` of each sandbox, while nobody
   * else writes to the store; how many objects.
   */
  collect({ history = HISTORY }: { history?: number } = {}): Promise<number> {
    return this.keeper.inTurn(async () => {
      const reached = new Set<string>();
      const { commits, awake } = this.keeper;
      for (const [, { commit, base, snapshots = {}, versions }] of await this.store.list()) {
        if (commit !== "") await commits.reach(commit, history, reached);
        const kept = Object.values(versions?.byNumber ?? {}).map((version) => version.commit);
        for (const one of [...(base === undefined ? [] : [base]), ...Object.values(snapshots), ...kept]) await commits.reach(one, 0, reached);
      }
      const unused = (await this.store.ids()).filter((id) => !reached.has(id));
      await this.store.remove(unused);
      await this.store.tidy?.();
      // What is awake may count on what is gone.
      for (const { sandbox } of awake.values()) sandbox.parts().tree.forget();
      return unused.length;
    });
  }

  /** Suspends what is awake. */
  close(): Promise<void> {
    return this.keeper.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The first commit of a sandbox. */
  private async filled(options: SandboxOptions): Promise<Ref> {
    const sandbox = new Sandbox({ ...options, engine: this.keeper.engine });
    try {
      const settings = encodeSettings(sandbox.parts().kept);
      return await this.keeper.commit({ sandbox, settings, sessions: new Map() }, fresh());
    } finally {
      await sandbox.close();
    }
  }

  private async make(name: string, ref: Ref): Promise<SandboxInfo> {
    if (await this.store.swap(name, undefined, ref)) return facts(name, ref);
    throw new ConflictError(`${name}: it exists`, { code: "CONFLICT", operation: "create" });
  }
}
