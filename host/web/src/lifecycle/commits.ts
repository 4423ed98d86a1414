// Commits in a store: what they lead to, and what was before them.

import type { Engine } from "../engine.js";
import { CorruptError, UnavailableError, typed } from "../errors.js";
import type { Store, StoredObject } from "../store/store.js";
import type { CommitFacts, Tree } from "../tree.js";

/** For trees that are only looked at. */
const MOST = 2n ** 64n - 1n;
const UNLIMITED = { bytes: MOST, inodes: MOST, fileSize: MOST };

/** A state in the history of a sandbox. */
export interface LogEntry {
  commit: string;
  createdMs: number;
  bytes: number;
  files: number;
  /** What it says about itself: `restored main~2`; in a native sandbox that keeps its history, the command that led to it. */
  label?: string;
}

export class Commits {
  constructor(private readonly store: Store, private readonly engine: Engine) {}

  /** Everything that a commit leads to, without what is `known` to be there. */
  async objects(commit: string, known: ReadonlySet<string> = new Set()): Promise<StoredObject[]> {
    const found = new Map<string, StoredObject>();
    for (let level = [commit]; level.length > 0; ) {
      const next = new Set<string>();
      for (const [n, object] of (await this.store.get(level)).entries()) {
        if (!object) throw this.missing(level[n]!);
        found.set(object.id, object);
        for (const id of this.typed("open", `object ${object.id}`, () => this.engine.trees.links(object))) next.add(id);
      }
      level = [...next].filter((id) => !found.has(id) && !known.has(id));
    }
    return [...found.values()];
  }

  /** A commit by itself. */
  async read(commit: string): Promise<StoredObject> {
    const [object] = await this.store.get([commit]);
    if (!object) throw this.missing(commit);
    return object;
  }
  async facts(commit: string): Promise<CommitFacts> {
    return this.factsOf(await this.read(commit));
  }
  factsOf(commit: StoredObject): CommitFacts {
    return this.typed("open", `commit ${commit.id}`, () => this.engine.trees.facts(commit));
  }

  /** The files of a commit, to be dropped after use. */
  async checkout(commit: string): Promise<Tree> {
    const objects = await this.objects(commit);
    return this.typed("open", `commit ${commit}`, () => this.engine.trees.checkout(commit, objects, UNLIMITED));
  }

  /** At most so many states, this one first, as far back as they are there. */
  async log(commit: string, most: number): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    for (let next: string | undefined = commit; next !== undefined && entries.length < most; ) {
      const [object]: (StoredObject | undefined)[] = await this.store.get([next]);
      if (!object) {
        if (entries.length > 0) break;
        throw this.missing(next);
      }
      const { bytes, files, created, label, parent } = this.factsOf(object);
      const entry = { commit: next, createdMs: Number(created), bytes: Number(bytes), files: Number(files) };
      entries.push(label === undefined ? entry : { ...entry, label });
      next = parent;
    }
    return entries;
  }

  /** Adds everything that a commit and so many states before it lead to. */
  async reach(commit: string, before: number, reached: Set<string>): Promise<void> {
    for (const entry of await this.log(commit, before + 1)) {
      for (const { id } of await this.objects(entry.commit, reached)) reached.add(id);
    }
  }

  /** Runs what the component of the trees may refuse. */
  typed<T>(operation: string, name: string, run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw typed(thrown, operation, name);
    }
  }

  private missing(id: string): Error {
    const message = `object ${id} is missing`;
    if (!this.store.late) return new CorruptError(message, { code: "CORRUPT", operation: "open" });
    return new UnavailableError(message, { code: "SANDBOX_UNAVAILABLE", operation: "open", retryable: true });
  }
}
