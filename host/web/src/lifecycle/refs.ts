// Refs as they are made and changed, and what is said where that fails.

import { ConflictError, FencedError, NotFoundError } from "../errors.js";
import type { Ref } from "../store/store.js";

/** What the names of refs begin with that stand for templates: no sandbox is called so. */
export const TEMPLATE = "~template/";

/** A ref of what was never awake. Its numbers are none that an earlier sandbox of its name had, whose late owner stays fenced. */
export function fresh(change: Partial<Ref> = {}): Ref {
  const now = Date.now();
  return { state: "suspended", commit: "", epoch: 0, seq: now, bytes: 0, files: 0, created: now, changed: now, ...change };
}

/** The ref after this one. */
export const next = (ref: Ref, change: Partial<Ref>): Ref => ({ ...ref, ...change, seq: ref.seq + 1, changed: Date.now() });

/** A ref that nobody has awake. */
export function asleep({ owner: _, leaseUntil: __, ...ref }: Ref): Ref {
  return { ...ref, state: "suspended" };
}

export const fenced = (name: string, operation: string, found: Ref | undefined): FencedError =>
  new FencedError(`${name}: ${found ? "another owner has opened it" : "it was deleted"}`, { code: "FENCED", operation });

export const changed = (name: string, operation: string): ConflictError =>
  new ConflictError(`${name}: it was changed meanwhile`, { code: "CONFLICT", operation, retryable: true });

export const busy = (name: string, operation: string): ConflictError =>
  new ConflictError(`${name}: somebody else has it awake`, { code: "CONFLICT", operation, retryable: true });

export const missing = (what: string, operation: string): NotFoundError => new NotFoundError(what, { code: "NOT_FOUND", operation });
