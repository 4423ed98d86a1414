// What the types promise to whoever writes TypeScript; compiled, not run.

import { Context, Sandbox, type CellEvent, type CellOutcome } from "./lib/index.js";

async function contexts(sandbox: Sandbox) {
  await using context: Context = await sandbox.context("python", { cwd: "/tmp", interruptible: false });
  const outcome: CellOutcome = await context.run("1", { timeoutMs: 10, onResult: ({ text }) => text?.length });
  const text: string | undefined = outcome.text ?? outcome.error?.name;
  for await (const event of await context.start("1", { signal: AbortSignal.timeout(1) })) told(event);
  // @ts-expect-error: a cell has no standard input.
  await context.run("1", { stdin: "" });
  // @ts-expect-error: contexts are made by a sandbox.
  new Context();
  return text;
}

function told(event: CellEvent): string | number {
  switch (event.kind) {
    case "started":
      return event.number;
    case "stdout":
    case "stderr":
      return event.data.length;
    case "result":
      return event.result.main ? 1 : 0;
    case "error":
      return event.error.traceback;
  }
}

export { contexts, told };
