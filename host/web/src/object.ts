// Open objects: what descriptors refer to, shared by all their duplicates, also across processes.

import { Ended, errno, limited, signalled, type End } from "./errno.js";
import { Wakers } from "./signal.js";
import type { FileStat, TreeFile, Whence } from "./tree.js";

/** Bytes that a pipe holds. */
export const CAPACITY = 64 << 10;
/** Writes up to this length go in whole or not at all. */
const ATOMIC = 4096;
/** The device number that streams report. */
const DEVICE = 0xffn;

/** What pays for output that leaves the sandbox. */
export interface Meter {
  /** How much of so many bytes may be written. */
  grant(wanted: number): number;
  exceed(limit: string): void;
}

let streams = 1n;

/** Something that is open. Counted: what nobody refers to any more is closed. */
export abstract class OpenObject {
  references = 0;
  /** The inode number of what has none, which tells streams apart. */
  protected number = streams++;
  terminal = false;

  /** `wakers` wake whoever waits for reading or writing. */
  constructor(
    readonly wakers: Wakers = new Wakers(),
    /** The pipe, where it is an end of one. */
    readonly pipe?: Pipe,
    /** The file of the sandbox, where it is one. */
    readonly file?: TreeFile,
  ) {}

  retain(): this {
    this.references += 1;
    return this;
  }
  release(): void {
    if (--this.references === 0) this.close();
  }
  protected close(): void {}

  /** Bytes, none at the end; `undefined` where there is nothing yet. */
  read(_most: number): Uint8Array | undefined {
    throw errno("bad-descriptor");
  }
  /** How much was taken; `undefined` where there is no room. */
  write(_bytes: Uint8Array): number | undefined {
    throw errno("bad-descriptor");
  }
  isReadable(): boolean {
    return true;
  }
  isWritable(): boolean {
    return true;
  }
  isMet(): boolean {
    return true;
  }
  seek(_offset: bigint, _whence: Whence): bigint {
    throw errno("cannot-seek");
  }
  setSize(_size: bigint): void {
    throw errno("invalid");
  }
  /** Whether an offset means something. */
  get canSeek(): boolean {
    return false;
  }
  stat(): FileStat {
    const zero = { seconds: 0n, nanoseconds: 0 };
    const none = { links: 1, uid: 0, gid: 0, size: 0n, blocks: 0n };
    const times = { accessed: zero, modified: zero, changed: zero, created: zero };
    return { kind: this.kind, device: DEVICE, inode: this.number, mode: 0o600, ...none, ...times };
  }
  protected get kind(): FileStat["kind"] {
    return "fifo";
  }
}

/** What a program gets that asks for a stream whose descriptor is closed. */
export class Closed extends OpenObject {}

/** Swallows what is written; reads as empty. */
export class Null extends OpenObject {
  override read(): Uint8Array {
    return new Uint8Array();
  }
  override write(bytes: Uint8Array): number {
    return bytes.length;
  }
  override seek(): bigint {
    return 0n;
  }
  protected override get kind(): FileStat["kind"] {
    return "character-device";
  }
}

/** Standard input that was given as a whole. */
export class Bytes extends OpenObject {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {
    super();
  }
  override read(most: number): Uint8Array {
    const piece = this.bytes.slice(this.at, this.at + most);
    this.at += piece.length;
    return piece;
  }
  override seek(): bigint {
    return 0n;
  }
}

function metered(meter: Meter | undefined, bytes: Uint8Array, write: (bytes: Uint8Array) => number | undefined) {
  if (!meter) return write(bytes);
  const granted = meter.grant(bytes.length);
  if (granted === 0 && bytes.length > 0) {
    meter.exceed("output");
    throw errno("file-too-large");
  }
  const written = write(bytes.subarray(0, granted));
  meter.grant(-(granted - (written ?? 0)));
  if (granted < bytes.length && written === granted) meter.exceed("output");
  return written;
}

