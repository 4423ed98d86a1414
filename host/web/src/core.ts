// Everything but the loading: for hosts that bring the modules themselves.

export { Engine, type Modules, type ModuleSource } from "./engine.js";
export * from "./errors.js";
export { Files, type Content, type FileInfo } from "./files.js";
export { ExecResult } from "./result.js";
export { Process } from "./running.js";
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
  type SandboxOptions,
  type SessionExecOptions,
  type SpawnOptions,
} from "./sandbox.js";
