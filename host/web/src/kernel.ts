// The kernel of one sandbox: files, processes, and how guests wait.

import { Component, CAN_SUSPEND, type Code } from "./component.js";
import type { Engine } from "./engine.js";
import { Ended, errno, exited, limited, signalled, statusOf, type End } from "./errno.js";
import { IMPORTS } from "./host/index.js";
import { Loopback, resolve, type Connection } from "./loopback.js";
import { Descriptors, FileObject, Null, PipeReader, PipeWriter, type OpenObject, type Pipe, atLimit } from "./object.js";
import { Entry, Group, Table } from "./process.js";
import { Proc } from "./proc.js";
import { breathe, isLong, sleepNow, woken, type Wakers } from "./signal.js";
import type { Sources } from "./sources.js";
import { runShell, runShellNow } from "./shell.js";
import { ACCESS, OPEN, type Caller, type Tree } from "./tree.js";

/** What a sandbox may use. */
export interface KernelLimits {
  /** Bytes of memory of one process. */
  memory: number;
  /** Bytes of memory of all processes. */
  totalMemory: number;
  processes: number;
  openFiles: number;
  output: number;
  timeMs: number | undefined;
  /** Instructions of the shell; 0 for no limit. */
  steps: bigint;
}

export interface Identity {
  uid: number;
  gid: number;
  user: string;
  group: string;
  hostname: string;
}

/** Something that runs as a process. */
export type Program =
  | { kind: "component"; component: string }
  | { kind: "shell" }
  | { kind: "function"; run: (call: FunctionCall) => Promise<number> };

/** What a program that is a function of the host is given. */
export interface FunctionCall {
  arguments: Uint8Array[];
  environment: [Uint8Array, Uint8Array][];
  directory: Uint8Array;
  /** Reads to the end of standard input, so many bytes at most. */
  input(most: number): Promise<Uint8Array>;
  output(descriptor: 1 | 2, bytes: Uint8Array): Promise<void>;
  /** Aborted when the process has to end. */
  signal: AbortSignal;
  /** What follows is done as the process, with names as it would write them. */
  read(name: string): Uint8Array;
  write(name: string, bytes: Uint8Array, append: boolean): void;
  exists(name: string): boolean;
  makeParents(name: string): void;
  /** A connection with who listens in the sandbox. */
  connect(host: string, port: number): Connection;
}

/** What a process starts with. */
export interface Startup {
  arguments: Uint8Array[];
  environment: [Uint8Array, Uint8Array][];
  directory: Uint8Array;
  umask: number;
}

/** Bytes of arguments and environment together. */
const ARGUMENTS = 2 << 20;
/** Interpreters of interpreters. */
const INTERPRETERS = 5;
/** Bytes that a pipe takes before its writer ends, where nobody can be suspended. */
const SPILL = 64 << 20;
const HEAD = 256;
/** Calls of the host between two looks at the clock. */
const CALLS = 64;
/** Questions of a guest that computes until it waits whatever the clock says: in a Worker the clock waits for that. */
const ASKED = 64;
const MARKER = "\x7fOFFSHOOT program ";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (string: string) => new TextEncoder().encode(string);

/** A shell that is being driven, which can be driven on from within a guest that waits. */
export interface Driven {
  /** Goes on where something has happened that it waits for; whether it did. */
  pump(): boolean;
}

/** What a guest waits for, where another process has to run for that. */
export type Need = { reads: Pipe | undefined } | { writes: Pipe | undefined } | { child: Entry };

/** A process that nobody has started yet. */
interface Waiting {
  guest: Guest;
  run: () => void | Promise<void>;
  /** The same within a turn, where it can be. */
  runNow: (() => void) | undefined;
  /** The module that it needs. */
  component: string | undefined;
}

export class Kernel {
  readonly table: Table;
  readonly locks = new Map<string, { exclusive: boolean; holders: Set<OpenObject> }>();
  /** Processes that nobody has started yet, where one runs after the other. */
  private readonly waiting: Waiting[] = [];
  readonly driven = new Set<Driven>();
  readonly loopback = new Loopback();
  readonly sources: Sources;
  /** What `/proc` shows; none before the first process. */
  private proc: Proc | undefined;

  constructor(
    readonly engine: Engine,
    readonly tree: Tree,
    readonly identity: Identity,
    readonly programs: ReadonlyMap<string, Program>,
    public limits: KernelLimits,
    sources: Sources,
    /** What its embedder has mounted. */
    readonly mounts: readonly { path: string; mode?: "ro" | "cow" }[] = [],
  ) {
    const born = sources.monotonic();
    this.sources = { ...sources, monotonic: () => sources.monotonic() - born };
    this.table = new Table(limits.processes);
  }

