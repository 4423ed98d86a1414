// Files that the host makes when somebody looks: what `wit/sources.wit` of the trees' component asks for.

import { errno } from "./errno.js";
import type { FileKind, Timestamp } from "./tree.js";

export interface SourceStat {
  kind: FileKind;
  /** Of a character device: the descriptor of the process that it stands for. */
  descriptor: number;
  mode: number;
  uid: number;
  gid: number;
  size: bigint;
  modified: Timestamp;
}

/** What is mounted. Paths are relative, the empty one is its directory; `process` is who looks, 0 for the host. */
export interface Source {
  stat(process: number, path: string): SourceStat;
  list(process: number, path: string): string[];
  readLink(process: number, path: string): string | Uint8Array;
  read(process: number, path: string): Uint8Array;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
export const asBytes = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? encoder.encode(text) : text);

/** The sources of an engine by their numbers, and the files of them that are open. */
export class Sources {
  private readonly sources = new Map<number, WeakRef<Source> | Source>();
  private readonly open = new Map<number, Uint8Array>();
  private next = 1;

  /** Gives a source a number; one that is only `lent` may be collected. */
  add(source: Source, lent = false): number {
    this.sources.set(this.next, lent ? new WeakRef(source) : source);
    return this.next++;
  }
  remove(number: number): void {
    this.sources.delete(number);
  }
  private get(number: number): Source {
    const known = this.sources.get(number);
    const source = known instanceof WeakRef ? known.deref() : known;
    if (!source) throw errno("no-entry");
    return source;
  }

  /** The functions that the component imports. */
  readonly imports = {
    "offshoot:web/sources#stat": (_: unknown, source: number, process: number, path: Uint8Array) =>
      this.get(source).stat(process, decoder.decode(path)),
    "offshoot:web/sources#read-directory": (_: unknown, source: number, process: number, path: Uint8Array) =>
      this.get(source).list(process, decoder.decode(path)).map(asBytes),
    "offshoot:web/sources#read-link": (_: unknown, source: number, process: number, path: Uint8Array) =>
      asBytes(this.get(source).readLink(process, decoder.decode(path))),
    "offshoot:web/sources#open": (_: unknown, source: number, process: number, path: Uint8Array) => {
      this.open.set(this.next, this.get(source).read(process, decoder.decode(path)));
      return this.next++;
    },
    "offshoot:web/sources#read-at": (_: unknown, file: number, position: bigint, most: number) =>
      this.open.get(file)?.subarray(Number(position), Number(position) + most) ?? new Uint8Array(),
    "offshoot:web/sources#close": (_: unknown, file: number) => void this.open.delete(file),
  };
}

/** A file or directory of an embedder's own file system. */
export interface OwnFile {
  kind: "file" | "directory";
  /** Bytes; 0 where that is not known before it is read. */
  size?: number;
  /** Permission bits; 644 or 755. */
  mode?: number;
  /** Milliseconds since 1970. */
  modifiedMs?: number;
}

/**
 * A file system of the embedder's. Its functions answer at once, since a program that looks at a file cannot wait in
 * every engine, and must not use a sandbox. Paths are relative to the mount, `""` is its directory.
 */
export interface OwnFiles {
  /** What is there; nothing where nothing is. */
  info(path: string): OwnFile | undefined;
  /** The names in a directory. */
  list(path: string): string[];
  /** The whole content of a file. */
  read(path: string): string | Uint8Array;
}

/** Files by their paths as a file system. */
export function mapped(files: Record<string, string | Uint8Array>): OwnFiles {
  const all = new Map(Object.entries(files).map(([path, content]) => [clean(path), asBytes(content)]));
  const directories = new Map<string, Set<string>>([["", new Set()]]);
  for (const path of all.keys()) {
    const parts = path.split("/");
    parts.forEach((name, n) => {
      const parent = parts.slice(0, n).join("/");
      if (!directories.has(parent)) directories.set(parent, new Set());
      directories.get(parent)!.add(name);
    });
  }
  return {
    info(path) {
      const bytes = all.get(path);
      if (bytes) return { kind: "file", size: bytes.length };
      return directories.has(path) ? { kind: "directory" } : undefined;
    },
    list: (path) => [...(directories.get(path) ?? [])],
    read: (path) => all.get(path)!,
  };
}

const clean = (path: string) => path.split("/").filter((part) => part !== "" && part !== ".").join("/");

/** An embedder's file system as a source. What throws is an error of input and output inside. */
export function ownSource(files: OwnFiles): Source {
  const found = (path: string): OwnFile => {
    const info = files.info(path);
    if (!info) throw errno("no-entry");
    return info;
  };
  const guarded = <T>(run: () => T): T => {
    try {
      return run();
    } catch (thrown) {
      throw thrown instanceof Error ? errno("io") : thrown;
    }
  };
  return {
    stat: (_, path) =>
      guarded(() => {
        const { kind, size = 0, mode, modifiedMs = 0 } = found(path);
        const regular = kind === "file";
        const seconds = Math.floor(modifiedMs / 1000);
        return {
          kind: regular ? "regular" : "directory",
          descriptor: 0,
          mode: mode ?? (regular ? 0o644 : 0o755),
          uid: 0,
          gid: 0,
          size: BigInt(size),
          modified: { seconds: BigInt(seconds), nanoseconds: Math.floor((modifiedMs - seconds * 1000) * 1e6) },
        };
      }),
    list: (_, path) => guarded(() => files.list(path).filter((name) => name !== "" && !name.includes("/"))),
    readLink: () => {
      throw errno("invalid");
    },
    read: (_, path) =>
      guarded(() => {
        if (found(path).kind !== "file") throw errno("is-directory");
        return asBytes(files.read(path)).slice();
      }),
  };
}
