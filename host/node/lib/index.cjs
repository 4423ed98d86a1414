"use strict";
// Sandboxes for code that nobody has reviewed yet, at the price of a function call. `index.d.ts` documents it.

const native = require("./native.cjs");
const { ExecResult, abortable, decoder, disposable, done, known, result, settled } = require("./common.cjs");
const { CellRun, CellOutcome, CellResult, Context, beginning } = require("./contexts.cjs");
const { typed: _, ...errors } = require("./errors.cjs");

const SIGNALS = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, USR1: 10, USR2: 12, TERM: 15, CONT: 18, STOP: 19 };
const SETTINGS = ["files", "mounts", "env", "cwd", "network", "secrets", "commands", "limits", "seed"];

/** A function of the user's as the native half calls it: raw call in, raw answer out. */
function command(run) {
  return async (call) => {
    try {
      const answer = await run({ ...call, text: () => decoder.decode(call.stdin) });
      if (answer === undefined || answer === null) return { exitCode: 0 };
      if (typeof answer === "number") return { exitCode: answer & 255 };
      if (typeof answer === "string" || answer instanceof Uint8Array) return { exitCode: 0, stdout: answer };
      return { exitCode: answer.exitCode ?? 0, stdout: answer.stdout, stderr: answer.stderr };
    } catch (error) {
      return { exitCode: 1, stderr: `${call.name}: ${error?.message ?? error}\n` };
    }
  };
}

function described(options) {
  const pairs = (of) => Object.entries(of ?? {});
  return {
    files: pairs(options.files).map(([path, content]) => ({ path, content })),
    mounts: (options.mounts ?? []).map(({ host, path, mode = "ro" }) => ({ host, path, mode })),
    env: options.env ?? {},
    cwd: options.cwd,
    network: options.network ?? [],
    secrets: options.secrets ?? [],
    commands: pairs(options.commands).map(([name, run]) => ({ name, run: command(run) })),
    limits: Object.fromEntries(pairs(options.limits).filter(([, value]) => value !== undefined)),
    seed: options.seed,
  };
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
  if (check && ended.exitCode !== 0) throw new errors.ExecError(ended);
  return ended;
}

