// What the connector relies on, by `@vercel/sandbox`.
import assert from "node:assert/strict";
import { Sandbox, Snapshot } from "@vercel/sandbox";

const { VERCEL_SANDBOX_API_URL: url, VERCEL_TOKEN: token, VERCEL_TEAM_ID: teamId, VERCEL_PROJECT_ID: projectId } = process.env;
// The client has no option for another address.
const place = (input, init) => fetch(String(input.url ?? input).replace("https://vercel.com/api", url), init);
const at = { token, teamId, projectId, fetch: place };

const box = await Sandbox.create({ ...at, runtime: "node24", env: { KEPT: "a b" }, timeout: 600_000, persistent: true });

// Commands: both streams, the status, the directory, the variables, words as they are.
const ran = await box.runCommand({ cmd: "bash", args: ["-c", "echo out; echo err >&2; exit 3"] });
assert.deepEqual([ran.exitCode, await ran.stdout(), await ran.stderr()], [3, "out\n", "err\n"]);
const words = await box.runCommand({ cmd: "bash", args: ["-c", 'pwd; echo "$KEPT $GIVEN $1"', "sh", "it's $HOME"], cwd: "/tmp", env: { GIVEN: "now" } });
assert.equal(await words.stdout(), "/tmp\na b now it's $HOME\n");
const long = await box.runCommand({ cmd: "sleep", args: ["60"], detached: true });
await long.kill("SIGKILL");
assert.equal((await long.wait()).exitCode, 137);
const late = await box.runCommand({ cmd: "bash", args: ["-c", "sleep 0.2; echo late"], detached: true });
let lines = "";
for await (const line of late.logs()) lines += `${line.stream} ${line.data}`;
assert.equal(lines, "stdout late\n");

// Files: an archive goes in, bytes come out, one directory is made.
const bytes = Buffer.from(Array.from({ length: 256 * 300 }, (_, at) => at % 256));
await box.writeFiles([{ path: "on/the way/bin", content: bytes }, { path: "/tmp/none", content: Buffer.alloc(0) }]);
const read = await box.readFileToBuffer({ path: "on/the way/bin" });
assert.ok(bytes.equals(read));
assert.equal(await box.readFileToBuffer({ path: "no/such" }), null);
await box.mkDir("made");
await assert.rejects(box.mkDir("no/parent"));

// Life: a snapshot ends the session, what is made of it has the files, a fork has those of the last stop.
const snapshot = await box.snapshot();
assert.equal(snapshot.status, "created");
const second = await Sandbox.create({ ...at, source: { type: "snapshot", snapshotId: snapshot.snapshotId } });
assert.ok(bytes.equals(await second.readFileToBuffer({ path: "on/the way/bin" })));
await second.delete();
const again = await Sandbox.get({ ...at, name: box.name, resume: true });
await again.writeFiles([{ path: "late", content: Buffer.from("late") }]);
const fork = await Sandbox.fork({ ...at, sourceSandbox: box.name });
assert.equal(await fork.readFileToBuffer({ path: "late" }), null);
await fork.delete();
await again.extendTimeout(60_000);
await again.stop();
const woken = await Sandbox.get({ ...at, name: box.name, resume: true });
assert.equal(String(await woken.readFileToBuffer({ path: "late" })), "late");
const kept = await Snapshot.get({ ...at, snapshotId: snapshot.snapshotId });
await kept.delete();
await assert.rejects(Snapshot.get({ ...at, snapshotId: snapshot.snapshotId }));
await woken.delete();
await assert.rejects(Sandbox.get({ ...at, name: box.name }));
