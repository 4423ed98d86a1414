"use strict";
// What the classes have in common: results, and errors of the native half as typed ones.

const native = require("./native.cjs");
const { typed } = require("./errors.cjs");

const decoder = new TextDecoder();

class ExecResult {
  constructor(raw) {
    this.exitCode = raw.exitCode;
    this.stdoutBytes = Uint8Array.from(raw.stdout);
    this.stderrBytes = Uint8Array.from(raw.stderr);
    this.timedOut = raw.timedOut;
    this.truncated = raw.truncated;
    this.durationMs = raw.durationMs;
  }
  get ok() {
    return this.exitCode === 0;
  }
  get stdout() {
    return decoder.decode(this.stdoutBytes);
  }
  get stderr() {
    return decoder.decode(this.stderrBytes);
  }
}

const result = (raw) => new ExecResult(raw);

/** Waits for the native half, and makes its errors typed ones. */
async function settled(promise) {
  try {
    return await promise;
  } catch (error) {
    throw typed(error, result);
  }
}

/** The same for what answers at once. */
function done(call) {
  try {
    return call();
  } catch (error) {
    throw typed(error, result);
  }
}

/** Sets prototype-less options apart from others: what is misspelt is an error. */
function known(options, names) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new TypeError(`${name}: there is no such option`);
  }
  return options;
}

/** Calls `start` with what the signal aborts it by. */
async function abortable(signal, start) {
  if (!signal) return start();
  signal.throwIfAborted();
  const abort = new native.NativeAbort();
  const ended = () => abort.abort();
  signal.addEventListener("abort", ended, { once: true });
  try {
    return await start(abort);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", ended);
  }
}

/** `await using` where the engine has it. */
function disposable(cls, end = "close") {
  if (!Symbol.asyncDispose) return;
  Object.defineProperty(cls.prototype, Symbol.asyncDispose, {
    value() {
      return this[end]();
    },
  });
}

module.exports = { ExecResult, abortable, decoder, disposable, done, known, result, settled };