  caller(umask: number, process = 0): Caller {
    return { uid: this.identity.uid, gid: this.identity.gid, umask, process };
  }

  group(timeMs: number | undefined): Group {
    const time = timeMs ?? this.limits.timeMs;
    return new Group(this.limits.output, time === undefined ? undefined : performance.now() + time);
  }

  /** Counts a new process. */
  admit(group: Group, parent: number, startup: Startup, handles: boolean, wanted?: number): Entry {
    if (!this.proc) this.tree.setViews((this.proc = new Proc(this)));
    const pid = this.table.allocate(wanted);
    const started = this.sources.monotonic();
    const entry = new Entry(pid, parent, started, group, startup.arguments, startup.directory, handles);
    this.table.add(entry);
    return entry;
  }

  /** Finds the program behind a path, through `#!` lines. */
  private resolve(caller: Caller, path: Uint8Array, args: Uint8Array[]): [Program, string, Uint8Array[]] {
    for (let depth = 0; depth <= INTERPRETERS; depth++) {
      const line = this.firstLine(caller, path);
      if (line.startsWith(MARKER)) {
        const name = line.slice(MARKER.length);
        const program = this.programs.get(name);
        if (!program) throw errno("no-exec");
        return [program, name, args];
      }
      const script = /^#![ \t]*([^ \t]+)(?:[ \t]+(.*?))?[ \t\r]*$/.exec(line);
      if (!script) throw errno("no-exec");
      const [, interpreter, argument] = script;
      args = [latin(interpreter!), ...(argument ? [latin(argument)] : []), path, ...args.slice(1)];
      path = latin(interpreter!);
    }
    throw errno("too-many-links");
  }

  /** The first line of a file that the caller may execute, a character for each byte. */
  private firstLine(caller: Caller, path: Uint8Array): string {
    this.tree.access(caller, path, ACCESS.execute);
    const file = this.tree.open({ ...caller, uid: 0 }, path, OPEN.read, 0);
    try {
      if (file.kind !== "regular") throw errno("access");
      const head = String.fromCharCode(...file.read(HEAD));
      return head.split("\n", 1)[0]!;
    } finally {
      file.drop();
    }
  }

  /** Starts a process. */
  spawn(group: Group, parent: number, path: Uint8Array, startup: Startup, descriptors: Descriptors, task?: number): Entry {
    const caller = this.caller(startup.umask);
    const [program, name, args] = this.resolve(caller, path, startup.arguments);
    const called = args.length > 0 ? text(args[0]!).replace(/^.*\//, "") : "";
    // One binary is many programs: which one, the file says, whatever it is called by.
    if (program.kind === "component" && called !== name) args[0] = bytesOf(name);
    const size = [...args, ...startup.environment.flat()].reduce((sum, part) => sum + part.length + 8, 0);
    if (size > ARGUMENTS) throw errno("arguments-too-long");
    startup = { ...startup, arguments: args };
    const entry = this.admit(group, parent, startup, program.kind === "shell", task);
    entry.program = `/usr/bin/${name}`;
    this.start(new Guest(this, entry, startup, descriptors), program);
    return entry;
  }

  private start(guest: Guest, program: Program): void {
    const { entry } = guest;
    const finish = (end: End) => {
      guest.close();
      entry.finish(end);
      this.table.orphan(entry.pid);
    };
    const run = async () => {
      let end: End;
      try {
        entry.check();
        end = await this.run(guest, program);
      } catch (thrown) {
        end = guest.endOf(thrown);
      }
      finish(end);
    };
    if (CAN_SUSPEND) {
      void run();
      return;
    }
    const runNow = () => {
      try {
        entry.check();
        finish(this.runNow(guest, program));
      } catch (thrown) {
        finish(guest.endOf(thrown));
      }
    };
    switch (program.kind) {
      case "component":
        return void this.waiting.push({ guest, run: runNow, runNow, component: program.component });
      case "shell":
        return void this.waiting.push({ guest, run, runNow, component: "shell" });
      default:
        this.waiting.push({ guest, run, runNow: undefined, component: undefined });
    }
  }

  private async run(guest: Guest, program: Program): Promise<End> {
    switch (program.kind) {
      case "shell":
        return runShell(guest);
      case "function": {
        const call = guest.functionCall();
        // Who waits for it in turn looks at no clock.
        const late = guest.entry.group.whenLate();
        const ended = new Promise<never>((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason)));
        try {
          return exited((await Promise.race([program.run(call), ended])) & 255);
        } finally {
          late();
          call.finished();
        }
      }
      default: {
        const module = await this.engine.module(program.component);
        guest.entry.check();
        const component = instanceOf(module, guest, true);
        guest.component = component;
        try {
          component.instantiateNow();
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          await component.instantiate();
        }
        return exited(await component.run());
      }
    }
  }

