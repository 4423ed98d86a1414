"use strict";
// Sandboxes for code that nobody has reviewed yet, at the price of a function call. `index.d.ts` documents it.

const native = require("./native.cjs");
const { Backend, BackendProcess, BackendSandbox } = require("./backends.cjs");
const { ExecResult, abortable, decoder, disposable, done, known, result, settled } = require("./common.cjs");
const { CellRun, CellOutcome, CellResult, Context, beginning } = require("./contexts.cjs");
const { asked, checked, number, readable, streamed } = require("./execution.cjs");
const { typed: _, ...errors } = require("./errors.cjs");
const { BackendFiles } = require("./files.cjs");

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

class Files extends BackendFiles {
  #native;
  constructor(inner) {
    super(inner);
    this.#native = inner;
  }
  writeMany(files) {
    return settled(this.#native.writeMany(Object.entries(files).map(([path, content]) => ({ path, content }))));
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
    this.#native.signal(number(signal));
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
      const inner = done(() => this.#native.spawn(asked(script, options)));
      await settled(inner.closeStdin());
      return streamed(inner, options);
    }
    const run = asked(script, options);
    const ended = await abortable(options.signal, (abort) => settled(this.#native.exec(run, abort)));
    return checked(result(ended), options.check);
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
  static async warm() {
    await settled(native.NativeSandbox.warm());
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
  Backend,
  BackendSandbox,
  BackendProcess,
  BackendFiles,
  Context,
  CellRun,
  CellOutcome,
  CellResult,
  ...errors,
};
