// Everything but the loading: for hosts that bring the modules themselves.

export { Engine, type Modules, type ModuleSource } from "./engine.js";
export * from "./errors.js";
export { Files, type Content, type FileInfo } from "./files.js";
export { Watcher, type FileEvent, type WatchOptions } from "./watch.js";
export type { OwnFile, OwnFiles } from "./source.js";
export { ExecResult } from "./result.js";
export type { Fetch } from "./network/client.js";
export type { Secret } from "./network/policy.js";
export { Process } from "./running.js";
export { Terminal } from "./terminal.js";
export {
  Sandbox,
  Session,
  useEngine,
  type Answer,
  type Change,
  type Command,
  type ExecOptions,
  type Invocation,
  type Limits,
  type Mount,
  type SandboxOptions,
  type SessionExecOptions,
  type SpawnOptions,
} from "./sandbox.js";
export { Sandboxes, type CreateOptions, type OpenOptions, type SandboxesOptions, type SandboxInfo } from "./sandboxes.js";
export type { Ref, Store, StoredObject, Version } from "./store/store.js";
export { DurableObjectStore, type ObjectStorage } from "./store/durable-object.js";
export { IndexedDbStore } from "./store/indexeddb.js";
export { MemoryStore } from "./store/memory.js";
export { OpfsStore } from "./store/opfs.js";
