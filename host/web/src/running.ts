// A script that runs while its caller reads and writes its streams.

import { errno, statusOf, type End } from "./errno.js";
import { InvalidError, LimitError } from "./errors.js";
import { bytesOf, type Content } from "./files.js";
import { pipe, type PipeReader } from "./object.js";
import type { Group } from "./process.js";
import { pieces, type Order, type Runner } from "./run.js";
import { woken } from "./signal.js";

const SIGNALS: Record<string, number> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, USR1: 10, USR2: 12, TERM: 15, CONT: 18, STOP: 19 };

/** A stream of what comes out of a pipe. */
export function readable(reader: PipeReader): ReadableStream<Uint8Array> {
  const all = pieces(reader);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await all.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await all.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A script that runs. */
export class Process {
  readonly stdin: WritableStream<Content>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  private readonly group: Group;
  private readonly ended: Promise<End>;

  /** @internal */
  constructor(runner: Runner, order: Order) {
    this.group = runner.kernel.group(order.timeoutMs);
    const [input, writer] = pipe();
    const [out, output] = pipe(this.group);
    const [error, errors] = pipe(this.group);
    for (const end of [writer, out, error]) end.retain();
    this.stdin = new WritableStream<Content>({
      async write(content) {
        const bytes = bytesOf(content);
        for (let at = 0; at < bytes.length; ) {
          const count = writer.write(bytes.subarray(at));
          if (count === undefined) await woken([writer.wakers]);
          else at += count;
        }
      },
      close: () => writer.release(),
      abort: () => writer.release(),
    });
    this.stdout = readable(out);
    this.stderr = readable(error);
    this.ended = runner.run(order, this.group, [input, output, errors]);
    this.ended.catch(() => undefined);
  }

  /** By name (`TERM`, `SIGTERM`) or number; a trap may take it. */
  signal(signal: string | number): void {
    const number = typeof signal === "number" ? signal : SIGNALS[signal.toUpperCase().replace(/^SIG/, "")];
    if (number === undefined) throw new InvalidError(`${signal}: no such signal`, { code: "INVALID", operation: "signal" });
    this.group.send(number);
  }
  /** Ends it with all that it started. */
  kill(): void {
    this.group.send(9);
  }
  /** Waits for its end; the status. Output that nobody has read by then is dropped. */
  async wait(): Promise<number> {
    const unread = [this.stdout, this.stderr].filter((stream) => !stream.locked);
    for (const stream of unread) void stream.pipeTo(new WritableStream()).catch(() => undefined);
    const end = await this.ended;
    if (end.kind === "limit" && end.limit !== "wall-time") {
      throw new LimitError(`the limit of ${end.limit} was reached`, { code: "LIMIT", operation: "wait" });
    }
    return statusOf(end);
  }
}

export { errno };
