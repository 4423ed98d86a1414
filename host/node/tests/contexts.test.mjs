// Interpreters that keep their state from cell to cell.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const { Sandbox, CapabilityError, InvalidError, NotFoundError, UnavailableError } = await import(
  join(process.env.OFFSHOOT_NODE_PACKAGE, "index.mjs")
);
const BUSY = "print('begun', flush=True)\nwhile True: pass";

/** A cell that has begun to write; `ended` is what comes of it. */
async function busy(context) {
  let begun;
  const told = new Promise((resolve) => (begun = resolve));
  const ended = context.run(BUSY, { onStdout: begun }).catch((error) => error);
  await told;
  return { ended };
}

test("state lives from cell to cell", async () => {
  const sandbox = new Sandbox();
  const context = await sandbox.context("python", { cwd: "/tmp", env: { WHO: "you" } });
  assert.deepEqual([context.language, context.cwd], ["python", "/tmp"]);
  await context.run("import os\nx = 41");
  const outcome = await context.run("print(os.environ['WHO'], os.getcwd(), end='')\nx + 1");
  const { text, stdout, ok, number, error } = outcome;
  assert.deepEqual([text, stdout, ok, number, error], ["42", "you /tmp", true, 2, undefined]);
  assert.equal((await context.run("os.environ['WHO']", { env: { WHO: "me" } })).text, "'me'");
  await sandbox.files.write("/tmp/seen", "by both");
  assert.equal((await context.run("open('seen').read()")).text, "'by both'");
});

test("each language", async () => {
  const sandbox = new Sandbox();
  for (const [language, code, stdout, text] of [
    ["bash", "x=5; echo $((x * 2))", "10\n", undefined],
    ["python", "print(10)\n'a'", "10\n", "'a'"],
    ["javascript", "console.log(10); 3 + 4", "10\n", "7"],
  ]) {
    const outcome = await (await sandbox.context(language)).run(code);
    assert.deepEqual([outcome.stdout, outcome.text, outcome.error], [stdout, text, undefined], language);
  }
  await assert.rejects(sandbox.context("cobol"), CapabilityError);
  await assert.rejects(sandbox.context("bash", { cwd: "/nowhere" }), NotFoundError);
  await assert.rejects(sandbox.context("bash", { cdw: "/" }), TypeError);
  const bash = await sandbox.context("bash");
  await assert.rejects(bash.run(":", { timeoutMs: -1 }), InvalidError);
  await assert.rejects(bash.run(":", { stdin: "" }), TypeError);
});

test("values have media types, an exception is a result", async () => {
  const context = await new Sandbox().context();
  const shown = `
class Shown:
    def __repr__(self): return "plain"
    def _repr_html_(self): return "<b>html</b>"
    def _repr_png_(self): return b"\\x89PNG"
    def _repr_json_(self): return {"deep": [1, None]}
display("before")
Shown()`;
  const { results, text } = await context.run(shown);
  assert.deepEqual(results.map((result) => [result.main, result.text]), [[false, "'before'"], [true, "plain"]]);
  const data = results[1].data;
  assert.deepEqual([text, data["text/html"], data["application/json"]], ["plain", "<b>html</b>", { deep: [1, null] }]);
  assert.deepEqual([...Buffer.from(data["image/png"], "base64")], [0x89, 0x50, 0x4e, 0x47]);
  const { error, ok } = await context.run("1 / 0");
  assert.deepEqual([error.name, error.value, ok], ["ZeroDivisionError", "division by zero", false]);
  assert.match(error.traceback, /1 \/ 0/);
});

