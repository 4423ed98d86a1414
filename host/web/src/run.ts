// Runs scripts: shell instances, the streams of an execution, its end.

import type { GuestHandle, Outcome } from "./abi.js";
import { Ended, statusOf, type End } from "./errno.js";
import { CorruptError, LimitError, OffshootError } from "./errors.js";
import { bytesOf, type Content } from "./files.js";
import type { Kernel, Startup } from "./kernel.js";
import { Bytes, Capture, Null, pipe, type OpenObject, type PipeReader } from "./object.js";
import type { Group } from "./process.js";
import { ExecResult } from "./result.js";
import { Job, shellGuest, ShellInstance, type Request, type Setup } from "./shell.js";
import { woken } from "./signal.js";

/** What to run. */
export interface Order {
  script: Content;
  arguments: string[];
  env: Record<string, string>;
  cwd: string | undefined;
  timeoutMs: number | undefined;
  /** An interactive shell instead of a script; what it left in the background is not waited for. */
  interactive?: boolean;
}

export const pairs = (env: Record<string, string>): [Uint8Array, Uint8Array][] =>
  Object.entries(env).map(([name, value]) => [bytesOf(name), bytesOf(value)]);

const NAME = bytesOf("bash");

/** State of a session from one execution to the next; none for a fresh one. */
export interface State {
  bytes: Uint8Array | undefined;
}

/** Runs scripts in one sandbox; instances of the shell are used again. */
export class Runner {
  constructor(readonly kernel: Kernel, private readonly setup: Setup) {}

  /** Gives up what is kept for the next script. */
  close(): void {
    while (this.kernel.engine.parking.take(this));
  }

  private async instance(startup: Startup, group: Group): Promise<ShellInstance> {
    const entry = this.kernel.admit(group, 1, startup, true);
    const known = this.kernel.engine.parking.take(this);
    if (known) {
      known.become(entry, startup);
      return known;
    }
    try {
      return await ShellInstance.create(shellGuest(this.kernel, entry, startup));
    } catch (error) {
      entry.finish(error instanceof Ended ? error.end : { kind: "fault", reason: String(error) });
      this.kernel.table.reap(entry);
      throw error;
    }
  }

  private open(instance: ShellInstance, state: State | undefined): GuestHandle {
    if (!state) return instance.fresh(this.setup);
    if (!state.bytes) return instance.session(this.setup);
    const loaded: Outcome = instance.load(state.bytes);
    if (loaded.ok) return loaded.val as GuestHandle;
    const code = loaded.val === "too-new" ? "TOO_NEW" : "CORRUPT";
    throw new CorruptError(`the state of the session is ${loaded.val}`, { code, operation: "session" });
  }

  /** Runs a script on the objects that become its descriptors 0, 1 and 2. */
  async run(order: Order, group: Group, streams: OpenObject[], state?: State): Promise<End> {
    const name = NAME;
    const { environment, directory, umask } = this.setup;
    const startup = { arguments: [name], environment, directory, umask };
    for (const stream of streams) stream.retain();
    let instance: ShellInstance;
    try {
      instance = await this.instance(startup, group);
    } catch (error) {
      for (const stream of streams) stream.release();
      if (error instanceof Ended) return error.end;
      throw error;
    }
    const { guest } = instance;
    const entry = guest.entry;
    const abandon = (end: End) => {
      instance.broken = true;
      group.send(9);
      guest.close();
      entry.finish(end);
      this.kernel.table.reap(entry);
    };
    let job: Job | undefined;
    try {
      const descriptors = streams.map((stream, number): [number, number] => [number, guest.descriptors.insert(stream)]);
      for (const stream of streams.splice(0)) stream.release();
      const session = this.open(instance, state);
      const request: Request = {
        source: order.interactive ? { tag: "invocation", val: [bytesOf("-i")] } : { tag: "text", val: bytesOf(order.script) },
        name,
        arguments: order.arguments.map(bytesOf),
        environment: pairs(order.env),
        directory: order.cwd === undefined ? undefined : bytesOf(order.cwd),
        steps: this.kernel.limits.steps,
        keep: state !== undefined,
      };
      job = new Job(instance, session, request, descriptors, !order.interactive);
      const end = await job.run();
      const finish = () => {
        job!.release();
        if (state) instance.release("session", session);
        entry.finish(end);
        this.kernel.table.orphan(entry.pid);
        this.kernel.table.reap(entry);
        if (!instance.broken) this.kernel.engine.parking.park(this, instance);
      };
      if (job.isDone) {
        if (state) state.bytes = instance.save(session).val as Uint8Array;
        finish();
      } else {
        // The caller's streams are free; what goes on is not timed any more.
        group.deadline = undefined;
        void job.rest().then(finish, () => abandon(end));
      }
      return end;
    } catch (thrown) {
      if (job) this.kernel.driven.delete(job);
      const end = thrown instanceof OffshootError ? undefined : guest.endOf(thrown);
      abandon(end ?? { kind: "fault", reason: String(thrown) });
      if (!end) throw thrown;
      return end;
    }
  }

