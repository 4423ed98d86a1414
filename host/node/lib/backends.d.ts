import type { Content, ExecOptions, ExecResult, FileInfo, SpawnOptions } from "./index.js";

/** The files of a sandbox, whatever it runs on. Relative paths start at its working directory. */
export class BackendFiles {
  protected constructor();
  read(path: string): Promise<Uint8Array>;
  /** Rejects with `InvalidError` for what is not UTF-8. */
  readText(path: string): Promise<string>;
  /** In one step, making parents: readers see the old or the new file. */
  write(path: string, content: Content): Promise<void>;
  /** In the order of names. */
  list(path?: string): Promise<FileInfo[]>;
  /** Links are followed. */
  info(path: string): Promise<FileInfo>;
  exists(path: string): Promise<boolean>;
  makeDir(path: string, options?: { parents?: boolean }): Promise<void>;
  remove(path: string, options?: { recursive?: boolean; missingOk?: boolean }): Promise<void>;
  /** In one step, over what is there. */
  rename(source: string, target: string): Promise<void>;
}

/** What a backend can and cannot do. What it cannot is refused with `CapabilityError`. */
export interface Capabilities {
  /** Commands run. */
  readonly exec: boolean;
  /** Files can be read and written. */
  readonly filesystem: boolean;
  /** All 256 byte values survive a round trip through a file. */
  readonly binaryFiles: boolean;
  /** The way out; `policy` is an allow-list. */
  readonly network: "none" | "policy" | "provider" | "host";
  readonly snapshot: boolean;
  /** A sandbox can be set back to a snapshot, and a new one made from it. */
  readonly restore: boolean;
  readonly fork: boolean;
  readonly suspend: boolean;
  readonly resume: boolean;
  /** It has a reference, by which another holder reaches it. */
  readonly reconnect: boolean;
  /** How long files stay; `session` is as long as the sandbox. */
  readonly persistence: "none" | "session" | "durable";
  /** What separates it from the host. */
  readonly isolation: "none" | "process" | "wasm" | "container" | "vm" | "provider";
  readonly separateStderr: boolean;
  /** `exec` honours its variables. */
  readonly execEnvironment: boolean;
  /** `exec` honours its directory. */
  readonly execDirectory: boolean;
  /** The backend itself ends a command with all that it started at its time-out. */
  readonly execTimeout: boolean;
  /** Output arrives byte for byte. */
  readonly exactOutput: boolean;
  readonly stdin: boolean;
  /** Output can be read while the command runs. */
  readonly streaming: boolean;
  /** A call that is given up ends its command. */
  readonly cancel: boolean;
  /** A process that a command left behind goes on. */
  readonly background: boolean;
  /** Signals other than SIGKILL. */
  readonly signals: boolean;
  readonly terminal: boolean;
  readonly ports: boolean;
  /** Rules for files hold for commands too. */
  readonly filePolicy: boolean;
  readonly commandPolicy: boolean;
  readonly memoryLimit: boolean;
  readonly cpuLimit: boolean;
  readonly processLimit: boolean;
  readonly snapshotFiles: boolean;
  /** A snapshot holds variables and the working directory. */
  readonly snapshotSettings: boolean;
  /** A snapshot holds running processes with their memory. */
  readonly snapshotMemory: boolean;
  /** Time-outs are counted in units of this many milliseconds, rounded up. */
  readonly timeoutUnitMs: number;
}

/** A capture of a sandbox. Its `id` means something to its backend alone. */
export interface Snapshot {
  readonly backend: string;
  readonly id: string;
  /** Bytes, where that is known. */
  readonly size?: number;
  /** The snapshot that the sandbox was last restored from or captured in. */
  readonly parent?: string;
  readonly label?: string;
  readonly createdMs: number;
}

export interface ReconnectOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Puts it to sleep after that long without an operation. */
  idleSuspendMs?: number;
  /** Whether the next operation wakes it; if not, it rejects with `UnavailableError`. True by default. */
  autoResume?: boolean;
  /** What narrows what it may do (docs/policies.md). */
  policies?: Record<string, unknown>[];
  /** Settings over those of the backend. */
  settings?: Record<string, unknown>;
}

