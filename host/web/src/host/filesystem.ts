// `wasi:filesystem` over the sandbox's tree. The one preopen is `/`.
//
// A program that asks for `initial-cwd` resolves relative paths itself, so its paths start at the root. For any other,
// a path whose first name exists in `/` starts there, and every other one in the working directory.

import type { Imports } from "../component.js";
import { Errno, errno, wasiCode } from "../errno.js";
import type { Guest } from "../kernel.js";
import { brokenPipe, type OpenObject } from "../object.js";
import { OPEN, ROOT, type DirectoryEntry, type FileKind, type FileStat, type NewTime, type Timestamp } from "../tree.js";
import { bytesOfText, textOf } from "../text.js";
import { FileInput, FileOutput, IoError, ObjectInput, ObjectOutput, after } from "./streams.js";

const READ_BYTES = 64 << 10;
const FILE_MODE = 0o666;
const DIRECTORY_MODE = 0o777;
/** Flags of `wasi:filesystem`. */
const FOLLOW = 1;
const CREATE = 1;
const DIRECTORY = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const READ = 1;
const WRITE = 2;
const MUTATE = 32;

/** `descriptor`: an open file or directory. */
class Descriptor {
  constructor(
    readonly object: OpenObject | undefined,
    /** Where a directory is; none for what is no directory. */
    readonly path: string | undefined,
    readonly flags: number,
    readonly isRoot = false,
  ) {
    object?.retain();
  }
  drop(): void {
    this.object?.release();
  }
  /** What streams and offsets work on. */
  stream(): OpenObject {
    if (this.object === undefined || this.path !== undefined) throw errno("is-directory");
    return this.object;
  }
  stat(guest: Guest): FileStat {
    return this.object ? this.object.stat() : guest.tree.stat(ROOT, bytesOfText("/"), true);
  }
}

/** `directory-entry-stream`. */
class Entries {
  private at = 0;
  constructor(private readonly entries: DirectoryEntry[]) {}
  next() {
    const entry = this.entries[this.at++];
    return entry && { type: kind(entry.kind), name: textOf(entry.name) };
  }
}

function kind(of: FileKind): string {
  const names = { regular: "regular-file", symlink: "symbolic-link" } as Record<string, string>;
  return names[of] ?? of;
}

const directoryOf = (guest: Guest) => textOf(guest.startup.directory);
const join = (base: string, path: string) => `${base === "/" ? "" : base}/${path}`;

/** The absolute path of one below a descriptor. */
function place(guest: Guest, descriptor: Descriptor, path: string): Uint8Array {
  if (path.startsWith("/")) throw errno("not-permitted");
  if (descriptor.path === undefined) throw errno("not-directory");
  const base = descriptor.isRoot && !guest.knowsDirectory ? likely(guest, path) : descriptor.path;
  return bytesOfText(join(base, path));
}

/** Where a path below the preopen starts, for a program that does not know its directory. */
function likely(guest: Guest, path: string): string {
  const first = path.split("/", 1)[0]!;
  if (first === "") return "/";
  if (first === "." || first === "..") return directoryOf(guest);
  try {
    guest.tree.stat(ROOT, bytesOfText(`/${first}`), false);
    return "/";
  } catch {
    return directoryOf(guest);
  }
}

/** The working directory is one even after it was removed, so that a program can enter it. */
function statBelow(guest: Guest, descriptor: Descriptor, flags: number, path: string): FileStat {
  try {
    return guest.tree.stat(guest.caller(), place(guest, descriptor, path), (flags & FOLLOW) !== 0);
  } catch (thrown) {
    const gone = thrown instanceof Errno && thrown.code === "no-entry";
    if (!gone || !descriptor.isRoot || !guest.knowsDirectory || directoryOf(guest) !== `/${path}`) throw thrown;
    return { ...guest.tree.stat(ROOT, bytesOfText("/"), true), inode: 0xffff_ffff_ffff_ffffn, links: 0 };
  }
}

/** WASI has no time before 1970; such a one is unknown to the guest. */
const datetime = (time: Timestamp) => (time.seconds < 0n ? undefined : time);

