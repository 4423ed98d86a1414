// `offshoot:sandbox/vfs`: the files with everything that POSIX knows about them. Nothing here waits.

import type { Imports } from "../component.js";
import { Errno, errno } from "../errno.js";
import type { Guest } from "../kernel.js";
import { brokenPipe, type OpenObject } from "../object.js";
import type { NewTime, Whence } from "../tree.js";

const READ_BYTES = 64 << 10;

function write(guest: Guest, descriptor: number, bytes: Uint8Array): number {
  let count: number | undefined;
  try {
    count = guest.descriptors.get(descriptor).write(bytes);
  } catch (thrown) {
    const isPipe = thrown instanceof Errno && thrown.code === "broken-pipe";
    throw isPipe && !guest.entry.handles ? brokenPipe() : thrown;
  }
  if (count === undefined) throw errno("again");
  return count;
}

/** Locks the file behind a descriptor, as `flock` does. */
function lock(guest: Guest, descriptor: number, mode: "shared" | "exclusive" | "none"): void {
  const object = guest.descriptors.get(descriptor);
  const { device, inode } = object.stat();
  const key = `${device}:${inode}`;
  const { locks } = guest.kernel;
  const held = locks.get(key);
  const others = [...(held?.holders ?? [])].filter((other: OpenObject) => other !== object && other.references > 0);
  if (mode === "none") {
    held?.holders.delete(object);
    if (others.length === 0) locks.delete(key);
    return;
  }
  const exclusive = mode === "exclusive";
  if (others.length > 0 && (exclusive || held!.exclusive)) throw errno("again");
  locks.set(key, { exclusive, holders: new Set([...others, object]) });
}

export const VFS: Imports<Guest> = {
  "offshoot:sandbox/vfs#open": (guest, path: Uint8Array, flags: number, mode: number) =>
    guest.descriptors.insert(guest.ownObject(path, flags, mode)),
  "offshoot:sandbox/vfs#close": (guest, descriptor: number) => guest.descriptors.close(descriptor),
  "offshoot:sandbox/vfs#duplicate": (guest, descriptor: number) => guest.descriptors.insert(guest.descriptors.get(descriptor)),
  "offshoot:sandbox/vfs#read": (guest, descriptor: number, most: number) => {
    const bytes = guest.descriptors.get(descriptor).read(Math.min(most, READ_BYTES));
    if (bytes === undefined) throw errno("again");
    return bytes;
  },
  "offshoot:sandbox/vfs#write": write,
  "offshoot:sandbox/vfs#seek": (guest, descriptor: number, offset: bigint, whence: Whence) =>
    guest.descriptors.get(descriptor).seek(offset, whence),
  "offshoot:sandbox/vfs#stat-descriptor": (guest, descriptor: number) => guest.descriptors.get(descriptor).stat(),
  "offshoot:sandbox/vfs#is-terminal": (guest, descriptor: number) => guest.descriptor(descriptor)?.terminal ?? false,
  // What is typed here comes by lines, and nobody sees how wide it is.
  "offshoot:sandbox/vfs#get-terminal": () => {
    throw errno("not-supported");
  },
  "offshoot:sandbox/vfs#set-terminal": () => {
    throw errno("not-supported");
  },
  "offshoot:sandbox/vfs#set-size": (guest, descriptor: number, size: bigint) => guest.descriptors.get(descriptor).setSize(size),
  "offshoot:sandbox/vfs#lock": lock,
  "offshoot:sandbox/vfs#stat": (guest, path: Uint8Array, follow: boolean) => {
    const found = guest.tree.stat(guest.caller(), path, follow);
    if (found.kind !== "character-device") return found;
    return asOpened(guest, path) ?? found;
  },
  "offshoot:sandbox/vfs#access": (guest, path: Uint8Array, mode: number) => guest.tree.access(guest.caller(), path, mode),
  "offshoot:sandbox/vfs#read-directory": (guest, path: Uint8Array) => guest.tree.readDirectory(guest.caller(), path),
  "offshoot:sandbox/vfs#read-link": (guest, path: Uint8Array) => guest.tree.readLink(guest.caller(), path),
  "offshoot:sandbox/vfs#canonicalize": (guest, path: Uint8Array) => guest.tree.canonicalize(guest.caller(), path),
  "offshoot:sandbox/vfs#make-directory": (guest, path: Uint8Array, mode: number) => guest.tree.makeDirectory(guest.caller(), path, mode),
  "offshoot:sandbox/vfs#make-fifo": (guest, path: Uint8Array, mode: number) => guest.tree.makeFifo(guest.caller(), path, mode),
  "offshoot:sandbox/vfs#symlink": (guest, target: Uint8Array, path: Uint8Array) => guest.tree.symlink(guest.caller(), target, path),
  "offshoot:sandbox/vfs#link": (guest, existing: Uint8Array, path: Uint8Array, follow: boolean) =>
    guest.tree.link(guest.caller(), existing, path, follow),
  "offshoot:sandbox/vfs#rename": (guest, old: Uint8Array, path: Uint8Array) => guest.tree.rename(guest.caller(), old, path),
  "offshoot:sandbox/vfs#unlink": (guest, path: Uint8Array) => guest.tree.unlink(guest.caller(), path),
  "offshoot:sandbox/vfs#remove-directory": (guest, path: Uint8Array) => guest.tree.removeDirectory(guest.caller(), path),
  "offshoot:sandbox/vfs#set-mode": (guest, path: Uint8Array, mode: number) => guest.tree.setMode(guest.caller(), path, mode),
  "offshoot:sandbox/vfs#set-owner": (guest, path: Uint8Array, uid: number | undefined, gid: number | undefined, follow: boolean) =>
    guest.tree.setOwner(guest.caller(), path, uid, gid, follow),
  "offshoot:sandbox/vfs#set-times": (guest, path: Uint8Array, accessed: NewTime, modified: NewTime, follow: boolean) =>
    guest.tree.setTimes(guest.caller(), path, accessed, modified, follow),
  "offshoot:sandbox/vfs#stat-filesystem": (guest, path: Uint8Array) => guest.tree.statFilesystem(guest.caller(), path),
  "offshoot:sandbox/vfs#stream-failure": (guest) => guest.streamFailure,
};

/** `/dev/stdin` and `/dev/fd/N` are what they stand for in this process. */
function asOpened(guest: Guest, path: Uint8Array) {
  const name = new TextDecoder().decode(path);
  const number = /^\/dev\/fd\/(\d+)$/.exec(name)?.[1] ?? { "/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2 }[name];
  return number === undefined ? undefined : guest.descriptor(Number(number))?.stat();
}
