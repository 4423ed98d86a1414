import { BackendFiles } from "./backends.js";

export * from "./backends.js";

/** Text (as UTF-8) or bytes. */
export type Content = string | Uint8Array;

/** What a sandbox may use. What is not set has the library's default; times have none. */
export interface Limits {
  /** Bytes of memory of one process; 256 MiB, and 4 GiB at most. */
  memory?: number;
  /** Bytes of memory of all processes, and of contexts that wait; 1 GiB. */
  totalMemory?: number;
  /** Milliseconds that one execution may take. */
  timeMs?: number;
  /** Milliseconds of processor time of one execution. */
  cpuTimeMs?: number;
  /** Processes alive at once; 64. */
  processes?: number;
  /** Descriptors of one process; 256. */
  openFiles?: number;
  /** Bytes that one execution may write; 1 GiB. */
  output?: number;
  /** Bytes in files. */
  disk?: number;
  /** Files and directories. */
  inodes?: number;
  /** Bytes of one file. */
  fileSize?: number;
}

/** A folder of the host: `ro` (the default) to read, `cow` to write to without the host seeing it. */
export interface Mount {
  host: string;
  path: string;
  mode?: "ro" | "cow";
}

/** A header that the host adds to requests to an origin; the sandbox never sees its value. */
export interface Secret {
  origin: string;
  header: string;
  value: string;
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

export interface SandboxOptions {
  /** Files to begin with, by path. */
  files?: Record<string, Content>;
  mounts?: Mount[];
  env?: Record<string, string>;
  /** The working directory; the user's home. */
  cwd?: string;
  /** What `curl`, `wget` and `git` may reach: `GET,POST https://api.example.com`. Nothing by default. */
  network?: string[];
  secrets?: Secret[];
  commands?: Record<string, Command>;
  limits?: Limits;
  /** With a seed, times and random numbers repeat. */
  seed?: number;
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
}

export interface KeptExecOptions extends SessionExecOptions {
  cwd?: string;
}

export interface ExecOptions extends KeptExecOptions {
  /** Ends the script; the call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Output as it comes; the script waits for what is returned. */
  onStdout?: (piece: Uint8Array) => unknown;
  onStderr?: (piece: Uint8Array) => unknown;
}

export interface SpawnOptions {
  arguments?: string[];
  env?: Record<string, string>;
  cwd?: string;
  timeoutMs?: number;
}

/** Output and status of a script that ended. */
export class ExecResult {
  private constructor();
  /** 0 to 255; 124 after a time-out. */
  readonly exitCode: number;
  /** Whether the status is 0. */
  readonly ok: boolean;
  /** As text; what is not UTF-8 is replaced. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderrBytes: Uint8Array;
  readonly timedOut: boolean;
  /** Whether output is missing at its end. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface FileInfo {
  name: string;
  kind: "file" | "directory" | "symlink" | "other";
  /** Bytes. */
  size: number;
  mode?: number;
  /** Milliseconds since 1970. */
  modifiedMs?: number;
}

export interface Change {
  kind: "added" | "removed" | "modified";
  path: string;
}

/** Something that happened to a path; `moved` is `added` under another name. */
export interface FileEvent {
  kind: "added" | "written" | "attributes" | "moved" | "removed";
  path: string;
}

/** Tells what changes below a directory from the moment it was made; iterating waits for the next changes. */
export class Watcher implements AsyncIterable<FileEvent[]> {
  private constructor();
  /** Waits until something happened. */
  next(): Promise<FileEvent[]>;
  /** What happened since the last look; empty where nothing did. */
  look(): Promise<FileEvent[]>;
  [Symbol.asyncIterator](): AsyncIterator<FileEvent[]>;
}

/** The files of a virtual sandbox. */
export class Files extends BackendFiles {
  private constructor();
  /** All, or none of them. */
  writeMany(files: Record<string, Content>): Promise<void>;
  copy(source: string, target: string, options?: { recursive?: boolean }): Promise<void>;
  /** A directory as a tar archive. */
  exportTar(path?: string): Promise<Uint8Array>;
  /** Unpacks a tar archive into a directory that is there: all of it, or nothing. */
  importTar(archive: Uint8Array, path?: string): Promise<void>;
  /** Watches a directory, with `recursive` all below it, without what the globs of `exclude` match. */
  watch(path?: string, options?: { recursive?: boolean; exclude?: string[] }): Promise<Watcher>;
}

/** A script that runs. */
export class Process {
  private constructor();
  readonly stdin: WritableStream<Content>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** By name (`TERM`, `SIGTERM`) or number; a trap may take it. */
  signal(signal: string | number): void;
  /** Ends it with all that it started. */
  kill(): void;
  /** Waits for its end; the status. Output that nobody has read by then is dropped. */
  wait(): Promise<number>;
}

/**
 * A shell that is typed to: it prompts, and keeps its state and its jobs from line to line. Both outputs come in one
 * stream, prompts included. It does not echo: that is the part of whoever shows it.
 */
export class Terminal {
  private constructor();
  readonly output: ReadableStream<Uint8Array>;
  /** Types: a line with its end. */
  write(data: Content): Promise<void>;
  /** Ctrl-D at the start of a line: at the prompt the shell ends. */
  endInput(): Promise<void>;
  /** Ctrl-C: ends what runs in the foreground, and the line that is typed. */
  interrupt(): Promise<void>;
  /** Closes the input and waits for the end; the status. */
  wait(): Promise<number>;
}

/** Shell state that lives from one execution to the next: directory, variables, functions, options. */
export class Session {
  private constructor();
  exec(script: Content, options?: SessionExecOptions): Promise<ExecResult>;
  /** The same state in a branch of the sandbox. */
  fork(): Promise<Session>;
  /** The state as bytes, for `Sandbox.loadSession`, here or elsewhere. */
  export(): Promise<Uint8Array>;
  readonly sandbox: Sandbox;
}

export interface ContextOptions {
  /** The working directory that it begins in; the sandbox's. */
  cwd?: string;
  env?: Record<string, string>;
  /** With `false`, an interrupt or a time-out ends the interpreter with all that it holds. */
  interruptible?: boolean;
}

/** A value that a cell shows: that of its last expression, or what it gave to `display`. */
export class CellResult {
  private constructor();
  /** It is the value of the last expression. */
  readonly main: boolean;
  /** By MIME types: `text/plain` is its `repr`; binary types such as `image/png` are in Base64. */
  readonly data: Record<string, unknown>;
  readonly text?: string;
}

/** The exception that ended a cell. In Bash it is a status that is not 0: the name is `ExitStatus`. */
export interface CellError {
  /** `ZeroDivisionError`; `KeyboardInterrupt` where the cell was interrupted. */
  name: string;
  value: string;
  traceback: string;
}

export type CellEvent =
  | { kind: "started"; number: number }
  | { kind: "stdout" | "stderr"; data: Uint8Array }
  | { kind: "result"; result: CellResult }
  | { kind: "error"; error: CellError };

/** What a cell gave, once it has ended. An exception is a result like any other. */
export class CellOutcome {
  private constructor();
  /** Which cell of its context it was, from 1. */
  readonly number: number;
  /** Whether it ended without an exception. */
  readonly ok: boolean;
  /** As text; what is not UTF-8 is replaced. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderrBytes: Uint8Array;
  /** The values that it showed, in order. */
  readonly results: CellResult[];
  readonly error?: CellError;
  readonly timedOut: boolean;
  /** The value of the last expression as plain text. */
  readonly text?: string;
}

export interface StartOptions {
  /** Variables while the cell runs. */
  env?: Record<string, string>;
  /** Interrupts the cell after that long. */
  timeoutMs?: number;
  /** Interrupts the cell; the call, or the loop over what it does, rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface RunOptions extends StartOptions {
  /** Output as it comes; the cell waits for what is returned. */
  onStdout?: (piece: Uint8Array) => unknown;
  onStderr?: (piece: Uint8Array) => unknown;
  onResult?: (result: CellResult) => unknown;
}

/**
 * A cell that runs: what it does comes as it happens, at the reader's pace. Leaving the loop, or `close`, interrupts it;
 * only then does its context take the next one.
 */
export class CellRun implements AsyncIterable<CellEvent> {
  private constructor();
  readonly timedOut: boolean;
  [Symbol.asyncIterator](): AsyncIterator<CellEvent>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * An interpreter that keeps variables, imports and functions from cell to cell. Cells of one context run one after the
 * other. It ends where its sandbox is closed or suspended. A branch, and the sandbox once it wakes, have it under the same
 * id with what it held, unless it is in JavaScript, had a file, a socket or a process open, or a cell was running: then
 * its first cell is refused with `CONFLICT`, and the message names what was open.
 */
export class Context {
  private constructor();
  /** For `Sandbox.findContext`: unguessable, and the same as long as it lives. */
  readonly id: string;
  readonly language: "python" | "javascript" | "bash";
  /** The working directory that it began in. */
  readonly cwd: string;
  /** Runs a cell to its end. One that does not follow an interrupt is ended with all that the context holds, and rejects. */
  run(code: string, options?: RunOptions): Promise<CellOutcome>;
  /** Starts a cell once those before it have ended. */
  start(code: string, options?: StartOptions): Promise<CellRun>;
  /** Ends the cell that runs by a `KeyboardInterrupt`, in Bash by SIGINT. What the context holds stays. */
  interrupt(): void;
  /** Begins afresh, without what it held. A cell that runs is ended. */
  restart(): Promise<void>;
  /** Ends it, with a cell that runs. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A virtual sandbox: a bash-compatible shell and the usual Unix commands over files in memory.
 *
 * ```js
 * const sandbox = new Sandbox({ files: { "/home/user/words": "pear\nfig\n" } });
 * (await sandbox.exec("sort words | head -n 1")).stdout; // "fig\n"
 * ```
 */
export class Sandbox {
  constructor(options?: SandboxOptions);
  readonly cwd: string;
  readonly files: Files;
  /** Runs a script to its end from fresh shell state; files stay. Another status than 0 is a result. */
  exec(script: Content, options?: ExecOptions): Promise<ExecResult>;
  /** Starts a script and returns at once, with its streams. */
  spawn(script: Content, options?: SpawnOptions): Process;
  /** Starts an interactive shell, for whoever shows it to a person. */
  terminal(options?: Pick<SpawnOptions, "env" | "cwd" | "timeoutMs">): Terminal;
  session(): Session;
  loadSession(state: Uint8Array): Session;
  /** Starts an interpreter that keeps its state from cell to cell: `python` (the default), `javascript` or `bash`. */
  context(language?: string, options?: ContextOptions): Promise<Context>;
  /** The contexts that are there. */
  contexts(): Context[];
  /** Throws `NotFoundError` for one that was closed or is another sandbox's. */
  findContext(id: string): Context;
  /**
   * Loads the shell and all commands now, on all cores, instead of each when it is first run. A package that was built
   * without `embed` compiles them on the first run on a machine, which takes seconds, and keeps that for later processes:
   * call it while an image is built. Rejects with `UnavailableError` where that fails.
   */
  static warm(): Promise<void>;
  /** An independent copy in constant time, whatever its size. */
  fork(): Sandbox;
  forkMany(count: number): Sandbox[];
  /** What differs in a branch of this one. */
  diff(after: Sandbox): Change[];
  /** Ends it, with what runs. Branches are not affected. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SandboxInfo {
  name: string;
  state: string;
  bytes: number;
  files: number;
  parent?: string;
  createdMs: number;
}

/** With conflicts, nothing happened. */
export interface Promotion {
  changes: Change[];
  conflicts: string[];
}

export interface LogEntry {
  commit: string;
  createdMs: number;
  bytes: number;
  files: number;
  label?: string;
}

/** A store with its sandboxes: made, used, branched, put to sleep and woken by name. */
export class Sandboxes {
  /** A folder of the host, which several processes may use at once; without one, this process's memory. */
  constructor(directory?: string, options?: { secret?: Content });
  create(
    name: string,
    options?: { title?: string; tags?: string[] } & (
      | Pick<SandboxOptions, "files" | "env" | "cwd" | "limits">
      | { /** `NAME`, `NAME@3` or `NAME@ALIAS`. */ template: string }
    ),
  ): Promise<SandboxInfo>;
  /** Keeps the present state as a new version of a template, for `create`; the version's number. */
  publish(name: string, template: string): Promise<number>;
  templates(): Promise<string[]>;
  /** A branch of a sandbox, of a snapshot (`NAME@LABEL`) or of an earlier state (`NAME~2`). */
  fork(point: string, name: string): Promise<SandboxInfo>;
  /** Wakes a sandbox and keeps it awake until `close`. */
  open(name: string): Promise<Sandbox>;
  exec(name: string, script: Content, options?: KeptExecOptions): Promise<ExecResult>;
  info(name: string): Promise<SandboxInfo>;
  list(): Promise<SandboxInfo[]>;
  /** Puts it to sleep, durably; the commit. */
  suspend(name: string): Promise<string>;
  delete(name: string): Promise<void>;
  diff(before: string, after: string): Promise<Change[]>;
  /** Brings a branch's changes home: all of them, or none where both sides changed a path. */
  promote(branch: string): Promise<Promotion>;
  snapshot(name: string, label: string): Promise<void>;
  restore(name: string, point: string): Promise<string>;
  log(name: string, limit?: number): Promise<LogEntry[]>;
}

/** What the library throws; `code` is stable, `output` is what a script had written by then. */
export class OffshootError extends Error {
  readonly code: string;
  readonly operation: string;
  readonly retryable: boolean;
  /** The name that POSIX has for a failed file operation, such as `ENOTDIR`. */
  readonly errno?: string;
  readonly output?: ExecResult;
}
export class NotFoundError extends OffshootError {}
export class ConflictError extends OffshootError {}
export class LimitError extends OffshootError {}
export class PolicyDeniedError extends OffshootError {}
export class PathEscapeError extends OffshootError {}
export class UnavailableError extends OffshootError {}
export class CapabilityError extends OffshootError {}
export class CorruptError extends OffshootError {}
export class FencedError extends OffshootError {}
export class InvalidError extends OffshootError {}
/** A script that ran with `check` ended with another status than 0. */
export class ExecError extends OffshootError {
  readonly result: ExecResult;
}
