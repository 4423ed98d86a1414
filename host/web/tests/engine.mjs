// Runs the cases in the engine that starts this, on the package in PACKAGE (the folder `dist`).

const place = globalThis.Deno ? Deno.args[0] : process.argv[2];
const offshoot = await import(new URL(`file://${place}/index.js`).href);
const { runAll } = await import("./behaviour.mjs");
const { passed, failed } = await runAll(offshoot, console.log);
console.log(`${passed.length} of ${passed.length + failed.length} hold, ${offshoot.engine.suspends ? "stages at once" : "stages in turn"}`);
if (failed.length > 0) (globalThis.Deno ?? process).exit(1);
