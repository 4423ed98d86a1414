"use strict";
// What running a script has in common, whatever the sandbox runs on.

const { known, result, settled } = require("./common.cjs");
const { ExecError } = require("./errors.cjs");

const SIGNALS = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, USR1: 10, USR2: 12, TERM: 15, CONT: 18, STOP: 19 };

/** The number of a signal, by name (`TERM`, `SIGTERM`) or number. */
function number(signal) {
  const found = typeof signal === "number" ? signal : SIGNALS[signal.toUpperCase().replace(/^SIG/, "")];
  if (found === undefined) throw new TypeError(`${signal}: there is no such signal`);
  return found;
}

const RUN = ["arguments", "stdin", "env", "cwd", "timeoutMs", "check", "signal", "onStdout", "onStderr"];

function asked(script, options = {}) {
  known(options, RUN);
  return {
    script,
    arguments: options.arguments ?? [],
    stdin: options.stdin,
    env: options.env ?? {},
    cwd: options.cwd,
    timeoutMs: options.timeoutMs,
  };
}

function checked(ended, check) {
  if (check && ended.exitCode !== 0) throw new ExecError(ended);
  return ended;
}

/** A web stream over what `next` gives, piece by piece, at the reader's pace. */
function readable(next) {
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = await settled(next());
        if (piece === null || piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The result of a script that was started, its output handed on as it comes. */
async function streamed(inner, options) {
  const started = performance.now();
  // Whoever waits hears of a signal that cannot be sent.
  const ended = () => Promise.resolve(inner.signal(9)).catch(() => {});
  options.signal?.addEventListener("abort", ended, { once: true });
  if (options.signal?.aborted) ended();
  const pass = async (next, to) => {
    const pieces = [];
    for (let piece = await next(); piece != null; piece = await next()) {
      pieces.push(piece);
      await to?.(piece);
    }
    return Buffer.concat(pieces);
  };
  try {
    const [stdout, stderr] = await Promise.all([
      pass(() => inner.readStdout(), options.onStdout),
      pass(() => inner.readStderr(), options.onStderr),
    ]);
    const exitCode = await settled(inner.wait());
    options.signal?.throwIfAborted();
    const durationMs = performance.now() - started;
    const timedOut = exitCode === 124 && options.timeoutMs !== undefined && durationMs >= options.timeoutMs;
    return checked(result({ exitCode, stdout, stderr, timedOut, truncated: false, durationMs }), options.check);
  } catch (error) {
    ended();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", ended);
  }
}

module.exports = { asked, checked, number, readable, streamed };
