"use strict";
// The files of a sandbox, whatever it runs on.

const { settled } = require("./common.cjs");
const { InvalidError } = require("./errors.cjs");

class BackendFiles {
  #native;
  constructor(inner) {
    this.#native = inner;
  }
  read(path) {
    return settled(this.#native.read(path));
  }
  async readText(path) {
    const bytes = await this.read(path);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new InvalidError(`${path}: not UTF-8`, { code: "NOT_TEXT", operation: "readText" });
    }
  }
  write(path, content) {
    return settled(this.#native.write(path, content));
  }
  list(path = ".") {
    return settled(this.#native.list(path));
  }
  info(path) {
    return settled(this.#native.info(path));
  }
  exists(path) {
    return settled(this.#native.exists(path));
  }
  makeDir(path, { parents = true } = {}) {
    return settled(this.#native.makeDir(path, parents));
  }
  remove(path, { recursive = false, missingOk = false } = {}) {
    return settled(this.#native.remove(path, recursive, missingOk));
  }
  rename(source, target) {
    return settled(this.#native.rename(source, target));
  }
}

module.exports = { BackendFiles };
