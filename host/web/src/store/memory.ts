// A store in this process.

import { byName, fits, type Ref, type Store, type StoredObject, type Version } from "./store.js";

/** Keeps everything in this process, until it ends. */
export class MemoryStore implements Store {
  private readonly objects = new Map<string, StoredObject>();
  private readonly refs = new Map<string, Ref>();

  async put(objects: StoredObject[]): Promise<void> {
    for (const object of objects) this.objects.set(object.id, object);
  }
  async get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    return ids.map((id) => this.objects.get(id));
  }
  async ids(): Promise<string[]> {
    return [...this.objects.keys()];
  }
  async remove(ids: string[]): Promise<void> {
    for (const id of ids) this.objects.delete(id);
  }
  async read(name: string): Promise<Ref | undefined> {
    return this.refs.get(name);
  }
  async swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean> {
    if (!fits(this.refs.get(name), expected)) return false;
    if (next) this.refs.set(name, next);
    else this.refs.delete(name);
    return true;
  }
  async list(): Promise<[string, Ref][]> {
    return [...this.refs].sort(byName);
  }
}
