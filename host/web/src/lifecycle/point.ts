// Names: of sandboxes, of labels, and of their states.

import { InvalidError } from "../errors.js";

/** A state of a sandbox: `NAME`, `NAME@LABEL` for a snapshot, `NAME~2` for an earlier one. */
export interface Point {
  name: string;
  label?: string;
  /** How many states before the last. */
  before?: number;
}

const LONGEST_NAME = 128;
const LONGEST_LABEL = 100;

const invalid = (message: string, operation: string): InvalidError => new InvalidError(message, { code: "INVALID", operation });

export function parsePoint(text: string): Point {
  const at = text.indexOf("@");
  if (at >= 0) return { name: text.slice(0, at), label: text.slice(at + 1) };
  const tilde = text.lastIndexOf("~");
  if (tilde < 0) return { name: text };
  const count = text.slice(tilde + 1) || "1";
  if (!/^\d{1,9}$/.test(count)) throw invalid(`${text}: write NAME, NAME@LABEL or NAME~NUMBER`, "point");
  return { name: text.slice(0, tilde), before: Number(count) };
}

export const isName = (name: string): boolean => name.length <= LONGEST_NAME && /^[A-Za-z0-9._-]+$/.test(name);

/** As in the native runtime. */
export function checkName(name: string): void {
  if (isName(name)) return;
  throw invalid(`${JSON.stringify(name)}: a name has letters, digits, '.', '_' and '-', at most ${LONGEST_NAME}`, "create");
}

export function checkLabel(label: string): void {
  const { length } = new TextEncoder().encode(label);
  if (length >= 1 && length <= LONGEST_LABEL && !/[/@~]/.test(label)) return;
  throw invalid(`${JSON.stringify(label)} cannot be a label`, "snapshot");
}