  /** Runs a program to its end in this turn. */
  private runNow(guest: Guest, program: Program): End {
    if (program.kind === "shell") return runShellNow(guest);
    if (program.kind !== "component") throw new Ended({ kind: "fault", reason: "a function of the host cannot run here" });
    const module = this.engine.moduleNow(program.component);
    const component = instanceOf(module, guest, false);
    guest.component = component;
    component.instantiateNow();
    return exited(component.run() as number);
  }

  /** Runs the next process that waits for its turn, if there is one. */
  startNext(): Promise<void> | undefined {
    const next = this.waiting.shift();
    return next && this.startWaiting(next);
  }

  private async startWaiting({ component, run }: Waiting): Promise<void> {
    // What cannot be loaded says so when it is run.
    if (component !== undefined) await this.engine.module(component).catch(() => undefined);
    await run();
  }

  /** The same from within a guest, where nothing can be waited for: who helps first, then the newest. */
  private startNextNow(need: Need | undefined): boolean {
    const helps = ({ guest, runNow }: Waiting): boolean => {
      if (!runNow || !need) return false;
      if ("child" in need) return guest.entry === need.child;
      if ("writes" in need) return guest.descriptors.some((one) => one instanceof PipeReader && one.pipe === need.writes);
      return guest.descriptors.some((one) => one instanceof PipeWriter && one.pipe === need.reads);
    };
    let at = this.waiting.findIndex(helps);
    if (at < 0) at = this.waiting.findLastIndex(({ runNow }) => runNow !== undefined);
    if (at < 0) return false;
    this.waiting.splice(at, 1)[0]!.runNow!();
    return true;
  }

  private pump(): boolean {
    let went = false;
    for (const driven of [...this.driven]) went = driven.pump() || went;
    return went;
  }

  /** Lets `guest` wait, in an engine that can suspend it. */
  async until(entry: Entry, ready: () => boolean, wakers: Wakers[], deadline?: number, long = false): Promise<void> {
    for (; ; long = false) {
      if (long || isLong()) await breathe();
      entry.group.isLate();
      entry.check();
      if (ready()) return;
      const limit = entry.group.deadline;
      const first = Math.min(deadline ?? Infinity, limit ?? Infinity);
      await woken([...wakers, entry.wakers], first === Infinity ? undefined : first);
    }
  }

  /** Lets others run until `ready`, in an engine that cannot suspend a guest: they run on top of it. */
  untilNow(entry: Entry, ready: () => boolean, need: Need | undefined, deadline?: number): void {
    for (;;) {
      entry.group.isLate();
      entry.check();
      if (ready() || this.pump()) {
        if (ready()) return;
        continue;
      }
      const pipe = need && "writes" in need ? need.writes : undefined;
      if (pipe && pipe.capacity < SPILL) {
        pipe.capacity *= 4;
        continue;
      }
      if (this.startNextNow(need)) continue;
      if (deadline !== undefined) {
        const left = deadline - performance.now();
        if (left > 0) sleepNow(Math.min(left, 50));
        continue;
      }
      if (pipe) throw atLimit("pipe");
      throw new Ended({ kind: "fault", reason: "it waits for something that cannot happen in this engine" });
    }
  }

  /** Bytes of memory of all processes. */
  memory(): number {
    let used = 0;
    for (const entry of this.table.living()) used += entry.image?.memory() ?? 0;
    return used;
  }

  /** Ends every process. */
  terminate(): void {
    for (const entry of [...this.table.living()]) entry.group.send(9);
  }
}

/** A program's instance, which is not instantiated yet. */
const instanceOf = (code: Code, guest: Guest, suspends: boolean) =>
  new Component<Guest>(code, guest, IMPORTS, undefined, suspends, () => guest.enter(), (mayWait) => guest.compute(mayWait), guest.kernel.limits.memory);

/** A text with a character for each byte. */
const latinText = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** The bytes of a text with a character for each. */
function latin(string: string): Uint8Array {
  return Uint8Array.from(string, (character) => character.charCodeAt(0));
}

