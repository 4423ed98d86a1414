// An interactive shell, for whoever shows it to a person.

import { statusOf, type End } from "./errno.js";
import { LimitError, OffshootError } from "./errors.js";
import { bytesOf, type Content } from "./files.js";
import { PipeReader, TerminalObject } from "./object.js";
import type { Group } from "./process.js";
import type { Order, Runner } from "./run.js";
import { readable } from "./running.js";
import { woken } from "./signal.js";

/** SIGINT */
const INTERRUPT = 2;

/**
 * A shell that is typed to: it prompts, and keeps its state and its jobs from line to line. Both outputs come in one
 * stream, prompts included. It does not echo: that is the part of whoever shows it.
 */
export class Terminal {
  readonly output: ReadableStream<Uint8Array>;
  private readonly group: Group;
  private readonly object: TerminalObject;
  private readonly ended: Promise<End>;
  private closed = false;
  /** What is typed goes in one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(runner: Runner, order: Order) {
    this.group = runner.kernel.group(order.timeoutMs);
    this.object = new TerminalObject(this.group);
    this.object.typed.writers += 1;
    this.output = readable(new PipeReader(this.object.shown).retain());
    this.ended = runner.run({ ...order, interactive: true }, this.group, [this.object, this.object, this.object]);
    this.ended.catch(() => undefined);
  }

  /** Types: a line with its end. */
  write(data: Content): Promise<void> {
    return this.after(async () => {
      const bytes = bytesOf(data);
      for (let at = 0; at < bytes.length; ) {
        if (this.closed || this.object.typed.readers === 0) throw gone();
        const count = this.object.ended ? undefined : this.object.typed.put(bytes.subarray(at, at + 4096));
        if (count === undefined) await woken([this.object.wakers]);
        else at += count;
      }
    });
  }
  /** Ctrl-D at the start of a line: at the prompt the shell ends. */
  endInput(): Promise<void> {
    return this.after(async () => {
      this.object.ended = true;
      this.object.wakers.wake();
    });
  }
  /** Ctrl-C: ends what runs in the foreground, and the line that is typed. */
  async interrupt(): Promise<void> {
    this.group.send(INTERRUPT);
  }
  /** Closes the input and waits for the end; the status. Output that nobody reads is dropped. */
  async wait(): Promise<number> {
    await this.last;
    if (!this.closed) {
      this.closed = true;
      this.object.typed.writers -= 1;
      this.object.wakers.wake();
    }
    if (!this.output.locked) void this.output.pipeTo(new WritableStream()).catch(() => undefined);
    const end = await this.ended;
    if (end.kind === "limit" && end.limit !== "wall-time") {
      throw new LimitError(`the limit of ${end.limit} was reached`, { code: "LIMIT", operation: "wait" });
    }
    return statusOf(end);
  }

  private after(run: () => Promise<void>): Promise<void> {
    const done = this.last.then(run);
    this.last = done.catch(() => undefined);
    return done;
  }
}

const gone = () => new OffshootError("the shell has ended", { code: "DIED", operation: "terminal" });
