/** Kinds of toolchain errors. Each message has its own remedy. */
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

/** An error for the user with the problem and the remedy, without a stack trace. */
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
