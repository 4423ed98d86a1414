// The trees of files: one instance of the component in `tree/` holds those of all sandboxes of an engine.

import { callable, GuestHandle, type Callable, type Outcome, type Signature } from "./abi.js";
import { Component, type Imports } from "./component.js";
import { errno } from "./errno.js";
import { randomBytes, randomNumber, wallClock, monotonic } from "./sources.js";
import { Sources, type Source } from "./source.js";
import { SIGNATURES } from "./signatures.js";
import type { StoredObject } from "./store/store.js";

const HOME = "offshoot:web/trees";

/** On whose behalf a call is made. */
export interface Caller {
  uid: number;
  gid: number;
  umask: number;
  /** The number of the process, for what looks different to each; 0 for the host. */
  process: number;
}

/** Root with an empty umask: what a tree is prepared with. */
export const ROOT: Caller = { uid: 0, gid: 0, umask: 0, process: 0 };

export interface Timestamp {
  seconds: bigint;
  nanoseconds: number;
}

export type FileKind = "regular" | "directory" | "symlink" | "fifo" | "character-device";

export interface FileStat {
  kind: FileKind;
  device: bigint;
  inode: bigint;
  mode: number;
  links: number;
  uid: number;
  gid: number;
  size: bigint;
  blocks: bigint;
  accessed: Timestamp;
  modified: Timestamp;
  changed: Timestamp;
  created: Timestamp;
}

export interface DirectoryEntry {
  name: Uint8Array;
  kind: FileKind;
  inode: bigint;
}

export type NewTime = { tag: "keep" | "now" } | { tag: "at"; val: Timestamp };
export type Whence = "start" | "current" | "end";
export type Special = { tag: "none" | "fifo" | "terminal" } | { tag: "descriptor"; val: number };

/** The flags of `open`, in the order of `wit/vfs.wit`. */
export const OPEN = { read: 1, write: 2, append: 4, create: 8, exclusive: 16, truncate: 32, directory: 64, noFollow: 128 };
/** The flags of `access`. */
export const ACCESS = { read: 1, write: 2, execute: 4 };

export interface Quotas {
  bytes: bigint;
  inodes: bigint;
  fileSize: bigint;
}

/** A path that differs. */
export interface TreeChange {
  path: Uint8Array;
  kind: "added" | "removed" | "modified";
}

/** What goes into a commit beside the files. */
export interface Capture {
  parent: string | undefined;
  settings: Uint8Array;
  sessions: { name: string; bytes: Uint8Array }[];
}

/** What a commit says. */
export interface CommitFacts {
  bytes: bigint;
  files: bigint;
  created: bigint;
  /** The state before it. */
  parent: string | undefined;
  label: string | undefined;
  settings: string | undefined;
  sessions: { name: string; id: string }[];
}

/** A commit with all that it leads to. */
export interface Container {
  name: string;
  epoch: bigint;
  commit: string;
  objects: StoredObject[];
}

type Raw = Omit<StoredObject, "id"> & { id: Uint8Array };
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
const raw = (object: StoredObject): Raw => ({ ...object, id: unhex(object.id) });
const stored = (object: Raw): StoredObject => ({ ...object, id: hex(object.id) });

/** Why an archive or a snapshot was not taken. */
export class Refused {
  constructor(readonly tag: "tree" | "corrupt" | "path-escape" | "too-new", readonly val?: string) {}
}

const sink = { write() {}, checkWrite: () => 1n << 20n };

