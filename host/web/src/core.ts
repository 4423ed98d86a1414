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
export type { Promotion } from "./lifecycle/branches.js";
export type { LogEntry } from "./lifecycle/commits.js";
export type { SandboxesOptions } from "./lifecycle/keeper.js";
export type { TemplateVersion } from "./lifecycle/templates.js";
export { Sandboxes, type CreateOptions, type OpenOptions, type SandboxInfo } from "./sandboxes.js";
export type { Objects, Ref, Refs, Store, StoredObject, Version, Versions } from "./store/store.js";
export { DurableObjectStore, type ObjectStorage } from "./store/durable-object.js";
export { IndexedDbStore } from "./store/indexeddb.js";
export { KvObjects, type Namespace } from "./store/kv.js";
export { MemoryStore } from "./store/memory.js";
export { OpfsStore } from "./store/opfs.js";
export { R2Store, type Bucket, type BucketObject, type BucketPage } from "./store/r2.js";
export { SplitStore } from "./store/split.js";
