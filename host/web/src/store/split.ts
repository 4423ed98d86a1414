// A store of two parts: objects in one place, refs in another.

import type { Objects, Ref, Refs, Store, StoredObject, Version } from "./store.js";

/**
 * Keeps objects in one place and refs in another: for places that have no compare-and-swap (`KvObjects`), and to keep the many
 * bytes where they are cheap and the refs where they are fast. Who owns a sandbox is decided by `refs` alone. Objects are
 * stored before the ref that leads to them, so nothing is named that was not written.
 *
 * ```js
 * new SplitStore({ objects: new R2Store(env.BUCKET), refs: new DurableObjectStore(this.ctx.storage) });
 * ```
 *
 * Stores that share `objects` must not `collect()`: each knows the refs of its own alone.
 */
export class SplitStore implements Store {
  readonly late: boolean;
  readonly announce?: (owner: string) => Promise<() => void>;
  readonly isGone?: (owner: string) => Promise<boolean>;
  private readonly objects: Objects;
  private readonly refs: Refs;

  constructor({ objects, refs }: { objects: Objects; refs: Refs }) {
    this.objects = objects;
    this.refs = refs;
    this.late = objects.late ?? false;
    if (refs.announce) this.announce = (owner) => refs.announce!(owner);
    if (refs.isGone) this.isGone = (owner) => refs.isGone!(owner);
  }

  put(objects: StoredObject[]): Promise<void> {
    return this.objects.put(objects);
  }
  get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    return this.objects.get(ids);
  }
  ids(): Promise<string[]> {
    return this.objects.ids();
  }
  remove(ids: string[]): Promise<void> {
    return this.objects.remove(ids);
  }
  read(name: string): Promise<Ref | undefined> {
    return this.refs.read(name);
  }
  swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean> {
    return this.refs.swap(name, expected, next);
  }
  list(): Promise<[string, Ref][]> {
    return this.refs.list();
  }
  async tidy(): Promise<void> {
    await this.refs.tidy?.();
  }
}
