// `wasi:io`: streams over open objects and files, and what waits for them.

import type { Imports } from "../component.js";
import { Errno, StreamFailure, errno } from "../errno.js";
import type { Guest, Need } from "../kernel.js";
import { brokenPipe, type OpenObject } from "../object.js";
import type { TreeFile } from "../tree.js";
import type { Wakers } from "../signal.js";

/** Bytes that one read gives at most. */
const READ_BYTES = 64 << 10;
/** Bytes that one write may have. */
const WRITE_BYTES = 64 << 10;
const ZEROES = new Uint8Array(WRITE_BYTES);
const NONE = new Uint8Array();

/** `pollable`. */
export class Pollable {
  constructor(
    readonly ready: () => boolean,
    readonly wakers: Wakers[],
    /** On the clock of `performance`. */
    readonly deadline?: number,
    /** Who has to run for that. */
    readonly need?: Need,
  ) {}
}

/** `error`. */
export class IoError {
  constructor(readonly code: string) {}
}

/** What a failed read or write is to a stream. */
function failed(guest: Guest, thrown: unknown): unknown {
  if (!(thrown instanceof Errno)) return thrown;
  guest.streamFailure = thrown.code;
  if (thrown.code === "broken-pipe") return brokenPipe();
  return new StreamFailure("last-operation-failed", new IoError(thrown.code));
}

/** `input-stream`. */
export interface Input {
  /** None where there is nothing yet; throws `closed` at the end. */
  read(most: number): Uint8Array;
  ready(): boolean;
  wakers: Wakers[];
  need: Need | undefined;
  drop?(): void;
}

export class ObjectInput implements Input {
  readonly wakers: Wakers[];
  readonly need: Need;
  constructor(private readonly guest: Guest, private readonly object: OpenObject) {
    object.retain();
    this.need = { reads: object.pipe };
    this.wakers = [object.wakers];
  }
  drop(): void {
    this.object.release();
  }
  ready(): boolean {
    return this.object.isReadable();
  }
  read(most: number): Uint8Array {
    if (most === 0) return NONE;
    let bytes: Uint8Array | undefined;
    try {
      bytes = this.object.read(Math.min(most, READ_BYTES));
    } catch (thrown) {
      throw failed(this.guest, thrown);
    }
    if (bytes === undefined) return NONE;
    if (bytes.length === 0) throw new StreamFailure("closed");
    return bytes;
  }
}

/** Reads a file from a position of its own. */
export class FileInput implements Input {
  readonly wakers: Wakers[] = [];
  readonly need = undefined;
  constructor(private readonly guest: Guest, private readonly file: TreeFile, private position: bigint, private readonly object: OpenObject) {
    object.retain();
  }
  drop(): void {
    this.object.release();
  }
  ready(): boolean {
    return true;
  }
  read(most: number): Uint8Array {
    if (most === 0) return NONE;
    let bytes: Uint8Array;
    try {
      bytes = this.file.readAt(this.position, Math.min(most, READ_BYTES));
    } catch (thrown) {
      throw failed(this.guest, thrown);
    }
    if (bytes.length === 0) throw new StreamFailure("closed");
    this.position += BigInt(bytes.length);
    return bytes;
  }
}

/** `output-stream`. What a pipe had no room for is kept, and nothing more is taken until that is written. */
export abstract class Output {
  private kept: Uint8Array = NONE;
  private failure: unknown;
  constructor(protected readonly guest: Guest) {}
  abstract readonly wakers: Wakers[];
  abstract readonly need: Need | undefined;
  /** How much was taken; `undefined` where there is no room. */
  protected abstract put(bytes: Uint8Array): number | undefined;

