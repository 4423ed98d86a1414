// Objects in a namespace of Workers KV.

import { each, patiently } from "./flow.js";
import { packed, unpacked, type Objects, type StoredObject } from "./store.js";

/** What is used of a namespace that is bound to a Worker. */
export interface Namespace {
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  put(key: string, value: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<{
    readonly keys: { readonly name: string }[];
    readonly list_complete: boolean;
    readonly cursor?: string;
  }>;
}

/** Milliseconds between two looks for an object that is not there yet. */
const PAUSE = 250;
const PATIENCE = 5000;

/**
 * Keeps objects, and objects alone, in Workers KV: part of a `SplitStore`, whose refs are in a Durable Object or a bucket.
 *
 * KV has no compare-and-swap, so no ref can be in it. Objects never change and are named by their hash: what a place
 * reads is right or missing, never old. Missing it may be for a minute or more where another place has just
 * written it: `get` looks again for `patienceMs`, and what needs it then fails with an `UnavailableError` that is retryable.
 * An object that is lost cannot be told from one that is late.
 */
export class KvObjects implements Objects {
  readonly late = true;
  private readonly prefix: string;
  private readonly patienceMs: number;

  /** `prefix` is what all keys begin with, `patienceMs` how long `get` waits for what is not there yet; 5,000. */
  constructor(private readonly namespace: Namespace, { prefix = "", patienceMs = PATIENCE }: { prefix?: string; patienceMs?: number } = {}) {
    this.prefix = `${prefix}o/`;
    this.patienceMs = patienceMs;
  }

  async put(objects: StoredObject[]): Promise<void> {
    const last = objects.at(-1);
    const put = (object: StoredObject) => patiently(() => this.namespace.put(this.prefix + object.id, packed(object)));
    await each(objects.slice(0, -1), put);
    if (last) await put(last);
  }
  async get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    const until = performance.now() + this.patienceMs;
    return each(ids, async (id) => {
      let found = await this.namespace.get(this.prefix + id, "arrayBuffer");
      for (; !found && performance.now() < until; found = await this.namespace.get(this.prefix + id, "arrayBuffer")) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      return unpacked(id, found ? new Uint8Array(found) : undefined);
    });
  }
  async ids(): Promise<string[]> {
    const found: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await this.namespace.list({ prefix: this.prefix, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.keys.map(({ name }) => name.slice(this.prefix.length)));
      cursor = page.cursor;
      more = !page.list_complete;
    }
    return found;
  }
  async remove(ids: string[]): Promise<void> {
    await each(ids, (id) => this.namespace.delete(this.prefix + id));
  }
}
