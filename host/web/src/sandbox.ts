// Sandboxes, as the Node package has them.

import { COMMANDS } from "./commands.js";
import { MOST_MEMORY, TOTAL_MEMORY, type Engine } from "./engine.js";
import { CorruptError, ExecError, InvalidError, typed, UnavailableError } from "./errors.js";
import { absolute, bytesOf, Files, type Content } from "./files.js";
import { Kernel, type FunctionCall, type KernelLimits, type Program } from "./kernel.js";
import { attach, createOwned, HOME, USER, writeCommand } from "./layout.js";
import { Process } from "./running.js";
import { Terminal } from "./terminal.js";
import { Client, type Fetch } from "./network/client.js";
import { curl } from "./network/curl.js";
import { Policy, type Secret } from "./network/policy.js";
import { wget } from "./network/wget.js";
import { pairs, Runner, type Order, type State, type Watch } from "./run.js";
import type { ExecResult } from "./result.js";
import { seeded, SYSTEM } from "./sources.js";
import { mapped, ownSource, type OwnFiles } from "./source.js";
import type { Quotas, Tree } from "./tree.js";

/** What a sandbox may use. What is not set has the default; times and steps have none. */
export interface Limits {
  /** Bytes of memory of one process; 256 MiB, which is also the most. A program begins with some MiB. */
  memory?: number;
  /** Bytes of memory of all processes; 1 GiB. Who grows beyond it is ended. */
  totalMemory?: number;
  /** Milliseconds that one execution may take. It counts where a script waits or calls the host. */
  timeMs?: number;
  /** Instructions of the shell in one execution. */
  steps?: number;
  /** Processes alive at once; 64. */
  processes?: number;
  /** Descriptors of one process; 256. */
  openFiles?: number;
  /** Bytes that one execution may write; 1 GiB. */
  output?: number;
  /** Bytes in files; 1 GiB. */
  disk?: number;
  /** Files and directories; 1,000,000. */
  inodes?: number;
  /** Bytes of one file. */
  fileSize?: number;
}

/** One call of a function as a command. */
export interface Invocation {
  /** The name that it was called by. */
  name: string;
  /** The arguments, without the name. */
  arguments: string[];
  /** The exported variables. */
  env: Record<string, string>;
  /** The working directory, absolute. */
  cwd: string;
  /** Standard input to its end, 256 MiB at most. */
  stdin: Uint8Array;
  /** Standard input as text. */
  text(): string;
}

/** What a command answers: a status, what it prints, both, or nothing for status 0. */
export type Answer = number | Content | { exitCode?: number; stdout?: Content; stderr?: Content } | void;

/** A command that is a function of the host. It runs outside the isolation: it must not trust its arguments. */
export type Command = (call: Invocation) => Answer | Promise<Answer>;

/** Files of the embedder: `ro` (the default) to read, `cow` to write to without its files being touched. */
export interface Mount {
  path: string;
  /** By their paths, or a file system whose functions are asked whenever somebody looks. */
  files: Record<string, Content> | OwnFiles;
  mode?: "ro" | "cow";
}

export interface SandboxOptions {
  /** Files to begin with, by path. */
  files?: Record<string, Content>;
  mounts?: Mount[];
  env?: Record<string, string>;
  /** Only the variables of `env`: not `HOME`, `PATH` and the others that a sandbox has. */
  clearEnv?: boolean;
  /** The working directory; the user's home. */
  cwd?: string;
  /** What `curl`, `wget` and `git` may reach: `GET,POST https://api.example.com`. Nothing by default. */
  network?: string[];
  secrets?: Secret[];
  /** Makes the requests; the engine's own `fetch`. */
  fetch?: Fetch;
  commands?: Record<string, Command>;
  limits?: Limits;
  /** With a seed, random numbers repeat. */
  seed?: number;
  /** What it runs on; the package's own where the entry point has loaded one. */
  engine?: Engine;
}