  /** Runs a script to its end and collects its output. */
  async exec(
    order: Order,
    stdin: Content | undefined,
    watch: { signal?: AbortSignal | undefined; onStdout?: Watch | undefined; onStderr?: Watch | undefined },
    state?: State,
  ): Promise<ExecResult> {
    watch.signal?.throwIfAborted();
    const started = performance.now();
    const group = this.kernel.group(order.timeoutMs);
    const stop = () => group.send(9);
    watch.signal?.addEventListener("abort", stop);
    const [out, seenOut] = this.output(group, watch.onStdout);
    const [error, seenError] = this.output(group, watch.onStderr);
    try {
      const input = stdin === undefined ? new Null() : new Bytes(bytesOf(stdin));
      const end = await this.run(order, group, [input, out.object, error.object], state);
      const [stdout, stderr] = [await seenOut, await seenError].map((pieces, n) => pieces ?? [out, error][n]!.all());
      watch.signal?.throwIfAborted();
      const timedOut = end.kind === "limit" && end.limit === "wall-time";
      const isLimit = end.kind === "limit" && !timedOut;
      const duration = performance.now() - started;
      const result = new ExecResult(statusOf(end), stdout!, stderr!, timedOut, isLimit, duration);
      if (isLimit) {
        throw new LimitError(`the limit of ${end.limit} was reached`, { code: "LIMIT", operation: "exec", output: result });
      }
      if (end.kind === "fault") {
        throw new OffshootError(end.reason, { code: "DIED", operation: "exec", output: result });
      }
      return result;
    } finally {
      watch.signal?.removeEventListener("abort", stop);
    }
  }

  /** Where output goes: into a capture, or by pieces to whoever watches, and into a list. */
  private output(group: Group, watch: Watch | undefined): [{ object: OpenObject; all(): Uint8Array }, Promise<Uint8Array | undefined>] {
    if (!watch) {
      const capture = new Capture(group);
      return [{ object: capture, all: () => capture.all() }, Promise.resolve(undefined)];
    }
    const [reader, writer] = pipe(group);
    reader.retain();
    const capture = new Capture({ grant: (wanted) => wanted, exceed() {} });
    const seen = (async () => {
      for await (const piece of pieces(reader)) {
        capture.write(piece);
        await watch(piece);
      }
      return capture.all();
    })();
    return [{ object: writer, all: () => capture.all() }, seen];
  }
}

/** Whoever watches output; the script waits for what is returned. */
export type Watch = (piece: Uint8Array) => unknown;

/** What comes out of a pipe, until its end; then the end is given up. */
export async function* pieces(reader: PipeReader): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const piece = reader.read(64 << 10);
      if (piece === undefined) await woken([reader.wakers]);
      else if (piece.length === 0) return;
      else yield piece;
    }
  } finally {
    reader.release();
  }
}

export { Ended };
