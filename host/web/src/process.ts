// Processes: their table, what one execution started, signals.

import { Ended, errno, limited, signalled, type End } from "./errno.js";
import type { Meter } from "./object.js";
import { Wakers } from "./signal.js";

const KILL = 9;
/** Without a handler nothing happens: CHLD, CONT, URG, WINCH. */
const HARMLESS = new Set([17, 18, 23, 28]);
/** Without a handler the process pauses, which an engine of JavaScript cannot do: nothing happens. */
const PAUSING = new Set([19, 20, 21, 22]);
export const LAST_SIGNAL = 64;

/** A process or task, as `list-processes` gives it. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  started: bigint;
  arguments: Uint8Array[];
  /** Where a task works. */
  directory?: Uint8Array;
}

/** What is known of the program that a process runs. */
export interface Image {
  environment: [Uint8Array, Uint8Array][];
  descriptors(): number[];
  /** Bytes of its memory. */
  memory(): number;
}

/** The processes of one execution: accounted together, ended together. */
export class Group implements Meter {
  exceeded: string | undefined;
  readonly members = new Set<Entry>();
  private killed = false;
  constructor(
    private output: number,
    /** On the clock of `performance`. */
    public deadline: number | undefined,
  ) {}

  join(entry: Entry): void {
    this.members.add(entry);
    if (this.killed) entry.send(KILL);
  }
  grant(wanted: number): number {
    const granted = Math.min(wanted, this.output);
    this.output -= granted;
    return granted;
  }
  exceed(limit: string): void {
    if (this.exceeded !== undefined) return;
    this.exceeded = limit;
    for (const entry of this.members) entry.die(limited(limit));
    this.killed = true;
  }
  send(number: number): void {
    if (number === KILL) this.killed = true;
    for (const entry of [...this.members]) entry.send(number);
  }
  /** Ends all when time runs out, also where nobody looks; what it returns gives that up. */
  whenLate(): () => void {
    const { deadline } = this;
    if (deadline === undefined) return () => undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(look, Math.max(0, Math.min(2 ** 31 - 1, Math.ceil(deadline - performance.now()))));
    };
    // A timer may come a little early, and cannot hold a month.
    const look = () => {
      if (!this.isLate()) wait();
    };
    wait();
    return () => clearTimeout(timer);
  }
  /** Whether time has run out; ends all where it has. */
  isLate(): boolean {
    if (this.deadline === undefined || performance.now() < this.deadline) return false;
    this.exceed("wall-time");
    return true;
  }
}

/** One process. */
export class Entry {
  end: End | undefined;
  /** How it will end as soon as it can. */
  dying: End | undefined;
  /** Signals that wait for the shell that it is; a task's with its number. */
  readonly signals: { task: number | undefined; number: number }[] = [];
  tasks: ProcessInfo[] = [];
  /** The path of what it runs. */
  program = "/usr/bin/bash";
  image: Image | undefined;
  /** Wakes whoever waits for its end, and itself for signals. */
  readonly wakers = new Wakers();
  constructor(
    readonly pid: number,
    readonly parent: number,
    readonly started: bigint,
    readonly group: Group,
    readonly args: Uint8Array[],
    public directory: Uint8Array,
    /** It acts upon signals itself, as a shell does. */
    readonly handles: boolean,
  ) {}

  send(number: number): void {
    if (this.end !== undefined || number === 0) return;
    if (number === KILL) this.die(signalled(KILL));
    else if (this.handles) this.signals.push({ task: undefined, number });
    else if (!HARMLESS.has(number) && !PAUSING.has(number)) this.die(signalled(number));
    this.wakers.wake();
  }
  die(end: End): void {
    this.dying ??= end;
    this.wakers.wake();
  }
  /** Ends the guest from within where it has to end. */
  check(): void {
    if (this.dying !== undefined) throw new Ended(this.dying);
  }
  finish(end: End): void {
    if (this.end !== undefined) return;
    this.end = this.group.exceeded === undefined ? end : limited(this.group.exceeded);
    this.tasks = [];
    this.image = undefined;
    this.group.members.delete(this);
    this.wakers.wake();
  }
  info(): ProcessInfo {
    return { pid: this.pid, parent: this.parent, started: this.started, arguments: this.args };
  }
}

/** The processes of a sandbox. */
export class Table {
  private readonly entries = new Map<number, Entry>();
  private next = 2;
  /** Numbers that were given out. */
  given = 1;
  constructor(public most: number) {}

  get(pid: number): Entry | undefined {
    return this.entries.get(pid);
  }
  *living(): Iterable<Entry> {
    for (const entry of this.entries.values()) if (entry.end === undefined) yield entry;
  }
  /** A number for a new process: the wanted one where that is free. */
  allocate(wanted: number | undefined): number {
    this.given += 1;
    let alive = 0;
    for (const _ of this.living()) alive += 1;
    if (alive >= this.most) throw errno("too-many-processes");
    if (wanted !== undefined && !this.entries.has(wanted)) return wanted;
    while (this.entries.has(this.next)) this.next += 1;
    return this.next++;
  }
  add(entry: Entry): void {
    this.entries.set(entry.pid, entry);
    entry.group.join(entry);
  }
  /** Forgets one that has ended, and children of it that nobody can ask for any more. */
  reap(entry: Entry): void {
    this.entries.delete(entry.pid);
  }
  /** After the end of `parent` nobody asks for its children. */
  orphan(parent: number): void {
    for (const entry of [...this.entries.values()]) {
      if (entry.parent === parent && entry.end !== undefined) this.reap(entry);
    }
  }
  list(): ProcessInfo[] {
    const all: ProcessInfo[] = [];
    for (const entry of this.living()) all.push(entry.info(), ...entry.tasks.filter((task) => !this.entries.has(task.pid)));
    const known = new Set(all.map(({ pid }) => pid));
    return all
      .map((info) => (known.has(info.parent) ? info : { ...info, parent: 1 }))
      .sort((one, other) => one.pid - other.pid);
  }
  /** Sends a signal to a process or a task of one. */
  signal(pid: number, number: number): void {
    const entry = this.entries.get(pid);
    if (entry && entry.end === undefined) return entry.send(number);
    for (const owner of this.living()) {
      if (!owner.tasks.some((task) => task.pid === pid)) continue;
      if (number !== 0) owner.signals.push({ task: pid, number });
      owner.wakers.wake();
      return;
    }
    throw errno("no-process");
  }
}
