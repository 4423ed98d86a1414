"use strict";
// Other backends by name, and sandboxes on them.

const native = require("./native.cjs");
const { abortable, disposable, done, known, result, settled } = require("./common.cjs");
const { CapabilityError } = require("./errors.cjs");
const { asked, checked, number, readable, streamed } = require("./execution.cjs");
const { BackendFiles } = require("./files.cjs");

const KEPT = ["cwd", "env", "idleSuspendMs", "autoResume", "policies", "settings"];
const MADE = [...KEPT, "memory", "cpus", "processes", "network", "metadata", "snapshot", "signal"];

/** The native half, where it was built with backends. */
function built() {
  if (native.NativeBackend) return native;
  throw new CapabilityError("this build of offshoot has no other backends", { code: "CAPABILITY", operation: "load" });
}

function capabilities(inner) {
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const entries = Object.entries(JSON.parse(done(() => inner.capabilities())));
  return Object.freeze(Object.fromEntries(entries.map(([name, value]) => [camel(name), value])));
}

/** What a sandbox is made with, as the native half reads it. */
function wish(options, names) {
  known(options, names);
  return JSON.stringify({
    cwd: options.cwd,
    env: Object.entries(options.env ?? {}),
    idle_suspend_ms: options.idleSuspendMs,
    auto_resume_on_access: options.autoResume ?? true,
    policies: options.policies ?? [],
    settings: options.settings ?? {},
    limits: { memory_bytes: options.memory, cpus: options.cpus, processes: options.processes },
    network: options.network,
    metadata: options.metadata ?? {},
    snapshot: options.snapshot && raw(options.snapshot),
  });
}

/** A snapshot as the native half reads it. */
const raw = ({ createdMs, ...facts }) => ({ size: null, parent: null, label: null, ...facts, created_ms: createdMs });

function snapshot(text) {
  const { created_ms: createdMs, ...facts } = JSON.parse(text);
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(known), createdMs };
}

class Backend {
  #native;
  constructor(name, settings = {}, options = {}) {
    const { variables = {}, manifest } = known(options, ["variables", "manifest"]);
    const choice = JSON.stringify({ name, settings, variables, manifest });
    const { NativeBackend } = built();
    this.#native = done(() => new NativeBackend(choice));
  }
  static names() {
    return done(() => built().backendNames());
  }
  get name() {
    return this.#native.name;
  }
  get capabilities() {
    return capabilities(this.#native);
  }
  async create(options = {}) {
    const asked = wish(options, MADE);
    const made = (abort) => settled(this.#native.create(asked, abort));
    return BackendSandbox.of(await abortable(options.signal, made));
  }
  async reconnect(reference, options = {}) {
    return BackendSandbox.of(await settled(this.#native.reconnect(reference, wish(options, KEPT))));
  }
}

class BackendProcess {
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
  async signal(signal) {
    await settled(this.#native.signal(number(signal)));
  }
  kill() {
    return this.signal(9);
  }
  wait() {
    return settled(this.#native.wait());
  }
}

class BackendSandbox {
  #native;
  constructor(inner) {
    if (!(inner instanceof built().NativeBackendSandbox)) throw new TypeError("sandboxes are made by a Backend");
    this.#native = inner;
  }
  static of(inner) {
    return new BackendSandbox(inner);
  }
  get backend() {
    return this.#native.backend;
  }
  get cwd() {
    return this.#native.cwd;
  }
  get capabilities() {
    return capabilities(this.#native);
  }
  get files() {
    return new BackendFiles(this.#native);
  }
  async exec(script, options = {}) {
    const run = asked(script, options);
    if (options.onStdout || options.onStderr) {
      options.signal?.throwIfAborted();
      return streamed(await settled(this.#native.spawn(run, false)), options);
    }
    const ended = await abortable(options.signal, (abort) => settled(this.#native.exec(run, abort)));
    return checked(result(ended), options.check);
  }
  async spawn(script, options = {}) {
    known(options, ["arguments", "env", "cwd", "timeoutMs"]);
    return new BackendProcess(await settled(this.#native.spawn(asked(script, options), true)));
  }
  async fork(label) {
    return BackendSandbox.of(await settled(this.#native.fork(label)));
  }
  async snapshot(label) {
    return snapshot(await settled(this.#native.snapshot(label)));
  }
  restore(snapshot) {
    return settled(this.#native.restore(JSON.stringify(raw(snapshot))));
  }
  deleteSnapshot(snapshot) {
    return settled(this.#native.deleteSnapshot(JSON.stringify(raw(snapshot))));
  }
  suspend() {
    return settled(this.#native.suspend());
  }
  resume() {
    return settled(this.#native.resume());
  }
  state() {
    return settled(this.#native.state());
  }
  reference() {
    return settled(this.#native.reference());
  }
  destroy() {
    return settled(this.#native.destroy());
  }
}

disposable(BackendSandbox, "destroy");

module.exports = { Backend, BackendProcess, BackendSandbox };
