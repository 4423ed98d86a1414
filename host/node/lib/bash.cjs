"use strict";
// The shape of just-bash's `Bash`, so that `bash-tool` and code written for it take a sandbox.

const { Sandbox } = require("./index.cjs");

/** An error of the files as Node's own have it. */
async function plain(path, promise) {
  try {
    return await promise;
  } catch (error) {
    const code = error.errno ?? (error.code === "NOT_FOUND" ? "ENOENT" : undefined);
    if (code === undefined) throw error;
    const text = code === "ENOENT" ? "no such file or directory" : error.message;
    throw Object.assign(new Error(`${code}: ${text}, open '${path}'`), { code });
  }
}

class FileSystem {
  #files;
  #cwd;
  constructor(sandbox) {
    this.#files = sandbox.files;
    this.#cwd = sandbox.cwd;
  }
  async readFile(path, options) {
    const encoding = typeof options === "string" ? options : options?.encoding;
    const bytes = Buffer.from(await plain(path, this.#files.read(path)));
    return bytes.toString(encoding ?? "utf8");
  }
  readFileBuffer(path) {
    return plain(path, this.#files.read(path));
  }
  writeFile(path, content) {
    return plain(path, this.#files.write(path, content));
  }
  async appendFile(path, content) {
    const before = (await this.#files.exists(path)) ? await this.#files.read(path) : new Uint8Array();
    await plain(path, this.#files.write(path, Buffer.concat([before, Buffer.from(content)])));
  }
  exists(path) {
    return this.#files.exists(path);
  }
  async stat(path) {
    const info = await plain(path, this.#files.info(path));
    return {
      isFile: info.kind === "file",
      isDirectory: info.kind === "directory",
      isSymbolicLink: info.kind === "symlink",
      mode: info.mode ?? 0o644,
      size: info.size,
      mtime: new Date(info.modifiedMs ?? 0),
    };
  }
  mkdir(path, options) {
    return plain(path, this.#files.makeDir(path, { parents: options?.recursive ?? false }));
  }
  async readdir(path) {
    return (await plain(path, this.#files.list(path))).map((info) => info.name);
  }
  rm(path, options) {
    return plain(path, this.#files.remove(path, { recursive: options?.recursive, missingOk: options?.force }));
  }
  cp(source, target, options) {
    return plain(source, this.#files.copy(source, target, { recursive: options?.recursive }));
  }
  mv(source, target) {
    return plain(source, this.#files.rename(source, target));
  }
  resolvePath(base, path) {
    return require("node:path").posix.resolve(base || this.#cwd, path);
  }
}

class Bash {
  constructor({ files, env, cwd, limits, commands, network } = {}) {
    this.sandbox = new Sandbox({ files, env, cwd, limits, commands, network });
    this.fs = new FileSystem(this.sandbox);
  }
  /** Runs a script; a status other than 0 is a result. */
  async exec(script, { env, cwd, stdin, args, signal } = {}) {
    const ended = await this.sandbox.exec(script, { env, cwd, stdin, arguments: args, signal });
    return { stdout: ended.stdout, stderr: ended.stderr, exitCode: ended.exitCode };
  }
  readFile(path) {
    return this.fs.readFile(path);
  }
  writeFile(path, content) {
    return this.fs.writeFile(path, content);
  }
  getCwd() {
    return this.sandbox.cwd;
  }
}

module.exports = { Bash };
