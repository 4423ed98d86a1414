// The files of a sandbox, for its embedder.

import { InvalidError, PathEscapeError, typed } from "./errors.js";
import { Errno, errno } from "./errno.js";
import { USER } from "./layout.js";
import type { Caller, FileStat, Tree } from "./tree.js";
import { Watcher, type WatchOptions } from "./watch.js";

/** Text (as UTF-8) or bytes. */
export type Content = string | Uint8Array;

export interface FileInfo {
  name: string;
  kind: "file" | "directory" | "symlink" | "other";
  /** Bytes. */
  size: number;
  mode: number;
  /** Milliseconds since 1970. */
  modifiedMs: number;
}

const encoder = new TextEncoder();
const WHO: Caller = { uid: USER.uid, gid: USER.gid, umask: 0o022, process: 0 };

/** The bytes of a content. */
export const bytesOf = (content: Content): Uint8Array => (typeof content === "string" ? encoder.encode(content) : content);

/** The absolute path without `.` and `..`. */
export function absolute(cwd: string, path: string, operation: string): string {
  if (path.includes("\0")) throw new InvalidError(`${path}: a path has no NUL`, { code: "INVALID", operation });
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) throw new PathEscapeError(`${path}: above the root`, { code: "PATH_ESCAPE", operation });
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return `/${parts.join("/")}`;
}

const KINDS = { regular: "file", directory: "directory", symlink: "symlink" } as Record<string, FileInfo["kind"]>;

function info(name: string, stat: FileStat): FileInfo {
  const modifiedMs = Number(stat.modified.seconds) * 1000 + stat.modified.nanoseconds / 1e6;
  return { name, kind: KINDS[stat.kind] ?? "other", size: Number(stat.size), mode: stat.mode, modifiedMs };
}

/** The files of a sandbox. Relative paths start at its working directory. */
export class Files {
  /** @internal */
  constructor(private readonly tree: () => Tree, private readonly cwd: string) {}

  private async at<T>(operation: string, path: string, run: (tree: Tree, path: Uint8Array) => T): Promise<T> {
    return this.now(operation, path, run);
  }
  private now<T>(operation: string, path: string, run: (tree: Tree, path: Uint8Array) => T): T {
    const full = encoder.encode(absolute(this.cwd, path, operation));
    const tree = this.tree();
    try {
      return run(tree, full);
    } catch (thrown) {
      throw typed(thrown, operation, path);
    }
  }

  read(path: string): Promise<Uint8Array> {
    return this.at("read", path, (tree, path) => tree.readFile(WHO, path));
  }
  /** Rejects with `InvalidError` for what is not UTF-8. */
  async readText(path: string): Promise<string> {
    const bytes = await this.read(path);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new InvalidError(`${path}: not UTF-8`, { code: "NOT_TEXT", operation: "readText" });
    }
  }
  /** In one step, making parents: readers see the old or the new file. */
  write(path: string, content: Content): Promise<void> {
    return this.writeMany({ [path]: content });
  }
  /** All, or none of them. */
  async writeMany(files: Record<string, Content>): Promise<void> {
    this.writeNow(files);
  }
  /** @internal */
  writeNow(files: Record<string, Content>): void {
    const all = Object.entries(files);
    const put = (tree: Tree) => {
      for (const [path, content] of all) {
        this.now("write", path, (_, full) => {
          makeParents(tree, full);
          tree.writeFile(WHO, full, bytesOf(content), 0o644);
        });
      }
    };
    // A trial first: what fails there has changed nothing here.
    const trial = this.tree().fork();
    try {
      put(trial);
    } finally {
      trial.drop();
    }
    put(this.tree());
  }
  list(path = "."): Promise<FileInfo[]> {
    return this.at("list", path, (tree, full) => {
      const base = full.length === 1 ? "" : new TextDecoder().decode(full);
      return tree.readDirectory(WHO, full).map((entry) => {
        const name = new TextDecoder().decode(entry.name);
        return info(name, tree.stat(WHO, encoder.encode(`${base}/${name}`), false));
      });
    });
  }
  info(path: string): Promise<FileInfo> {
    return this.at("info", path, (tree, full) => {
      const name = new TextDecoder().decode(full).replace(/^.*\//, "") || "/";
      return info(name, tree.stat(WHO, full, true));
    });
  }
  async exists(path: string): Promise<boolean> {
    try {
      await this.info(path);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === "NOT_FOUND") return false;
      throw error;
    }
  }
  makeDir(path: string, { parents = true }: { parents?: boolean } = {}): Promise<void> {
    return this.at("makeDir", path, (tree, full) =>
      parents ? tree.makeDirectories(WHO, full, 0o777) : tree.makeDirectory(WHO, full, 0o777),
    );
  }
  remove(path: string, { recursive = false, missingOk = false }: { recursive?: boolean; missingOk?: boolean } = {}): Promise<void> {
    return this.at("remove", path, (tree, full) => {
      try {
        if (recursive) tree.removeTree(WHO, full);
        else if (tree.stat(WHO, full, false).kind === "directory") tree.removeDirectory(WHO, full);
        else tree.unlink(WHO, full);
      } catch (thrown) {
        if (!(missingOk && thrown instanceof Errno && thrown.code === "no-entry")) throw thrown;
      }
    });
  }
  rename(source: string, target: string): Promise<void> {
    const full = encoder.encode(absolute(this.cwd, target, "rename"));
    return this.at("rename", source, (tree, from) => {
      makeParents(tree, full);
      tree.rename(WHO, from, full);
    });
  }
  copy(source: string, target: string, { recursive = false }: { recursive?: boolean } = {}): Promise<void> {
    const full = encoder.encode(absolute(this.cwd, target, "copy"));
    return this.at("copy", source, (tree, from) => {
      if (!recursive && tree.stat(WHO, from, false).kind === "directory") throw errno("is-directory");
      makeParents(tree, full);
      tree.copy(WHO, from, full);
    });
  }
  /** Watches the names in a directory, with `recursive` all below it. */
  watch(path = ".", options: WatchOptions = {}): Promise<Watcher> {
    return this.at("watch", path, (_, full) => new Watcher(this.tree, WHO, new TextDecoder().decode(full), options));
  }
  /** A directory as a tar archive. */
  exportTar(path = "."): Promise<Uint8Array> {
    return this.at("exportTar", path, (tree, full) => tree.exportTar(full));
  }
  /** Unpacks a tar archive into a directory: all of it, or nothing. */
  importTar(archive: Uint8Array, path = "."): Promise<void> {
    return this.at("importTar", path, (tree, full) => tree.importTar(full, archive));
  }
}

function makeParents(tree: Tree, path: Uint8Array): void {
  const end = path.lastIndexOf(0x2f);
  if (end > 0) tree.makeDirectories(WHO, path.subarray(0, end), 0o777);
}
