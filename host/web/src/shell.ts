// The shell: instances of its component, and how an execution is driven. The shell does no blocking call: what it
// waits for it says, and it is polled again when that has happened.

import { callable, type Callable, GuestHandle, type Outcome, type Signature } from "./abi.js";
import { CAN_SUSPEND, Component, type Code } from "./component.js";
import { exited, limited, type End } from "./errno.js";
import { IMPORTS } from "./host/index.js";
import { Guest, type Driven, type Kernel, type Startup } from "./kernel.js";
import { Descriptors, type OpenObject } from "./object.js";
import type { Entry } from "./process.js";
import { breathe, isLong, Wakers, woken } from "./signal.js";
import { SIGNATURES } from "./signatures.js";

const HOME = "offshoot:sandbox/shell";

type Pair = [Uint8Array, Uint8Array];

export interface Setup {
  environment: Pair[];
  directory: Uint8Array;
  umask: number;
  posix: boolean;
}

export type Script =
  | { tag: "text" | "file" | "script"; val: Uint8Array }
  | { tag: "input" }
  | { tag: "invocation"; val: Uint8Array[] };

/** One execution. */
export interface Request {
  source: Script;
  name: Uint8Array;
  arguments: Uint8Array[];
  environment: Pair[];
  directory: Uint8Array | undefined;
  steps: bigint;
  /** Whether the session takes over what the script leaves. */
  keep: boolean;
}

type Interest = { tag: "readable" | "writable" | "child"; val: number } | { tag: "time"; val: bigint };
type Progress = { tag: "more" | "finished" } | { tag: "idle"; val: Interest[] };
type Ending = { tag: "exited"; val: number } | { tag: "exceeded"; val: string };
interface Turn {
  progress: Progress;
  outcome: Ending | undefined;
}
type Started = { tag: "ended"; val: Ending } | { tag: "running"; val: [GuestHandle, Turn] };

const calls = new Map<string, Callable>();

function call(name: string): Callable {
  let known = calls.get(name);
  if (!known) {
    const all = SIGNATURES as unknown as Record<string, Record<string, Signature>>;
    calls.set(name, (known = callable(all[HOME]![name]!)));
  }
  return known;
}

/** One instance of the shell. */
export class ShellInstance {
  private readonly component: Component<Guest>;
  /** A trap has left it in an unknown state. */
  broken = false;
  /** Bytes of its memory. */
  get memory(): number {
    return this.component.size;
  }
  private template: { setup: Setup; session: GuestHandle } | undefined;
  private constructor(module: Code, readonly guest: Guest) {
    this.component = new Component(module, guest, IMPORTS, HOME, false, () => guest.enter(), undefined, guest.kernel.limits.memory);
    guest.component = this.component;
  }

  /** The same within a turn. */
  static createNow(guest: Guest): ShellInstance {
    const instance = new ShellInstance(guest.kernel.engine.moduleNow("shell"), guest);
    instance.component.instantiateNow();
    return instance;
  }

  static async create(guest: Guest): Promise<ShellInstance> {
    const instance = new ShellInstance(await guest.kernel.engine.module("shell"), guest);
    try {
      instance.component.instantiateNow();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      await instance.component.instantiate();
    }
    return instance;
  }

  /** Lets it act as another process. */
  become(entry: Entry, startup: Startup): void {
    this.guest.entry = entry;
    this.guest.startup = unmasked(startup);
    this.guest.component = this.component;
    this.guest.shown();
  }

  invoke(name: string, ...args: unknown[]): any {
    try {
      return this.component.invoke(name, call(name), args);
    } catch (thrown) {
      this.broken = true;
      throw thrown;
    }
  }
  session(setup: Setup): GuestHandle {
    return this.invoke("[constructor]session", setup);
  }
  /** A session with nothing but `setup` in it, for executions that do not keep what they change. */
  fresh(setup: Setup): GuestHandle {
    if (this.template?.setup !== setup) {
      if (this.template) this.release("session", this.template.session);
      this.template = { setup, session: this.session(setup) };
    }
    return this.template.session;
  }
  load(state: Uint8Array): Outcome {
    return this.invoke("[static]session.load", state);
  }
  save(session: GuestHandle): Outcome {
    return this.invoke("[method]session.save", session);
  }
  release(kind: "session" | "execution", handle: GuestHandle): void {
    if (!this.broken) this.component.release(kind, handle);
  }
  start(session: GuestHandle, request: Request, descriptors: [number, number][], signals: number[]): Started {
    const { steps, ...rest } = request;
    // Depth, expansion and variables as the native runtime has them.
    const budgets = { steps, depth: 12_000, output: 0n, expansion: 48n << 20n, variables: 64n << 20n };
    const { source, name, keep, ...given } = rest;
    const some = given.arguments.length || given.environment.length || given.directory || signals.length;
    const extras = some ? { ...given, signals, leaves: [] } : undefined;
    return this.invoke("[method]session.start", session, { source, name, keep, descriptors, budgets, extras });
  }
}