export interface CreateOptions extends ReconnectOptions {
  /** Bytes of memory of all processes together. */
  memory?: number;
  /** Processors, in parts too. */
  cpus?: number;
  /** Processes alive at once. */
  processes?: number;
  /** The way out, where the usual one will not do. */
  network?: Capabilities["network"];
  /** Facts of your own. */
  metadata?: Record<string, string>;
  /** What it begins as. */
  snapshot?: Snapshot;
  /** Gives it up: the call rejects with the signal's reason, and what is made by then is ended. */
  signal?: AbortSignal;
}

/**
 * A backend that makes sandboxes: Docker, gVisor, Kubernetes, the host's own shell, or a connector for a service.
 *
 * ```js
 * await using sandbox = await new Backend("docker", { image: "debian:12" }).create();
 * (await sandbox.exec("echo $((6 * 7))")).stdout; // "42\n"
 * ```
 */
export class Backend {
  /**
   * By its name, or by the path of a connector's component, `NAME.wasm`. `settings` are the backend's own, as
   * docs/backends.md and docs/connectors.md list them. `variables` are a connector's credentials and addresses, by the
   * names that those pages give them; what is not there is taken from the environment. `manifest` says what a component
   * may do, in place of the file beside it. A component of a file is compiled here, which takes seconds; a service or an
   * engine is not asked before `create`.
   */
  constructor(
    name: string,
    settings?: Record<string, unknown>,
    options?: { variables?: Record<string, string>; manifest?: Record<string, unknown> },
  );
  /** The names of all backends of this build. */
  static names(): string[];
  /** Of a component, the name of its file. */
  readonly name: string;
  /** What a sandbox with the backend's usual settings can and cannot do. */
  readonly capabilities: Capabilities;
  /** What the backend cannot honour is refused with `CapabilityError` before anything is made. */
  create(options?: CreateOptions): Promise<BackendSandbox>;
  /** Reaches a sandbox that lives, by its `reference`. Its `destroy` then only lets it go. */
  reconnect(reference: string, options?: ReconnectOptions): Promise<BackendSandbox>;
}

/** A script that runs in a sandbox of some backend. */
export class BackendProcess {
  private constructor();
  readonly stdin: WritableStream<Content>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** `INT`, `TERM` or `KILL`. Rejects with `CapabilityError` for what the backend cannot send. */
  signal(signal: string | number): Promise<void>;
  /** Ends it with all that it started. */
  kill(): Promise<void>;
  /** Waits for its end; the status. Read its output as well: what nobody reads stops it in time. */
  wait(): Promise<number>;
}

/** A sandbox of some backend; `await using` destroys it. */
export class BackendSandbox {
  private constructor();
  /** The name of its backend. */
  readonly backend: string;
  readonly cwd: string;
  /** What it can and cannot do, with the settings that it has. */
  readonly capabilities: Capabilities;
  readonly files: BackendFiles;
  /**
   * Runs a script to its end from fresh shell state; files stay. Another status than 0 is a result. A signal ends the
   * script where the backend can cancel; `onStdout` and `onStderr` need `streaming`.
   */
  exec(script: Content, options?: ExecOptions): Promise<ExecResult>;
  /** Starts a script, with its streams. */
  spawn(script: Content, options?: SpawnOptions): Promise<BackendProcess>;
  /** An independent copy: neither side sees what the other does from now on. */
  fork(label?: string): Promise<BackendSandbox>;
  /** Captures it, for `restore` and for `Backend.create`. */
  snapshot(label?: string): Promise<Snapshot>;
  /** Sets it back to a snapshot, byte for byte. */
  restore(snapshot: Snapshot): Promise<void>;
  /** One that is gone is fine. */
  deleteSnapshot(snapshot: Snapshot): Promise<void>;
  /** Puts it to sleep, for `resume`. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** Where in its life it is. */
  state(): Promise<"pending" | "running" | "suspending" | "suspended" | "resuming" | "failed" | "deleted" | "unknown">;
  /** How another holder reaches it, by `Backend.reconnect`. It holds no credential. */
  reference(): Promise<string>;
  /** Ends it, with what runs; one that was reconnected to is only let go. Branches and snapshots stay. */
  destroy(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
