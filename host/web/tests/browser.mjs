// Runs the cases in a page of Chromium, without a window: browser.mjs CHROMIUM PACKAGE (the folder `dist`).
//
// A server on the loopback gives it the package, and is told by the page what holds. The page's policy allows code
// from the server alone, and compiling WebAssembly.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

const [chromium, dist] = process.argv.slice(2);
const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };
const PAGE = `<!doctype html><script type="module" src="/page.mjs"></script>`;
const SCRIPT = `import * as offshoot from "/dist/index.js";
import { runAll, runCases } from "/behaviour.mjs";
import { storeCases } from "/stores.mjs";
const tell = (body) => fetch("/result", { method: "POST", body: JSON.stringify(body) });
try {
  const results = [await runAll(offshoot)];
  for (const kind of ["IndexedDbStore", "OpfsStore"]) {
    const names = new Map();
    const open = async (name) => {
      const store = await offshoot[kind].open(name);
      names.set(store, name);
      return store;
    };
    const make = () => open(crypto.randomUUID());
    results.push(await runCases(storeCases(offshoot, kind, make, (store) => open(names.get(store)))));
  }
  const all = (what) => results.flatMap((result) => result[what]);
  await tell({ passed: all("passed"), failed: all("failed"), suspends: offshoot.engine.suspends });
} catch (error) {
  await tell({ passed: [], failed: [String(error?.stack ?? error)] });
}
`;

function content(path) {
  if (path === "/") return ["text/html", PAGE];
  if (path === "/page.mjs") return [TYPES.mjs, SCRIPT];
  if (/^\/(behaviour|stores)\.mjs$/.test(path)) return [TYPES.mjs, readFileSync(new URL(`.${path}`, import.meta.url))];
  return [TYPES[path.split(".").pop()], readFileSync(join(dist, normalize(path.replace(/^\/dist\//, "/"))))];
}

let done;
const told = new Promise((resolve) => (done = resolve));
const server = createServer(async (request, response) => {
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    response.end();
    done(JSON.parse(body));
    return;
  }
  try {
    const [type, body] = content(new URL(request.url, "http://localhost").pathname);
    const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
    response.writeHead(200, { "content-type": type ?? "text/plain", "content-security-policy": policy }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const profile = mkdtempSync(join(tmpdir(), "offshoot-chromium-"));
const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`];
const page = `http://127.0.0.1:${server.address().port}/`;
const child = spawn(chromium, [...flags, page], { stdio: "ignore" });
const ended = new Promise((resolve) => child.once("exit", resolve));
const result = await Promise.race([told, ended.then(() => ({ passed: [], failed: ["Chromium ended before it told anything"] }))]);
for (const name of result.passed) console.log(`ok ${name}`);
for (const name of result.failed) console.log(`not ok ${name}`);
const total = result.passed.length + result.failed.length;
console.log(`${result.passed.length} of ${total} hold, ${result.suspends ? "stages at once" : "stages in turn"}`);
child.kill();
await ended;
server.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(result.failed.length > 0 ? 1 : 0);