/** An execution under way in its instance. */
export class Job implements Driven {
  /** None before it is started, and where it was over at once. */
  private execution: GuestHandle | undefined;
  private started = false;
  private interests: Interest[] | undefined;
  private polling = false;
  private finished = false;
  private readonly pumped = new Wakers();
  private failure: { thrown: unknown } | undefined;
  /** How it ended; something that it started may go on. */
  end: End | undefined;

  constructor(
    private readonly instance: ShellInstance,
    private readonly session: GuestHandle,
    private readonly request: Request,
    /** The number in the script, and the one in the instance. */
    private readonly descriptors: [number, number][],
    /** Whether its caller waits for whatever has the streams open, and not for the script alone. */
    private readonly background: boolean,
  ) {}

  private get kernel(): Kernel {
    return this.instance.guest.kernel;
  }
  private get entry(): Entry {
    return this.instance.guest.entry;
  }

  /** Runs what can run. */
  private step(): void {
    this.polling = true;
    this.interests = undefined;
    try {
      const { progress, outcome } = this.started ? this.poll() : this.begin();
      if (!this.end && outcome) this.end = outcome.tag === "exited" ? exited(outcome.val) : limited(outcome.val);
      if (progress.tag === "finished") this.finished = true;
      if (progress.tag === "idle") this.interests = progress.val;
    } catch (thrown) {
      this.failure = { thrown };
    } finally {
      this.polling = false;
    }
  }

  /** Starts it, which runs what can run at once. */
  private begin(): Turn {
    this.started = true;
    // There are no tasks yet that one could be for.
    const early = this.entry.signals.splice(0).flatMap(({ task, number }) => (task === undefined ? [number] : []));
    const started = this.instance.start(this.session, this.request, this.descriptors, early);
    if (started.tag === "ended") return { progress: { tag: "finished" }, outcome: started.val };
    this.execution = started.val[0];
    return started.val[1];
  }

  private poll(): Turn {
    for (const { task, number } of this.entry.signals.splice(0)) {
      this.instance.invoke("[method]execution.signal", this.execution, task, number);
    }
    return this.instance.invoke("[method]execution.poll", this.execution);
  }

  pump(): boolean {
    if (this.polling || this.finished || this.failure || !this.isReady()) return false;
    this.step();
    // Whoever drives it waits for what it waited for before.
    this.pumped.wake();
    return true;
  }

  /** Whether something has happened that it waits for. */
  private isReady(): boolean {
    if (!this.interests || this.entry.signals.length > 0) return true;
    return this.interests.some((interest) => this.holds(interest));
  }

  private holds(interest: Interest): boolean {
    const { guest } = this.instance;
    switch (interest.tag) {
      case "time":
        return guest.kernel.sources.monotonic() >= interest.val;
      case "child": {
        const child = guest.kernel.table.get(interest.val);
        return !child || child.end !== undefined;
      }
      default: {
        const object = guest.descriptor(interest.val);
        if (!object) return true;
        if (!object.isMet()) return false;
        return interest.tag === "readable" ? object.isReadable() : object.isWritable();
      }
    }
  }

  /** Waits for what comes next. Nothing may happen between the look and the waiting. */
  private next(): Promise<unknown> | undefined {
    if (!this.finished && (!this.interests || this.isReady())) return undefined;
    return (CAN_SUSPEND ? undefined : this.kernel.startNext()) ?? this.wait();
  }

  private wait(): Promise<void> {
    const { guest } = this.instance;
    const wakers: Wakers[] = [this.entry.wakers, this.pumped];
    let first = this.entry.group.deadline ?? Infinity;
    for (const interest of this.interests ?? []) {
      if (interest.tag === "time") {
        const left = Number(interest.val - guest.kernel.sources.monotonic()) / 1e6;
        first = Math.min(first, performance.now() + Math.max(0, left));
      } else if (interest.tag === "child") {
        const child = guest.kernel.table.get(interest.val);
        if (child) wakers.push(child.wakers);
      } else {
        const object = guest.descriptor(interest.val);
        if (object) wakers.push(object.wakers);
      }
    }
    // What goes on in the background may let go of the streams.
    if (this.end) for (const other of this.others()) wakers.push(other.wakers);
    return woken(wakers, first === Infinity ? undefined : first);
  }

  /** The other processes of the execution that are alive. */
  private others(): Entry[] {
    return [...this.entry.group.members].filter((entry) => entry !== this.entry && entry.end === undefined);
  }

