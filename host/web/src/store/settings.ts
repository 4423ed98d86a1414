// The settings of a sandbox as the native runtime keeps them with a commit.

import { MOST_MEMORY } from "../engine.js";
import { CorruptError } from "../errors.js";
import { HOME, USER } from "../layout.js";
import type { Limits } from "../sandbox.js";

const VERSION = 1;

/** What is kept of a sandbox besides files. */
export interface Kept {
  env: Record<string, string>;
  cwd: string;
  limits: Limits;
}

/** The stored form; what this host has no limit for is the native default. */
export function encodeSettings({ env, cwd, limits }: Kept): Uint8Array {
  const stored = {
    version: VERSION,
    environment: Object.entries(env),
    cwd,
    user: { name: USER.user, uid: USER.uid, gid: USER.gid, home: HOME, hostname: USER.hostname },
    limits: {
      memory: limits.memory ?? 256 << 20,
      total_memory: limits.totalMemory ?? 2 ** 30,
      wall_time_ms: limits.timeMs ?? null,
      cpu_time_ms: null,
      processes: limits.processes ?? 64,
      open_files: limits.openFiles ?? 256,
      output: limits.output ?? 2 ** 30,
      instances: 32,
      tables: 32,
      arguments: 2 << 20,
    },
    quotas: {
      bytes: limits.disk ?? 2 ** 30,
      inodes: limits.inodes ?? 1_000_000,
      file_size: limits.fileSize ?? 2 ** 40,
      name_length: 255,
      path_length: 4096,
    },
    budgets: { steps: limits.steps ?? 0, depth: 12_000, output: 0, expansion: 48 << 20, variables: 64 << 20 },
    seed: null,
  };
  return new TextEncoder().encode(JSON.stringify(stored));
}

/** Reads the stored form. */
export function decodeSettings(bytes: Uint8Array): Kept {
  try {
    const { version, environment, cwd, limits, quotas, budgets } = JSON.parse(new TextDecoder().decode(bytes));
    if (version > VERSION) throw new CorruptError("settings of a newer version", { code: "TOO_NEW", operation: "open" });
    // What is larger than a number of JavaScript is no limit here either.
    const most = (value: number) => Math.min(value, Number.MAX_SAFE_INTEGER);
    const read: Limits = {
      // More than a process can have here is what it can have.
      memory: Math.min(limits.memory, MOST_MEMORY),
      totalMemory: most(limits.total_memory),
      processes: most(limits.processes),
      openFiles: most(limits.open_files),
      output: most(limits.output),
      disk: most(quotas.bytes),
      inodes: most(quotas.inodes),
      fileSize: most(quotas.file_size),
      steps: most(budgets.steps),
      ...(limits.wall_time_ms === null ? {} : { timeMs: most(limits.wall_time_ms) }),
    };
    const texts: unknown[] = [cwd, ...environment.flat()];
    if (texts.some((text) => typeof text !== "string")) throw new TypeError("what should be text is none");
    return { env: Object.fromEntries(environment), cwd, limits: read };
  } catch (error) {
    if (error instanceof CorruptError) throw error;
    throw new CorruptError("the settings of the sandbox are damaged", { code: "CORRUPT", operation: "open" });
  }
}
