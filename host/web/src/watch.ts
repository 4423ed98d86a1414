// What changes in the files of a sandbox. Nothing is notified: a fork of the tree is kept, and what differs from it is what
// happened. A fork costs a pointer, and a difference what changed.

import { errno } from "./errno.js";
import { InvalidError, typed } from "./errors.js";
import type { Caller, FileStat, Tree } from "./tree.js";

/** Something that happened to a path; `moved` is `added` under another name. */
export interface FileEvent {
  kind: "added" | "written" | "attributes" | "moved" | "removed";
  path: string;
}

export interface WatchOptions {
  /** All below the directory, too. */
  recursive?: boolean;
  // Of paths below the directory; `**/node_modules` is one at any depth.
  /** Leaves out what a glob matches, and all below it. */
  exclude?: string[];
}

/** Milliseconds between two looks. */
const PAUSE = 20;
const OPTIONS = ["recursive", "exclude"];
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Tells what changes below a directory from the moment it was made, in the order of paths; iterating waits for the next
 * changes. What came and went between two looks is not seen, changes to one file are one, and what is mounted is not watched.
 * It is watched by its path: one that is removed and made again goes on being watched.
 *
 * ```js
 * for await (const events of await sandbox.files.watch("src", { recursive: true, exclude: ["target"] })) console.log(events);
 * ```
 */
export class Watcher implements AsyncIterable<FileEvent[]> {
  private readonly base: string;
  private readonly excludes: RegExp[];
  private before: Tree;

  /** @internal */
  constructor(private readonly tree: () => Tree, who: Caller, directory: string, private readonly options: WatchOptions) {
    for (const name of Object.keys(options)) if (!OPTIONS.includes(name)) throw new TypeError(`${name}: there is no such option`);
    const now = tree();
    const path = encoder.encode(directory);
    if (now.stat(who, path, true).kind !== "directory") throw errno("not-directory");
    // Reading is asked here, and not again.
    now.readDirectory(who, path);
    this.base = decoder.decode(now.canonicalize(who, path)).replace(/\/$/, "");
    this.excludes = (options.exclude ?? []).map(globbed);
    this.before = now.fork();
  }

  /** What happened since the last look; empty where nothing did. */
  async look(): Promise<FileEvent[]> {
    const { before } = this;
    const after = this.tree().fork();
    try {
      const changes = before.diff(after).map(({ path, kind }) => ({ path, kind, name: decoder.decode(path) }));
      const added = new Set<bigint>();
      for (const { path, kind } of changes) if (kind === "added") added.add(inodeOf(after, path));
      const kinds = { added: () => "added", removed, modified } as const;
      function removed(path: Uint8Array): FileEvent["kind"] {
        return added.has(inodeOf(before, path)) ? "moved" : "removed";
      }
      function modified(path: Uint8Array): FileEvent["kind"] {
        return isWritten(statOf(before, path), statOf(after, path)) ? "written" : "attributes";
      }
      const seen = changes.filter(({ name }) => this.sees(name));
      const events = seen.map(({ path, kind, name }) => ({ kind: kinds[kind](path), path: name }) as FileEvent);
      this.before = after;
      before.drop();
      return events;
    } catch (thrown) {
      if (this.before !== after) after.drop();
      throw typed(thrown, "watch", this.base || "/");
    }
  }

  /** Waits until something happened. Rejects with `UnavailableError` once the sandbox is closed. */
  async next(): Promise<FileEvent[]> {
    for (;;) {
      const events = await this.look();
      if (events.length > 0) return events;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FileEvent[]> {
    for (;;) yield await this.next();
  }

  private sees(path: string): boolean {
    if (!path.startsWith(`${this.base}/`)) return false;
    const names = path.slice(this.base.length + 1).split("/");
    if (names.length > 1 && !this.options.recursive) return false;
    const above = names.map((_, n) => names.slice(0, n + 1).join("/"));
    return !this.excludes.some((glob) => above.some((name) => glob.test(name)));
  }
}

/** Root, since who may watch was asked when the watching began. */
const ALL: Caller = { uid: 0, gid: 0, umask: 0, process: 0 };
const statOf = (tree: Tree, path: Uint8Array): FileStat => tree.stat(ALL, path, false);
const inodeOf = (tree: Tree, path: Uint8Array): bigint => statOf(tree, path).inode;

const same = (one: FileStat, other: FileStat): boolean =>
  one.inode === other.inode && one.size === other.size && one.modified.seconds === other.modified.seconds &&
  one.modified.nanoseconds === other.modified.nanoseconds;

/** Whether it is not merely its permission bits or owner that changed. */
const isWritten = (old: FileStat, now: FileStat): boolean =>
  old.kind !== now.kind || (old.kind !== "directory" && !same(old, now));

/** A glob of paths as an expression: `*` and `?` stay within a name, `**` between slashes does not. */
function globbed(glob: string): RegExp {
  let depth = 0;
  const parts = glob.match(/\*\*\/|\/\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\{|\}|,|\\.|[^]/gu) ?? [];
  const part = (text: string): string => {
    if (text === "**/") return "(?:.*/)?";
    if (text === "/**") return "/.*";
    if (text.startsWith("*")) return glob === "**" ? ".*" : "[^/]*";
    if (text === "?") return "[^/]";
    if (text.startsWith("[") && text.length > 1) return `(?!/)${text.replace(/^\[[!^]/, "[^").replace(/\\/g, "\\\\")}`;
    if (text === "{") return (depth++, "(?:");
    if (text === "}" && depth > 0) return (depth--, ")");
    if (text === "," && depth > 0) return "|";
    return text.replace(/^\\(?=.)/, "").replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  };
  try {
    const expression = new RegExp(`^${parts.map(part).join("")}$`, "su");
    if (depth === 0) return expression;
  } catch {
    // What is no expression is no glob.
  }
  throw new InvalidError(`${glob}: it is no glob`, { code: "INVALID", operation: "watch" });
}
