// What the connector relies on of the control plane, by `@codesandbox/sdk`.
import assert from "node:assert/strict";
import { CodeSandbox } from "@codesandbox/sdk";

const { sandboxes } = new CodeSandbox(process.env.CSB_API_KEY);

const box = await sandboxes.create({ title: "made", privacy: "private" });
assert.equal(box.bootupType, "FORK");
const running = await sandboxes.listRunning();
assert.deepEqual(running.vms.map((vm) => vm.id), [box.id]);
const listed = await sandboxes.list();
assert.deepEqual(listed.sandboxes.map((one) => one.title), ["made"]);
assert.equal((await sandboxes.resume(box.id)).bootupType, "RUNNING");
await box.updateHibernationTimeout(300);

await sandboxes.hibernate(box.id);
assert.equal((await sandboxes.listRunning()).vms.length, 0);
assert.equal((await sandboxes.resume(box.id)).bootupType, "RESUME");
await sandboxes.shutdown(box.id);
assert.equal((await sandboxes.resume(box.id)).bootupType, "CLEAN");

const copy = await sandboxes.create({ id: box.id });
assert.notEqual(copy.id, box.id);
await sandboxes.delete(copy.id);
await sandboxes.delete(box.id);
await assert.rejects(sandboxes.resume(box.id));
assert.equal((await sandboxes.list()).sandboxes.length, 0);
process.exit(0);