const stat = (found: FileStat) => ({
  type: kind(found.kind),
  linkCount: BigInt(found.links),
  size: found.size,
  dataAccessTimestamp: datetime(found.accessed),
  dataModificationTimestamp: datetime(found.modified),
  statusChangeTimestamp: datetime(found.changed),
});

function newTime(time: { tag: string; val?: Timestamp }): NewTime {
  if (time.tag === "timestamp") return { tag: "at", val: time.val! };
  return { tag: time.tag === "now" ? "now" : "keep" };
}

function openAt(guest: Guest, descriptor: Descriptor, pathFlags: number, path: string, open: number, flags: number) {
  const isDirectory = (open & DIRECTORY) !== 0;
  if (isDirectory && (flags & WRITE) !== 0) throw errno("is-directory");
  const wanted =
    (flags & READ ? OPEN.read : 0) |
    (flags & WRITE ? OPEN.write : 0) |
    (open & CREATE ? OPEN.create : 0) |
    (open & EXCLUSIVE ? OPEN.exclusive : 0) |
    (open & TRUNCATE ? OPEN.truncate : 0) |
    (isDirectory ? OPEN.directory : 0) |
    (pathFlags & FOLLOW ? 0 : OPEN.noFollow);
  const full = place(guest, descriptor, path);
  const object = guest.ownObject(full, wanted, FILE_MODE);
  guest.remember(object);
  const directory = object.file?.kind === "directory" ? textOf(full) : undefined;
  const opened = new Descriptor(object, directory, flags);
  if (object.isMet()) return opened;
  // A named pipe opens when its other side does.
  return after(guest.wait(() => object.isMet(), [object.wakers]), () => opened);
}

function output(guest: Guest, descriptor: Descriptor, position: bigint | undefined) {
  const object = descriptor.stream();
  if (!object.file || !object.canSeek) return new ObjectOutput(guest, object);
  if ((descriptor.flags & WRITE) === 0) throw errno("bad-descriptor");
  return new FileOutput(guest, object.file, position, object);
}

function read(guest: Guest, descriptor: Descriptor, length: bigint, offset: bigint) {
  const object = descriptor.stream();
  const most = Number(length > BigInt(READ_BYTES) ? BigInt(READ_BYTES) : length);
  const again = (): unknown => {
    const bytes = object.file && object.canSeek ? object.file.readAt(offset, most) : object.read(most);
    if (bytes !== undefined) return [bytes, bytes.length === 0 && most > 0];
    return after(guest.wait(() => object.isReadable(), [object.wakers], { reads: object.pipe }), again);
  };
  return again();
}

function write(guest: Guest, descriptor: Descriptor, bytes: Uint8Array, offset: bigint) {
  const object = descriptor.stream();
  const again = (): unknown => {
    try {
      const count = object.file && object.canSeek ? object.file.writeAt(offset, bytes) : object.write(bytes);
      if (count !== undefined) return BigInt(count);
    } catch (thrown) {
      throw thrown instanceof Errno && thrown.code === "broken-pipe" ? brokenPipe() : thrown;
    }
    return after(guest.wait(() => object.isWritable(), [object.wakers], { writes: object.pipe }), again);
  };
  return again();
}

function readDirectory(guest: Guest, descriptor: Descriptor): Entries {
  if (descriptor.path === undefined) throw errno("not-directory");
  if (descriptor.object?.file) return new Entries(descriptor.object.file.readDirectory());
  // A program that does not know its directory means that by the preopen itself.
  return new Entries(guest.tree.readDirectory(guest.caller(), place(guest, descriptor, ".")));
}

const hash = ({ inode, device }: FileStat) => ({ lower: inode, upper: device });

