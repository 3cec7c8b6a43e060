/** An error for the user, with the problem and a hint. It is printed without a stack trace. */
export class UserError extends Error {
  readonly exitCode: number;

  constructor(
    message: string,
    /** A sentence that says how to solve the problem. */
    readonly hint?: string,
    { exitCode = 1, cause }: { readonly exitCode?: number; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UserError';
    this.exitCode = exitCode;
  }
}
