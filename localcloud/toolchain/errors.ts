/** Why the toolchain cannot be had; each has its own remedy in the message. */
export type ToolchainProblem =
  | 'go-missing'
  | 'go-too-old'
  | 'download-refused'
  | 'checksum-mismatch'
  | 'no-disk-space'
  | 'out-of-memory'
  | 'compile-failed'
  | 'interrupted'
  | 'invalid-pins'
  | 'not-built'
  | 'cache-not-writable'
  | 'chart-missing';

/** Says what is wrong and what to do; never a stack trace for the user. */
export class ToolchainError extends Error {
  constructor(
    readonly problem: ToolchainProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ToolchainError';
  }
}
