"use strict";
// What the library throws. A script that fails is no error: its status is in the result.

class OffshootError extends Error {
  constructor(message, { code = "DIED", operation = "", retryable = false, errno, output } = {}) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.operation = operation;
    this.retryable = retryable;
    this.errno = errno ?? undefined;
    this.output = output;
  }
}
class NotFoundError extends OffshootError {}
class ConflictError extends OffshootError {}
class LimitError extends OffshootError {}
class PolicyDeniedError extends OffshootError {}
class PathEscapeError extends OffshootError {}
class UnavailableError extends OffshootError {}
class CapabilityError extends OffshootError {}
class CorruptError extends OffshootError {}
class FencedError extends OffshootError {}
class InvalidError extends OffshootError {}

/** A script that ran with `check` ended with another status than 0. */
class ExecError extends OffshootError {
  constructor(result) {
    const last = result.stderr.trim().split("\n").pop();
    super(`exit status ${result.exitCode}${last ? `: ${last}` : ""}`, { code: "EXIT_STATUS", output: result });
    this.result = result;
  }
}

const CLASSES = {
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  LIMIT: LimitError,
  POLICY_DENIED: PolicyDeniedError,
  PATH_ESCAPE: PathEscapeError,
  SANDBOX_UNAVAILABLE: UnavailableError,
  CAPABILITY: CapabilityError,
  CORRUPT: CorruptError,
  TOO_NEW: CorruptError,
  FENCED: FencedError,
  INVALID: InvalidError,
  NOT_TEXT: InvalidError,
};

/** The typed error for what the native half threw; `result` makes a result of raw output. */
function typed(error, result) {
  let facts;
  try {
    facts = JSON.parse(error.message);
  } catch {
    return error;
  }
  if (typeof facts?.code !== "string") return error;
  if (facts.code === "ABORTED") return new DOMException("This operation was aborted", "AbortError");
  const output = facts.output ? result(facts.output) : undefined;
  return new (CLASSES[facts.code] ?? OffshootError)(facts.message, { ...facts, output });
}

module.exports = {
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
  typed,
};
