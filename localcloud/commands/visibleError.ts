/** An error for the user, with the problem and the remedy. It is printed without a stack trace. */
export class VisibleError extends Error {
  constructor(
    message: string,
    /** The remedy, as a sentence. */
    readonly remedy?: string,
    /** The process's exit code. */
    readonly exitCode: number = 1,
  ) {
    super(message);
    this.name = 'VisibleError';
  }
}