/** The state of one instance: which process it is and what that process holds. */
export class Guest {
  component: Component<Guest> | undefined;
  /** It asked for its working directory, so it resolves relative paths itself. */
  knowsDirectory = false;
  /** How its streams last failed. */
  streamFailure: string | undefined;
  /** Sockets that it has open. */
  sockets = 0;
  private calls = 0;
  /** Bytes of its memory when it was last looked at. */
  private seen = 0;
  private asked = 0;
  /** Files that it opened through `wasi:filesystem`. */
  private opened: WeakRef<OpenObject>[] = [];

  constructor(
    readonly kernel: Kernel,
    public entry: Entry,
    public startup: Startup,
    readonly descriptors: Descriptors,
  ) {
    this.shown();
  }

  /** Lets `/proc` show it. */
  shown(): void {
    const { environment } = this.startup;
    this.seen = 0;
    this.entry.image = {
      environment,
      descriptors: () => this.descriptors.numbers(),
      memory: () => this.component?.size ?? 0,
    };
  }

  get tree(): Tree {
    return this.kernel.tree;
  }
  /** Ends the guest from within where it has to end; the clock is not read at each call. */
  enter(): void {
    this.calls = (this.calls + 1) % CALLS;
    if (this.calls === 0) this.look();
    this.entry.check();
  }
  /** Ends what has taken too long, and itself where all processes together have too much memory. */
  private look(): void {
    this.entry.group.isLate();
    const size = this.component?.size ?? 0;
    // Who has grown since the last look: others are not ended for it.
    if (size <= this.seen) return;
    this.seen = size;
    if (this.kernel.memory() > this.kernel.limits.totalMemory) this.entry.die(limited("memory"));
  }
  /** Lets others run, and ends the guest where it has to end, while it computes without a call of the host. */
  compute(mayWait: boolean): void | Promise<void> {
    this.look();
    this.entry.check();
    this.asked = (this.asked + 1) % ASKED;
    if (!mayWait || (this.asked > 0 && !isLong())) return;
    return breathe().then(() => {
      this.entry.group.isLate();
      this.entry.check();
    });
  }
  caller(): Caller {
    return this.kernel.caller(this.startup.umask, this.entry.pid);
  }
  /** The open object of this number; one that refuses everything where it is closed. */
  descriptor(number: number): OpenObject | undefined {
    return this.descriptors.has(number) ? this.descriptors.get(number) : undefined;
  }
  /** Waits, or lets others run meanwhile. */
  wait(ready: () => boolean, wakers: Wakers[], need?: Need, deadline?: number): void | Promise<void> {
    this.entry.check();
    // Who never has to wait must let others run all the same.
    const long = isLong();
    if (ready() && !long) return;
    if (CAN_SUSPEND) return this.kernel.until(this.entry, ready, wakers, deadline, long);
    return this.kernel.untilNow(this.entry, ready, need, deadline);
  }

  /** `file` as an object, or where it is a device that means an object of this process, that object. */
  ownObject(path: Uint8Array, flags: number, mode: number): OpenObject {
    const address = path[5] === 0x74 && path[8] === 0x2f && /^\/dev\/tcp\/([^/]*)\/([^/]*)$/.exec(latinText(path));
    if (address) return this.reach(address[1]!, address[2]!);
    const file = this.tree.open(this.caller(), path, flags, mode);
    const { special } = file;
    if (special.tag === "descriptor") {
      file.drop();
      const object = this.descriptor(special.val);
      if (!object) throw errno("no-entry");
      return object;
    }
    if (special.tag === "terminal") {
      file.drop();
      for (const number of [0, 1, 2]) {
        const object = this.descriptor(number);
        if (object?.terminal) return object;
      }
      throw errno("no-device");
    }
    return new FileObject(file);
  }

  /** A connection with who listens at a port of the sandbox, as bash opens `/dev/tcp/HOST/PORT`. */
  private reach(host: string, digits: string): OpenObject {
    return this.reachNow(host, /^\d{1,5}$/.test(digits) ? Number(digits) : 65_536);
  }

  private reachNow(host: string, port: number): Connection {
    const addresses = resolve(host, this.kernel.identity.hostname);
    if (port > 65_535 || addresses.length === 0) throw errno("no-entry");
    try {
      return this.kernel.loopback.reach(addresses.map((ip) => ({ ip, port })));
    } catch (thrown) {
      throw errno(thrown === errno("access-denied") ? "access" : "connection-refused");
    }
  }

