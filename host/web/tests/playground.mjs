// Drives the playground of docs/ in Chromium: playground.mjs CHROMIUM PLAYWRIGHT PAGE [SCREENSHOT]
//
// PLAYWRIGHT is the folder of `playwright-core`, PAGE what `docs/playground/build.mjs` has made. With SCREENSHOT a picture
// of the page goes there.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

const [chromium, playwright, root, screenshot] = process.argv.slice(2);
const { chromium: browser } = (await import(join(playwright, "index.js"))).default;
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm" };

const asked = [];
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  asked.push(path);
  try {
    const body = readFileSync(join(root, path === "/" ? "index.html" : path));
    response.writeHead(200, { "content-type": TYPES[(path === "/" ? "html" : path).split(".").pop()] ?? "text/plain" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const profile = mkdtempSync(join(tmpdir(), "offshoot-playground-"));
const context = await browser.launchPersistentContext(profile, {
  executablePath: chromium,
  headless: true,
  chromiumSandbox: false,
  viewport: { width: 1200, height: 760 },
});
const faults = [];
const elsewhere = [];

async function visit() {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => new URL(request.url()).origin === new URL(address).origin || elsewhere.push(request.url()));
  await page.goto(address);
  return page;
}
const state = (page, text) => page.waitForFunction((text) => document.getElementById("state").textContent === text, text);
const shown = (page, text) => page.waitForFunction((text) => document.getElementById("output").textContent.includes(text), text);
async function type(page, line, expected) {
  await page.fill("#line", line);
  await page.press("#line", "Enter");
  await shown(page, expected);
}
async function write(page, path, text) {
  await page.fill("#path", path);
  await page.press("#path", "Enter");
  await page.fill("#text", text);
  await page.click("#save");
}

try {
  const page = await visit();
  await state(page, "main: ready");
  await type(page, "bash hello.sh you me", "hello me\nhello you\n");
  await type(page, "jq -c 'map(.name)|sort' fruits.json; x=kept", '["fig","pear"]\n');
  await write(page, "/home/user/add.awk", "{ sum += $2 } END { print \"sum\", sum }\n");
  await page.getByRole("button", { name: "add.awk" }).waitFor();
  await type(page, "printf 'a 1\\nb 41\\n' | awk -f add.awk; echo $x", "sum 42\nkept\n");
  await type(page, "while :; do :; done", "done\n");
  await page.focus("#line");
  await page.keyboard.press("Control+c");
  await type(page, "echo go on", "go on\n");
  await state(page, "main: stored");

  await page.fill("#name", "idea");
  await page.press("#name", "Enter");
  await state(page, "idea: ready");
  await type(page, "rm hello.sh; echo more > fruits.json; ls", "add.awk  fruits.json\n");
  await page.click("#changes");
  await shown(page, "3 changes since main\nmodified /home/user/.bash_history\nmodified /home/user/fruits.json\nremoved /home/user/hello.sh\n");
  await state(page, "idea: stored");
  if (screenshot) {
    await page.getByRole("button", { name: "add.awk" }).click();
    await page.screenshot({ path: screenshot });
  }
  await page.getByRole("button", { name: "main", exact: true }).click();
  await state(page, "main: ready");
  await type(page, "cat hello.sh fruits.json | wc -l", "2\n");

  // Without a network and without its server.
  await page.waitForFunction(() => document.documentElement.dataset.offline === "ready");
  await context.setOffline(true);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const before = asked.length;
  await page.reload();
  await state(page, "main: ready");
  await type(page, "git init -q . && ls -d .git; seq 3 | paste -sd+ | bc", ".git\n6\n");
  await page.getByRole("button", { name: "idea ← main" }).click();
  await state(page, "idea: ready");
  await type(page, "cat fruits.json", "more\n");

  // One tab has a branch awake.
  const second = await visit();
  await state(second, "main: somebody else has it awake");
  await page.close();
  await second.reload();
  await state(second, "main: ready");
  await type(second, "ls -d .git", ".git\n");
  assert.deepEqual([faults, elsewhere, asked.length], [[], [], before], "faults, and what was asked");
  console.log("ok the playground: editor, terminal, branches, without a network, in two tabs");
} catch (error) {
  const page = context.pages().at(-1);
  const seen = await page.evaluate(() => [document.getElementById("state").textContent, document.getElementById("output").textContent]).catch(() => []);
  console.log(`not ok the playground: ${error.message}\n${seen.join("\n")}\n${faults.join("\n")}`);
  process.exitCode = 1;
} finally {
  await context.close();
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
