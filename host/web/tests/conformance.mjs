// Answers the conformance cases: a JSON object a line in and out, a fresh sandbox for each.
//
// usage: conformance.mjs PACKAGE (the folder `dist`), started by `conformance`

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";

const { Sandbox } = await import(new URL(`file://${process.argv[2]}/index.js`).href);

/** Python's `repr` of a byte string, without the `b`. */
function represent(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let all = quote;
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte);
    const known = { "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" }[character];
    if (known) all += known;
    else if (byte >= 32 && byte < 127) all += character === quote ? `\\${character}` : character;
    else all += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return all + quote;
}

/** The commands that some cases call to show what they received. */
const helpers = {
  "argv.py": ({ arguments: args }) => `[${args.map(represent).join(", ")}]\n`,
  "printenv.py": ({ arguments: args, env }) => args.map((name) => `${env[name] ?? "None"}\n`).join(""),
  "stdout_stderr.py": ({ arguments: [out = "STDOUT", error = "STDERR", status = "0"] }) => ({
    stdout: `${out}\n`,
    stderr: `${error}\n`,
    exitCode: Number(status),
  }),
  "read_from_fd.py": ({ arguments: args, stdin }) => {
    if (args.some((name) => name !== "0")) return { exitCode: 1, stderr: "FATAL: Bad file descriptor\n" };
    return args.map((name) => `${name}: ${Buffer.from(stdin.subarray(0, 1024))}`).join("");
  },
};

async function answer({ script, stdin = "", cwd, root, env, timeout, helpers: wanted }) {
  const sandbox = new Sandbox({ clearEnv: true, env: { PWD: cwd, ...env }, cwd, commands: wanted ? helpers : {} });
  await sandbox.files.makeDir(root);
  if (readdirSync(root).length > 0) {
    const owner = ["--owner=1000", "--group=1000", "--numeric-owner"];
    const archive = execFileSync("tar", ["-C", root, ...owner, "-cf", "-", "."], { maxBuffer: 1 << 28 });
    await sandbox.files.importTar(archive, root);
  }
  const options = { stdin: Buffer.from(stdin, "base64"), timeoutMs: timeout * 1000 };
  let result;
  let note;
  try {
    result = await sandbox.exec(Buffer.from(script, "base64"), options);
    if (result.timedOut) note = "timeout";
  } catch (error) {
    if (!error.output) throw error;
    result = error.output;
    note = error.message;
  }
  await sandbox.close();
  const [stdout, stderr] = [result.stdoutBytes, result.stderrBytes].map((bytes) => Buffer.from(bytes).toString("base64"));
  return { stdout, stderr, status: result.exitCode, note };
}

for await (const line of createInterface({ input: process.stdin })) {
  let given;
  try {
    given = await answer(JSON.parse(line));
  } catch (error) {
    given = { stdout: "", stderr: "", status: null, note: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(given)}\n`);
}
process.exit(0);
