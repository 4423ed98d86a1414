// A store in a browser's database, which all tabs and workers of an origin share.

import { announce, byName, fits, isGone, packed, unpacked, type Ref, type Store, type StoredObject, type Version } from "./store.js";

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Keeps sandboxes in IndexedDB. */
export class IndexedDbStore implements Store {
  private constructor(private readonly database: IDBDatabase) {}

  /** Opens the database of this name, and makes it where it is missing. */
  static async open(name = "offshoot"): Promise<IndexedDbStore> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const table of ["objects", "refs"]) request.result.createObjectStore(table);
    };
    return new IndexedDbStore(await done(request));
  }

  close(): void {
    this.database.close();
  }

  /** Runs one transaction, and waits until it is durable. */
  private async write<T>(table: string, run: (store: IDBObjectStore) => T | Promise<T>): Promise<T> {
    const transaction = this.database.transaction(table, "readwrite", { durability: "strict" });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
    const [value] = await Promise.all([run(transaction.objectStore(table)), ended]);
    return value;
  }
  private table(name: string): IDBObjectStore {
    return this.database.transaction(name).objectStore(name);
  }

  async put(objects: StoredObject[]): Promise<void> {
    await this.write("objects", (store) => {
      for (const object of objects) store.put(packed(object), object.id);
    });
  }
  async get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    const store = this.table("objects");
    return Promise.all(ids.map(async (id) => unpacked(id, await done<Uint8Array | undefined>(store.get(id)))));
  }
  async ids(): Promise<string[]> {
    return (await done(this.table("objects").getAllKeys())) as string[];
  }
  async remove(ids: string[]): Promise<void> {
    await this.write("objects", (store) => {
      for (const id of ids) store.delete(id);
    });
  }
  async read(name: string): Promise<Ref | undefined> {
    return done<Ref | undefined>(this.table("refs").get(name));
  }
  async swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean> {
    return this.write("refs", async (store) => {
      if (!fits(await done<Ref | undefined>(store.get(name)), expected)) return false;
      if (next) store.put(next, name);
      else store.delete(name);
      return true;
    });
  }
  readonly announce = announce;
  readonly isGone = isGone;
  async list(): Promise<[string, Ref][]> {
    const store = this.table("refs");
    const [names, refs] = await Promise.all([done(store.getAllKeys()), done<Ref[]>(store.getAll())]);
    return names.map((name, n): [string, Ref] => [name as string, refs[n]!]).sort(byName);
  }
}