/** What the component needs of its host: clocks, randomness, and somewhere for words about its own faults. */
const IMPORTS: Imports<undefined> = {
  "wasi:random/insecure-seed#insecure-seed": () => [randomNumber(), randomNumber()],
  "wasi:cli/environment#get-environment": () => [],
  "wasi:cli/exit#exit": () => {
    throw new Error("the component of the trees has exited");
  },
  "wasi:cli/stdin#get-stdin": () => sink,
  "wasi:cli/stdout#get-stdout": () => sink,
  "wasi:cli/stderr#get-stderr": () => sink,
  "wasi:cli/terminal-stdin#get-terminal-stdin": () => undefined,
  "wasi:cli/terminal-stdout#get-terminal-stdout": () => undefined,
  "wasi:cli/terminal-stderr#get-terminal-stderr": () => undefined,
  "wasi:io/poll#[method]pollable.block": () => undefined,
  "wasi:io/streams#[method]output-stream.check-write": () => 1n << 16n,
  "wasi:io/streams#[method]output-stream.write": () => undefined,
  "wasi:io/streams#[method]output-stream.blocking-flush": () => undefined,
  "wasi:io/streams#[method]output-stream.subscribe": () => sink,
  "wasi:clocks/monotonic-clock#now": () => monotonic(),
  "wasi:clocks/wall-clock#now": () => wallClock(),
  "wasi_snapshot_preview1#random_get": (_, component: Component<undefined>, at: number, length: number) => {
    component.bytes().set(randomBytes(length), at);
    return 0;
  },
};

/** The component. */
export class Trees {
  private readonly component: Component<undefined>;
  private readonly calls = new Map<string, Callable>();
  readonly sources = new Sources();
  private depth = 0;
  /** What left it in an unknown state; nothing is read or written any more then. */
  private fault: unknown;

  private constructor(module: WebAssembly.Module) {
    this.component = new Component(module, undefined, { ...IMPORTS, ...this.sources.imports }, HOME, false);
  }

  static async load(module: WebAssembly.Module): Promise<Trees> {
    const trees = new Trees(module);
    await trees.component.instantiate();
    return trees;
  }

  call(name: string, args: unknown[]): any {
    let call = this.calls.get(name);
    if (!call) {
      const signature = (SIGNATURES as unknown as Record<string, Record<string, Signature>>)[HOME]![name]!;
      this.calls.set(name, (call = callable(signature)));
    }
    if (this.fault !== undefined) throw new Error(`the component of the files has ended: ${this.fault}`);
    if (this.depth > 0) throw new Error("a mounted file system must not use a sandbox");
    let value: unknown;
    this.depth += 1;
    try {
      value = this.component.invoke(name, call, args);
    } catch (thrown) {
      this.fault = thrown;
      throw thrown;
    } finally {
      this.depth -= 1;
    }
    if (!call.fallible) return value;
    const { ok, val } = value as Outcome;
    if (ok) return val;
    if (typeof val === "string") throw errno(val);
    const { tag, val: inner } = val as { tag: Refused["tag"]; val?: string };
    throw tag === "tree" ? errno(inner!) : new Refused(tag);
  }

  drop(resource: "tree" | "file", handle: GuestHandle, views?: { number: number }): void {
    if (views) this.sources.remove(views.number);
    if (this.fault === undefined) this.component.release(resource, handle);
  }

  /** Bytes of memory that the trees of all sandboxes take. */
  get memory(): number {
    return this.component.size;
  }

  create(quotas: Quotas): Tree {
    return new Tree(this, this.call("[constructor]tree", [quotas]));
  }

  load(bytes: Uint8Array, quotas: Quotas): Tree {
    return new Tree(this, this.call("[static]tree.load", [bytes, quotas]));
  }

  /** A tree from all objects of a commit. */
  checkout(commit: string, objects: StoredObject[], quotas: Quotas): Tree {
    return new Tree(this, this.call("[static]tree.checkout", [unhex(commit), objects.map(raw), quotas]));
  }
  /** What an object leads to; the object is checked. */
  links(object: StoredObject): string[] {
    return this.call("[static]tree.links", [raw(object)]).map(hex);
  }
  facts(commit: StoredObject): CommitFacts {
    const { parent, settings, sessions, ...facts } = this.call("[static]tree.facts", [raw(commit)]);
    const named = ({ name, id }: { name: string; id: Uint8Array }) => ({ name, id: hex(id) });
    return { ...facts, parent: parent && hex(parent), settings: settings && hex(settings), sessions: sessions.map(named) };
  }
  /** A commit of the state of one behind another. */
  restored(commit: StoredObject, before: string, label: string, created: number): StoredObject {
    return stored(this.call("[static]tree.restored", [raw(commit), unhex(before), label, BigInt(created)]));
  }
  pack({ name, epoch, commit, objects }: Container): Uint8Array {
    return this.call("[static]tree.pack", [{ name, epoch, commit: unhex(commit), objects: objects.map(raw) }]);
  }
  unpack(bytes: Uint8Array, quotas: Quotas): Container {
    const { commit, objects, ...rest } = this.call("[static]tree.unpack", [bytes, quotas]);
    return { ...rest, commit: hex(commit), objects: objects.map(stored) };
  }
}

