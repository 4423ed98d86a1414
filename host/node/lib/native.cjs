"use strict";
// The machine's own half: beside this file in a checkout, else from the platform's package.

const { existsSync } = require("node:fs");
const { join } = require("node:path");

/** The platform's package: `@offshoot/node-linux-x64-gnu`. */
function platform() {
  const libc = process.platform !== "linux" ? "" : process.report?.getReport?.().header.glibcVersionRuntime ? "-gnu" : "-musl";
  return `@offshoot/node-${process.platform}-${process.arch}${libc}`;
}

function load() {
  const local = join(__dirname, "offshoot.node");
  if (existsSync(local)) return require(local);
  const name = platform();
  try {
    return require(name);
  } catch (cause) {
    throw new Error(`offshoot has no build for this machine (${name} is not installed)`, { cause });
  }
}

module.exports = load();
