/** An error for the user, with the problem and the hint. It is printed without a stack trace. */
export class UserError extends Error {
  constructor(
    message: string,
    /** The hint, as a sentence. */
    readonly hint?: string,
    /** The process's exit code. */
    readonly exitCode: number = 1,
  ) {
    super(message);
    this.name = 'UserError';
  }
}