export interface SessionExecOptions {
  /** `$1`, `$2` … */
  arguments?: string[];
  stdin?: Content;
  env?: Record<string, string>;
  /** After that long the script is ended, with status 124 and the output so far. */
  timeoutMs?: number;
  /** Throws `ExecError` for another status than 0. */
  check?: boolean;
  /** Ends the script; the call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Output as it comes; the script waits for what is returned. */
  onStdout?: Watch;
  onStderr?: Watch;
}

export interface ExecOptions extends SessionExecOptions {
  cwd?: string;
}

export interface SpawnOptions {
  arguments?: string[];
  env?: Record<string, string>;
  cwd?: string;
  timeoutMs?: number;
}

export interface Change {
  kind: "added" | "removed" | "modified";
  path: string;
}

/** @internal Changes as the component of the trees has them. */
export const changesOf = (changes: { path: Uint8Array; kind: Change["kind"] }[]): Change[] =>
  changes.map(({ path, kind }) => ({ kind, path: decoder.decode(path) || "/" }));

let ready: Engine | undefined;

/** Says what sandboxes run on that are made without an engine. */
export function useEngine(engine: Engine): void {
  ready = engine;
}

const OPTIONS = ["files", "mounts", "env", "clearEnv", "cwd", "network", "secrets", "fetch", "commands", "limits", "seed", "engine"];
const RUN = ["arguments", "stdin", "env", "cwd", "timeoutMs", "check", "signal", "onStdout", "onStderr"];
const LIMITS = ["memory", "totalMemory", "timeMs", "steps", "processes", "openFiles", "output", "disk", "inodes", "fileSize"];
const INPUT = 256 << 20;
const decoder = new TextDecoder();

/** @internal What is misspelt is an error. */
export function known<T extends object>(options: T, names: string[]): T {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new TypeError(`${name}: there is no such option`);
  }
  return options;
}

function checkLimits(limits: Limits): Limits {
  for (const [name, value] of Object.entries(limits)) {
    const facts = { code: "INVALID", operation: "limits" };
    if (!LIMITS.includes(name)) throw new InvalidError(`${name}: there is no such limit`, facts);
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new InvalidError(`${name}: ${value} is no whole number`, facts);
    }
  }
  if ((limits.memory ?? 0) > MOST_MEMORY) {
    throw new InvalidError("memory: a process has 256 MiB at most", { code: "INVALID", operation: "limits" });
  }
  return limits;
}

function kernelLimits(limits: Limits): KernelLimits {
  return {
    memory: limits.memory ?? MOST_MEMORY,
    totalMemory: limits.totalMemory ?? TOTAL_MEMORY,
    processes: limits.processes ?? 64,
    openFiles: limits.openFiles ?? 256,
    output: limits.output ?? 2 ** 30,
    timeMs: limits.timeMs,
    steps: BigInt(limits.steps ?? 0),
  };
}

function quotas(limits: Limits, before: Quotas): Quotas {
  return {
    bytes: limits.disk === undefined ? before.bytes : BigInt(limits.disk),
    inodes: limits.inodes === undefined ? before.inodes : BigInt(limits.inodes),
    fileSize: limits.fileSize === undefined ? before.fileSize : BigInt(limits.fileSize),
  };
}