/** Collects output. */
export class Capture extends OpenObject {
  private pieces: Uint8Array[] = [];
  private length = 0;
  constructor(private readonly meter: Meter) {
    super();
  }
  override write(bytes: Uint8Array): number | undefined {
    return metered(this.meter, bytes, (bytes) => {
      if (bytes.length > 0) this.pieces.push(bytes.slice());
      this.length += bytes.length;
      return bytes.length;
    });
  }
  /** Everything so far. */
  all(): Uint8Array {
    if (this.pieces.length === 1) return this.pieces[0]!;
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    this.pieces = [all];
    return all;
  }
}

/** A bounded queue of bytes with counted ends. */
export class Pipe {
  private pieces: Uint8Array[] = [];
  private offset = 0;
  length = 0;
  capacity = CAPACITY;
  readers = 0;
  writers = 0;
  constructor(readonly wakers = new Wakers()) {}

  take(most: number): Uint8Array | undefined {
    if (this.length === 0) return this.writers === 0 || most === 0 ? new Uint8Array() : undefined;
    const taken = new Uint8Array(Math.min(most, this.length));
    let at = 0;
    while (at < taken.length) {
      const first = this.pieces[0]!;
      const part = first.subarray(this.offset, this.offset + taken.length - at);
      taken.set(part, at);
      at += part.length;
      this.offset += part.length;
      if (this.offset === first.length) {
        this.pieces.shift();
        this.offset = 0;
      }
    }
    this.length -= taken.length;
    this.wakers.wake();
    return taken;
  }

  put(bytes: Uint8Array): number | undefined {
    if (this.readers === 0) throw errno("broken-pipe");
    const room = this.capacity - this.length;
    if (bytes.length <= ATOMIC ? room < bytes.length : room <= 0) return undefined;
    const count = Math.min(bytes.length, room);
    if (count > 0) this.pieces.push(bytes.slice(0, count));
    this.length += count;
    this.wakers.wake();
    return count;
  }

  isReadable(): boolean {
    return this.length > 0 || this.writers === 0;
  }
  isWritable(): boolean {
    return this.readers === 0 || this.capacity - this.length >= ATOMIC;
  }
  forget(): void {
    this.pieces = [];
    this.offset = this.length = 0;
  }
}

/** The end of a pipe that is read. */
export class PipeReader extends OpenObject {
  constructor(private readonly from: Pipe) {
    super(from.wakers, from);
    from.readers += 1;
  }
  protected override close(): void {
    this.from.readers -= 1;
    if (this.from.readers === 0) this.from.forget();
    this.from.wakers.wake();
  }
  override read(most: number): Uint8Array | undefined {
    return this.from.take(most);
  }
  override isReadable(): boolean {
    return this.from.isReadable();
  }
}

/** The end of a pipe that is written. */
export class PipeWriter extends OpenObject {
  constructor(private readonly to: Pipe, private readonly meter?: Meter) {
    super(to.wakers, to);
    to.writers += 1;
  }
  protected override close(): void {
    this.to.writers -= 1;
    this.to.wakers.wake();
  }
  override write(bytes: Uint8Array): number | undefined {
    return metered(this.meter, bytes, (bytes) => this.to.put(bytes));
  }
  override isWritable(): boolean {
    return this.to.isWritable();
  }
}

/** What is typed on one side is read here, and what is written here is shown there. */
export class TerminalObject extends OpenObject {
  override terminal = true;
  /** The end of the input was typed, and nobody has seen it yet. */
  ended = false;
  readonly typed: Pipe;
  readonly shown: Pipe;
  constructor(private readonly meter: Meter) {
    const wakers = new Wakers();
    super(wakers);
    this.typed = new Pipe(wakers);
    this.shown = new Pipe(wakers);
    this.typed.readers += 1;
    this.shown.writers += 1;
  }
  protected override close(): void {
    this.typed.readers -= 1;
    this.typed.forget();
    this.shown.writers -= 1;
    this.wakers.wake();
  }
  override read(most: number): Uint8Array | undefined {
    if (!this.ended || this.typed.length > 0) return this.typed.take(most);
    this.ended = false;
    this.wakers.wake();
    return new Uint8Array();
  }
  override isReadable(): boolean {
    return this.ended || this.typed.isReadable();
  }
  override write(bytes: Uint8Array): number | undefined {
    return metered(this.meter, bytes, (bytes) => this.shown.put(bytes));
  }
  override isWritable(): boolean {
    return this.shown.isWritable();
  }
  protected override get kind(): FileStat["kind"] {
    return "character-device";
  }
}