test("what a cell does is told as it happens", async () => {
  const context = await new Sandbox().context();
  const code = "import sys\nprint('a', flush=True)\nprint('b', file=sys.stderr, flush=True)\ndisplay(1)\n{}['k']";
  const events = [];
  for await (const { kind, number, data, result, error } of await context.start(code)) {
    events.push([kind, number ?? (data && Buffer.from(data).toString()) ?? result?.text ?? error.name]);
  }
  const expected = [["started", 1], ["stdout", "a\n"], ["stderr", "b\n"], ["result", "1"], ["error", "KeyError"]];
  assert.deepEqual(events, expected);
  const seen = [];
  const outcome = await context.run(code, {
    onStdout: (piece) => seen.push(Buffer.from(piece).toString()),
    onStderr: (piece) => seen.push(Buffer.from(piece).toString()),
    onResult: (result) => seen.push(result.text),
  });
  assert.deepEqual(seen, ["a\n", "b\n", "1"]);
  const { stdout, stderr, text, error, number } = outcome;
  assert.deepEqual([stdout, stderr, text, error.name, number], ["a\n", "b\n", undefined, "KeyError", 2]);
});

test("leaving the loop interrupts the cell, and so does a callback that throws", async () => {
  const context = await new Sandbox().context();
  await context.run("x = 7");
  const run = await context.start(BUSY);
  for await (const { kind } of run) if (kind === "stdout") break;
  for await (const _ of run) assert.fail("it has ended");
  const fails = () => {
    throw new Error("enough");
  };
  await assert.rejects(context.run(BUSY, { onStdout: fails }), /enough/);
  assert.equal((await context.run("x")).text, "7");
});

test("a time-out, an interrupt and an abort keep the state", async () => {
  const context = await new Sandbox().context();
  await context.run("x = 7");
  const late = await context.run("while True: pass", { timeoutMs: 300 });
  assert.deepEqual([late.timedOut, late.error.name], [true, "KeyboardInterrupt"]);
  const { ended } = await busy(context);
  context.interrupt();
  const interrupted = await ended;
  assert.deepEqual([interrupted.timedOut, interrupted.error.name], [false, "KeyboardInterrupt"]);
  for (const callbacks of [{}, { onResult: () => {} }]) {
    const signal = AbortSignal.timeout(300);
    await assert.rejects(context.run("while True: pass", { signal, ...callbacks }), { name: "TimeoutError" });
  }
  const controller = new AbortController();
  const loop = async () => {
    for await (const { kind } of await context.start(BUSY, { signal: controller.signal })) {
      if (kind === "stdout") controller.abort(new Error("enough"));
    }
  };
  await assert.rejects(loop(), /enough/);
  await assert.rejects(context.run("x = 8", { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal((await context.run("x")).text, "7");
});

test("a restart and a close end a cell that only counts", async () => {
  for (const interruptible of [true, false]) {
    const sandbox = new Sandbox();
    const context = await sandbox.context("python", { interruptible });
    await context.run("x = 7");
    const first = await busy(context);
    await context.restart();
    assert.equal((await first.ended).code, "DIED");
    assert.equal((await context.run("'x' in globals()")).text, "False");
    const second = await busy(context);
    await context.close();
    assert.equal((await second.ended).code, "SANDBOX_UNAVAILABLE");
    await assert.rejects(context.run("1"), UnavailableError);
    await assert.rejects(context.restart(), UnavailableError);
  }
});

test("contexts are found as long as they live", async () => {
  const sandbox = new Sandbox();
  const [first, second] = [await sandbox.context("bash"), await sandbox.context("bash")];
  assert.deepEqual(sandbox.contexts().map(({ id }) => id).sort(), [first.id, second.id].sort());
  await first.run("x=1");
  assert.equal((await sandbox.findContext(first.id).run("echo $x")).stdout, "1\n");
  assert.deepEqual(sandbox.fork().contexts().map(({ id }) => id).sort(), [first.id, second.id].sort());
  await second[Symbol.asyncDispose ?? "close"]();
  assert.throws(() => sandbox.findContext(second.id), NotFoundError);
  await sandbox.close();
  await assert.rejects(first.run(":"), UnavailableError);
});
