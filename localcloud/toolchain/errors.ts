/** An error for the user: the problem and a hint, printed without a stack trace. */
export class ToolchainError extends Error {
  override name = 'ToolchainError';
}

/** The error of a build during which the user, or a signal, ended Go. */
export class Interrupted extends ToolchainError {}
