// Errors of guests: an errno, the failure of a stream, or the end of the process. None of them is an `Error`: no
// stack is recorded, and nobody but the host sees them.

/** The errors that POSIX has, by the names of `wit/types.wit`. */
export class Errno {
  private static readonly known = new Map<string, Errno>();
  private constructor(readonly code: string) {}
  static of(code: string): Errno {
    let errno = Errno.known.get(code);
    if (!errno) Errno.known.set(code, (errno = new Errno(code)));
    return errno;
  }
}

/** An errno to throw. */
export const errno = (code: string): Errno => Errno.of(code);

/** `stream-error` of `wasi:io`. */
export class StreamFailure {
  constructor(readonly tag: "last-operation-failed" | "closed", readonly val?: unknown) {}
}

/** Why a process ended. */
export type End =
  | { kind: "exited"; status: number }
  | { kind: "signalled"; signal: number }
  | { kind: "limit"; limit: string }
  | { kind: "fault"; reason: string };

/** Travels out of a host call, up through the guest, to end its process so. */
export class Ended {
  constructor(readonly end: End) {}
}

export const exited = (status: number): End => ({ kind: "exited", status });
export const signalled = (signal: number): End => ({ kind: "signalled", signal });
export const limited = (limit: string): End => ({ kind: "limit", limit });

/** The status that a shell reports: 128 + n for a signal, 124 where time ran out, 137 for any other limit. */
export function statusOf(end: End): number {
  switch (end.kind) {
    case "exited":
      return end.status;
    case "signalled":
      return 128 + end.signal;
    case "limit":
      return end.limit === "wall-time" ? 124 : 137;
    default:
      return 134;
  }
}

const WASI: Record<string, string> = {
  again: "would-block",
  "too-many-processes": "would-block",
  "illegal-sequence": "illegal-byte-sequence",
  "no-exec": "invalid",
  child: "invalid",
  "no-process": "invalid",
  "too-many-links": "loop",
  "too-many-descriptors": "quota",
  "no-memory": "insufficient-memory",
  "no-space": "insufficient-space",
  "not-supported": "unsupported",
  "no-device": "no-such-device",
  "arguments-too-long": "overflow",
  "broken-pipe": "pipe",
  "cannot-seek": "invalid-seek",
};

/** The name that `wasi:filesystem` has for an errno. */
export const wasiCode = (code: string): string => WASI[code] ?? code;