class Files {
  #native;
  constructor(inner) {
    this.#native = inner;
  }
  read(path) {
    return settled(this.#native.read(path));
  }
  async readText(path) {
    const bytes = await this.read(path);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new errors.InvalidError(`${path}: not UTF-8`, { code: "NOT_TEXT", operation: "readText" });
    }
  }
  write(path, content) {
    return settled(this.#native.write(path, content));
  }
  writeMany(files) {
    return settled(this.#native.writeMany(Object.entries(files).map(([path, content]) => ({ path, content }))));
  }
  list(path = ".") {
    return settled(this.#native.list(path));
  }
  info(path) {
    return settled(this.#native.info(path));
  }
  exists(path) {
    return settled(this.#native.exists(path));
  }
  makeDir(path, { parents = true } = {}) {
    return settled(this.#native.makeDir(path, parents));
  }
  remove(path, { recursive = false, missingOk = false } = {}) {
    return settled(this.#native.remove(path, recursive, missingOk));
  }
  rename(source, target) {
    return settled(this.#native.rename(source, target));
  }
  copy(source, target, { recursive = false } = {}) {
    return settled(this.#native.copy(source, target, recursive));
  }
  exportTar(path = ".") {
    return settled(this.#native.exportTar(path));
  }
  importTar(archive, path = ".") {
    return settled(this.#native.importTar(path, archive));
  }
  async watch(path = ".", { recursive = false, exclude = [] } = {}) {
    return new Watcher(await settled(this.#native.watch(path, recursive, exclude)));
  }
}

class Watcher {
  #native;
  constructor(inner) {
    this.#native = inner;
  }
  next() {
    return settled(this.#native.next());
  }
  look() {
    return settled(this.#native.look());
  }
  async *[Symbol.asyncIterator]() {
    for (;;) yield await this.next();
  }
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

class Process {
  #native;
  constructor(inner) {
    this.#native = inner;
    this.stdout = readable(() => inner.readStdout());
    this.stderr = readable(() => inner.readStderr());
    this.stdin = new WritableStream({
      write: (piece) => settled(inner.write(piece)),
      close: () => settled(inner.closeStdin()),
      abort: () => settled(inner.closeStdin()),
    });
  }
  signal(signal) {
    const number = typeof signal === "number" ? signal : SIGNALS[signal.toUpperCase().replace(/^SIG/, "")];
    if (number === undefined) throw new TypeError(`${signal}: there is no such signal`);
    this.#native.signal(number);
  }
  kill() {
    this.#native.signal(9);
  }
  wait() {
    return settled(this.#native.wait());
  }
}

class Terminal {
  #native;
  constructor(inner) {
    this.#native = inner;
    this.output = readable(() => inner.read());
  }
  write(data) {
    return settled(this.#native.write(data));
  }
  endInput() {
    return settled(this.#native.endInput());
  }
  interrupt() {
    return settled(this.#native.interrupt());
  }
  wait() {
    return settled(this.#native.wait());
  }
}

class Session {
  #native;
  constructor(inner) {
    this.#native = inner;
  }
  async exec(script, options = {}) {
    const ended = await settled(this.#native.exec(asked(script, options)));
    return checked(result(ended), options.check);
  }
  async fork() {
    return new Session(await settled(this.#native.fork()));
  }
  export() {
    return settled(this.#native.export());
  }
  get sandbox() {
    return Sandbox.of(this.#native.sandbox());
  }
}

class Sandbox {
  #native;
  constructor(options = {}) {
    this.#native =
      options instanceof native.NativeSandbox
        ? options
        : done(() => new native.NativeSandbox(described(known(options, SETTINGS))));
  }
  static of(inner) {
    return new Sandbox(inner);
  }
  get cwd() {
    return this.#native.cwd;
  }
  get files() {
    return new Files(this.#native);
  }
  async exec(script, options = {}) {
    if (options.onStdout || options.onStderr) {
      options.signal?.throwIfAborted();
      return this.#streamed(script, options);
    }
    const run = asked(script, options);
    const ended = await abortable(options.signal, (abort) => settled(this.#native.exec(run, abort)));
    return checked(result(ended), options.check);
  }
  async #streamed(script, options) {
    const started = performance.now();
    const inner = done(() => this.#native.spawn(asked(script, options)));
    await settled(inner.closeStdin());
    const ended = () => inner.signal(9);
    options.signal?.addEventListener("abort", ended, { once: true });
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
      inner.signal(9);
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", ended);
    }
  }
  spawn(script, options = {}) {
    return new Process(done(() => this.#native.spawn(asked(script, options))));
  }
  terminal(options = {}) {
    known(options, ["env", "cwd", "timeoutMs"]);
    return new Terminal(done(() => this.#native.terminal(asked("", options))));
  }
  session() {
    return new Session(this.#native.session());
  }
  loadSession(state) {
    return new Session(this.#native.loadSession(state));
  }
  async context(language = "python", options = {}) {
    return new Context(await settled(this.#native.context(beginning(language, options))));
  }
  contexts() {
    return this.#native.contexts().map((inner) => new Context(inner));
  }
  findContext(id) {
    return new Context(done(() => this.#native.findContext(id)));
  }
  fork() {
    return Sandbox.of(this.#native.fork());
  }
  forkMany(count) {
    return Array.from({ length: count }, () => this.fork());
  }
  diff(after) {
    return done(() => this.#native.diff(after.#native));
  }
  close() {
    return settled(this.#native.close());
  }
}

class Sandboxes {
  #native;
  constructor(directory, { secret } = {}) {
    const key = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
    this.#native = done(() => new native.NativeSandboxes(directory, key));
  }
  create(name, options = {}) {
    const { title, tags = [], template, ...settings } = options;
    known(settings, template === undefined ? ["files", "env", "cwd", "limits"] : []);
    return settled(this.#native.create(name, described(settings), template, title, tags));
  }
  publish(name, template) {
    return settled(this.#native.publish(name, template));
  }
  templates() {
    return settled(this.#native.templates());
  }
  fork(point, name) {
    return settled(this.#native.fork(point, name));
  }
  async open(name) {
    return Sandbox.of(await settled(this.#native.openSandbox(name)));
  }
  async exec(name, script, options = {}) {
    const ended = await settled(this.#native.exec(name, asked(script, options)));
    return checked(result(ended), options.check);
  }
  info(name) {
    return settled(this.#native.info(name));
  }
  list() {
    return settled(this.#native.list());
  }
  suspend(name) {
    return settled(this.#native.suspend(name));
  }
  delete(name) {
    return settled(this.#native.delete(name));
  }
  diff(before, after) {
    return settled(this.#native.diff(before, after));
  }
  promote(branch) {
    return settled(this.#native.promote(branch));
  }
  snapshot(name, label) {
    return settled(this.#native.snapshot(name, label));
  }
  restore(name, point) {
    return settled(this.#native.restore(name, point));
  }
  log(name, limit = 20) {
    return settled(this.#native.log(name, limit));
  }
}

disposable(Sandbox);

module.exports = {
  Sandbox,
  Sandboxes,
  Session,
  Process,
  Terminal,
  Watcher,
  Files,
  ExecResult,
  Context,
  CellRun,
  CellOutcome,
  CellResult,
  ...errors,
};
