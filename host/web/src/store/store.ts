// What a store is: objects by the hash of what they hold, and refs that say which commit a sandbox is at.

/** An immutable object, as the native store has them. */
export interface StoredObject {
  /** The hash of kind and payload, in hexadecimal digits. */
  id: string;
  /** The number of its kind. */
  kind: number;
  payload: Uint8Array;
}

/** Where a sandbox stands. Times are milliseconds since 1970. */
export interface Ref {
  state: "running" | "suspended";
  /** Its last commit. */
  commit: string;
  /** Grows with every new owner. */
  epoch: number;
  /** Grows with every change. */
  seq: number;
  /** Who has it in memory. */
  owner?: string;
  /** Until then nobody else takes it over; none where its owner holds no lease. */
  leaseUntil?: number;
  /** What it was forked from. */
  parent?: string;
  /** The commit that it was made from, or was when its changes were last promoted. */
  base?: string;
  /** The version of a template that it was made from: `NAME@3`. */
  template?: string;
  /** Commits that are kept, by label. */
  snapshots?: Record<string, string>;
  title?: string;
  tags?: string[];
  /** What a ref has that stands for a template instead of a sandbox. */
  versions?: Versions;
  /** Whether its settings came with a container, and may not say what it takes. */
  foreign?: boolean;
  /** Of the last commit. */
  bytes: number;
  files: number;
  created: number;
  changed: number;
}

/** The states of a template. A version never changes, and its number is never given again. */
export interface Versions {
  /** The last number that was given. */
  last: number;
  byNumber: Record<string, { commit: string; created: number; foreign?: boolean }>;
  /** Other names of versions. */
  aliases?: Record<string, number>;
}

/** What a compare-and-swap compares. */
export type Version = Pick<Ref, "epoch" | "seq">;

/** A place for objects. What a call has resolved for is as durable as the medium makes it. */
export interface Objects {
  /** Whether an object that is missing may have been stored all the same, and be there later. */
  readonly late?: boolean;
  /** Stores objects, the last one after all others; one that is there already stays. */
  put(objects: StoredObject[]): Promise<void>;
  /** Reads objects, in the order of the ids; none for one that is missing. */
  get(ids: string[]): Promise<(StoredObject | undefined)[]>;
  /** The ids of all objects. */
  ids(): Promise<string[]>;
  /** Removes objects. */
  remove(ids: string[]): Promise<void>;
}

/** A place for refs, which change by compare-and-swap. */
export interface Refs {
  /** One ref. */
  read(name: string): Promise<Ref | undefined>;
  /**
   * Makes, changes or (with no `next`) removes a ref in one step, if it is what is expected; none where it must not
   * exist. Whether it was.
   */
  swap(name: string, expected: Version | undefined, next: Ref | undefined): Promise<boolean>;
  /** All refs, in the order of their names. */
  list(): Promise<[name: string, ref: Ref][]>;
  /** Removes what refs that are gone have left behind, while nobody else writes. */
  tidy?(): Promise<void>;
  /** Shows that an owner is there, until it says otherwise or its tab or process ends, so that nobody waits for its lease. */
  announce?(owner: string): Promise<() => void>;
  /** Whether an owner that was announced is gone for certain. */
  isGone?(owner: string): Promise<boolean>;
}

/** A place for sandboxes. Several processes, tabs or workers may share one: only refs change. */
export interface Store extends Objects, Refs {}

const presence = (owner: string): string => `offshoot owner ${owner}`;

/** `Store.announce` with the locks of a page or worker: the browser gives them up with it. */
export async function announce(owner: string): Promise<() => void> {
  let leave = (): void => undefined;
  if (!navigator.locks) return leave;
  await new Promise<void>((there, failed) => {
    const held = navigator.locks.request(presence(owner), () => {
      there();
      return new Promise<void>((done) => (leave = done));
    });
    held.catch(failed);
  });
  return leave;
}

/** `Store.isGone` with the same. */
export async function isGone(owner: string): Promise<boolean> {
  if (!navigator.locks) return false;
  const { held = [] } = await navigator.locks.query();
  return !held.some(({ name }) => name === presence(owner));
}

/** Whether a ref is what a swap expects. */
export const fits = (found: Ref | undefined, expected: Version | undefined): boolean =>
  found?.epoch === expected?.epoch && found?.seq === expected?.seq;

export const byName = ([a]: [string, Ref], [b]: [string, Ref]): number => (a < b ? -1 : a > b ? 1 : 0);

/** An object as one value: its kind, then its payload. */
export function packed({ kind, payload }: StoredObject): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(payload.length + 1);
  bytes[0] = kind;
  bytes.set(payload, 1);
  return bytes;
}

export const unpacked = (id: string, bytes: Uint8Array | undefined): StoredObject | undefined =>
  bytes && bytes.length > 0 ? { id, kind: bytes[0]!, payload: bytes.subarray(1) } : undefined;
