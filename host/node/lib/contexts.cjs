"use strict";
// Interpreters of a sandbox, that keep variables, imports and functions from cell to cell.

const { abortable, decoder, disposable, known, settled } = require("./common.cjs");

/** A value that a cell shows, by MIME types. */
class CellResult {
  constructor(raw) {
    this.main = raw.main;
    this.data = JSON.parse(raw.data);
  }
  get text() {
    return this.data["text/plain"];
  }
}

/** What a cell gave, once it has ended. */
class CellOutcome {
  constructor({ number, stdout, stderr, results, error, timedOut }) {
    this.number = number;
    this.stdoutBytes = Uint8Array.from(stdout);
    this.stderrBytes = Uint8Array.from(stderr);
    this.results = results;
    this.error = error ?? undefined;
    this.timedOut = timedOut;
  }
  get ok() {
    return this.error === undefined;
  }
  get stdout() {
    return decoder.decode(this.stdoutBytes);
  }
  get stderr() {
    return decoder.decode(this.stderrBytes);
  }
  get text() {
    return this.results.find(({ main }) => main)?.text;
  }
}

function beginning(language, options) {
  known(options, ["cwd", "env", "interruptible"]);
  return { language, cwd: options.cwd, env: options.env ?? {}, interruptible: options.interruptible ?? true };
}

function cell(code, { env, timeoutMs }) {
  return { code, env: env ?? {}, timeoutMs };
}

/** A cell that runs. */
class CellRun {
  #native;
  #signal;
  #stop = () => this.#native.close();
  constructor(inner, signal) {
    this.#native = inner;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#stop, { once: true });
    if (signal?.aborted) this.#stop();
  }
  get timedOut() {
    return this.#native.timedOut;
  }
  async *[Symbol.asyncIterator]() {
    try {
      for (;;) {
        const event = await settled(this.#native.next());
        this.#signal?.throwIfAborted();
        if (!event) return;
        const { kind, number, data, result, error } = event;
        if (kind === "started") yield { kind, number };
        else if (kind === "result") yield { kind, result: new CellResult(result) };
        else if (kind === "error") yield { kind, error };
        else yield { kind, data };
      }
    } finally {
      await this.close();
    }
  }
  async close() {
    this.#signal?.removeEventListener("abort", this.#stop);
    await settled(this.#native.close());
  }
}

const RUN = ["env", "timeoutMs", "signal"];

class Context {
  #native;
  constructor(inner) {
    this.#native = inner;
  }
  get id() {
    return this.#native.id;
  }
  get language() {
    return this.#native.language;
  }
  get cwd() {
    return this.#native.cwd;
  }
  async run(code, options = {}) {
    known(options, [...RUN, "onStdout", "onStderr", "onResult"]);
    const { onStdout, onStderr, onResult, ...rest } = options;
    if (onStdout || onStderr || onResult) return this.#streamed(code, rest, { onStdout, onStderr, onResult });
    const raw = await abortable(options.signal, (abort) => settled(this.#native.run(cell(code, options), abort)));
    return new CellOutcome({ ...raw, results: raw.results.map((result) => new CellResult(result)) });
  }
  async #streamed(code, options, { onStdout, onStderr, onResult }) {
    const run = await this.start(code, options);
    const [stdout, stderr, results] = [[], [], []];
    let number, error;
    for await (const event of run) {
      if (event.kind === "started") number = event.number;
      if (event.kind === "error") error = event.error;
      if (event.kind === "stdout") {
        stdout.push(event.data);
        await onStdout?.(event.data);
      }
      if (event.kind === "stderr") {
        stderr.push(event.data);
        await onStderr?.(event.data);
      }
      if (event.kind === "result") {
        results.push(event.result);
        await onResult?.(event.result);
      }
    }
    const output = { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
    return new CellOutcome({ number, ...output, results, error, timedOut: run.timedOut });
  }
  async start(code, options = {}) {
    known(options, RUN);
    const { signal } = options;
    const inner = await abortable(signal, (abort) => settled(this.#native.start(cell(code, options), abort)));
    return new CellRun(inner, signal);
  }
  interrupt() {
    this.#native.interrupt();
  }
  restart() {
    return settled(this.#native.restart());
  }
  close() {
    return settled(this.#native.close());
  }
}

disposable(CellRun);
disposable(Context);

module.exports = { CellOutcome, CellResult, CellRun, Context, beginning };
