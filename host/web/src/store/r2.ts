// A store in a bucket of R2.

import { CorruptError } from "../errors.js";
import { each, groups, patiently } from "./flow.js";
import { byName, fits, packed, unpacked, type Ref, type Store, type StoredObject, type Version } from "./store.js";

/** What is used of an object that was read. */
export interface BucketObject {
  readonly etag: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What is used of a bucket that is bound to a Worker. */
export interface Bucket {
  get(key: string): Promise<BucketObject | null>;
  /** Nothing where the condition does not hold. */
  put(
    key: string,
    value: Uint8Array,
    options?: { onlyIf?: { etagMatches: string } | { etagDoesNotMatch: string }; customMetadata?: Record<string, string> },
  ): Promise<{ readonly etag: string } | null>;
  delete(keys: string[]): Promise<void>;
  list(options: { prefix: string; cursor?: string; include?: "customMetadata"[] }): Promise<BucketPage>;
}

/** A page of what is in a bucket. */
export interface BucketPage {
  readonly objects: { readonly key: string; readonly etag: string; readonly customMetadata?: Record<string, string> }[];
  readonly truncated: boolean;
  readonly cursor?: string;
}

/** Keys that a bucket deletes in one call. */
const KEYS = 1000;
/** Characters of metadata that a ref is copied to, for `list`; the platform takes some KiB. */
const METADATA = 1500;
/** What is in the place of a ref that was removed: a bucket has no delete that compares. */
const GONE = "null";

/**
 * Keeps sandboxes in a bucket of R2, which any Worker of the account may share. R2 is strongly consistent: what a call has
 * resolved for is read by all, and of several that change one ref at once one does.
 *
 * A bucket takes one write of a key in a second; a faster one is tried again for some seconds. A sandbox that is
 * woken and put to sleep by every request is better off with `SplitStore`, its refs in a Durable Object.
 */
export class R2Store implements Store {
  private readonly prefix: string;

  /** `prefix` is what all keys begin with. */
  constructor(private readonly bucket: Bucket, { prefix = "" }: { prefix?: string } = {}) {
    this.prefix = prefix;
  }

  async put(objects: StoredObject[]): Promise<void> {
    // A commit comes last, and is there when all that it leads to is.
    const last = objects.at(-1);
    await each(objects.slice(0, -1), (object) => this.putOne(object));
    if (last) await this.putOne(last);
  }
  private async putOne(object: StoredObject): Promise<void> {
    // Where it is there already the condition does not hold, and it stays.
    await patiently(() => this.bucket.put(this.object(object.id), packed(object), { onlyIf: { etagDoesNotMatch: "*" } }));
  }
  async get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    return each(ids, async (id) => {
      const found = await this.bucket.get(this.object(id));
      return unpacked(id, found ? new Uint8Array(await found.arrayBuffer()) : undefined);
    });
  }
  async ids(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of this.all("o/")) found.push(key);
    return found;
  }
  async remove(ids: string[]): Promise<void> {
    for (const group of groups(ids, KEYS)) await this.bucket.delete(group.map((id) => this.object(id)));
  }
  async read(name: string): Promise<Ref | undefined> {
    return (await this.ref(name))?.ref;
  }
  async swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean> {
    const found = await this.ref(name);
    if (!fits(found?.ref, expected)) return false;
    if (!found && !next) return true;
    const text = next ? JSON.stringify(next) : GONE;
    const onlyIf = found ? { etagMatches: found.etag } : { etagDoesNotMatch: "*" };
    // What is listed is read from the metadata, which is ASCII, unless it is too long for that.
    const copy = encodeURIComponent(text);
    const customMetadata: Record<string, string> = copy.length <= METADATA ? { ref: copy } : {};
    const value = new TextEncoder().encode(text);
    return (await patiently(() => this.bucket.put(this.key(name), value, { onlyIf, customMetadata }))) !== null;
  }
  async list(): Promise<[string, Ref][]> {
    const listed: BucketPage["objects"] = [];
    for await (const one of this.all("r/")) listed.push(one);
    const refs = await each(listed, ({ key, customMetadata }) =>
      customMetadata?.ref === undefined ? this.read(key) : Promise.resolve(refOf(key, decodeURIComponent(customMetadata.ref))));
    return listed.flatMap(({ key }, n): [string, Ref][] => (refs[n] ? [[key, refs[n]]] : [])).sort(byName);
  }
  async tidy(): Promise<void> {
    const gone: string[] = [];
    for await (const { key, customMetadata } of this.all("r/")) if (customMetadata?.ref === GONE) gone.push(this.key(key));
    for (const group of groups(gone, KEYS)) await this.bucket.delete(group);
  }

  private object(id: string): string {
    return `${this.prefix}o/${id}`;
  }
  private key(name: string): string {
    return `${this.prefix}r/${name}`;
  }
  /** A ref with the tag of its place, also where the place is empty. */
  private async ref(name: string): Promise<{ ref: Ref | undefined; etag: string } | undefined> {
    const found = await this.bucket.get(this.key(name));
    if (!found) return undefined;
    return { ref: refOf(name, new TextDecoder().decode(await found.arrayBuffer())), etag: found.etag };
  }
  /** All below one of the two folders, by the rest of their keys. */
  private async *all(folder: string): AsyncGenerator<BucketPage["objects"][number]> {
    const prefix = this.prefix + folder;
    let cursor: string | undefined;
    do {
      const page = await this.bucket.list({ prefix, include: ["customMetadata"], ...(cursor === undefined ? {} : { cursor }) });
      for (const one of page.objects) {
        yield { key: one.key.slice(prefix.length), etag: one.etag, ...(one.customMetadata ? { customMetadata: one.customMetadata } : {}) };
      }
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
}

function refOf(name: string, text: string): Ref | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    throw new CorruptError(`${name}: what is stored is no ref`, { code: "CORRUPT", operation: "read" });
  }
}
