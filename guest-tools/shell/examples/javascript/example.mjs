// A sandbox in Node, on what jco makes of the component: npm run build -- SANDBOX_WASM
import { sandbox as component } from "./sandbox/sandbox.js";

const { Sandbox } = component;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Runs a script; `exec` of the interface, with texts. */
function exec(sandbox, script, { stdin = "", timeoutMs } = {}) {
  const options = { environment: [], stdin: encoder.encode(stdin), timeoutMs };
  const { status, stdout } = sandbox.exec(script, options);
  return { status, stdout: decoder.decode(stdout) };
}

const sandbox = Sandbox.create({ environment: [["LEVEL", "error"]] });
sandbox.writeFile(
  "log.jsonl",
  encoder.encode(`\
{"level": "error", "service": "search"}
{"level": "info", "service": "search"}
{"level": "error", "service": "billing"}
{"level": "error", "service": "search"}
`),
);
const result = exec(sandbox, 'grep "$LEVEL" log.jsonl | jq -r .service | sort | uniq -c | sort -rn');
process.stdout.write(result.stdout);
console.log("status", result.status);

const fork = sandbox.fork();
exec(fork, "head -n 1 log.jsonl >> log.jsonl; cat > note", { stdin: "of the fork\n" });
for (const [name, which] of Object.entries({ sandbox, fork })) {
  console.log(name, "has", exec(which, "wc -l < log.jsonl").stdout.trim(), "lines");
}
process.stdout.write(`note ${decoder.decode(fork.readFile("note"))}`);
try {
  sandbox.readFile("note");
} catch ({ payload: error }) {
  console.log(`${error.tag}: ${error.val}`);
}

console.log("endless", exec(sandbox, "while :; do :; done", { timeoutMs: 50n }).status);
fork[Symbol.dispose]();
sandbox[Symbol.dispose]();