  /** Remembers what was opened through `wasi:filesystem`, which knows it by no number. */
  remember(object: OpenObject): void {
    this.opened = this.opened.filter((known) => (known.deref()?.references ?? 0) > 0);
    this.opened.push(new WeakRef(object));
  }
  /** What it has so open of this inode. */
  rememberedFile(inode: bigint): OpenObject | undefined {
    const open = this.opened.flatMap((known) => known.deref() ?? []).filter(({ references }) => references > 0);
    return open.findLast((object) => object.stat().inode === inode);
  }

  /** How the process ends for what came out of its code. */
  endOf(thrown: unknown): End {
    if (thrown instanceof Ended) {
      if (thrown.end.kind === "fault") this.complain(thrown.end.reason);
      if (thrown.end.kind === "limit" && thrown.end.limit === "pipe") {
        this.complain("more than 64 MiB between two programs: this engine cannot suspend a program");
      }
      return thrown.end;
    }
    const component = this.component;
    if (component && component.size >= component.mostSize) return { kind: "limit", limit: "memory" };
    this.complain(thrown instanceof Error ? thrown.message : String(thrown));
    return signalled(6);
  }

  /** Says on standard error why it ends. What cannot be written at once is lost. */
  private complain(reason: string): void {
    const name = this.startup.arguments[0];
    try {
      this.descriptor(2)?.write(bytesOf(`${name ? text(name) : "program"}: ${reason}\n`));
    } catch {
      // Nobody reads it.
    }
  }

  /** Gives up everything that it holds. */
  close(): void {
    for (const value of this.component?.handles.values() ?? []) (value as { drop?(): void }).drop?.();
    this.component = undefined;
    this.descriptors.closeAll();
    for (const [key, lock] of this.kernel.locks) {
      for (const holder of lock.holders) if (holder.references === 0) lock.holders.delete(holder);
      if (lock.holders.size === 0) this.kernel.locks.delete(key);
    }
  }

  /** Aborts when the process has to end. */
  private aborting(): [AbortSignal, () => void] {
    const controller = new AbortController();
    const { wakers } = this.entry;
    const look = () => {
      if (this.entry.dying) controller.abort(new Ended(this.entry.dying));
      else wakers.add(look);
    };
    look();
    return [controller.signal, () => wakers.remove(look)];
  }

  functionCall(): FunctionCall & { finished(): void } {
    const { entry, kernel } = this;
    const [signal, finished] = this.aborting();
    const path = (name: string) => bytesOf(name.startsWith("/") ? name : `${text(this.startup.directory)}/${name}`);
    return {
      ...this.startup,
      signal,
      finished,
      connect: (host, port) => this.reachNow(host, port),
      read: (name) => this.tree.readFile(this.caller(), path(name)),
      write: (name, bytes, append) => {
        const flags = OPEN.write | OPEN.create | (append ? OPEN.append : OPEN.truncate);
        const object = this.ownObject(path(name), flags, 0o666).retain();
        try {
          for (let at = 0; at < bytes.length; ) {
            const count = object.write(bytes.subarray(at));
            if (!count) throw errno("again");
            at += count;
          }
        } finally {
          object.release();
        }
      },
      exists: (name) => {
        try {
          this.tree.stat(this.caller(), path(name), true);
          return true;
        } catch {
          return false;
        }
      },
      makeParents: (name) => {
        const full = path(name);
        const end = full.lastIndexOf(0x2f);
        if (end > 0) this.tree.makeDirectories(this.caller(), full.subarray(0, end), 0o777);
      },
      input: async (most) => {
        const stdin = this.descriptor(0) ?? new Null();
        const pieces: Uint8Array[] = [];
        let length = 0;
        for (;;) {
          const piece = stdin.read(64 << 10);
          if (piece?.length === 0) break;
          if (!piece) {
            const started = CAN_SUSPEND ? undefined : kernel.startNext();
            if (started) await started;
            else await kernel.until(entry, () => stdin.isReadable(), [stdin.wakers]);
            continue;
          }
          pieces.push(piece);
          length += piece.length;
          if (length > most) throw errno("file-too-large");
        }
        return concat(pieces);
      },
      output: async (number, bytes) => {
        const object = this.descriptor(number);
        if (!object) return;
        for (let at = 0; at < bytes.length; ) {
          const count = object.write(bytes.subarray(at));
          if (count === undefined) await kernel.until(entry, () => object.isWritable(), [object.wakers]);
          else at += count;
        }
      },
    };
  }
}

/** All pieces in one. */
export function concat(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export { statusOf };
