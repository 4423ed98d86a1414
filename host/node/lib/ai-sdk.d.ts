import type { Sandbox } from "./index.js";

/** The sandbox session of the AI SDK: give it as `experimental_sandbox`. */
export interface SandboxSession {
  readonly description: string;
  readonly sandbox: Sandbox;
  readFile(options: { path: string; abortSignal?: AbortSignal }): Promise<ReadableStream<Uint8Array> | null>;
  readBinaryFile(options: { path: string }): Promise<Uint8Array | null>;
  readTextFile(options: {
    path: string;
    encoding?: string;
    startLine?: number;
    endLine?: number;
  }): Promise<string | null>;
  writeFile(options: {
    path: string;
    content: ReadableStream<Uint8Array>;
    abortSignal?: AbortSignal;
  }): Promise<void>;
  writeBinaryFile(options: { path: string; content: Uint8Array }): Promise<void>;
  writeTextFile(options: { path: string; content: string }): Promise<void>;
  stat(options: { path: string }): Promise<{ type: "file" | "directory" | "symlink" | "other"; size: number } | null>;
  listDirectory(options: {
    path: string;
  }): Promise<{ name: string; type: "file" | "directory" | "symlink" | "other" }[] | null>;
  deleteFile(options: { path: string }): Promise<boolean>;
  run(options: {
    command: string;
    workingDirectory?: string;
    env?: Record<string, string>;
    abortSignal?: AbortSignal;
  }): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  spawn(options: {
    command: string;
    workingDirectory?: string;
    env?: Record<string, string>;
    abortSignal?: AbortSignal;
  }): Promise<{
    stdin: WritableStream<string | Uint8Array>;
    stdout: ReadableStream<Uint8Array>;
    stderr: ReadableStream<Uint8Array>;
    wait(): Promise<{ exitCode: number }>;
    kill(): Promise<void>;
  }>;
}

/** A session of `sandbox`, or of a new one. */
export function createSandboxSession(sandbox?: Sandbox): SandboxSession;
