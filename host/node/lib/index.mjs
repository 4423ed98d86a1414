import offshoot from "./index.cjs";

export const {
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
  OffshootError,
  NotFoundError,
  ConflictError,
  LimitError,
  PolicyDeniedError,
  PathEscapeError,
  UnavailableError,
  CapabilityError,
  CorruptError,
  FencedError,
  InvalidError,
  ExecError,
} = offshoot;
export default offshoot;