const abandoned = new FinalizationRegistry<[Trees, "tree" | "file", GuestHandle, { number: number }?]>(
  ([trees, resource, handle, views]) => trees.drop(resource, handle, views),
);

/** A live tree of files. */
export class Tree {
  /** The number of the source that its views are. */
  private readonly views = { number: 0 };
  constructor(private readonly trees: Trees, private readonly handle: GuestHandle) {
    abandoned.register(this, [trees, "tree", handle, this.views], this);
  }
  private call(name: string, ...args: unknown[]): any {
    return this.trees.call(`[method]tree.${name}`, [this.handle, ...args]);
  }
  /** Frees it now instead of when it is collected. */
  drop(): void {
    if (!abandoned.unregister(this)) return;
    this.trees.drop("tree", this.handle, this.views);
  }
  /** Says what the mounts of views show; it is not kept alive by that. */
  setViews(source: Source): void {
    this.trees.sources.remove(this.views.number);
    this.call("set-views", (this.views.number = this.trees.sources.add(source, true)));
  }
  mountViews(path: Uint8Array): void {
    this.call("mount-views", path);
  }
  mountDescriptors(path: Uint8Array): void {
    this.call("mount-descriptors", path);
  }
  /** Puts a source on a directory; what is written stays in memory. */
  mount(path: Uint8Array, source: Source, writable: boolean, { uid, gid }: { uid: number; gid: number }): void {
    this.call("mount", path, this.trees.sources.add(source), writable, uid, gid);
  }
  fork(): Tree {
    return new Tree(this.trees, this.call("fork"));
  }
  setQuotas(quotas: Quotas): void {
    this.call("set-quotas", quotas);
  }
  quotas(): Quotas {
    return this.call("quotas");
  }
  usage(): { bytes: bigint; inodes: bigint } {
    return this.call("usage");
  }
  makeDevices(path: Uint8Array): void {
    this.call("make-devices", path);
  }
  open(caller: Caller, path: Uint8Array, flags: number, mode: number): TreeFile {
    return new TreeFile(this.trees, this.call("open", caller, path, flags, mode));
  }
  stat(caller: Caller, path: Uint8Array, follow: boolean): FileStat {
    return this.call("stat", caller, path, follow);
  }
  access(caller: Caller, path: Uint8Array, mode: number): void {
    this.call("access", caller, path, mode);
  }
  readDirectory(caller: Caller, path: Uint8Array): DirectoryEntry[] {
    return this.call("read-directory", caller, path);
  }
  readLink(caller: Caller, path: Uint8Array): Uint8Array {
    return this.call("read-link", caller, path);
  }
  canonicalize(caller: Caller, path: Uint8Array): Uint8Array {
    return this.call("canonicalize", caller, path);
  }
  makeDirectory(caller: Caller, path: Uint8Array, mode: number): void {
    this.call("make-directory", caller, path, mode);
  }
  makeDirectories(caller: Caller, path: Uint8Array, mode: number): void {
    this.call("make-directories", caller, path, mode);
  }
  makeFifo(caller: Caller, path: Uint8Array, mode: number): void {
    this.call("make-fifo", caller, path, mode);
  }
  symlink(caller: Caller, target: Uint8Array, path: Uint8Array): void {
    this.call("symlink", caller, target, path);
  }
  link(caller: Caller, existing: Uint8Array, path: Uint8Array, follow: boolean): void {
    this.call("link", caller, existing, path, follow);
  }
  rename(caller: Caller, source: Uint8Array, target: Uint8Array): void {
    this.call("rename", caller, source, target);
  }
  copy(caller: Caller, source: Uint8Array, target: Uint8Array): void {
    this.call("copy", caller, source, target);
  }
  unlink(caller: Caller, path: Uint8Array): void {
    this.call("unlink", caller, path);
  }
  removeDirectory(caller: Caller, path: Uint8Array): void {
    this.call("remove-directory", caller, path);
  }
  removeTree(caller: Caller, path: Uint8Array): void {
    this.call("remove-tree", caller, path);
  }
  setMode(caller: Caller, path: Uint8Array, mode: number): void {
    this.call("set-mode", caller, path, mode);
  }
  setOwner(caller: Caller, path: Uint8Array, uid: number | undefined, gid: number | undefined, follow: boolean): void {
    this.call("set-owner", caller, path, uid, gid, follow);
  }
  setTimes(caller: Caller, path: Uint8Array, accessed: NewTime, modified: NewTime, follow: boolean): void {
    this.call("set-times", caller, path, accessed, modified, follow);
  }
  statFilesystem(caller: Caller, path: Uint8Array): unknown {
    return this.call("stat-filesystem", caller, path);
  }
  readFile(caller: Caller, path: Uint8Array): Uint8Array {
    return this.call("read-file", caller, path);
  }
  writeFile(caller: Caller, path: Uint8Array, content: Uint8Array, mode: number): void {
    this.call("write-file", caller, path, content, mode);
  }
  diff(after: Tree): TreeChange[] {
    return this.call("diff", after.handle);
  }
  /** Makes the changes from `base` to `theirs` here as well, all or, with conflicts, none. */
  merge(base: Tree, theirs: Tree): { changes: TreeChange[]; conflicts: Uint8Array[] } {
    return this.call("merge", base.handle, theirs.handle);
  }
  exportTar(path: Uint8Array): Uint8Array {
    return this.call("export-tar", path);
  }
  importTar(path: Uint8Array, archive: Uint8Array): void {
    this.call("import-tar", path, archive);
  }
  save(): Uint8Array {
    return this.call("save");
  }
  /** The objects that a commit of it adds to those that it was read from and stored as; the commit is the last. */
  commit({ parent, settings, sessions }: Capture, engine: string, created: number): StoredObject[] {
    const capture = { parent: parent && unhex(parent), settings, sessions, engine, created: BigInt(created) };
    return this.call("commit", capture).map(stored);
  }
  /** What the last commit added was not stored. */
  forget(): void {
    this.call("forget");
  }
}