  push(): void {
    while (this.kept.length > 0) {
      try {
        const count = this.put(this.kept);
        if (count === undefined) return;
        if (count === 0) throw errno("no-space");
        this.kept = this.kept.subarray(count);
      } catch (thrown) {
        this.kept = NONE;
        this.failure = failed(this.guest, thrown);
      }
    }
  }
  check(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
  /** Whether everything is written, or never will be. */
  ready(): boolean {
    this.push();
    return this.kept.length === 0;
  }
  room(): bigint {
    this.push();
    this.check();
    return this.kept.length === 0 ? BigInt(WRITE_BYTES) : 0n;
  }
  write(bytes: Uint8Array): void {
    this.check();
    if (this.kept.length > 0 || bytes.length > WRITE_BYTES) throw new TypeError("a write without a permit");
    this.kept = bytes;
    this.push();
    this.check();
  }
}

export class ObjectOutput extends Output {
  readonly wakers: Wakers[];
  readonly need: Need;
  constructor(guest: Guest, private readonly object: OpenObject) {
    super(guest);
    object.retain();
    this.need = { writes: object.pipe };
    this.wakers = [object.wakers];
  }
  drop(): void {
    this.push();
    this.object.release();
  }
  protected put(bytes: Uint8Array): number | undefined {
    return this.object.write(bytes);
  }
}

/** Writes a file from a position of its own, or at its end. */
export class FileOutput extends Output {
  readonly wakers: Wakers[] = [];
  readonly need = undefined;
  constructor(guest: Guest, private readonly file: TreeFile, private position: bigint | undefined, private readonly object: OpenObject) {
    super(guest);
    object.retain();
  }
  drop(): void {
    this.object.release();
  }
  protected put(bytes: Uint8Array): number {
    if (this.position === undefined) return this.file.append(bytes);
    const count = this.file.writeAt(this.position, bytes);
    this.position += BigInt(count);
    return count;
  }
}

/** `use` after what may have been waited for. */
export function after<T>(waited: void | Promise<void>, use: () => T): T | Promise<T> {
  return waited instanceof Promise ? waited.then(use) : use();
}

/** Waits until everything that was written has gone. */
function flushed(guest: Guest, stream: Output): void | Promise<void> {
  const waited = guest.wait(() => stream.ready(), stream.wakers, stream.need);
  return after(waited, () => stream.check());
}

function blockingRead(guest: Guest, stream: Input, length: bigint): Uint8Array | Promise<Uint8Array> {
  const most = Number(length > BigInt(READ_BYTES) ? BigInt(READ_BYTES) : length);
  const again = (): Uint8Array | Promise<Uint8Array> => {
    const bytes = stream.read(most);
    if (bytes.length > 0 || most === 0) return bytes;
    // Another reader of the same pipe may take what made this one ready, any number of times.
    const waited = guest.wait(() => stream.ready(), stream.wakers, stream.need);
    return after<Uint8Array | Promise<Uint8Array>>(waited, again) as Uint8Array | Promise<Uint8Array>;
  };
  return again();
}

/** Moves what is there and what there is room for. */
function splice(to: Output, from: Input, length: bigint): bigint {
  const bytes = from.read(Math.min(short(length), Number(to.room())));
  if (bytes.length > 0) to.write(bytes);
  return BigInt(bytes.length);
}

const short = (length: bigint) => Number(length > BigInt(READ_BYTES) ? BigInt(READ_BYTES) : length);

export const STREAMS: Imports<Guest> = {
  "wasi:io/error#[method]error.to-debug-string": (_, error: IoError) => error.code,
  "wasi:io/poll#[method]pollable.ready": (_, one: Pollable) => one.ready(),
  "wasi:io/poll#[method]pollable.block": (guest, one: Pollable) => guest.wait(one.ready, one.wakers, one.need, one.deadline),
  "wasi:io/poll#poll": (guest, all: Pollable[]) => {
    const first = Math.min(...all.map(({ deadline }) => deadline ?? Infinity));
    const ready = () => all.some((one) => one.ready());
    const wakers = all.flatMap((one) => one.wakers);
    const need = all.find((one) => one.need)?.need;
    const waited = guest.wait(ready, wakers, need, first === Infinity ? undefined : first);
    return after(waited, () => all.flatMap((one, n) => (one.ready() ? [n] : [])));
  },
  "wasi:io/streams#[method]input-stream.read": (_, stream: Input, length: bigint) => stream.read(short(length)),
  "wasi:io/streams#[method]input-stream.blocking-read": (guest, stream: Input, length: bigint) => blockingRead(guest, stream, length),
  "wasi:io/streams#[method]input-stream.skip": (_, stream: Input, length: bigint) => BigInt(stream.read(short(length)).length),
  "wasi:io/streams#[method]input-stream.blocking-skip": (guest, stream: Input, length: bigint) => {
    const bytes = blockingRead(guest, stream, length);
    return bytes instanceof Promise ? bytes.then(({ length }) => BigInt(length)) : BigInt(bytes.length);
  },
  "wasi:io/streams#[method]input-stream.subscribe": (_, stream: Input) => new Pollable(() => stream.ready(), stream.wakers, undefined, stream.need),
  "wasi:io/streams#[method]output-stream.check-write": (_, stream: Output) => stream.room(),
  "wasi:io/streams#[method]output-stream.write": (_, stream: Output, bytes: Uint8Array) => stream.write(bytes),
  "wasi:io/streams#[method]output-stream.write-zeroes": (_, stream: Output, length: bigint) => stream.write(ZEROES.subarray(0, Number(length))),
  "wasi:io/streams#[method]output-stream.flush": (_, stream: Output) => {
    stream.push();
    stream.check();
  },
  "wasi:io/streams#[method]output-stream.blocking-flush": (guest, stream: Output) => flushed(guest, stream),
  "wasi:io/streams#[method]output-stream.blocking-write-and-flush": (guest, stream: Output, bytes: Uint8Array) => {
    const waited = guest.wait(() => stream.ready(), stream.wakers, stream.need);
    return after<void | Promise<void>>(waited, () => {
      stream.write(bytes);
      return flushed(guest, stream);
    });
  },
  "wasi:io/streams#[method]output-stream.blocking-write-zeroes-and-flush": (guest, stream: Output, length: bigint) => {
    stream.write(ZEROES.subarray(0, Number(length)));
    return flushed(guest, stream);
  },
  "wasi:io/streams#[method]output-stream.splice": (_, stream: Output, from: Input, length: bigint) => splice(stream, from, length),
  "wasi:io/streams#[method]output-stream.blocking-splice": (guest, stream: Output, from: Input, length: bigint) => {
    const ready = () => stream.ready() && from.ready();
    return after(guest.wait(ready, [...stream.wakers, ...from.wakers], stream.need), () => splice(stream, from, length));
  },
  "wasi:io/streams#[method]output-stream.subscribe": (_, stream: Output) =>
    new Pollable(() => stream.ready(), stream.wakers, undefined, stream.need),
};
