import type { Sandbox, SandboxOptions } from "./index.js";

/** The shape of just-bash's `Bash`, so that `bash-tool` and code written for it take a sandbox. */
export class Bash {
  constructor(options?: Pick<SandboxOptions, "files" | "env" | "cwd" | "limits" | "commands" | "network">);
  readonly sandbox: Sandbox;
  readonly fs: {
    readFile(path: string, options?: string | { encoding?: string }): Promise<string>;
    readFileBuffer(path: string): Promise<Uint8Array>;
    writeFile(path: string, content: string | Uint8Array): Promise<void>;
    appendFile(path: string, content: string | Uint8Array): Promise<void>;
    exists(path: string): Promise<boolean>;
    stat(path: string): Promise<{
      isFile: boolean;
      isDirectory: boolean;
      isSymbolicLink: boolean;
      mode: number;
      size: number;
      mtime: Date;
    }>;
    mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
    readdir(path: string): Promise<string[]>;
    rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
    cp(source: string, target: string, options?: { recursive?: boolean }): Promise<void>;
    mv(source: string, target: string): Promise<void>;
    resolvePath(base: string, path: string): string;
  };
  exec(
    script: string,
    options?: { env?: Record<string, string>; cwd?: string; stdin?: string; args?: string[]; signal?: AbortSignal },
  ): Promise<{ stdout: string; stderr: string; exitCode: number }>;
  readFile(path: string): Promise<string>;
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  getCwd(): string;
}