/** An open file. */
export class TreeFile {
  readonly kind: FileKind;
  readonly special: Special;
  constructor(private readonly trees: Trees, private readonly handle: GuestHandle) {
    this.kind = this.call("kind");
    this.special = this.kind === "regular" || this.kind === "directory" ? { tag: "none" } : this.call("special");
    abandoned.register(this, [trees, "file", handle], this);
  }
  private call(name: string, ...args: unknown[]): any {
    return this.trees.call(`[method]file.${name}`, [this.handle, ...args]);
  }
  drop(): void {
    if (!abandoned.unregister(this)) return;
    this.trees.drop("file", this.handle);
  }
  read(most: number): Uint8Array {
    return this.call("read", most);
  }
  readAt(position: bigint, most: number): Uint8Array {
    return this.call("read-at", position, most);
  }
  write(bytes: Uint8Array): number {
    return this.call("write", bytes);
  }
  writeAt(position: bigint, bytes: Uint8Array): number {
    return this.call("write-at", position, bytes);
  }
  append(bytes: Uint8Array): number {
    return this.call("append", bytes);
  }
  seek(offset: bigint, whence: Whence): bigint {
    return this.call("seek", offset, whence);
  }
  stat(): FileStat {
    return this.call("stat");
  }
  setSize(size: bigint): void {
    this.call("set-size", size);
  }
  setTimes(caller: Caller, accessed: NewTime, modified: NewTime): void {
    this.call("set-times", caller, accessed, modified);
  }
  readDirectory(): DirectoryEntry[] {
    return this.call("read-directory");
  }
  isReadable(): boolean {
    return this.call("is-readable");
  }
  isWritable(): boolean {
    return this.call("is-writable");
  }
  isMet(): boolean {
    return this.call("is-met");
  }
}
