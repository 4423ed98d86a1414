// Measures the package in the engine that starts this: measure.mjs PACKAGE (the folder `dist`).

const place = globalThis.Deno ? Deno.args[0] : process.argv[2];
const started = performance.now();
const { Sandbox, engine } = await import(new URL(`file://${place}/index.js`).href);
const rows = [["import", performance.now() - started]];

async function once(name, run) {
  const before = performance.now();
  await run();
  rows.push([name, performance.now() - before]);
}

/** The median of so many runs. */
async function often(name, count, run) {
  const times = [];
  for (let n = 0; n < count; n++) {
    const before = performance.now();
    await run(n);
    times.push(performance.now() - before);
  }
  rows.push([name, times.sort((one, other) => one - other)[count >> 1]]);
}

const sandbox = new Sandbox();
await once("first echo, shell not compiled", () => sandbox.exec("echo hi"));
await once("first sort, its family not compiled", () => sandbox.exec("echo hi | sort"));
await often("new sandbox and its first echo", 50, () => new Sandbox().exec("echo hi"));
await often("warm echo", 2000, () => sandbox.exec("echo hi"));
await often("one more process: echo hi | sort", 100, () => sandbox.exec("echo hi | sort"));
await often("yes | head -n 1", 50, () => sandbox.exec("yes | head -n 1"));
await often("for (( i = 0; i < 20000; i++ ))", 10, () => sandbox.exec("for (( i = 0; i < 20000; i++ )); do :; done"));
for (const count of [10, 5000]) {
  const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, `content ${n}`]));
  const full = new Sandbox({ files });
  await often(`fork and close, ${count} files`, 1000, () => full.fork().close());
  await often(`snapshot, ${count} files`, 5, () => full.snapshot());
}
const before = engine.trees.memory;
const branches = sandbox.forkMany(10_000);
const bytes = Math.round((engine.trees.memory - before) / branches.length);
for (const [name, time] of rows) console.log(`${name.padEnd(64)} ${time < 1 ? `${(time * 1000).toFixed(1)} µs` : `${time.toFixed(2)} ms`}`);
console.log(`${"memory of the trees for each of 10,000 forks".padEnd(64)} ${bytes} bytes`);
