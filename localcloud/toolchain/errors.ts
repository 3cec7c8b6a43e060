/** An error for the user: the problem and the hint, without a stack trace. */
export class ToolchainError extends Error {
  override name = 'ToolchainError';
}

/** Somebody ended Go. */
export class Interrupted extends ToolchainError {}
