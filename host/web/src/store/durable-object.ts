// A store in the storage of a Durable Object.

import { groups } from "./flow.js";
import { fits, packed, unpacked, type Ref, type Store, type StoredObject, type Version } from "./store.js";

interface Access {
  get<T>(key: string): Promise<T | undefined>;
  put<T>(key: string, value: T): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** What is used of a Durable Object's `ctx.storage`. */
export interface ObjectStorage {
  get<T>(keys: string[]): Promise<Map<string, T>>;
  get<T>(key: string): Promise<T | undefined>;
  put<T>(entries: Record<string, T>): Promise<void>;
  delete(keys: string[]): Promise<number>;
  list<T>(options: { prefix: string; startAfter?: string; limit?: number }): Promise<Map<string, T>>;
  transaction<T>(run: (transaction: Access) => Promise<T>): Promise<T>;
}

/** Bytes of one value; the platform takes 128 KiB. */
const PIECE = 120 << 10;
/** Keys of one call. */
const KEYS = 128;

/**
 * Keeps sandboxes in a Durable Object. An object of more than 120 KiB is cut into pieces, which are told apart by a
 * digit more: the first one says how many there are.
 */
export class DurableObjectStore implements Store {
  constructor(private readonly storage: ObjectStorage) {}

  async put(objects: StoredObject[]): Promise<void> {
    const pieces = objects.flatMap((object) => {
      const bytes = packed(object);
      const count = Math.ceil(bytes.length / PIECE);
      const cut = (n: number) => bytes.slice(n * PIECE, (n + 1) * PIECE);
      const first: Entry = [`o/${object.id}`, { count, bytes: cut(0) }];
      // The first one last: who finds it finds all.
      const rest = Array.from({ length: count - 1 }, (_, n): Entry => [`p/${object.id}/${n + 1}`, { count, bytes: cut(n + 1) }]);
      return [...rest, first];
    });
    // A call's values stay below some MiB.
    for (const group of groups(pieces, 32)) await this.storage.put(Object.fromEntries(group));
  }
  async get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    const first = await this.pieces(ids.map((id) => `o/${id}`));
    const more = ids.flatMap((id) => restOf(id, first.get(`o/${id}`)));
    const rest = await this.pieces(more);
    return ids.map((id) => {
      const head = first.get(`o/${id}`);
      if (!head) return undefined;
      const found = [head, ...restOf(id, head).map((key) => rest.get(key))];
      if (found.some((piece) => piece === undefined)) return undefined;
      return unpacked(id, joined(found.map((piece) => piece!.bytes)));
    });
  }
  async ids(): Promise<string[]> {
    const found: string[] = [];
    for (let page: string[] = ["o/"]; page.length > 0; ) {
      // Values come with the keys: not too many at a time.
      const next = await this.storage.list({ prefix: "o/", startAfter: page.at(-1)!, limit: 64 });
      page = [...next.keys()];
      found.push(...page.map((key) => key.slice(2)));
    }
    return found;
  }
  async remove(ids: string[]): Promise<void> {
    for (const group of groups(ids, KEYS)) {
      const first = await this.pieces(group.map((id) => `o/${id}`));
      const keys = group.flatMap((id) => [`o/${id}`, ...restOf(id, first.get(`o/${id}`))]);
      for (const some of groups(keys, KEYS)) await this.storage.delete(some);
    }
  }
  async read(name: string): Promise<Ref | undefined> {
    return this.storage.get<Ref>(`r/${name}`);
  }
  async swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean> {
    const key = `r/${name}`;
    return this.storage.transaction(async (transaction) => {
      if (!fits(await transaction.get<Ref>(key), expected)) return false;
      if (next) await transaction.put(key, next);
      else await transaction.delete(key);
      return true;
    });
  }
  async list(): Promise<[string, Ref][]> {
    const refs = await this.storage.list<Ref>({ prefix: "r/" });
    return [...refs].map(([key, ref]) => [key.slice(2), ref]);
  }

  private async pieces(keys: string[]): Promise<Map<string, Piece>> {
    const found = await Promise.all(groups(keys, KEYS).map((group) => this.storage.get<Piece>(group)));
    return new Map(found.flatMap((group) => [...group]));
  }
}

interface Piece {
  count: number;
  bytes: Uint8Array;
}
type Entry = [key: string, piece: Piece];

const restOf = (id: string, head: Piece | undefined): string[] =>
  Array.from({ length: (head?.count ?? 1) - 1 }, (_, n) => `p/${id}/${n + 1}`);

function joined(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
