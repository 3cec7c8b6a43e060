/** An error for the user, with the problem and a hint. It is printed without a stack trace. */
export class UserError extends Error {
  constructor(
    message: string,
    /** A sentence that says how to solve the problem. */
    readonly hint?: string,
    readonly exitCode: number = 1,
  ) {
    super(message);
    this.name = 'UserError';
  }
}