/** Both ends of a new pipe. */
export function pipe(meter?: Meter): [PipeReader, PipeWriter] {
  const made = new Pipe();
  return [new PipeReader(made), new PipeWriter(made, meter)];
}

/** Woken at every use of a named pipe: these live in the trees, which wake nobody. */
const fifos = new Wakers();

/** A file of the sandbox. */
export class FileObject extends OpenObject {
  private readonly fifo: boolean;
  constructor(private readonly of: TreeFile) {
    super(of.special.tag === "fifo" ? fifos : undefined, undefined, of);
    this.fifo = of.special.tag === "fifo";
    if (this.fifo) fifos.wake();
  }
  protected override close(): void {
    this.of.drop();
    if (this.fifo) fifos.wake();
  }
  override get canSeek(): boolean {
    return this.of.kind === "regular";
  }
  override read(most: number): Uint8Array | undefined {
    return this.fifo ? this.pass(() => this.of.read(most)) : this.of.read(most);
  }
  override write(bytes: Uint8Array): number | undefined {
    return this.fifo ? this.pass(() => this.of.write(bytes)) : this.of.write(bytes);
  }
  /** What a named pipe gives or takes; nothing before its other side was there. */
  private pass<T>(run: () => T): T | undefined {
    if (!this.of.isMet()) return undefined;
    try {
      const passed = run();
      fifos.wake();
      return passed;
    } catch (thrown) {
      if (thrown === errno("again")) return undefined;
      throw thrown;
    }
  }
  override isReadable(): boolean {
    return !this.fifo || this.of.isReadable();
  }
  override isWritable(): boolean {
    return !this.fifo || this.of.isWritable();
  }
  override isMet(): boolean {
    return !this.fifo || this.of.isMet();
  }
  override seek(offset: bigint, whence: Whence): bigint {
    return this.of.seek(offset, whence);
  }
  override setSize(size: bigint): void {
    this.of.setSize(size);
  }
  override stat(): FileStat {
    return this.of.stat();
  }
}

/** The numbers by which a process knows its open objects; the lowest free one is given out first. */
export class Descriptors {
  private slots: (OpenObject | undefined)[] = [];
  private open = 0;
  constructor(private readonly most: number) {}

  insert(object: OpenObject): number {
    if (this.open >= this.most) {
      object.retain().release();
      throw errno("too-many-descriptors");
    }
    let number = this.slots.indexOf(undefined);
    if (number < 0) number = this.slots.length;
    this.slots[number] = object.retain();
    this.open += 1;
    return number;
  }
  put(number: number, object: OpenObject): void {
    if (number >= this.most * 4) throw errno("bad-descriptor");
    if (this.open >= this.most) throw errno("too-many-descriptors");
    while (this.slots.length <= number) this.slots.push(undefined);
    object.retain();
    const before = this.slots[number];
    this.slots[number] = object;
    if (before) before.release();
    else this.open += 1;
  }
  get(number: number): OpenObject {
    const object = this.slots[number];
    if (!object) throw errno("bad-descriptor");
    return object;
  }
  has(number: number): boolean {
    return this.slots[number] !== undefined;
  }
  close(number: number): void {
    const object = this.slots[number];
    if (!object) return;
    this.slots[number] = undefined;
    this.open -= 1;
    object.release();
  }
  /** Whether one of the objects is such a one. */
  some(test: (object: OpenObject) => boolean): boolean {
    return this.slots.some((object) => object !== undefined && test(object));
  }
  closeAll(): void {
    for (let number = 0; number < this.slots.length; number++) this.close(number);
  }
  numbers(): number[] {
    return this.slots.flatMap((object, number) => (object ? [number] : []));
  }
}

/** The end of a process that writes to a pipe without a reader. */
export const brokenPipe = (): Ended => new Ended(signalled(13) as End);
/** The end of a process at a limit. */
export const atLimit = (limit: string): Ended => new Ended(limited(limit));
