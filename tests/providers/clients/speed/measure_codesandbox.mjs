import readline from "node:readline";
import { CodeSandbox } from "@codesandbox/sdk";

const { sandboxes } = new CodeSandbox(process.env.CSB_API_KEY);
const steps = [
  ["create", () => sandboxes.create({ privacy: "private" })],
  ["fork", ({ create }) => sandboxes.create({ id: create.id })],
  ["", ({ fork }) => sandboxes.delete(fork.id)],
  ["suspend", ({ create }) => sandboxes.hibernate(create.id)],
  ["resume", ({ create }) => sandboxes.resume(create.id)],
  ["kill", ({ create }) => sandboxes.delete(create.id)],
];
for await (const _ of readline.createInterface({ input: process.stdin })) {
  const times = {};
  const given = {};
  for (const [name, step] of steps) {
    const begun = performance.now();
    given[name] = await step(given);
    if (name) times[name] = performance.now() - begun;
  }
  console.log(JSON.stringify(times));
}
process.exit(0);