  /** Whether something has a stream of the caller open for writing, beside the script. */
  private hasOutput(): boolean {
    const { guest } = this.instance;
    const outputs = this.descriptors.filter(([number]) => number !== 0).map(([, own]) => own);
    const shared = new Map<OpenObject, number>();
    for (const own of outputs) {
      const object = guest.descriptor(own);
      if (object) shared.set(object, (shared.get(object) ?? 0) + 1);
    }
    for (const [object, own] of shared) if (object.references > own) return true;
    return this.execution !== undefined && this.instance.invoke("[method]execution.holds", this.execution, outputs);
  }

  /** Whether nobody has to wait any longer. */
  private isOver(): boolean {
    if (this.end === undefined) return this.finished;
    if (!this.background) return true;
    if (this.finished && this.others().length === 0) return true;
    return !this.hasOutput();
  }

  /** Drives it until it has ended and nothing has its streams open any more. */
  async run(): Promise<End> {
    this.kernel.driven.add(this);
    try {
      for (;;) {
        if (isLong()) await breathe();
        this.entry.group.isLate();
        this.entry.check();
        if (!this.finished) this.step();
        if (this.failure) throw this.failure.thrown;
        if (this.isOver()) return this.end ?? { kind: "fault", reason: "the shell finished without an outcome" };
        await this.next();
      }
    } finally {
      if (this.finished || this.failure || this.entry.dying) this.kernel.driven.delete(this);
    }
  }

  /** The same within a turn, on top of a program that waits. */
  runNow(): End {
    this.kernel.driven.add(this);
    try {
      for (;;) {
        this.entry.group.isLate();
        this.entry.check();
        if (!this.finished) this.step();
        if (this.failure) throw this.failure.thrown;
        if (this.isOver()) return this.end ?? { kind: "fault", reason: "the shell finished without an outcome" };
        const times = (this.interests ?? []).flatMap((interest) => (interest.tag === "time" ? [interest.val] : []));
        const left = times.map((time) => Number(time - this.kernel.sources.monotonic()) / 1e6);
        const deadline = left.length > 0 ? performance.now() + Math.min(...left) : undefined;
        this.kernel.untilNow(this.entry, () => this.isReady(), undefined, deadline);
      }
    } finally {
      this.kernel.driven.delete(this);
    }
  }

  /** Goes on with what is left after `run`, to its end. */
  async rest(): Promise<void> {
    try {
      while (!this.finished || this.others().length > 0) {
        if (isLong()) await breathe();
        this.entry.check();
        if (!this.finished) this.step();
        if (this.failure) return;
        await this.next();
      }
    } catch {
      // Whoever waited for it has its result.
    } finally {
      this.kernel.driven.delete(this);
    }
  }

  /** Whether nothing of it runs any more. */
  get isDone(): boolean {
    return this.finished && this.others().length === 0;
  }

  /** Gives it up, with the descriptors that it was given. */
  release(): void {
    if (this.execution) this.instance.release("execution", this.execution);
    for (const [, own] of this.descriptors) this.instance.guest.descriptors.close(own);
  }
}

/** What `bash` with the arguments of a process does, in an instance for it alone. */
function invocation(instance: ShellInstance): Job {
  const { guest } = instance;
  const { arguments: args, ...startup } = guest.startup;
  const name = args[0] ?? new TextEncoder().encode("bash");
  const posix = /(^|\/)sh$/.test(new TextDecoder().decode(name));
  const session = instance.session({ ...startup, posix });
  guest.startup = unmasked(guest.startup);
  const request: Request = {
    source: { tag: "invocation", val: args.slice(1) },
    name,
    arguments: [],
    environment: [],
    directory: undefined,
    steps: guest.kernel.limits.steps,
    keep: false,
  };
  const descriptors = guest.descriptors.numbers().map((number): [number, number] => [number, number]);
  return new Job(instance, session, request, descriptors, false);
}

/** A shell that another program started. */
export async function runShell(guest: Guest): Promise<End> {
  const instance = await ShellInstance.create(guest);
  guest.entry.check();
  const job = invocation(instance);
  try {
    return await job.run();
  } finally {
    guest.kernel.driven.delete(job);
  }
}

/** The same within a turn. */
export const runShellNow = (guest: Guest): End => invocation(ShellInstance.createNow(guest)).runNow();

/** A guest for an instance that runs one execution after the other. */
export function shellGuest(kernel: Kernel, entry: Entry, startup: Startup): Guest {
  return new Guest(kernel, entry, unmasked(startup), new Descriptors(kernel.limits.openFiles));
}

/** A shell puts the umasks of its subshells into the modes that it gives. */
const unmasked = (startup: Startup): Startup => ({ ...startup, umask: 0 });
