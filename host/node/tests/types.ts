// What the types promise to whoever writes TypeScript; compiled, not run.

import { Backend, Context, Sandbox, type BackendFiles, type CellEvent, type CellOutcome, type Snapshot } from "./lib/index.js";

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

async function backends(): Promise<Snapshot | undefined> {
  const docker = new Backend("docker", { image: "debian:12" });
  const way: "none" | "policy" | "provider" | "host" = docker.capabilities.network;
  const e2b = new Backend("e2b", { template: "base" }, { variables: { E2B_API_KEY: way } });
  await using sandbox = await e2b.create({ memory: 1 << 30, idleSuspendMs: 1000, signal: AbortSignal.timeout(1) });
  await using second = await e2b.reconnect(await sandbox.reference(), { autoResume: false });
  const process = await second.spawn("cat", { timeoutMs: 10 });
  await process.kill();
  const files: BackendFiles = sandbox.files;
  const virtual: BackendFiles = new Sandbox().files;
  await files.rename("a", (await virtual.list())[0]?.name ?? "b");
  // @ts-expect-error: only a virtual sandbox writes several files at once.
  await files.writeMany({});
  // @ts-expect-error: there is no such way out.
  await docker.create({ network: "everywhere" });
  return sandbox.capabilities.snapshot ? sandbox.snapshot("label") : undefined;
}

export { backends, contexts, told };
