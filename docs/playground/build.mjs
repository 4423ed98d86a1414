// Puts the page together: build.mjs OUT PACKAGE (the folder `dist` of @offshoot/web). OUT is then a folder of static files.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const [out, dist] = process.argv.slice(2);
if (dist === undefined) {
  console.error("usage: build.mjs OUT PACKAGE");
  process.exit(2);
}
const PAGE = ["index.html", "style.css", "playground.js", "worker.js"];
/** Not loaded before a script asks for them. */
const LATER = /^offshoot\/wasm\/python3\./;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of PAGE) cpSync(fileURLToPath(new URL(name, import.meta.url)), join(out, name));
cpSync(dist, join(out, "offshoot"), { recursive: true, filter: (path) => !path.endsWith(".d.ts") && !path.endsWith("workerd.js") });

function files(below) {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
const hash = createHash("sha256");
const assets = files(out).map((path) => relative(out, path)).sort();
for (const name of assets) hash.update(name).update(readFileSync(join(out, name)));
const kept = ["./", ...assets.filter((name) => !LATER.test(name) && name !== "worker.js")];
const version = hash.digest("hex").slice(0, 16);
writeFileSync(join(out, "assets.js"), `self.VERSION = ${JSON.stringify(version)};\nself.ASSETS = ${JSON.stringify(kept)};\n`);
