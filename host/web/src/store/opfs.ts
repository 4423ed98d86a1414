// A store in a browser's private files, which all tabs and workers of an origin share.

import { announce, byName, fits, isGone, packed, unpacked, type Ref, type Store, type StoredObject, type Version } from "./store.js";

/** Keeps sandboxes in the origin-private file system: a file an object, a file a ref. */
export class OpfsStore implements Store {
  private constructor(
    private readonly name: string,
    private readonly objects: FileSystemDirectoryHandle,
    private readonly refs: FileSystemDirectoryHandle,
  ) {}

  /** Opens the directory of this name, and makes it where it is missing. */
  static async open(name = "offshoot"): Promise<OpfsStore> {
    const make = { create: true };
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, make);
    return new OpfsStore(name, await root.getDirectoryHandle("objects", make), await root.getDirectoryHandle("refs", make));
  }

  async put(objects: StoredObject[]): Promise<void> {
    for (const object of objects) await write(this.objects, object.id, packed(object));
  }
  async get(ids: string[]): Promise<(StoredObject | undefined)[]> {
    return Promise.all(ids.map(async (id) => unpacked(id, await read(this.objects, id))));
  }
  async ids(): Promise<string[]> {
    return names(this.objects);
  }
  async remove(ids: string[]): Promise<void> {
    for (const id of ids) await erase(this.objects, id);
  }
  async read(name: string): Promise<Ref | undefined> {
    const bytes = await read(this.refs, fileOf(name));
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  }
  async swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean> {
    return navigator.locks.request(`offshoot ${this.name} ${name}`, async () => {
      if (!fits(await this.read(name), expected)) return false;
      if (next) await write(this.refs, fileOf(name), new TextEncoder().encode(JSON.stringify(next)));
      else await erase(this.refs, fileOf(name));
      return true;
    });
  }
  readonly announce = announce;
  readonly isGone = isGone;
  async list(): Promise<[string, Ref][]> {
    const found = (await names(this.refs)).map((file) => decodeURIComponent(file.slice(1)));
    const refs = await Promise.all(found.map(async (name) => [name, await this.read(name)] as const));
    return refs.filter((entry): entry is [string, Ref] => entry[1] !== undefined).sort(byName);
  }
}

/** The file of a ref; never `.` or `..`. */
const fileOf = (name: string): string => `=${encodeURIComponent(name).replace(/\*/g, "%2A")}`;

const missing = (error: unknown): undefined => {
  if (error instanceof DOMException && error.name === "NotFoundError") return undefined;
  throw error;
};

async function read(directory: FileSystemDirectoryHandle, name: string): Promise<Uint8Array | undefined> {
  try {
    const file = await (await directory.getFileHandle(name)).getFile();
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    return missing(error);
  }
}

/** Replaces a file in one step: its content is elsewhere until it is closed. */
async function write(directory: FileSystemDirectoryHandle, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const stream = await (await directory.getFileHandle(name, { create: true })).createWritable();
  await stream.write(bytes);
  await stream.close();
}

async function erase(directory: FileSystemDirectoryHandle, name: string): Promise<void> {
  await directory.removeEntry(name).catch(missing);
}

async function names(directory: FileSystemDirectoryHandle): Promise<string[]> {
  const found: string[] = [];
  for await (const name of directory.keys()) found.push(name);
  return found;
}
