/** An error for the user: what is wrong, and what to do. The launcher prints it without a stack trace. */
export class VisibleError extends Error {
  constructor(
    message: string,
    /** What to do about it, as a sentence. */
    readonly remedy?: string,
    /** The process's exit code. */
    readonly exitCode: number = 1,
  ) {
    super(message);
    this.name = 'VisibleError';
  }
}
