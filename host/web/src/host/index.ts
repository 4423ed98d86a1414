// Everything that guests can import. What is not here they cannot reach: sockets lead to the sandbox itself alone, and no
// file of the host is among the files.

import type { Component, Imports } from "../component.js";
import type { Guest } from "../kernel.js";
import { CLI } from "./cli.js";
import { CLOCKS } from "./clocks.js";
import { FILESYSTEM } from "./filesystem.js";
import { PROCESSES } from "./processes.js";
import { SOCKETS } from "./sockets.js";
import { STREAMS } from "./streams.js";
import { VFS } from "./vfs.js";

const RANDOM: Imports<Guest> = {
  "wasi:random/random#get-random-bytes": (guest, length: bigint) => guest.kernel.sources.bytes(checked(length)),
  "wasi:random/random#get-random-u64": (guest) => number(guest),
  "wasi:random/insecure#get-insecure-random-bytes": (guest, length: bigint) => guest.kernel.sources.bytes(checked(length)),
  "wasi:random/insecure#get-insecure-random-u64": (guest) => number(guest),
  "wasi:random/insecure-seed#insecure-seed": (guest) => [number(guest), number(guest)],
  "wasi_snapshot_preview1#random_get": (guest, component: Component<Guest>, at: number, length: number) => {
    component.bytes().set(guest.kernel.sources.bytes(length), at);
    return 0;
  },
};

/** Random bytes that one call gives. */
const MOST = 1n << 20n;

function checked(length: bigint): number {
  if (length > MOST) throw new RangeError("more than 1 MiB of random bytes in one call");
  return Number(length);
}

function number(guest: Guest): bigint {
  const bytes = guest.kernel.sources.bytes(8);
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

export const IMPORTS: Imports<Guest> = {
  ...CLI,
  ...CLOCKS,
  ...FILESYSTEM,
  ...PROCESSES,
  ...RANDOM,
  ...SOCKETS,
  ...STREAMS,
  ...VFS,
};