const METHODS: Imports<Guest> = {
  "read-via-stream": (guest, descriptor: Descriptor, offset: bigint) => {
    const object = descriptor.stream();
    if (!object.file || !object.canSeek) return new ObjectInput(guest, object);
    if ((descriptor.flags & READ) === 0) throw errno("bad-descriptor");
    return new FileInput(guest, object.file, offset, object);
  },
  "write-via-stream": (guest, descriptor: Descriptor, offset: bigint) => output(guest, descriptor, offset),
  "append-via-stream": (guest, descriptor: Descriptor) => output(guest, descriptor, undefined),
  advise: (_, descriptor: Descriptor) => void descriptor.stream(),
  "sync-data": () => undefined,
  sync: () => undefined,
  "get-flags": (_, descriptor: Descriptor) => descriptor.flags,
  "get-type": (guest, descriptor: Descriptor) => kind(descriptor.stat(guest).kind),
  "set-size": (_, descriptor: Descriptor, size: bigint) => descriptor.stream().setSize(size),
  "set-times": (guest, descriptor: Descriptor, accessed: any, modified: any) => {
    const file = descriptor.object?.file;
    if (file) return file.setTimes(guest.caller(), newTime(accessed), newTime(modified));
    if (!descriptor.isRoot) throw errno("invalid");
    guest.tree.setTimes(guest.caller(), bytesOfText("/"), newTime(accessed), newTime(modified), true);
  },
  read,
  write,
  "read-directory": readDirectory,
  "create-directory-at": (guest, descriptor: Descriptor, path: string) =>
    guest.tree.makeDirectory(guest.caller(), place(guest, descriptor, path), DIRECTORY_MODE),
  stat: (guest, descriptor: Descriptor) => stat(descriptor.stat(guest)),
  "stat-at": (guest, descriptor: Descriptor, flags: number, path: string) => stat(statBelow(guest, descriptor, flags, path)),
  "set-times-at": (guest, descriptor: Descriptor, flags: number, path: string, accessed: any, modified: any) =>
    guest.tree.setTimes(guest.caller(), place(guest, descriptor, path), newTime(accessed), newTime(modified), (flags & FOLLOW) !== 0),
  "link-at": (guest, descriptor: Descriptor, flags: number, path: string, target: Descriptor, newPath: string) => {
    if ((flags & FOLLOW) !== 0) throw errno("invalid");
    guest.tree.link(guest.caller(), place(guest, descriptor, path), place(guest, target, newPath), false);
  },
  "open-at": openAt,
  "readlink-at": (guest, descriptor: Descriptor, path: string) =>
    textOf(guest.tree.readLink(guest.caller(), place(guest, descriptor, path))),
  "remove-directory-at": (guest, descriptor: Descriptor, path: string) =>
    guest.tree.removeDirectory(guest.caller(), place(guest, descriptor, path)),
  "rename-at": (guest, descriptor: Descriptor, path: string, target: Descriptor, newPath: string) =>
    guest.tree.rename(guest.caller(), place(guest, descriptor, path), place(guest, target, newPath)),
  "symlink-at": (guest, descriptor: Descriptor, target: string, path: string) =>
    guest.tree.symlink(guest.caller(), bytesOfText(target), place(guest, descriptor, path)),
  "unlink-file-at": (guest, descriptor: Descriptor, path: string) =>
    guest.tree.unlink(guest.caller(), place(guest, descriptor, path)),
  "is-same-object": (guest, one: Descriptor, other: Descriptor) => {
    const [first, second] = [one.stat(guest), other.stat(guest)];
    return first.device === second.device && first.inode === second.inode;
  },
  "metadata-hash": (guest, descriptor: Descriptor) => hash(descriptor.stat(guest)),
  "metadata-hash-at": (guest, descriptor: Descriptor, flags: number, path: string) =>
    hash(statBelow(guest, descriptor, flags, path)),
};

export const FILESYSTEM: Imports<Guest> = {
  ...Object.fromEntries(
    Object.entries(METHODS).map(([name, run]) => [`wasi:filesystem/types#[method]descriptor.${name}`, run]),
  ),
  "wasi:filesystem/types#[method]directory-entry-stream.read-directory-entry": (_, entries: Entries) => entries.next(),
  "wasi:filesystem/types#filesystem-error-code": (_, error: IoError) => wasiCode(error.code),
  "wasi:filesystem/preopens#get-directories": () => [[new Descriptor(undefined, "/", READ | MUTATE, true), "/"]],
};
