// What the library throws. A script that fails is no error: its status is in the result.

import { Errno } from "./errno.js";
import type { ExecResult } from "./result.js";
import { Refused } from "./tree.js";

export interface ErrorFacts {
  code?: string;
  operation?: string;
  retryable?: boolean;
  errno?: string | undefined;
  output?: ExecResult | undefined;
}

/** What the library throws; `code` is stable, `output` is what a script had written by then. */
export class OffshootError extends Error {
  readonly code: string;
  readonly operation: string;
  readonly retryable: boolean;
  /** The name that POSIX has for a failed file operation, such as `ENOTDIR`. */
  readonly errno: string | undefined;
  readonly output: ExecResult | undefined;
  constructor(message: string, { code = "DIED", operation = "", retryable = false, errno, output }: ErrorFacts = {}) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.operation = operation;
    this.retryable = retryable;
    this.errno = errno;
    this.output = output;
  }
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
  constructor(readonly result: ExecResult) {
    const last = result.stderr.trim().split("\n").pop();
    super(`exit status ${result.exitCode}${last ? `: ${last}` : ""}`, { code: "EXIT_STATUS", output: result });
  }
}

/** POSIX's name, our code, and words, for each errno that an operation on files can meet. */
const ERRNOS: Record<string, [string, string, string]> = {
  access: ["EACCES", "POLICY_DENIED", "permission denied"],
  busy: ["EBUSY", "CONFLICT", "device or resource busy"],
  "cross-device": ["EXDEV", "CONFLICT", "invalid cross-device link"],
  exist: ["EEXIST", "CONFLICT", "file exists"],
  "file-too-large": ["EFBIG", "LIMIT", "file too large"],
  invalid: ["EINVAL", "INVALID", "invalid argument"],
  "is-directory": ["EISDIR", "CONFLICT", "is a directory"],
  "too-many-links": ["ELOOP", "CONFLICT", "too many levels of symbolic links"],
  "name-too-long": ["ENAMETOOLONG", "LIMIT", "file name too long"],
  "no-entry": ["ENOENT", "NOT_FOUND", "no such file or directory"],
  "no-space": ["ENOSPC", "LIMIT", "no space left on device"],
  "not-directory": ["ENOTDIR", "CONFLICT", "not a directory"],
  "not-empty": ["ENOTEMPTY", "CONFLICT", "directory not empty"],
  "not-permitted": ["EPERM", "POLICY_DENIED", "operation not permitted"],
  "read-only": ["EROFS", "POLICY_DENIED", "read-only file system"],
};

const CLASSES: Record<string, new (message: string, facts: ErrorFacts) => OffshootError> = {
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  LIMIT: LimitError,
  POLICY_DENIED: PolicyDeniedError,
  PATH_ESCAPE: PathEscapeError,
  CORRUPT: CorruptError,
  TOO_NEW: CorruptError,
  INVALID: InvalidError,
};

const REFUSALS = { corrupt: "CORRUPT", "path-escape": "PATH_ESCAPE", "too-new": "TOO_NEW", tree: "DIED" } as const;

/** The error for what a tree threw. */
export function typed(thrown: unknown, operation: string, path: string): unknown {
  if (thrown instanceof Refused) {
    const code = REFUSALS[thrown.tag];
    return new (CLASSES[code] ?? OffshootError)(`${path}: ${thrown.tag.replace("-", " ")}`, { code, operation });
  }
  if (!(thrown instanceof Errno)) return thrown;
  const [errno, code, words] = ERRNOS[thrown.code] ?? [undefined, "DIED", thrown.code];
  return new (CLASSES[code] ?? OffshootError)(`${path}: ${words}`, { code, operation, errno });
}
