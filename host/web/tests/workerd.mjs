// Runs the cases in a Worker: `workerd serve` with the modules of the package, and one request.
//
// usage: workerd.mjs WORKERD PACKAGE (the folder `dist`)

import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const [workerd, dist] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "offshoot-workerd-"));
cpSync(dist, join(folder, "dist"), { recursive: true });
copyFileSync(new URL("behaviour.mjs", import.meta.url), join(folder, "behaviour.mjs"));
writeFileSync(
  join(folder, "worker.js"),
  `import { runAll } from "./behaviour.mjs";
import * as offshoot from "./dist/workerd.js";
export default { fetch: async () => Response.json({ ...(await runAll(offshoot)), suspends: offshoot.engine.suspends }) };
`,
);

function files(below) {
  return readdirSync(below, { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
const modules = ["worker.js", "behaviour.mjs", ...files(join(folder, "dist")).map((path) => relative(folder, path))]
  .filter((name) => /\.(m?js|wasm)$/.test(name))
  .map((name) => `(name = "${name}", ${name.endsWith(".wasm") ? "wasm" : "esModule"} = embed "${name}")`);
writeFileSync(
  join(folder, "config.capnp"),
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${modules.join(", ")}],
  compatibilityDate = "2026-11-01",
);
`,
);

// The port is told on descriptor 3.
const child = spawn(workerd, ["serve", "--control-fd=3", join(folder, "config.capnp")], {
  stdio: ["ignore", "inherit", "inherit", "pipe"],
});
let failed = 1;
try {
  let told = "";
  for await (const piece of child.stdio[3]) {
    told += piece;
    if (told.includes('"listen"')) break;
  }
  const { port } = JSON.parse(told.split("\n").find((line) => line.includes('"listen"')));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  const body = await answer.text();
  if (!answer.ok) throw new Error(body);
  const result = JSON.parse(body);
  for (const name of result.passed) console.log(`ok ${name}`);
  for (const name of result.failed) console.log(`not ok ${name}`);
  failed = result.failed.length;
  console.log(`${result.passed.length} of ${result.passed.length + failed} hold, ${result.suspends ? "stages at once" : "stages in turn"}`);
} finally {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;