/** A function of the user's as a program. */
function program(run: Command): Program {
  return {
    kind: "function",
    async run(call: FunctionCall) {
      const [name = "", ...args] = call.arguments.map((bytes) => decoder.decode(bytes));
      const short = name.replace(/^.*\//, "");
      const env = Object.fromEntries(call.environment.map((pair) => pair.map((bytes) => decoder.decode(bytes))));
      const stdin = await call.input(INPUT);
      const cwd = decoder.decode(call.directory);
      let answer: Answer;
      try {
        answer = await run({ name: short, arguments: args, env, cwd, stdin, text: () => decoder.decode(stdin) });
      } catch (error) {
        answer = { exitCode: 1, stderr: `${short}: ${error instanceof Error ? error.message : error}\n` };
      }
      if (answer === undefined || answer === null) return 0;
      if (typeof answer === "number") return answer;
      const full = typeof answer === "string" || answer instanceof Uint8Array ? { stdout: answer } : answer;
      if (full.stdout !== undefined) await call.output(1, bytesOf(full.stdout));
      if (full.stderr !== undefined) await call.output(2, bytesOf(full.stderr));
      return (full as { exitCode?: number }).exitCode ?? 0;
    },
  };
}

const PROGRAMS = new Map<string, Program>([
  ...Object.entries(COMMANDS).map(([name, component]): [string, Program] => [name, { kind: "component", component }]),
  ["bash", { kind: "shell" }],
  ["sh", { kind: "shell" }],
]);

/** `curl` and `wget`, under a policy. */
function networked(client: Client): [string, Program][] {
  const command = (run: typeof curl): Program => ({ kind: "function", run: (call) => run(client, call) });
  return [["curl", command(curl)], ["wget", command(wget)]];
}

/** Mounts what the embedder gives. */
function mountAll(tree: Tree, { mounts }: Settings): void {
  for (const { path, files, mode } of mounts) {
    const own = typeof files.info === "function" ? (files as OwnFiles) : mapped(files as Record<string, Content>);
    createOwned(tree, path);
    tree.mount(bytesOf(path), ownSource(own), mode === "cow", USER);
  }
}

/** Everything that a sandbox and its branches share. */
interface Settings {
  mounts: Mount[];
  engine: Engine;
  env: Record<string, string>;
  cwd: string;
  programs: Map<string, Program>;
  limits: Limits;
  seed: number | undefined;
}

/** What is kept of a sandbox besides files. */
interface Described {
  env: Record<string, string>;
  cwd: string;
}

const MAGIC = "OFFSHOOT sandbox 1\n";

/**
 * A virtual sandbox: a bash-compatible shell and the usual Unix commands over files in memory.
 *
 * ```js
 * const sandbox = new Sandbox({ files: { "/home/user/words": "pear\nfig\n" } });
 * (await sandbox.exec("sort words | head -n 1")).stdout; // "fig\n"
 * ```
 */
export class Sandbox {
  private readonly settings: Settings;
  private readonly tree: Tree;
  private readonly kernel: Kernel;
  private readonly runner: Runner;
  private closed = false;
  readonly cwd: string;
  readonly files: Files;

  constructor(options: SandboxOptions = {}) {
    const inner = options instanceof Inner ? options : undefined;
    const settings = inner?.settings ?? described(known(options, OPTIONS));
    const tree = inner?.tree ?? settings.engine.template().fork();
    this.settings = settings;
    this.tree = tree;
    this.cwd = settings.cwd;
    const sources = settings.seed === undefined ? SYSTEM : seeded(settings.seed);
    this.kernel = new Kernel(settings.engine, tree, USER, settings.programs, kernelLimits(settings.limits), sources, settings.mounts);
    const environment = pairs(settings.env);
    this.runner = new Runner(this.kernel, { environment, directory: bytesOf(this.cwd), umask: 0o022, posix: false });
    this.files = new Files(() => this.alive("files").tree, this.cwd);
    if (!inner) this.fill(options);
  }

  private fill(options: SandboxOptions): void {
    try {
      this.tree.setQuotas(quotas(this.settings.limits, this.tree.quotas()));
      for (const name of ["curl", "wget", ...Object.keys(options.commands ?? {})]) writeCommand(this.tree, name);
      createOwned(this.tree, this.cwd);
      mountAll(this.tree, this.settings);
      if (options.files) this.files.writeNow(options.files);
    } catch (thrown) {
      throw typed(thrown, "create", this.cwd);
    }
  }

  private alive(operation: string): this {
    if (this.closed) throw new UnavailableError("the sandbox is closed", { code: "SANDBOX_UNAVAILABLE", operation });
    return this;
  }

  /** Runs a script to its end from fresh shell state; files stay. Another status than 0 is a result. */
  async exec(script: Content, options: ExecOptions = {}): Promise<ExecResult> {
    return this.execWith(script, options);
  }

  /** @internal */
  async execWith(script: Content, options: ExecOptions, state?: State): Promise<ExecResult> {
    const { stdin, check, signal, onStdout, onStderr, ...rest } = known(options, RUN);
    const { runner } = this.alive("exec");
    const result = await runner.exec(this.order(script, rest), stdin, { signal, onStdout, onStderr }, state);
    if (check && result.exitCode !== 0) throw new ExecError(result);
    return result;
  }

  private order(script: Content, options: SpawnOptions): Order {
    const cwd = options.cwd === undefined ? undefined : absolute(this.cwd, options.cwd, "exec");
    return { script, arguments: options.arguments ?? [], env: options.env ?? {}, cwd, timeoutMs: options.timeoutMs };
  }

  /** Starts a script and returns at once, with its streams. */
  spawn(script: Content, options: SpawnOptions = {}): Process {
    known(options, ["arguments", "env", "cwd", "timeoutMs"]);
    return new Process(this.alive("spawn").runner, this.order(script, options));
  }

  /** Starts an interactive shell, for whoever shows it to a person. */
  terminal(options: Omit<SpawnOptions, "arguments"> = {}): Terminal {
    known(options, ["env", "cwd", "timeoutMs"]);
    return new Terminal(this.alive("terminal").runner, this.order("", options));
  }

  /** A session: shell state that lives from one execution to the next. */
  session(): Session {
    return new Session(this, { bytes: undefined });
  }
  /** A session from the bytes of `Session.export`, from here or elsewhere. */
  loadSession(state: Uint8Array): Session {
    return new Session(this, { bytes: state });
  }

  /** An independent copy in constant time, whatever its size. */
  fork(): Sandbox {
    const { settings, tree } = this.alive("fork");
    return new Sandbox(new Inner(settings, tree.fork()));
  }
  forkMany(count: number): Sandbox[] {
    return Array.from({ length: count }, () => this.fork());
  }

  /** What differs in a branch of this one. */
  diff(after: Sandbox): Change[] {
    return changesOf(this.alive("diff").tree.diff(after.alive("diff").tree));
  }

  /** Files, variables and working directory as bytes, for `Sandbox.restore`; own commands are left out. */
  async snapshot(): Promise<Uint8Array> {
    const { settings, tree } = this.alive("snapshot");
    const { env, cwd } = settings;
    const head = bytesOf(`${MAGIC}${JSON.stringify({ env, cwd })}\n`);
    const saved = tree.save();
    const all = new Uint8Array(head.length + saved.length);
    all.set(head);
    all.set(saved, head.length);
    return all;
  }

  /** A sandbox from a snapshot, checked as a whole. */
  static async restore(snapshot: Uint8Array, options: Omit<SandboxOptions, "files" | "cwd"> = {}): Promise<Sandbox> {
    const corrupt = (message: string) => new CorruptError(message, { code: "CORRUPT", operation: "restore" });
    const magic = bytesOf(MAGIC);
    if (!magic.every((byte, n) => snapshot[n] === byte)) throw corrupt("no snapshot of a sandbox");
    const end = snapshot.indexOf(0x0a, magic.length);
    let kept: Described;
    try {
      kept = JSON.parse(decoder.decode(snapshot.subarray(magic.length, end)));
    } catch {
      throw corrupt("the settings of the snapshot are damaged");
    }
    return Sandbox.over(kept, options, (engine, quotas) => engine.trees.load(snapshot.subarray(end + 1), quotas));
  }

  /** @internal A sandbox over a tree that was kept. */
  static over(kept: Described, options: Omit<SandboxOptions, "files" | "cwd">, load: (engine: Engine, quotas: Quotas) => Tree): Sandbox {
    const env = { ...(options.clearEnv ? {} : kept.env), ...options.env };
    const settings = described({ ...known(options, OPTIONS), cwd: kept.cwd, env, clearEnv: true });
    const template = settings.engine.template();
    let tree: Tree;
    try {
      tree = load(settings.engine, quotas(settings.limits, template.quotas()));
    } catch (thrown) {
      throw typed(thrown, "restore", "snapshot");
    }
    for (const name of Object.keys(options.commands ?? {})) writeCommand(tree, name);
    attach(tree);
    mountAll(tree, settings);
    return new Sandbox(new Inner(settings, tree));
  }

  /** @internal What a store keeps of it. */
  parts(): { tree: Tree; engine: Engine; kept: Described & { limits: Limits } } {
    const { settings, tree } = this.alive("suspend");
    const { engine, env, cwd, limits } = settings;
    return { tree, engine, kept: { env, cwd, limits } };
  }

  /** Bytes and files that it holds, and bytes of memory of the processes that run in it. */
  usage(): { bytes: number; files: number; memory: number } {
    const { bytes, inodes } = this.alive("usage").tree.usage();
    return { bytes: Number(bytes), files: Number(inodes), memory: this.kernel.memory() };
  }

  /** @internal What puts it to sleep before it ends, where a store keeps it. */
  suspend: (() => Promise<unknown>) | undefined;

  /** Ends it, with what runs. Branches are not affected; one that `Sandboxes` has opened is suspended. */
  async close(): Promise<void> {
    try {
      await this.suspend?.();
    } finally {
      if (!this.closed) {
        this.closed = true;
        this.kernel.terminate();
        this.runner.close();
        this.tree.drop();
      }
    }
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A sandbox over a tree that is there already. */
class Inner {
  readonly engine: Engine;
  constructor(readonly settings: Settings, readonly tree: Tree) {
    this.engine = settings.engine;
  }
}

/** What sandboxes run on. */
export function engineOf(options: { engine?: Engine }): Engine {
  const engine = options.engine ?? ready;
  if (!engine) throw new TypeError("no engine: pass one, or call useEngine() first");
  return engine;
}

function described(options: SandboxOptions): Settings {
  const engine = engineOf(options);
  const cwd = absolute(HOME, options.cwd ?? HOME, "create");
  const own = Object.entries(options.commands ?? {}).map(([name, run]): [string, Program] => [name, program(run)]);
  const usual = {
    HOME,
    HOSTNAME: USER.hostname,
    LANG: "C.UTF-8",
    LOGNAME: USER.user,
    PATH: "/usr/local/bin:/usr/bin:/bin",
    PWD: cwd,
    SHELL: "/bin/bash",
    USER: USER.user,
  };
  const env = { ...(options.clearEnv ? {} : usual), ...options.env };
  const limits = checkLimits(options.limits ?? {});
  const policy = new Policy(options.network ?? [], options.secrets ?? []);
  const client = new Client(policy, options.fetch ?? globalThis.fetch?.bind(globalThis));
  const programs = new Map([...PROGRAMS, ...networked(client), ...own]);
  const mounts = (options.mounts ?? []).map((mount) => ({ ...mount, path: absolute(cwd, mount.path, "create") }));
  return { engine, cwd, env, programs, mounts, limits, seed: options.seed };
}

/** Shell state that lives from one execution to the next: directory, variables, functions, options. */
export class Session {
  private last: Promise<unknown> = Promise.resolve();
  /** @internal */
  constructor(readonly sandbox: Sandbox, private readonly state: State) {}

  /** Runs a script on it; one after the other. */
  exec(script: Content, options: SessionExecOptions = {}): Promise<ExecResult> {
    const run = this.last.then(() => this.sandbox.execWith(script, options, this.state));
    this.last = run.catch(() => undefined);
    return run;
  }
  /** The same state in a branch of the sandbox. */
  async fork(): Promise<Session> {
    await this.last;
    return new Session(this.sandbox.fork(), { bytes: this.state.bytes });
  }
  /** The state as bytes, for `Sandbox.loadSession`, here or elsewhere. */
  async export(): Promise<Uint8Array> {
    if (!this.state.bytes) await this.exec("");
    await this.last;
    return this.state.bytes!;
  }
}
