"use strict";
// The sandbox session of the AI SDK over a sandbox of this process.

const { NotFoundError, Sandbox } = require("./index.cjs");

const orNull = async (promise) => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
};

/** A session for `experimental_sandbox`: of `sandbox`, or of a new one. */
function createSandboxSession(sandbox = new Sandbox()) {
  const files = sandbox.files;
  return {
    description: `A virtual sandbox with bash and the usual Unix commands; the working directory is ${sandbox.cwd}.`,
    sandbox,
    async readFile({ path, abortSignal }) {
      abortSignal?.throwIfAborted();
      const bytes = await orNull(files.read(path));
      return bytes && new Blob([bytes]).stream();
    },
    readBinaryFile: ({ path }) => orNull(files.read(path)),
    async readTextFile({ path, encoding = "utf-8", startLine, endLine }) {
      const bytes = await orNull(files.read(path));
      if (bytes === null) return null;
      const text = new TextDecoder(encoding).decode(bytes);
      if (startLine === undefined && endLine === undefined) return text;
      return text.split("\n").slice((startLine ?? 1) - 1, endLine).join("\n");
    },
    async writeFile({ path, content, abortSignal }) {
      abortSignal?.throwIfAborted();
      await files.write(path, new Uint8Array(await new Response(content).arrayBuffer()));
    },
    writeBinaryFile: ({ path, content }) => files.write(path, content),
    writeTextFile: ({ path, content }) => files.write(path, content),
    async stat({ path }) {
      const info = await orNull(files.info(path));
      return info && { type: info.kind, size: info.size };
    },
    async listDirectory({ path }) {
      const entries = await orNull(files.list(path));
      return entries && entries.map(({ name, kind }) => ({ name, type: kind }));
    },
    async deleteFile({ path }) {
      return (await orNull(files.remove(path).then(() => true))) ?? false;
    },
    async run({ command, workingDirectory, env, abortSignal }) {
      const ended = await sandbox.exec(command, { cwd: workingDirectory, env, signal: abortSignal });
      return { exitCode: ended.exitCode, stdout: ended.stdout, stderr: ended.stderr };
    },
    async spawn({ command, workingDirectory, env, abortSignal }) {
      const process = sandbox.spawn(command, { cwd: workingDirectory, env });
      abortSignal?.addEventListener("abort", () => process.kill(), { once: true });
      return {
        stdin: process.stdin,
        stdout: process.stdout,
        stderr: process.stderr,
        wait: async () => ({ exitCode: await process.wait() }),
        kill: async () => process.kill(),
      };
    },
  };
}

module.exports = { createSandboxSession };
