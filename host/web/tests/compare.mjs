// Measures the package beside others in one run: compare.mjs PACKAGE OTHERS
//
// PACKAGE is the folder `dist`, OTHERS one where `npm install just-bash @everruns/bashkit-wasm` was run. Each contender has
// a process of its own. Times are medians, in milliseconds.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [dist, others, which] = process.argv.slice(2);

/** How each is loaded, made and branched; `run` gives standard output. */
const CONTENDERS = {
  offshoot: async () => {
    const { Sandbox } = await import(`file://${dist}/index.js`);
    const wrap = (sandbox) => ({ run: async (script) => (await sandbox.exec(script)).stdout, fork: () => wrap(sandbox.fork()) });
    return { make: (files = {}) => wrap(new Sandbox({ files })) };
  },
  "just-bash": async () => {
    const { Bash } = await import(`file://${join(others, "node_modules/just-bash/dist/bundle/index.js")}`);
    const wrap = (bash) => ({ run: async (script) => (await bash.exec(script)).stdout });
    const limits = { maxLoopIterations: 10_000_000, maxCommandCount: 10_000_000 };
    return { make: (files = {}) => wrap(new Bash({ files: prefixed(files), cwd: "/home/user", executionLimits: limits })) };
  },
  "bashkit-wasm": async () => {
    const folder = join(others, "node_modules/@everruns/bashkit-wasm");
    const module = await import(`file://${folder}/index.js`);
    await module.initBashkit(readFileSync(`${folder}/bashkit_wasm_bg.wasm`));
    const options = { maxCommands: 10_000_000, maxLoopIterations: 10_000_000, maxTotalLoopIterations: 10_000_000 };
    const wrap = (bash) => ({ run: async (script) => (await bash.execute(script)).stdout });
    return {
      make: (files = {}) => {
        const bash = new module.Bash({ ...options, cwd: "/home/user", files: prefixed(files) });
        return wrap(bash);
      },
    };
  },
};
const prefixed = (files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [`/home/user/${name}`, text]));

const LINES = Array.from({ length: 20_000 }, (_, n) => `line ${(n * 7919) % 20_000} of some text`).join("\n") + "\n";
const OBJECTS = JSON.stringify(Array.from({ length: 2000 }, (_, n) => ({ name: `n${n}`, value: n % 17 })));
/** Name, script, the end of what it prints. */
const CASES = [
  ["echo", "echo hi", "hi\n"],
  ["20,000 rounds of a loop", "for (( i = 0; i < 20000; i++ )); do :; done; echo $i", "20000\n"],
  ["2,000 function calls", "f() { x=$1; }; for i in {1..2000}; do f $i; done; echo $x", "2000\n"],
  ["200 command substitutions", "for i in {1..200}; do x=$(echo $i); done; echo $x", "200\n"],
  ["echo into cat", "echo hi | cat", "hi\n"],
  ["sort of 20,000 lines", "sort lines | tail -n 1", "line 9999 of some text\n"],
  ["grep -c in 20,000 lines", "grep -c '9.*text' lines", "6878\n"],
  ["sed of 20,000 lines", "sed 's/line \\([0-9]*\\)/\\1 line/' lines | tail -n 1", "12081 line of some text\n"],
  ["awk sum of 20,000 lines", "awk '{ s += $2 } END { print s }' lines", "199990000\n"],
  ["jq over 2,000 objects", "jq '[.[] | select(.value == 3) | .name] | length' objects", "118\n"],
  ["wc, cut, uniq of 20,000 lines", "cut -d' ' -f3 lines | uniq -c | wc -l", "1\n"],
  ["200 files written and found", "mkdir -p d; for i in {1..200}; do echo $i > d/$i; done; find d -type f | wc -l", "200\n"],
];

async function median(count, run, prepare = () => undefined) {
  const times = [];
  for (let n = 0; n < count; n++) {
    await prepare();
    const before = performance.now();
    await run();
    times.push(performance.now() - before);
  }
  return times.sort((one, other) => one - other)[count >> 1];
}

async function measure(name) {
  const rows = {};
  const started = performance.now();
  const { make } = await CONTENDERS[name]();
  rows["import"] = performance.now() - started;
  const shell = make({ lines: LINES, objects: OBJECTS });
  const begun = performance.now();
  await shell.run("echo hi");
  rows["first echo after it"] = performance.now() - begun;
  for (const [label, script, expected] of CASES) {
    try {
      // One of its own: what a shell may run in all is limited in some.
      let one = make({ lines: LINES, objects: OBJECTS });
      const stdout = await one.run(script);
      if (!stdout.trimStart().endsWith(expected)) throw new Error(`other output: ${stdout.slice(-40)}`);
      const often = label === "echo" ? 500 : 9;
      rows[label] = await median(often, () => one.run(script), async () => {
        if (label === "echo") return;
        one = make({ lines: LINES, objects: OBJECTS });
        await one.run("echo hi");
      });
    } catch (error) {
      rows[label] = String(error.message ?? error).trim().slice(0, 60);
    }
  }
  for (const count of [10, 5000]) {
    const full = make(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, `content ${n}`])));
    if (full.fork) rows[`fork of ${count} files`] = await median(1000, () => full.fork());
  }
  return rows;
}

if (which) {
  process.stdout.write(JSON.stringify(await measure(which)));
} else {
  const own = fileURLToPath(import.meta.url);
  const run = (name) => JSON.parse(execFileSync(process.execPath, [own, dist, others, name], { encoding: "utf8" }));
  const all = Object.keys(CONTENDERS).map((name) => [name, run(name)]);
  const shown = (value) => (typeof value === "number" ? (value < 0.1 ? value.toFixed(4) : value.toFixed(2)) : (value ?? "–"));
  console.log(`| ms | ${all.map(([name]) => name).join(" | ")} |\n|---|${all.map(() => "---:|").join("")}`);
  for (const label of [...new Set(all.flatMap(([, rows]) => Object.keys(rows)))]) {
    console.log(`| ${label} | ${all.map(([, rows]) => shown(rows[label])).join(" | ")} |`);
  }
}
