// What an execution gave.

const decoder = new TextDecoder();

/** Output and status of a script that ended. */
export class ExecResult {
  /** @internal */
  constructor(
    /** 0 to 255; 124 after a time-out. */
    readonly exitCode: number,
    readonly stdoutBytes: Uint8Array,
    readonly stderrBytes: Uint8Array,
    readonly timedOut: boolean,
    /** Whether output is missing at its end. */
    readonly truncated: boolean,
    readonly durationMs: number,
  ) {}
  /** Whether the status is 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }
  /** As text; what is not UTF-8 is replaced. */
  get stdout(): string {
    return decoder.decode(this.stdoutBytes);
  }
  get stderr(): string {
    return decoder.decode(this.stderrBytes);
  }
}
